// Bounds of the drawn vertices and the lengths derived from them, computed on the GPU.

struct Frame {
    // Centre of the bounds of everything but planes, which are unbounded, m.
    centre: vec3<f32>,
    // Radius of the bounding sphere, positive, m.
    radius: f32,
    half_size: vec3<f32>,
    // Height of the ground, m.
    ground: f32,
    // Bounds of shadow casters along key_right, key_up and toward_key.
    key_minimum: vec3<f32>,
    bead_radius: f32,
    key_maximum: vec3<f32>,
    unused: u32,
}
