// Partial sums and state that one half of an iteration passes to the other. Same layout as `gpu::layout::Partials`.
#import shared/status

struct Partials {
    // The state before this iteration, copied by the first half, so that the second half may write `status` while other workgroups still read.
    previous: CgState,
    // (r·u, u·w) of each workgroup or thread, by the launch, for each chunk of the matrix; then of each rigid body; then (γ, 0) at 0 of a warm start by workgroup or
    // thread; then (r·Qr, 0) of each aggregate and of the rows without one.
    sums: array<vec2<f32>>,
}
