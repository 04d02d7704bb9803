// At the start of a step, one pair per thread: gives struts to pairs that the motion without forces brings too close. The others have none; edges and triangles near
// colliders have those of the host. After an explicit step, whose motion is known, struts are chosen as in a contact pass.
// Reads pairs, motion, surface, rest. Writes struts, states, meeting.
#import shared/params
#import launch
#import collision/choose
#import collision/meeting

// True after an explicit step.
override MOVED: bool = false;

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> surface: array<u32>;
@group(0) @binding(3) var<storage, read> rest: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> motion: array<Motion>;
@group(0) @binding(5) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(6) var<storage, read_write> meeting: array<u32>;
@group(0) @binding(7) var<storage, read_write> struts: array<Strut>;
@group(0) @binding(8) var<storage, read_write> states: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let count = meeting[MEETING_PAIRS];
    let range = rows_among(surface_layout.pair_workgroups, group.x, local_ix, 0u, count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        var state = STRUT_OFF;
        if pairs[ix].kind != ON_COLLIDER {
            let strut = choose(pairs[ix], false, MOVED);
            struts[ix] = strut;
            state = select(STRUT_NONE, STRUT_OFF, strut.mass > 0.0);
        }
        states[ix] = state;
        for (var layer = 1u; layer < MOST_STRUTS; layer += 1u) {
            states[layer * surface_layout.pair_capacity + ix] = STRUT_NONE;
        }
    }
    if group.x == 0u && local_ix == 0u {
        meeting[MEETING_FOUND] = count;
    }
}
