// The numbers of one stage of a Runge–Kutta method. Same layout as `gpu::layout::RungeKuttaStage`.
struct RungeKuttaStage {
    // b_i: what this stage counts in the step.
    weight: f32,
    // a_{i+1,i} = c_{i+1}: where the next stage is, by this one's slope.
    next: f32,
    first: u32,
    last: u32,
}
