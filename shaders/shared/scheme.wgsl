// Coefficients of an integration step, see `Integrator`. Same layout as `gpu::layout::Scheme`.
struct Scheme {
    // γ h, s
    stage_step: f32,
    // Time from x₀ to the predicted stage, s.
    lead: f32,
    // Weight of the last step in x̂ and v̂; 0 for one-step methods.
    history: f32,
    // Length of the last step, s.
    previous_step: f32,
    // Time of the stage within the step, as a fraction of it.
    stage_time: f32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}
