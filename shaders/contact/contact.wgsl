// Contact data of a constraint, one entry per constraint, in the same order; all zero for pins.
// Same layout as `gpu::layout::Contact`.
#import shared/symmetric

struct Contact {
    // Unit contact normals out of the colliders; zero where unused. w: coefficient of friction μ.
    normals: array<vec4<f32>, 3>,
    // Diagonal block D of the row.
    block: SymmetricBlock,
    // Friction impulse while the contact slides, N·s.
    friction: vec4<f32>,
    // Constrained part of the residual, set aside, N·s: it is large against the free part and would spoil it by rounding.
    aside: vec4<f32>,
    // Velocity of the surface at the contact, m/s.
    surface_velocity: vec4<f32>,
    // Displacement of x̂ from the scheme's own to the one that follows the surface, in the initially constrained directions, sign
    // reversed, m.
    led: vec4<f32>,
    // Speed along each normal that reaches the surface at the end of the step, m/s.
    wanted: vec4<f32>,
    // Δv that brings the particle back to the surface when a released contact engages again, m/s.
    shift: vec4<f32>,
    // Lever arm from the centre of the touched rigid body, m. w: number of state changes in a safe step.
    arm: vec4<f32>,
    row: u32,
    // CONTACT_… below
    state: u32,
    // Active normals, one bit each.
    holding: u32,
    // Index of the rigid body of the first normal, or NO_BODY.
    body: u32,
}

// A pin: its constraint never changes.
const CONTACT_HELD: u32 = 0u;
// Sticking: the particle moves with the surface.
const CONTACT_STICKS: u32 = 1u;
// Sliding: the particle moves along the surface, with kinetic friction.
const CONTACT_SLIDES: u32 = 2u;
// Released: the contact does not act.
const CONTACT_FREE: u32 = 3u;

const NO_BODY: u32 = 0xffffffffu;

// Coefficients λ such that Σ λ_k n_k is the projection of v onto the span of the active normals, from their Gram matrix.
fn shares(contact: Contact, products: vec3<f32>) -> vec3<f32> {
    let on = vec3((contact.holding & 1u) != 0u, (contact.holding & 2u) != 0u, (contact.holding & 4u) != 0u);
    let a = contact.normals[0].xyz;
    let b = contact.normals[1].xyz;
    let c = contact.normals[2].xyz;
    // An inactive normal gets a row of the identity.
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

// P of a sliding particle: the projection onto the directions orthogonal to all active normals.
fn across_normals(contact: Contact) -> SymmetricBlock {
    return symmetric_of(
        without_normals(contact, vec3(1.0, 0.0, 0.0)),
        without_normals(contact, vec3(0.0, 1.0, 0.0)),
        without_normals(contact, vec3(0.0, 0.0, 1.0)),
    );
}

// Releases normals with tensile impulse, the most tensile first; returns the impulses along the remaining ones.
fn release_normals(contact: ptr<function, Contact>, products: vec3<f32>) -> vec3<f32> {
    return release_normals_beyond(contact, products, 0.0);
}

// Releases normals whose tensile impulse exceeds `slack`, the most tensile first; returns the impulses along the remaining ones.
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

// Largest friction impulse by Coulomb's law for the given normal impulses, N·s.
fn friction_limit(contact: Contact, lambda: vec3<f32>) -> f32 {
    return contact.normals[0].w * lambda.x + contact.normals[1].w * lambda.y + contact.normals[2].w * lambda.z;
}

// Speed along each normal that this velocity lacks to reach the surface, m/s.
fn missing_speeds(contact: Contact, velocity: vec3<f32>) -> vec3<f32> {
    return contact.wanted.xyz - normal_products(contact, velocity);
}

// Depth of penetration at the end of the step along each normal, divided by the length of the stage, m/s; positive inside.
fn lacking(contact: Contact, velocity: vec3<f32>, stage_step: f32) -> vec3<f32> {
    return missing_speeds(contact, velocity + contact.led.xyz / stage_step);
}

// Activates released normals that the particle would penetrate; returns whether there are any.
fn take_hold(contact: ptr<function, Contact>, let_go: u32, velocity: vec3<f32>, stage_step: f32) -> bool {
    return take_hold_beyond(contact, let_go, velocity, stage_step, 0.0);
}

// Activates released normals that the particle would penetrate by more than `slack`, m; returns whether there are any.
fn take_hold_beyond(contact: ptr<function, Contact>, let_go: u32, velocity: vec3<f32>, stage_step: f32, slack: f32) -> bool {
    let depths = lacking(*contact, velocity, stage_step) * stage_step;
    let a = (*contact).normals[0].xyz;
    let b = (*contact).normals[1].xyz;
    let c = (*contact).normals[2].xyz;
    let used = vec3(dot(a, a), dot(b, b), dot(c, c)) > vec3(0.0);
    let bits = select(vec3(0u), vec3(1u, 2u, 4u), used & (depths > vec3(slack)));
    let found = let_go & (bits.x | bits.y | bits.z);
    (*contact).holding |= found;
    return found != 0u;
}
