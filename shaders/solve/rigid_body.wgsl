// A rigid body in the solve. Its six velocities, (V, Ω), are unknowns like those of particles. Same layouts as `gpu::layout::Rigid` and
// `gpu::layout::RigidContact`.
#import contact/contact

struct Rigid {
    // Mass and inertia, and what contacts with the world add.
    own: array<array<f32, 6>, 6>,
    // Of the diagonal block, with those of the particles that go along.
    inverse: array<array<f32, 6>, 6>,
    // The body's own: that of the particles that go along is theirs.
    residual: array<f32, 6>,
    // Preconditioned residual, search direction, its image, solution: as particles have them.
    u: array<f32, 6>,
    p: array<f32, 6>,
    s: array<f32, 6>,
    x: array<f32, 6>,
    // Solutions of earlier linearisations.
    total: array<f32, 6>,
    // The velocity that the solve began with.
    guess: array<f32, 6>,
    // Friction of particles that slide on it, as far as the residual has it.
    rubbed: array<f32, 6>,
    // Constraints of particles that touch it or hang on it.
    first_constraint: u32,
    constraint_count: u32,
    // Its contacts with the world.
    first_contact: u32,
    contact_count: u32,
}

// A point of the body that touches the world. It is held by a term of the body's own block, κ times the velocity it lacks, so stiff that a
// weight sinks in by a thousandth of what it would fall in a step; the block is inverted as a whole, so that costs no iteration.
struct RigidContact {
    // From the centre, m; w: Coulomb's coefficient.
    arm: vec4<f32>,
    // Away from the world; w: κ, kg.
    normal: vec4<f32>,
    // The velocity that is wanted there, m/s.
    wanted: vec4<f32>,
    // Where it slides, N·s.
    friction: vec4<f32>,
    // CONTACT_…
    state: u32,
    padding_a: u32,
    padding_b: u32,
    padding_c: u32,
}

// With which impulse the world holds a point of this velocity, N·s.
fn lacking_at(contact: RigidContact, velocity: vec3<f32>) -> vec3<f32> {
    return contact.normal.w * (contact.wanted.xyz - velocity);
}

// What becomes of a contact with the world, by what it holds with: another state, and its friction where it slides.
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
        // The friction it began to slide with was that of a harder press: less is left.
        next.friction *= limit / rubs;
    }
    return next;
}

// The velocity of a point of a body, as far as the solve has come, m/s.
fn velocity_of(body: Rigid, arm: vec3<f32>) -> vec3<f32> {
    var guess = body.guess;
    var total = body.total;
    var x = body.x;
    var now: array<f32, 6>;
    for (var ix = 0u; ix < 6u; ix += 1u) {
        now[ix] = guess[ix] + total[ix] + x[ix];
    }
    return vec3(now[0], now[1], now[2]) + cross(vec3(now[3], now[4], now[5]), arm);
}
