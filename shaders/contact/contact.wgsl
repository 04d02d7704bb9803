// What a constraint of a particle that touches something is about. One per constraint, in the same order; of pins, all zero.
// Same layout as `gpu::layout::Contact`.
#import shared/symmetric

struct Contact {
    // Unit, out of what is touched; zero where there is none. w: Coulomb's coefficient.
    normals: array<vec4<f32>, 3>,
    // Diagonal block D of the row.
    block: SymmetricBlock,
    // Impulse of friction while it slides, N·s.
    friction: vec4<f32>,
    // The constrained part of the residual, set aside: large against what is solved for, it would only leave its rounding there, N·s.
    aside: vec4<f32>,
    // Of the touched surface, m/s.
    surface_velocity: vec4<f32>,
    // How far x̂ was led from where the scheme has it, in the directions that were constrained at first, sign reversed, m.
    led: vec4<f32>,
    // Speed along each normal with which it arrives at the surface at the end of the step, m/s.
    wanted: vec4<f32>,
    // What brings it there again after it was let go too early, m/s.
    shift: vec4<f32>,
    // From the centre of the rigid body it touches, m. w: how often it has changed in a safe step.
    arm: vec4<f32>,
    row: u32,
    // CONTACT_… below
    state: u32,
    // A bit for each normal that still holds.
    holding: u32,
    // The rigid body that its first normal belongs to, or NO_BODY.
    body: u32,
}

// A pin: nothing to decide.
const CONTACT_HELD: u32 = 0u;
// Goes with the surface.
const CONTACT_STICKS: u32 = 1u;
// Along the surface, with friction.
const CONTACT_SLIDES: u32 = 2u;
// No longer touches.
const CONTACT_FREE: u32 = 3u;

const NO_BODY: u32 = 0xffffffffu;

// λ with Σ λ_k n_k the part of v in the span of the normals that hold, from their Gram matrix.
fn shares(contact: Contact, products: vec3<f32>) -> vec3<f32> {
    let on = vec3((contact.holding & 1u) != 0u, (contact.holding & 2u) != 0u, (contact.holding & 4u) != 0u);
    let a = contact.normals[0].xyz;
    let b = contact.normals[1].xyz;
    let c = contact.normals[2].xyz;
    // Where one does not hold: a row of the identity.
    let ab = select(0.0, dot(a, b), on.x && on.y);
    let ac = select(0.0, dot(a, c), on.x && on.z);
    let bc = select(0.0, dot(b, c), on.y && on.z);
    let right = select(vec3(0.0), products, on);
    let determinant = 1.0 + 2.0 * ab * ac * bc - ab * ab - ac * ac - bc * bc;
    return vec3(
        (1.0 - bc * bc) * right.x + (ac * bc - ab) * right.y + (ab * bc - ac) * right.z,
        (ac * bc - ab) * right.x + (1.0 - ac * ac) * right.y + (ab * ac - bc) * right.z,
        (ab * bc - ac) * right.x + (ab * ac - bc) * right.y + (1.0 - ab * ab) * right.z,
    ) / determinant;
}

fn normal_products(contact: Contact, v: vec3<f32>) -> vec3<f32> {
    return vec3(dot(contact.normals[0].xyz, v), dot(contact.normals[1].xyz, v), dot(contact.normals[2].xyz, v));
}

fn along_normals(contact: Contact, lambda: vec3<f32>) -> vec3<f32> {
    return lambda.x * contact.normals[0].xyz + lambda.y * contact.normals[1].xyz + lambda.z * contact.normals[2].xyz;
}

fn without_normals(contact: Contact, v: vec3<f32>) -> vec3<f32> {
    return v - along_normals(contact, shares(contact, normal_products(contact, v)));
}

// P of a particle that slides: what is across the normals that hold.
fn across_normals(contact: Contact) -> SymmetricBlock {
    return symmetric_of(
        without_normals(contact, vec3(1.0, 0.0, 0.0)),
        without_normals(contact, vec3(0.0, 1.0, 0.0)),
        without_normals(contact, vec3(0.0, 0.0, 1.0)),
    );
}

// Lets go of normals that would pull, the worst first; returns the impulses along the others.
fn release_normals(contact: ptr<function, Contact>, products: vec3<f32>) -> vec3<f32> {
    return release_normals_beyond(contact, products, 0.0);
}

// The same for normals that would pull with more than `slack`.
fn release_normals_beyond(contact: ptr<function, Contact>, products: vec3<f32>, slack: f32) -> vec3<f32> {
    var lambda = vec3(0.0);
    for (var turn = 0u; turn < 3u; turn += 1u) {
        lambda = shares(*contact, products);
        let worst = min(lambda.x, min(lambda.y, lambda.z));
        if worst >= -slack {
            lambda = max(lambda, vec3(0.0));
            break;
        }
        let first = select(select(4u, 2u, lambda.y == worst), 1u, lambda.x == worst);
        (*contact).holding &= ~first;
        lambda = max(lambda, vec3(0.0));
    }
    return lambda;
}

// The impulse of Coulomb's friction for impulses along the normals.
fn friction_limit(contact: Contact, lambda: vec3<f32>) -> f32 {
    return contact.normals[0].w * lambda.x + contact.normals[1].w * lambda.y + contact.normals[2].w * lambda.z;
}

// Speed along each normal that a particle of this velocity lacks to arrive at the surface, m/s.
fn missing_speeds(contact: Contact, velocity: vec3<f32>) -> vec3<f32> {
    return contact.wanted.xyz - normal_products(contact, velocity);
}

// How far a particle is short of the surfaces by the end of the step, along each normal, over the length of its stage, m/s; above 0: it goes in.
fn lacking(contact: Contact, velocity: vec3<f32>, stage_step: f32) -> vec3<f32> {
    return missing_speeds(contact, velocity + contact.led.xyz / stage_step);
}

// Takes hold again of normals that were let go and that the particle goes through.
fn take_hold(contact: ptr<function, Contact>, let_go: u32, velocity: vec3<f32>, stage_step: f32) -> bool {
    return take_hold_beyond(contact, let_go, velocity, stage_step, 0.0);
}

// The same for normals that the particle goes through by more than `slack`, m.
fn take_hold_beyond(contact: ptr<function, Contact>, let_go: u32, velocity: vec3<f32>, stage_step: f32, slack: f32) -> bool {
    let short = lacking(*contact, velocity, stage_step);
    var found = 0u;
    for (var ix = 0u; ix < 3u; ix += 1u) {
        let normal = (*contact).normals[ix].xyz;
        if (let_go >> ix & 1u) != 0u && dot(normal, normal) > 0.0 && short[ix] * stage_step > slack {
            found |= 1u << ix;
        }
    }
    (*contact).holding |= found;
    return found != 0u;
}
