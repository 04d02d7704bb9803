// Surface material of a drawn body.

struct Finish {
    // Albedo of the front.
    front: vec3<f32>,
    // Length of one check of the weave in rest coordinates; 0 for a plain surface.
    check: f32,
    back: vec3<f32>,
    // 1 for flat shading.
    faceted: u32,
    // Fraction of the key light transmitted through the surface.
    transmission: f32,
    unused: u32,
    unused_too: u32,
    unused_at_all: u32,
}
