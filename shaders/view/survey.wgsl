// Bounds of the bodies in a view, one box per thread: the host joins them.
// Runs on demand. Reads vertices. Writes boxes (smallest and largest coordinates).
#import view/eye
#import picture/rows

@group(0) @binding(1) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> boxes: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    var least = vec3(3.0e38);
    var most = vec3(-3.0e38);
    for (var ix = id.x; ix < eye.particle_count + eye.skin_count; ix += row_stride(groups)) {
        let vertex = vertices[ix];
        if vertex.w > 0.0 {
            least = min(least, vertex.xyz);
            most = max(most, vertex.xyz);
        }
    }
    boxes[2u * id.x] = vec4(least, 1.0);
    boxes[2u * id.x + 1u] = vec4(most, 1.0);
}
