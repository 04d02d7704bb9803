// Draws edges of a view as lines, slightly in front of their surfaces.
// Reads vertices.
#import view/eye

@group(0) @binding(1) var<storage, read> vertices: array<vec4<f32>>;

@vertex
fn vertex_main(@builtin(vertex_index) vertex_ix: u32) -> @builtin(position) vec4<f32> {
    let clip = eye.clip * vec4(vertices[vertex_ix].xyz, 1.0);
    return vec4(clip.xy, 1.002 * clip.z, clip.w);
}

@fragment
fn fragment_main() -> @location(0) vec4<f32> {
    return vec4(vec3(eye.wire), 1.0);
}
