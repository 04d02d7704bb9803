// Depth maps: where parallel light from one direction first meets something.

// In a map: nothing is there.
const NOTHING: f32 = -60000.0;

struct Map {
    right: vec3<f32>,
    // Width of a texel, m.
    texel: f32,
    up: vec3<f32>,
    // Half the range of heights, m: a map holds them from -1 to 1.
    reach: f32,
    // Towards the light.
    toward: vec3<f32>,
    // Height of the middle of the range, m.
    middle: f32,
    // Of the map, along right and up, m.
    corner: vec2<f32>,
    unused: vec2<f32>,
    // What arrives from there.
    light: vec3<f32>,
    unused_too: u32,
    // And from the opposite direction.
    opposite_light: vec3<f32>,
    unused_at_all: u32,
    // Rows of a matrix: where a point is drawn, x and y, and its height from -1 to 1.
    draw_x: vec4<f32>,
    draw_y: vec4<f32>,
    draw_height: vec4<f32>,
}

// Where a point falls, in texels.
fn locate(it: Map, point: vec3<f32>) -> vec2<f32> {
    return (vec2(dot(point, it.right), dot(point, it.up)) - it.corner) / it.texel;
}

// Height of a point over the middle, m.
fn height_in(it: Map, point: vec3<f32>) -> f32 {
    return dot(point, it.toward) - it.middle;
}
