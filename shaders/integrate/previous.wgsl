// The state at the start of the step; behind those of all particles what explicit methods remember, see `integrate/kept`. Same layout as `gpu::layout::Previous`.
struct Previous {
    position: vec4<f32>,
    // w: mass
    velocity: vec4<f32>,
}
