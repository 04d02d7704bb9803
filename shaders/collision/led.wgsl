// Begins the guard at the end of a step, one row per thread: the motion of the step with the part that pins and colliders prescribe. A collider prescribes what it pushes
// along its normals. All particles begin with their whole motion.
// Reads previous, positions, constraint_ix, constraints, contacts, status. Writes motion, fractions, meeting.
#import shared/params
#import shared/status
#import launch
#import shared/constraint
#import integrate/previous
#import contact/contact
#import contact/pass
#import collision/motion
#import collision/share
#import collision/meeting

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> previous: array<Previous>;
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(5) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(6) var<storage, read> contacts: array<Contact>;
@group(0) @binding(7) var<storage, read_write> motion: array<Motion>;
@group(0) @binding(8) var<storage, read_write> fractions: array<u32>;
@group(0) @binding(9) var<storage, read_write> meeting: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // A step that goes on in another submission still needs its motion.
    let safely = in_turn(status.search.mode, group) == MODE_FINISHED && in_turn(status.search.outcome, group) != OUTCOME_NON_FINITE;
    let ended = in_turn(status.failed, group) == 0u && select(safely, in_turn(status.cg.outcome, group) != OUTCOME_NON_FINITE, FIXED_PASSES);
    if group.x == 0u && local_ix == 0u {
        meeting[MEETING_GUARDING] = select(0u, 1u, ended);
        meeting[MEETING_ROUNDS] = 0u;
        meeting[MEETING_FRESH] = 0u;
        meeting[MEETING_TRUNCATED] = 0u;
        meeting[MEETING_DRIVEN] = 0u;
    }
    if !ended {
        return;
    }
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let start = previous[row].position.xyz;
        let end = positions[row].xyz;
        var led = vec3(0.0);
        let ix = constraint_ix[row];
        if ix != UNCONSTRAINED {
            if contacts[ix].state == CONTACT_HELD {
                let moved = end - start;
                led = moved - symmetric_times(constraints[ix].free, moved);
            } else {
                let pushed = normal_products(contacts[ix], params.time_step * contacts[ix].surface_velocity.xyz);
                led = along_normals(contacts[ix], max(shares(contacts[ix], pushed), vec3(0.0)));
            }
        }
        motion[row] = Motion(vec4(start, 0.0), vec4(end - start, 0.0), vec4(led, 0.0), vec4(0.0));
        fractions[row] = WHOLE_SHARE;
        fractions[params.particle_count + row] = WHOLE_SHARE;
    }
}
