// Potential of struts at a point of the line search, beyond that of their present states and less that at its start, one pair per thread, as partial sums behind
// those of edges and elements. A strut that pushes has the potential ½ κ ((τ - G)/γh)²; those that should change state differ by it.
// Reads pairs, struts, states, search, motion, meeting, status. Writes weights.
#import shared/params
#import shared/status
#import launch
#import search/search_row
#import collision/pair
#import collision/motion
#import collision/strut
#import collision/meeting
#import collision/surface_layout

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(8) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> meeting: array<u32>;
@group(0) @binding(3) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(4) var<storage, read> struts: array<Strut>;
@group(0) @binding(5) var<storage, read> states: array<u32>;
@group(0) @binding(6) var<storage, read> search: array<SearchRow>;
@group(0) @binding(9) var<storage, read> motion: array<Motion>;
@group(0) @binding(7) var<storage, read_write> weights: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // The status is a uniform buffer here, so that an early return never splits a workgroup before its barriers.
    if in_turn(status.search.action, group) != ACTION_SEARCH {
        return;
    }
    let alpha = status.search.alpha;
    var sum = 0.0;
    let range = rows_among(surface_layout.strut_workgroups, group.x, local_ix, 0u, meeting[MEETING_FOUND]);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let pair = pairs[ix];
        for (var layer = 0u; layer < MOST_STRUTS; layer += 1u) {
            let slot = layer * surface_layout.pair_capacity + ix;
            let state = state_of(states[slot]);
            if state == STRUT_NONE {
                break;
            }
            let strut = struts[slot];
            let first = offset_at_start(strut, pair);
            let last = offset_at_end(strut, pair);
            sum += unmodelled(strut, state, first + alpha * (last - first)) - unmodelled(strut, state, first);
        }
    }
    let total = reduce(local_ix, vec4(0.0, sum, 0.0, 0.0));
    if local_ix < PARTIALS_PER_WORKGROUP {
        weights[params.measure_count - params.strut_partials + group.x * PARTIALS_PER_WORKGROUP + local_ix] = total;
    }
}

// Potential at an offset between its points, beyond that of a spring in its present state: 0 while it stays in that state.
fn unmodelled(strut: Strut, state: u32, offset: vec3<f32>) -> f32 {
    let missing = strut.goal - dot(strut.normal.xyz, offset);
    let speed = missing / status.scheme.stage_step;
    let spring = 0.5 * strut.normal.w * speed * speed;
    return select(select(0.0, -spring, missing <= 0.0 && state == STRUT_ON), spring, missing > 0.0 && state == STRUT_OFF);
}

// Near a collider: the displacement since the start of the step.
fn offset_at_start(strut: Strut, pair: SurfacePair) -> vec3<f32> {
    let rows = pair.rows;
    if pair.kind == ON_COLLIDER {
        return strut.weights.x * (search[rows.x].start_position.xyz - motion[rows.x].start.xyz)
            + strut.weights.y * (search[rows.y].start_position.xyz - motion[rows.y].start.xyz)
            + strut.weights.z * (search[rows.z].start_position.xyz - motion[rows.z].start.xyz);
    }
    let origin = search[rows.x].start_position.xyz;
    return strut.weights.y * (search[rows.y].start_position.xyz - origin) + strut.weights.z * (search[rows.z].start_position.xyz - origin)
        + strut.weights.w * (search[rows.w].start_position.xyz - origin);
}

fn offset_at_end(strut: Strut, pair: SurfacePair) -> vec3<f32> {
    let rows = pair.rows;
    if pair.kind == ON_COLLIDER {
        return strut.weights.x * (search[rows.x].end_position.xyz - motion[rows.x].start.xyz)
            + strut.weights.y * (search[rows.y].end_position.xyz - motion[rows.y].start.xyz)
            + strut.weights.z * (search[rows.z].end_position.xyz - motion[rows.z].start.xyz);
    }
    let origin = search[rows.x].end_position.xyz;
    return strut.weights.y * (search[rows.y].end_position.xyz - origin) + strut.weights.z * (search[rows.z].end_position.xyz - origin)
        + strut.weights.w * (search[rows.w].end_position.xyz - origin);
}
