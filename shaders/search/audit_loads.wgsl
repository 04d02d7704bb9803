// Energy audit of point loads at the end of a safe step, one load per thread: subtracts their work.
// Reads loads, previous, positions, status. Runs after `search/audit`. Writes row_sums.
#import shared/params
#import shared/status
#import launch
#import shared/load
#import integrate/previous

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> loads: array<Load>;
@group(0) @binding(3) var<storage, read> previous: array<Previous>;
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> row_sums: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // This kernel does not write status, so that an early return here never splits a workgroup before its barriers.
    if status.search.mode != MODE_FINISHED {
        return;
    }
    var work = 0.0;
    let range = rows_of(group.x, local_ix, 0u, params.load_count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let row = loads[ix].row;
        let before = previous[row].position.xyz;
        let to = positions[row].xyz;
        let pull = loads[ix].force.w * (loads[ix].goal.xyz - 0.5 * (before + to));
        work += dot(loads[ix].force.xyz + pull, to - before);
    }
    let total = reduce(local_ix, vec4(work, 0.0, 0.0, 0.0));
    if local_ix < PARTIALS_PER_WORKGROUP {
        row_sums[group.x * PARTIALS_PER_WORKGROUP + local_ix] -= total;
    }
}
