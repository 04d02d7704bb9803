// After a failed step, one particle per thread: restores the state at its start, and clears the residual.
// Reads previous, order. Writes positions, velocities, published, residual.
#import shared/params
#import launch
#import integrate/previous

@group(0) @binding(1) var<storage, read> previous: array<Previous>;
@group(0) @binding(2) var<storage, read> order: array<u32>;
@group(0) @binding(3) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> published: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> residual: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let good = previous[row];
        positions[row] = good.position;
        velocities[row] = good.velocity;
        published[order[row]] = vec4(good.position.xyz, 1.0);
        residual[row] = vec4(0.0);
    }
}
