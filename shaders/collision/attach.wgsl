// At the start of a linearisation, one pair per thread: each of its struts pushes if the present state of the stage asks for it. Where forces are evaluated once more at
// the same stage, struts keep their states.
// Reads pairs, motion, meeting, status. Writes struts, states.
#import shared/params
#import shared/status
#import launch
#import collision/pair
#import collision/strut_motion
#import collision/meeting

// True where forces are evaluated once more at the same stage, outside its solve.
override STANDALONE: bool = false;

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(3) var<storage, read> motion: array<Motion>;
@group(0) @binding(4) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(5) var<storage, read> meeting: array<u32>;
@group(0) @binding(6) var<storage, read_write> struts: array<Strut>;
@group(0) @binding(7) var<storage, read_write> states: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if in_turn(status.cg.newton_done, group) != 0u && !STANDALONE {
        return;
    }
    let range = rows_among(surface_layout.pair_workgroups, group.x, local_ix, 0u, meeting[MEETING_FOUND]);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        for (var layer = 0u; layer < MOST_STRUTS; layer += 1u) {
            let slot = layer * surface_layout.pair_capacity + ix;
            if state_of(states[slot]) == STRUT_NONE {
                break;
            }
            attach(slot, pairs[ix]);
        }
    }
}

fn attach(slot: u32, pair: SurfacePair) {
    let strut = struts[slot];
    let missing = missing_of(strut, pair);
    let pushes = select(missing > 0.0, state_of(states[slot]) == STRUT_ON, STANDALONE);
    let impulse = impulse_of(strut, missing, status.scheme.stage_step, slip_of(strut, pair));
    struts[slot].push = vec4(select(vec3(0.0), impulse, pushes), strut.push.w);
    states[slot] = (states[slot] & ~3u) | select(STRUT_OFF, STRUT_ON, pushes);
}
