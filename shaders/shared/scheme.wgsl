// The numbers of a step, see `Integrator`. Same layout as `gpu::layout::Scheme`.
struct Scheme {
    // γ h, s
    stage_step: f32,
    // How far the first guess of the stage lies ahead of x₀, as a time, s.
    lead: f32,
    // Weight of the last step in x̂ and v̂; 0: none.
    history: f32,
    // Length of the last step, s.
    previous_step: f32,
    // Where in the step forces are evaluated, as a part of it.
    stage_time: f32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}
