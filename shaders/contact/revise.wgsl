// One active-set pass of a safe step, one constraint per thread, after the solve. With the constraint impulse J = (P - I) r, r
// including the part set aside, λ its coefficients along the normals, and the tangential impulse J_t:
//   λ < 0                       tension: released, P = I
//   penetration                 engages: Δv brings the particle to the surface
//   sticks and |J_t| > μ λ      outside the friction cone: slides, P = I - n nᵀ, with friction μ λ along J_t
//   slides and |f| < μ λ        f = friction - ⅓ tr D · slip stops it among neighbours at rest: sticks, P = 0
//   slides otherwise            friction - m · slip, at most μ λ
// A contact that has changed too often keeps its state. `changes`: number of changed states, and of other contacts with changed
// friction.
// Reads velocities, solution, status. Writes constraints, contacts, residual, preconditioner, changes; `contact/engage` computes u.
#import shared/params
#import shared/status
#import launch
#import shared/constraint
#import solve/filter
#import contact/contact
#import contact/pass

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> solution: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> constraints: array<Constraint>;
@group(0) @binding(5) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(6) var<storage, read_write> residual: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> preconditioner: array<SymmetricBlock>;
@group(0) @binding(8) var<storage, read_write> changes: array<vec4<f32>>;

const MOST_FLIPS: f32 = 6.0;
// Tensile impulse that a contact may keep, as a fraction of the particle's weight times the step.
const PULL_SLACK: f32 = 1e-4;
// Penetration that does not engage a contact, m.
const DEPTH_SLACK: f32 = 1e-7;
// Change of friction that counts, as a fraction of Coulomb's limit.
const FRICTION_SLACK: f32 = 0.01;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if !pass_begins(group) {
        return;
    }
    var counts = vec2(0.0);
    let rows = rows_of(group.x, local_ix, 0u, params.constraint_count);
    for (var ix = rows.first; ix < rows.end; ix += rows.stride) {
        if contacts[ix].state != CONTACT_HELD {
            counts += revise(ix, in_turn(params.flags, group));
        }
    }
    let total = reduce(local_ix, vec4(counts, 0.0, 0.0));
    if local_ix < PARTIALS_PER_WORKGROUP {
        changes[group.x * PARTIALS_PER_WORKGROUP + local_ix] = total;
    }
}

fn revise(ix: u32, flags: u32) -> vec2<f32> {
    let h = status.scheme.stage_step;
    var contact = contacts[ix];
    let before = contact;
    let row = contact.row;
    let velocity = velocities[row].xyz + solution[row].xyz;
    // Mass of the particle and of those tied to it, kg.
    let mass = contact.block.diagonal.w + contact.block.off_diagonal.w;
    let weight = mass * length(params.gravity) * h;
    let whole = residual[row].xyz + contact.aside.xyz;
    let held = symmetric_times(constraints[ix].free, whole) - whole;
    let may_change = contact.arm.w < MOST_FLIPS;
    let alone = contact.body == NO_BODY;
    var lambda = vec3(0.0);
    if may_change {
        lambda = release_normals_beyond(&contact, normal_products(contact, held), PULL_SLACK * weight);
    } else {
        lambda = max(shares(contact, normal_products(contact, held)), vec3(0.0));
    }
    let limit = friction_limit(contact, lambda);
    var friction = vec3(0.0);
    var shift = vec3(0.0);
    // The current velocity of a rigid body is not known here.
    if alone && take_hold_beyond(&contact, ~before.holding, velocity, h, DEPTH_SLACK) {
        shift = along_normals(contact, shares(contact, missing_speeds(contact, velocity)));
        contact.state = CONTACT_SLIDES;
    }
    if contact.holding == 0u {
        contact.state = CONTACT_FREE;
    } else if contact.state == CONTACT_STICKS {
        let across = without_normals(contact, held);
        if length(across) > limit {
            contact.state = CONTACT_SLIDES;
            friction = across * (limit / length(across));
        }
    } else {
        let slip = without_normals(contact, velocity + shift - contact.surface_velocity.xyz);
        // This impulse stops the particle while its neighbours stay. It is too large if they stop too; then the particle slips
        // back and sticks in the next pass.
        let stopping = contact.friction.xyz - dot(contact.block.diagonal.xyz, vec3(1.0 / 3.0)) * slip;
        if length(stopping) < limit && alone && may_change {
            contact.state = CONTACT_STICKS;
            shift -= slip;
        } else {
            let wanted = contact.friction.xyz - mass * slip;
            friction = wanted * select(1.0, limit / length(wanted), length(wanted) > limit);
        }
    }
    var free = SymmetricBlock(vec4(0.0), vec4(0.0));
    if contact.state != CONTACT_STICKS {
        free = across_normals(contact);
    }
    let flipped = contact.state != before.state || contact.holding != before.holding;
    let settled = FRICTION_SLACK * max(limit, PULL_SLACK * weight);
    let rubs = !flipped && length(friction - before.friction.xyz) > settled;
    // The w components belong to the integrator (`remembered`).
    constraints[ix].free.diagonal = vec4(free.diagonal.xyz, constraints[ix].free.diagonal.w);
    constraints[ix].free.off_diagonal = vec4(free.off_diagonal.xyz, constraints[ix].free.off_diagonal.w);
    let next = whole + friction - contact.friction.xyz;
    let solved_for = select(next, symmetric_times(free, next), alone);
    if flipped {
        contacts[ix].arm.w = contact.arm.w + 1.0;
        contacts[ix].state = contact.state;
        contacts[ix].holding = contact.holding;
    }
    contacts[ix].shift = vec4(shift, 0.0);
    contacts[ix].friction = vec4(friction, 0.0);
    contacts[ix].aside = vec4(next - solved_for, 0.0);
    residual[row] = vec4(solved_for, 0.0);
    var q = filtered_inverse(flags, contact.block, free);
    q.diagonal.w = contact.block.diagonal.w;
    preconditioner[row] = q;
    return vec2(select(0.0, 1.0, flipped), select(0.0, 1.0, rubs));
}
