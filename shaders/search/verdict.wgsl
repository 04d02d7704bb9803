// Decides about a solve of a safe step that has ended, one workgroup. If contacts have changed state and passes are left, the solve resumes; otherwise the
// line search along its solution begins.
// Reads changes, rigids, rigid_contacts. Writes status.
#import shared/params
#import shared/status
#import launch
#import solve/count
#import solve/goal
#import solve/rigid_body
#import contact/contact

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read> changes: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> rigids: array<Rigid>;
@group(0) @binding(4) var<storage, read> rigid_contacts: array<RigidContact>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    const FOLD_STRIDE = WORKGROUP_SIZE / PARTIALS_PER_WORKGROUP;
    var sums = vec4(0.0);
    if in_turn(params.contact_passes, group) > 0u {
        for (var ix = local_ix % FOLD_STRIDE; ix < params.partial_count; ix += FOLD_STRIDE) {
            sums += changes[ix];
        }
        // Those of struts follow those of contacts.
        for (var ix = local_ix % FOLD_STRIDE; ix < in_turn(params.strut_partials, group); ix += FOLD_STRIDE) {
            sums += changes[params.partial_count + ix];
        }
        for (var body = 0u; body < in_turn(params.rigid_count, group); body += 1u) {
            for (var ix = local_ix % FOLD_STRIDE; ix < rigids[body].contact_count; ix += FOLD_STRIDE) {
                let contact = rigid_contacts[rigids[body].first_contact + ix];
                let next = answer(contact, lacking_at(contact, velocity_of(rigids[body], contact.arm.xyz)));
                sums.x += select(0.0, 1.0, next.state != contact.state);
            }
        }
    }
    let total = reduce(local_ix, sums);
    if local_ix != 0u {
        return;
    }
    let is_solved = status.search.mode == MODE_SOLVING && status.cg.done != 0u;
    if is_solved {
        note_solve();
    }
    var search = status.search;
    search.action = ACTION_NONE;
    search.revised = 0u;
    if search.mode == MODE_SEARCHING {
        search.action = ACTION_SEARCH;
    } else if is_solved {
        let idle = status.cg.iteration == 0u;
        count_iterations();
        if status.cg.outcome == OUTCOME_NON_FINITE {
            search.mode = MODE_FINISHED;
            search.outcome = OUTCOME_NON_FINITE;
        } else {
            search.action = ACTION_SEARCH;
            search.mode = MODE_SEARCHING;
            search.alpha = 1.0;
            search.tried = 0u;
            if search.passes < most_passes(params.contact_passes, status.cg.loose) {
                // Changes of friction alone are ignored in a loose solve, and after a resumed solve that took no iteration.
                // Friction between bodies is heard where the solve has reached the tolerance of the step.
                let settled = search.passes > 0u && idle;
                let tight = abs(status.cg.gamma) <= tight_goal(status.cg);
                let rubs = select(total.y, 0.0, status.cg.loose != 0u || settled) + select(0.0, total.w, tight && !settled);
                search.passes += 1u;
                search.revised = 1u;
                status.met.y = u32(total.z);
                search.flips = u32(total.x);
                if total.x + rubs > 0.0 {
                    search.action = ACTION_RESUME;
                    search.mode = MODE_SOLVING;
                    status.cg.resumed += 1u;
                    // A few iterations take up what contacts have changed: a new coarse matrix would cost more than they do.
                    if total.x > 0.0 {
                        status.cg.coarse = COARSE_OFF;
                    }
                    // An indefinite matrix stays indefinite.
                    if status.cg.outcome != OUTCOME_INDEFINITE {
                        status.cg.fresh = FRESH_ENGAGE;
                        status.cg.outcome = OUTCOME_LIMIT;
                        status.cg.done = 0u;
                    }
                }
            }
        }
    }
    status.search = search;
}
