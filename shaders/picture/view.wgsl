// Camera, directions of the lights, and counts, set by the host.

// Largest distance of a drawn vertex from the origin, m; beyond it a particle has diverged.
const FARTHEST: f32 = 1.0e6;
// Kind of ground: the studio's own, a solid one of known height, a solid one just below the scene.
const GROUND_STUDIO: u32 = 0u;
const GROUND_LEVEL: u32 = 1u;
const GROUND_UNDER: u32 = 2u;

struct View {
    eye: vec3<f32>,
    // Focal length, pixels.
    focal_length: f32,
    right: vec3<f32>,
    // Size of the picture, pixels.
    width: f32,
    up: vec3<f32>,
    height: f32,
    forward: vec3<f32>,
    // Height of a level solid ground, m.
    ground: f32,
    toward_key: vec3<f32>,
    // GROUND_…
    ground_kind: u32,
    // Axes of the key light's shadow map.
    key_right: vec3<f32>,
    // Size of a tile, pixels.
    tile_width: f32,
    key_up: vec3<f32>,
    tile_height: f32,
    // Direction towards the rim light, behind the scene and opposite the key light.
    toward_rim: vec3<f32>,
    // Number of tiles in a row.
    tiles_across: u32,
    // Vertices of surfaces and solids; those of beads and planes follow.
    vertex_count: u32,
    // Vertices of beads and planes.
    prop_count: u32,
    triangle_count: u32,
    // Blocks of triangles that cast shadows.
    block_count: u32,
    finish_count: u32,
    bead_count: u32,
    // Directions of ambient light, each with its opposite.
    axis_count: u32,
    // Layers, each drawn with its own subpixel offset.
    layer_count: u32,
    // Radius of a bead, in radii of the frame.
    bead_part: f32,
    // Texels from one axis' map to the next, and maps in a row.
    map_side: u32,
    maps_across: u32,
    shadow_side: u32,
    // Subpixel offset of each layer.
    shifts: array<vec4<f32>, 2>,
    // Sample positions of soft shadows in the unit disc; each layer uses every other one.
    taps: array<vec4<f32>, 32>,
    // Colour map in linear light, from the lowest value to the highest.
    colours: array<vec4<f32>, 10>,
}

@group(0) @binding(0) var<uniform> view: View;
