// The search direction p and its image s = A p, always used together. Same layout as `gpu::layout::Direction`.
struct Direction {
    p: vec4<f32>,
    s: vec4<f32>,
}
