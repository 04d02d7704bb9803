// A rigid body in the solve, whose six velocities, (V, Ω), are unknowns like those of particles. Same layouts as `gpu::layout::Rigid` and
// `gpu::layout::RigidContact`.
#import contact/contact

struct Rigid {
    // B: mass and inertia, and the terms of contacts with the world.
    own: array<array<f32, 6>, 6>,
    // Q_b: inverse of the diagonal block, which includes the blocks of slaved particles.
    inverse: array<array<f32, 6>, 6>,
    // Residual of the body itself; slaved particles keep their own.
    residual: array<f32, 6>,
    // Preconditioned residual, search direction, its image, solution: as for particles.
    u: array<f32, 6>,
    p: array<f32, 6>,
    s: array<f32, 6>,
    x: array<f32, 6>,
    // Sum of the solutions of earlier linearisations.
    total: array<f32, 6>,
    // Velocity at the start of the solve.
    guess: array<f32, 6>,
    // Friction of particles that slide on the body, as contained in the residual.
    rubbed: array<f32, 6>,
    // Constraints of particles that touch the body or are attached to it.
    first_constraint: u32,
    constraint_count: u32,
    // Contacts of the body with the world.
    first_contact: u32,
    contact_count: u32,
}

// A point of the body in contact with the world. A term of the body's own block holds it, κ times the missing velocity, so stiff that a weight sinks in by a
// thousandth of its free fall in a step. The block is inverted as a whole, so that this costs no iteration.
struct RigidContact {
    // Arm from the centre, m; w: Coulomb's coefficient.
    arm: vec4<f32>,
    // Unit normal out of the world; w: κ, kg.
    normal: vec4<f32>,
    // Target velocity of the point, m/s.
    wanted: vec4<f32>,
    // Friction impulse where the point slides, N·s.
    friction: vec4<f32>,
    // State: CONTACT_…
    state: u32,
    padding_a: u32,
    padding_b: u32,
    padding_c: u32,
}

// Impulse with which the world would hold a point of this velocity, N·s.
fn lacking_at(contact: RigidContact, velocity: vec3<f32>) -> vec3<f32> {
    return contact.normal.w * (contact.wanted.xyz - velocity);
}

// Updates a contact with the world from its impulse: its state, and its friction where it slides.
fn answer(contact: RigidContact, lacking: vec3<f32>) -> RigidContact {
    var next = contact;
    let pressed = dot(lacking, contact.normal.xyz);
    let across = lacking - pressed * contact.normal.xyz;
    let limit = contact.arm.w * pressed;
    let rubs = length(contact.friction.xyz);
    if contact.state != CONTACT_STICKS && contact.state != CONTACT_SLIDES {
        return next;
    }
    if pressed < 0.0 {
        next.state = CONTACT_FREE;
        next.friction = vec4(0.0);
    } else if contact.state == CONTACT_STICKS && length(across) > limit {
        next.state = CONTACT_SLIDES;
        next.friction = vec4(across * (limit / length(across)), 0.0);
    } else if contact.state == CONTACT_SLIDES && rubs > limit {
        // Friction is bounded by the present normal impulse, which is less than when the contact began to slide.
        next.friction *= limit / rubs;
    }
    return next;
}

// A 6-vector, or a row of Rᵀ.
struct Six {
    linear: vec3<f32>,
    angular: vec3<f32>,
}

fn six_of(v: array<f32, 6>) -> Six {
    return Six(vec3(v[0], v[1], v[2]), vec3(v[3], v[4], v[5]));
}

// Velocity of a point of a body at the present iterate, m/s.
fn velocity_of(body: Rigid, arm: vec3<f32>) -> vec3<f32> {
    let guess = six_of(body.guess);
    let total = six_of(body.total);
    let x = six_of(body.x);
    return guess.linear + total.linear + x.linear + cross(guess.angular + total.angular + x.angular, arm);
}
