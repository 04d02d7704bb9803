// Unit normal and area of the surface at each particle, one row per thread: the sum over the triangles around it,
//   N = unit(Σ c),   area = Σ |c| / 6,   c = (x_b - x) × (x_c - x).
// Computed once at the start of a step: normals are constant over the step.
// Reads fans, positions. Writes normals.
#import shared/params
#import launch

@group(0) @binding(1) var<storage, read> fans: array<u32>;
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> normals: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let position = positions[row].xyz;
        var sum = vec3(0.0);
        var area = 0.0;
        // Index of each row's first triangle, and the end; then the other two corners of each triangle.
        let end = fans[row + 1u];
        for (var ix = fans[row]; ix < end; ix += 1u) {
            let at = params.particle_count + 1u + 2u * ix;
            let doubled = cross(positions[fans[at]].xyz - position, positions[fans[at + 1u]].xyz - position);
            sum += doubled;
            area += length(doubled) / 6.0;
        }
        let size = length(sum);
        normals[row] = vec4(select(vec3(0.0), sum / size, size > 0.0), area);
    }
}
