// Prepares the audit of a step without line search (IMEX), one row per thread: a search from the end of the step, about which `search/weigh` evaluates the elastic
// energy, back to its start. With α = 0 and x_f = x₀ that gives E(x₀) - E(x₁) and E(x₁).
// Where the state lies beyond the stage, x̂ and v̂ move with it: the audit reads x₁ as x̂ + γh v₁ and m (v₁ - v̂) as the share of a pin in the residual.
// Reads previous, positions, velocities. Writes search, anchor, status.
#import shared/params
#import shared/status
#import launch
#import integrate/previous
#import search/search_row

// True for the IMEX midpoint rule.
override BEYOND_STAGE: bool = false;

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read> previous: array<Previous>;
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> search: array<SearchRow>;
@group(0) @binding(6) var<storage, read_write> anchor: array<Previous>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let start = previous[row];
        search[row] = SearchRow(start.position, start.velocity, start.position, start.velocity);
        if BEYOND_STAGE {
            let velocity = velocities[row];
            anchor[row] = Previous(vec4(positions[row].xyz - status.scheme.stage_step * velocity.xyz, 0.0), velocity);
        }
    }
    if group.x == 0u && local_ix == 0u {
        status.search.action = ACTION_SEARCH;
        status.search.mode = MODE_FINISHED;
        status.search.alpha = 0.0;
    }
}
