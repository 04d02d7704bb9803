// Start and end of the line search of a safe step, for one row. Same layout as `gpu::layout::SearchRow`.
struct SearchRow {
    // x_f and v_f: the linearised state, with held components at their targets.
    start_position: vec4<f32>,
    start_velocity: vec4<f32>,
    // x₁ and v₁: the linear solution.
    end_position: vec4<f32>,
    end_velocity: vec4<f32>,
}
