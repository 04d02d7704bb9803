// Before a product with the matrix, one pair per thread: what each strut that pushes contributes, q = [κ n nᵀ + a (I - n nᵀ)] Σ w u. `solve/spmv` gathers it.
// Reads pairs, struts, states, u, meeting, status. Writes pulls.
#import shared/params
#import shared/status
#import launch
#import collision/pair
#import collision/strut
#import collision/meeting

// True for the product A d along a line search.
override ALONG_SEARCH: bool = false;

@group(0) @binding(1) var<uniform> status: Status;
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
    let range = rows_of(group.x, local_ix, 0u, meeting[MEETING_FOUND]);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        if state_of(states[ix]) != STRUT_ON {
            continue;
        }
        let rows = pairs[ix].rows;
        let weights = struts[ix].weights;
        let y = weights.x * u[rows.x].xyz + weights.y * u[rows.y].xyz + weights.z * u[rows.z].xyz + weights.w * u[rows.w].xyz;
        pulls[ix] = vec4(pull_of(struts[ix].normal, struts[ix].push.w, y), 0.0);
    }
}
