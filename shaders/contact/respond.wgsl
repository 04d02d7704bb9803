// Between two parts of a solve, one constraint per thread: what a contact holds with decides what becomes of it.
// The constrained part of the residual is minus the impulse of the constraint, J = (P - I) r, r with what was set aside. With λ = ⟨J, n⟩ and J_t across n:
//   λ < 0          it pulls: released, P = I
//   |J_t| ≤ μ λ    it sticks: stays as it is, P = 0
//   otherwise      it slides: P = I - n nᵀ, and friction μ λ along J_t goes into the residual
//   v goes in      it was let go too early, with others that pulled only together: it holds again, and Δv brings it to the surface
// In the last pass nothing is let go any more: what pulls then is let go in the next step. Where it slides on, λ are the shares of its normals, and friction goes on as would stop it, up to the sum of μ λ. It never begins to
// stick again within a step. The solve then goes on from where it is, with another filter.
// Reads velocities, solution. Writes constraints, contacts, residual, preconditioner, status; `contact/engage` computes u.
#import shared/params
#import shared/status
#import launch
#import shared/constraint
#import solve/filter
#import solve/count
#import contact/contact

// Set for the last pass of a solve.
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
        contact.shift = vec4(0.0);
        // Those of rigid bodies would have to know how fast the body is by now.
        if contact.body == NO_BODY && take_hold(&contact, let_go, velocity, status.scheme.stage_step) {
            contact.shift = vec4(along_normals(contact, shares(contact, missing_speeds(contact, velocity))), 0.0);
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
        // The w are not ours.
        constraints[ix].free.diagonal = vec4(free.diagonal.xyz, constraints[ix].free.diagonal.w);
        constraints[ix].free.off_diagonal = vec4(free.off_diagonal.xyz, constraints[ix].free.off_diagonal.w);
        let next = whole + friction - contact.friction.xyz;
        let solved_for = select(next, symmetric_times(free, next), contact.body == NO_BODY);
        contact.friction = vec4(friction, 0.0);
        contact.aside = vec4(next - solved_for, 0.0);
        contacts[ix] = contact;
        residual[row] = vec4(solved_for, 0.0);
        var q = filtered_inverse(in_turn(params.flags, group), contact.block, free);
        q.diagonal.w = contact.block.diagonal.w;
        preconditioner[row] = q;
    }
    if group.x == 0u && local_ix == 0u {
        count_iterations();
        status.cg.resumed += 1u;
        status.cg.fresh = FRESH_SEARCH;
        // A matrix that is not definite does not become so.
        if status.cg.outcome != OUTCOME_INDEFINITE {
            status.cg.outcome = OUTCOME_LIMIT;
            status.cg.done = 0u;
        }
    }
}

// What would stop the particle if it were alone, besides what acts already; no more than Coulomb allows.
fn sliding_friction(contact: Contact, limit: f32, velocity: vec3<f32>) -> vec3<f32> {
    let slip = without_normals(contact, velocity - contact.surface_velocity.xyz);
    // Its own, and that of what is tied to it.
    let mass = contact.block.diagonal.w + contact.block.off_diagonal.w;
    let wanted = contact.friction.xyz - mass * slip;
    return wanted * select(1.0, limit / length(wanted), length(wanted) > limit);
}
