// Between two parts of a solve, one constraint per thread: updates the contact's state from its impulse.
// The constraint impulse is minus the constrained part of the residual, J = (P - I) r, with r including the part set aside. With
// λ = ⟨J, n⟩ and the tangential impulse J_t:
//   λ < 0          tension: released, P = I
//   |J_t| ≤ μ λ    inside the friction cone: sticks, P = 0
//   otherwise      outside the friction cone: slides, P = I - n nᵀ, with the friction impulse μ λ along J_t in the residual
//   penetration    released too early, with others in tension: it engages again, and Δv brings the particle to the surface
// The last pass releases nothing: tensile contacts are released in the next step. A contact that keeps sliding has λ as the
// coefficients of its normals and the friction that would stop it, at most Σ μ λ. It does not return to sticking within a step.
// The solve then continues from its current solution with the new filter.
// Reads velocities, solution. Writes constraints, contacts, residual, preconditioner, status; `contact/engage` computes u.
#import shared/params
#import shared/status
#import launch
#import shared/constraint
#import solve/filter
#import solve/count
#import contact/contact

// Set for the last active-set pass of a solve.
override LAST_PASS: bool = false;

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> solution: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> constraints: array<Constraint>;
@group(0) @binding(5) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(6) var<storage, read_write> residual: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> preconditioner: array<SymmetricBlock>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if status.cg.newton_done != 0u {
        return;
    }
    let rows = rows_of(group.x, local_ix, 0u, params.constraint_count);
    for (var ix = rows.first; ix < rows.end; ix += rows.stride) {
        var contact = contacts[ix];
        if contact.state == CONTACT_HELD {
            continue;
        }
        let row = contact.row;
        let velocity = velocities[row].xyz + solution[row].xyz;
        let let_go = ~contact.holding;
        let whole = residual[row].xyz + contact.aside.xyz;
        let held = symmetric_times(constraints[ix].free, whole) - whole;
        var lambda = vec3(0.0);
        if LAST_PASS {
            lambda = max(shares(contact, normal_products(contact, held)), vec3(0.0));
        } else {
            lambda = release_normals(&contact, normal_products(contact, held));
        }
        let limit = friction_limit(contact, lambda);
        var friction = vec3(0.0);
        var shift = vec3(0.0);
        // The current velocity of a rigid body is not known here.
        if contact.body == NO_BODY && take_hold(&contact, let_go, velocity, status.scheme.stage_step) {
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
            friction = sliding_friction(contact, limit, velocity);
        }
        var free = SymmetricBlock(vec4(0.0), vec4(0.0));
        if contact.state != CONTACT_STICKS {
            free = across_normals(contact);
        }
        // The w components belong to the integrator (`remembered`).
        constraints[ix].free.diagonal = vec4(free.diagonal.xyz, constraints[ix].free.diagonal.w);
        constraints[ix].free.off_diagonal = vec4(free.off_diagonal.xyz, constraints[ix].free.off_diagonal.w);
        let next = whole + friction - contact.friction.xyz;
        let solved_for = select(next, symmetric_times(free, next), contact.body == NO_BODY);
        contacts[ix].state = contact.state;
        contacts[ix].holding = contact.holding;
        contacts[ix].shift = vec4(shift, 0.0);
        contacts[ix].friction = vec4(friction, 0.0);
        contacts[ix].aside = vec4(next - solved_for, 0.0);
        residual[row] = vec4(solved_for, 0.0);
        var q = filtered_inverse(in_turn(params.flags, group), contact.block, free);
        q.diagonal.w = contact.block.diagonal.w;
        preconditioner[row] = q;
    }
    if group.x == 0u && local_ix == 0u {
        count_iterations();
        status.cg.resumed += 1u;
        status.cg.fresh = FRESH_SEARCH;
        // An indefinite matrix stays indefinite, so that solve is not resumed.
        if status.cg.outcome != OUTCOME_INDEFINITE {
            status.cg.outcome = OUTCOME_LIMIT;
            status.cg.done = 0u;
        }
    }
}

// Friction impulse that would stop the particle on its own, added to the current one and limited by Coulomb's law, N·s.
fn sliding_friction(contact: Contact, limit: f32, velocity: vec3<f32>) -> vec3<f32> {
    let slip = without_normals(contact, velocity - contact.surface_velocity.xyz);
    // Mass of the particle and of those tied to it, kg.
    let mass = contact.block.diagonal.w + contact.block.off_diagonal.w;
    let wanted = contact.friction.xyz - mass * slip;
    return wanted * select(1.0, limit / length(wanted), length(wanted) > limit);
}
