// Averages the ambient light at each vertex with that of its neighbours: a limited number of directions leaves faint steps.
// Reads fans, corners, faces, gathered. Writes ambient.
#import picture/view
#import picture/rows
#import picture/fans

@group(0) @binding(2) var<storage, read> corners: array<u32>;
@group(0) @binding(3) var<storage, read> faces: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> gathered: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> ambient: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var ix = id.x; ix < view.vertex_count + view.prop_count; ix += row_stride(groups)) {
        var front = gathered[2u * ix];
        var back = gathered[2u * ix + 1u];
        var weight = 1.0;
        let fan = fan_of(ix);
        for (var k = fan.x; k < fan.y; k++) {
            let triangle = fans[k];
            if faces[triangle].w > 0.0 {
                for (var corner = 0u; corner < 3u; corner++) {
                    let other = corners[3u * triangle + corner];
                    front += gathered[2u * other];
                    back += gathered[2u * other + 1u];
                }
                weight += 3.0;
            }
        }
        ambient[2u * ix] = front / weight;
        ambient[2u * ix + 1u] = back / weight;
    }
}
