// Motion of each row in a step, in which pairs are looked for and struts are revised. Same layout as `gpu::layout::Motion`.

struct Motion {
    // Position at the start of the step, m. w: inverse mass of the particle and of those tied to it, 1/kg; 0 for held particles.
    start: vec4<f32>,
    // Displacement in the step, m: a small number, which rounds away little.
    way: vec4<f32>,
    // Velocity at the present stage, m/s. For the guard: displacement that pins and colliders prescribe, m.
    velocity: vec4<f32>,
    // Velocity at the start of the step, m/s.
    before: vec4<f32>,
}
