// Coefficients of one stage of a Runge–Kutta method. Same layout as `gpu::layout::RungeKuttaStage`.
struct RungeKuttaStage {
    // b_i: weight of this stage in the step.
    weight: f32,
    // a_{i+1,i} = c_{i+1}: position of the next stage along this stage's slope.
    next: f32,
    first: u32,
    last: u32,
}
