// Begins contact between bodies after an explicit step, one row per thread: the motion of the step,
//   d = x₁ - x₀,   w = d/h
// Reads previous, positions, rest (inverse mass), constraint_ix, constraints, contacts. Writes motion, meeting.
#import shared/params
#import launch
#import shared/finite
#import shared/symmetric
#import shared/constraint
#import integrate/previous
#import contact/contact
#import collision/motion
#import collision/meeting

@group(0) @binding(8) var<storage, read> rest: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> previous: array<Previous>;
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(4) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(5) var<storage, read> contacts: array<Contact>;
@group(0) @binding(6) var<storage, read_write> motion: array<Motion>;
@group(0) @binding(7) var<storage, read_write> meeting: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let before = previous[row];
        let start = before.position.xyz;
        let moved = positions[row].xyz - start;
        // The step of a particle that is not finite fails, and must not be searched.
        let way = select(vec3(0.0), moved, all_finite(moved));
        var inverse = rest[row].w;
        let ix = constraint_ix[row];
        if ix != UNCONSTRAINED {
            if contacts[ix].state == CONTACT_HELD && all(constraints[ix].free.diagonal.xyz == vec3(0.0)) {
                inverse = 0.0;
            }
        }
        motion[row] = Motion(vec4(start, inverse), vec4(way, 0.0), vec4(way / params.time_step, 0.0), before.velocity);
    }
    if group.x == 0u && local_ix == 0u {
        meeting[MEETING_NEEDED] = 0u;
        meeting[MEETING_LOST] = 0u;
        meeting[MEETING_GUARDING] = 0u;
        meeting[MEETING_ACTIVE] = 0u;
        meeting[MEETING_CROWD] = 0u;
    }
}
