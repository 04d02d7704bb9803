// What is known of a picture once its vertices are: bounds, and what is measured by them.

struct Frame {
    // Of everything but planes, which have no bounds, m.
    centre: vec3<f32>,
    // Of the sphere around the bounds, above zero.
    radius: f32,
    half_size: vec3<f32>,
    // Height of the ground, m.
    ground: f32,
    // Of what casts shadows, along key_right, key_up and toward_key.
    key_minimum: vec3<f32>,
    bead_radius: f32,
    key_maximum: vec3<f32>,
    unused: u32,
}
