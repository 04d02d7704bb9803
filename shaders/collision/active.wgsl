// After a step without line search, one pair per thread: counts struts that push.
// Reads states. Writes meeting.
#import shared/params
#import launch
#import collision/strut
#import collision/surface_layout
#import collision/meeting

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> states: array<u32>;
@group(0) @binding(3) var<storage, read_write> meeting: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    var count = 0u;
    let range = rows_among(surface_layout.pair_workgroups, group.x, local_ix, 0u, atomicLoad(&meeting[MEETING_FOUND]));
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        for (var layer = 0u; layer < MOST_STRUTS; layer += 1u) {
            count += select(0u, 1u, state_of(states[layer * surface_layout.pair_capacity + ix]) == STRUT_ON);
        }
    }
    if count > 0u {
        atomicAdd(&meeting[MEETING_ACTIVE], count);
    }
}
