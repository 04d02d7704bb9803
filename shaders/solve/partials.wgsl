// Partial sums and state that one half of an iteration passes to the other. Same layout as `gpu::layout::Partials`.
#import shared/status

struct Partials {
    // The state before this iteration, copied by the first half, so that the second half may write `status` while other workgroups still read.
    previous: CgState,
    // (r·u, u·w) of each workgroup or thread, by the launch
    sums: array<vec2<f32>>,
}
