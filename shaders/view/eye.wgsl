// Camera, lights and counts of a view, set by the host.

struct Eye {
    // World to clip space, with reversed depth: one at the near plane, zero at infinity.
    clip: mat4x4<f32>,
    // World to the clip space of the shadow map: depth one at the light, zero at the far end.
    shadow_clip: mat4x4<f32>,
    place: vec3<f32>,
    // Particles, whose vertices come first.
    particle_count: u32,
    toward_key: vec3<f32>,
    // Vertices of skins, which follow the particles.
    skin_count: u32,
    toward_rim: vec3<f32>,
    // All vertices: particles, skins, colliders.
    vertex_count: u32,
    // Axes of the picture, scaled so that ±1 is its edge at unit depth.
    right: vec3<f32>,
    // Height of the picture, pixels.
    height: f32,
    up: vec3<f32>,
    // Radius of a bead, m.
    bead_radius: f32,
    forward: vec3<f32>,
    // Height of the ground, m.
    ground: f32,
    // Middle of the scene, m.
    centre: vec3<f32>,
    // Radius of the scene, m.
    radius: f32,
    // Width of a texel of the shadow map, m.
    shadow_texel: f32,
    // Side of the shadow map, texels.
    shadow_side: f32,
    // Factor on values before the colour map; negative for plain colours.
    value_scale: f32,
    // Brightness of wires.
    wire: f32,
    // Colour map in linear light, from the lowest value to the highest.
    colours: array<vec4<f32>, 10>,
}

@group(0) @binding(0) var<uniform> eye: Eye;
