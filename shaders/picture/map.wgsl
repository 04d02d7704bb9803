// Orthographic depth maps: heights of the surfaces nearest to a distant light.

// Height in a map where there is no surface.
const NOTHING: f32 = -60000.0;

struct Map {
    right: vec3<f32>,
    // Width of a texel, m.
    texel: f32,
    up: vec3<f32>,
    // Half the range of heights, m; a map stores heights from -1 to 1.
    reach: f32,
    // Unit direction towards the light.
    toward: vec3<f32>,
    // Height of the middle of the range, m.
    middle: f32,
    // Corner of the map along right and up, m.
    corner: vec2<f32>,
    unused: vec2<f32>,
    // Radiance from that direction.
    light: vec3<f32>,
    unused_too: u32,
    // Radiance from the opposite direction.
    opposite_light: vec3<f32>,
    unused_at_all: u32,
    // Rows of the projection matrix: clip x and y, and the height from -1 to 1.
    draw_x: vec4<f32>,
    draw_y: vec4<f32>,
    draw_height: vec4<f32>,
}

// Position of a point in the map, in texels.
fn locate(it: Map, point: vec3<f32>) -> vec2<f32> {
    return (vec2(dot(point, it.right), dot(point, it.up)) - it.corner) / it.texel;
}

// Height of a point above the middle of the map, m.
fn height_in(it: Map, point: vec3<f32>) -> f32 {
    return dot(point, it.toward) - it.middle;
}
