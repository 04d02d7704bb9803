// The camera, the lights' directions and how much there is of everything: all that the host knows of a picture.

// Vertices farther out, m, belong to a particle that ran away.
const FARTHEST: f32 = 1.0e6;
// What a picture's ground is: the studio's own, a solid one of known height, a solid one just under everything.
const GROUND_STUDIO: u32 = 0u;
const GROUND_LEVEL: u32 = 1u;
const GROUND_UNDER: u32 = 2u;

struct View {
    eye: vec3<f32>,
    // Pixels per unit of tangent.
    focal_length: f32,
    right: vec3<f32>,
    // Pixels.
    width: f32,
    up: vec3<f32>,
    height: f32,
    forward: vec3<f32>,
    // Height of a level solid ground, m.
    ground: f32,
    toward_key: vec3<f32>,
    // GROUND_…
    ground_kind: u32,
    // The key light's shadow map lies along these.
    key_right: vec3<f32>,
    // Pixels drawn at once.
    tile_width: f32,
    key_up: vec3<f32>,
    tile_height: f32,
    // From behind, on the side away from the key.
    toward_rim: vec3<f32>,
    // Tiles in a row.
    tiles_across: u32,
    // Of surfaces and solids; those of beads and planes follow.
    vertex_count: u32,
    // All.
    prop_count: u32,
    triangle_count: u32,
    // Of triangles that cast shadows.
    block_count: u32,
    finish_count: u32,
    bead_count: u32,
    // Directions of soft light, each with its opposite.
    axis_count: u32,
    // Times that everything is drawn, each a part of a pixel apart.
    layer_count: u32,
    // Radius of a bead, in radii of everything.
    bead_part: f32,
    // Pixels from one axis' map to the next, and maps in a row.
    map_side: u32,
    maps_across: u32,
    shadow_side: u32,
    // Parts of a pixel by which each layer is moved.
    shifts: array<vec4<f32>, 2>,
    // Places to look at for soft shadows: each layer takes every other. In a disc of radius one.
    taps: array<vec4<f32>, 32>,
    // Linear light, from the lowest value to the highest.
    colours: array<vec4<f32>, 10>,
}

@group(0) @binding(0) var<uniform> view: View;
