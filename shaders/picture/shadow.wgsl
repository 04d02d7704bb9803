// Draws the key light's depth map: the depth test keeps the surface nearest to the light.
// Reads vertices, maps.
#import picture/view
#import picture/map

@group(0) @binding(1) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> maps: array<Map>;

@vertex
fn vertex_main(@builtin(vertex_index) vertex_ix: u32) -> @builtin(position) vec4<f32> {
    let point = vec4(vertices[vertex_ix].xyz, 1.0);
    let key = view.axis_count;
    let place = vec2(dot(maps[key].draw_x, point), dot(maps[key].draw_y, point));
    // Depth zero, the far end, remains where nothing is drawn.
    return vec4(place, 0.5 + 0.499 * dot(maps[key].draw_height, point), 1.0);
}
