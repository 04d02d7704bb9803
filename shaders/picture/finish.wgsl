// How a surface takes light.

struct Finish {
    // Albedo.
    front: vec3<f32>,
    // Length of one check of the weave in rest coordinates; 0: plain.
    check: f32,
    back: vec3<f32>,
    // 1: triangles are shown flat.
    faceted: u32,
    // Part of the key light that shines through.
    transmission: f32,
    unused: u32,
    unused_too: u32,
    unused_at_all: u32,
}
