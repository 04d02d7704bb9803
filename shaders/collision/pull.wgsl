// Before a product with the matrix, one pair per thread: what each strut that pushes contributes, q = [κ n nᵀ + a (I - n nᵀ)] Σ w u. `solve/spmv` gathers it.
// Reads pairs, struts, states, u, meeting, status. Writes pulls.
#import shared/params
#import shared/status
#import launch
#import collision/pair
#import collision/strut
#import collision/meeting
#import collision/surface_layout

// True for the product A d along a line search.
override ALONG_SEARCH: bool = false;

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(8) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> meeting: array<u32>;
@group(0) @binding(3) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(4) var<storage, read> struts: array<Strut>;
@group(0) @binding(5) var<storage, read> states: array<u32>;
@group(0) @binding(6) var<storage, read> u: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> pulls: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if ALONG_SEARCH {
        if in_turn(status.search.action, group) != ACTION_SEARCH || in_turn(status.search.tried, group) != 0u {
            return;
        }
    } else if in_turn(status.cg.done, group) != 0u {
        return;
    }
    let range = rows_among(surface_layout.strut_workgroups, group.x, local_ix, 0u, meeting[MEETING_FOUND]);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        for (var layer = 0u; layer < MOST_STRUTS; layer += 1u) {
            let slot = layer * surface_layout.pair_capacity + ix;
            let state = state_of(states[slot]);
            if state == STRUT_ON {
                pulls[slot] = vec4(pull(slot, pairs[ix].rows), 0.0);
            } else if state == STRUT_NONE {
                break;
            }
        }
    }
}

fn pull(slot: u32, rows: vec4<u32>) -> vec3<f32> {
    let weights = struts[slot].weights;
    let y = weights.x * u[rows.x].xyz + weights.y * u[rows.y].xyz + weights.z * u[rows.z].xyz + weights.w * u[rows.w].xyz;
    return pull_of(struts[slot].normal, struts[slot].push.w, y);
}
