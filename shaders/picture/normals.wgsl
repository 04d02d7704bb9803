// Vertex normals, weighted by the area of the triangles around them.
// Reads fans, faces. Writes plain_normals (w: 1 if a drawn triangle uses the vertex).
#import picture/view
#import picture/rows
#import picture/fans
#import picture/unit

@group(0) @binding(2) var<storage, read> faces: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> plain_normals: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var ix = id.x; ix < view.vertex_count; ix += row_stride(groups)) {
        let fan = fan_of(ix);
        var sum = vec4(0.0);
        for (var k = fan.x; k < fan.y; k++) {
            sum += faces[fans[k]];
        }
        plain_normals[ix] = vec4(unit_or(sum.xyz, vec3(0.0, 1.0, 0.0)), min(sum.w, 1.0));
    }
}
