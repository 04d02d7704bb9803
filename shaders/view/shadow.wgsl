// Draws the shadow map of a view: the depth test keeps the surface nearest to the light.
// Reads vertices.
#import view/eye

@group(0) @binding(1) var<storage, read> vertices: array<vec4<f32>>;

@vertex
fn vertex_main(@builtin(vertex_index) vertex_ix: u32) -> @builtin(position) vec4<f32> {
    return eye.shadow_clip * vec4(vertices[vertex_ix].xyz, 1.0);
}
