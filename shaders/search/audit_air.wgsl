// Energy audit of the wind at the end of a safe step, one row per thread: subtracts the work of the force of `assembly/air`.
// Reads previous, positions, normals, status. Runs after `search/audit`. Writes row_sums.
#import shared/params
#import shared/status
#import launch
#import integrate/previous
#import shared/wind

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> previous: array<Previous>;
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> normals: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> row_sums: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // This kernel does not write status, so that an early return here never splits a workgroup before its barriers.
    if status.search.mode != MODE_FINISHED {
        return;
    }
    let wind = wind_at(status.wind_phase, status.scheme.stage_time);
    var work = 0.0;
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        work += dot(wind_force(wind, normals[row]), positions[row].xyz - previous[row].position.xyz);
    }
    let total = reduce(local_ix, vec4(work, 0.0, 0.0, 0.0));
    if local_ix < PARTIALS_PER_WORKGROUP {
        row_sums[group.x * PARTIALS_PER_WORKGROUP + local_ix] -= total;
    }
}
