// Draws all depth maps of ambient light side by side, one instance each: maximum blending keeps the greatest height towards the
// light, and minus the least.
// Reads vertices, maps.
#import picture/view
#import picture/map

@group(0) @binding(1) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> maps: array<Map>;

struct Corner {
    @builtin(position) place: vec4<f32>,
    @location(0) height: f32,
}

@vertex
fn vertex_main(@builtin(vertex_index) vertex_ix: u32, @builtin(instance_index) map_ix: u32) -> Corner {
    let point = vec4(vertices[vertex_ix].xyz, 1.0);
    let place = vec2(dot(maps[map_ix].draw_x, point), dot(maps[map_ix].draw_y, point));
    return Corner(vec4(place, 0.5, 1.0), dot(maps[map_ix].draw_height, point));
}

@fragment
fn fragment_main(corner: Corner) -> @location(0) vec2<f32> {
    return vec2(corner.height, -corner.height);
}
