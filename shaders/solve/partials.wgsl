// What one half of an iteration leaves for the other. Same layout as `gpu::layout::Partials`.
#import shared/status

struct Partials {
    // The state before this iteration, copied by the first half: the second may then write `status` while others still read.
    previous: CgState,
    // Per workgroup or thread, as the launch has it: (r·u, u·w)
    sums: array<vec2<f32>>,
}
