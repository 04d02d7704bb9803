// Begins contact between bodies in a step, one row per thread: the motion without forces between particles, up to their constraints,
//   x₁ = x₀ + h v₀ + h² g,   x₁ := t + P (x₁ - t)
// Reads previous, rest (inverse mass), constraint_ix, constraints, contacts. Writes motion, meeting.
#import shared/params
#import launch
#import shared/symmetric
#import shared/constraint
#import integrate/previous
#import contact/contact
#import collision/motion
#import collision/meeting

@group(0) @binding(9) var<storage, read> rest: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> previous: array<Previous>;
@group(0) @binding(2) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(3) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(6) var<storage, read> contacts: array<Contact>;
@group(0) @binding(4) var<storage, read_write> motion: array<Motion>;
@group(0) @binding(5) var<storage, read_write> meeting: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let h = params.time_step;
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let before = previous[row];
        let start = before.position.xyz;
        var way = h * (before.velocity.xyz + h * params.gravity);
        var inverse = rest[row].w;
        let ix = constraint_ix[row];
        if ix != UNCONSTRAINED {
            let target_position = constraints[ix].target_position.xyz;
            let free = constraints[ix].free;
            let led = target_position - start;
            way = led + symmetric_times(free, way - led);
            // A collider may hold several layers at first; contact passes let go of those that struts push away.
            if contacts[ix].state == CONTACT_HELD && all(free.diagonal.xyz == vec3(0.0)) {
                inverse = 0.0;
            }
        }
        motion[row] = Motion(vec4(start, inverse), vec4(way, 0.0), vec4(0.0), before.velocity);
    }
    if group.x == 0u && local_ix == 0u {
        meeting[MEETING_NEEDED] = 0u;
        meeting[MEETING_LOST] = 0u;
        meeting[MEETING_GUARDING] = 0u;
        meeting[MEETING_ACTIVE] = 0u;
        meeting[MEETING_CROWD] = 0u;
    }
}
