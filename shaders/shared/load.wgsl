// A force on a single particle: F - k (x - x̄) - c v.
// Same layout as `gpu::layout::Load`.
struct Load {
    // F, N; w: k, N/m
    force: vec4<f32>,
    // x̄, m; w: c, N·s/m
    goal: vec4<f32>,
    row: u32,
    padding_a: u32,
    padding_b: u32,
    padding_c: u32,
}
