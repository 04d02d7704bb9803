// Unit normals of skins, one vertex per thread: the area-weighted sum over the triangles around it,
//   N = unit(Σ (x_b - x) × (x_c - x)).
// Runs on demand, after `skin/place`. Reads skin_fans, skin_positions. Writes skin_normals.
#import shared/params
#import launch

@group(0) @binding(1) var<storage, read> skin_fans: array<u32>;
@group(0) @binding(2) var<storage, read> skin_positions: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> skin_normals: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let range = rows_among(params.skin_workgroups, group.x, local_ix, 0u, params.skin_count);
    for (var vertex = range.first; vertex < range.end; vertex += range.stride) {
        let position = skin_positions[vertex].xyz;
        var sum = vec3(0.0);
        // Index of each vertex' first triangle, and the end; then the other two corners of each triangle.
        let end = skin_fans[vertex + 1u];
        for (var ix = skin_fans[vertex]; ix < end; ix += 1u) {
            let at = params.skin_count + 1u + 2u * ix;
            sum += cross(skin_positions[skin_fans[at]].xyz - position, skin_positions[skin_fans[at + 1u]].xyz - position);
        }
        let size = length(sum);
        skin_normals[vertex] = vec4(select(vec3(0.0), sum / size, size > 0.0), 0.0);
    }
}
