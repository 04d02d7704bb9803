// Search direction p and its image s = A p. Same layout as `gpu::layout::Direction`.
struct Direction {
    p: vec4<f32>,
    s: vec4<f32>,
}
