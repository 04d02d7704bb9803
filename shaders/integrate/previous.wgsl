// State of a particle at the start of the step. Behind the states of all particles `previous` has the quantities that explicit
// methods keep, see `integrate/kept`. Same layout as `gpu::layout::Previous`.
struct Previous {
    position: vec4<f32>,
    // w: mass, kg
    velocity: vec4<f32>,
}
