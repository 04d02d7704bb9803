// Smooth normals of a view, one vertex per thread: the area-weighted sum over the triangles around it,
//   N = unit(Σ (x_b - x) × (x_c - x)).
// Runs once per frame, never in a step. Reads fans, vertices. Writes normals.
#import view/eye
#import picture/rows
#import picture/unit

// Index of each vertex' first triangle, and the end; then the other two corners of each triangle.
@group(0) @binding(1) var<storage, read> fans: array<u32>;
@group(0) @binding(2) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> normals: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var vertex = id.x; vertex < eye.vertex_count; vertex += row_stride(groups)) {
        let place = vertices[vertex].xyz;
        var sum = vec3(0.0);
        let end = fans[vertex + 1u];
        for (var ix = fans[vertex]; ix < end; ix += 1u) {
            let at = eye.vertex_count + 1u + 2u * ix;
            sum += cross(vertices[fans[at]].xyz - place, vertices[fans[at + 1u]].xyz - place);
        }
        normals[vertex] = vec4(unit_or(sum, vec3(0.0, 1.0, 0.0)), 0.0);
    }
}
