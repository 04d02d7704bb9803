// After the assembly of forces outside a solve, one group of tied particles per thread: distributes the group's force in
// proportion to mass,
//   r_i = m_i Σ r / Σ m
// so that all have the same acceleration.
// Reads ties, velocities (mass). Writes residual.
#import shared/params
#import launch
#import shared/ties

@group(0) @binding(1) var<storage, read> ties: array<u32>;
@group(0) @binding(2) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> residual: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let range = rows_of(group.x, local_ix, 0u, params.tie_count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let tied = tie_group(ix);
        var sum = residual[tied.master].xyz;
        var mass = velocities[tied.master].w;
        for (var place = tied.first; place < tied.end; place += 1u) {
            sum += residual[ties[place]].xyz;
            mass += velocities[ties[place]].w;
        }
        let by_mass = sum / mass;
        residual[tied.master] = vec4(velocities[tied.master].w * by_mass, 0.0);
        for (var place = tied.first; place < tied.end; place += 1u) {
            let row = ties[place];
            residual[row] = vec4(velocities[row].w * by_mass, 0.0);
        }
    }
}
