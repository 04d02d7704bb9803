// What a constrained particle may do: the one mechanism behind pins and contacts (Baraff–Witkin; Etzmuß algorithm 7).
// Same layout as `gpu::layout::Constraint`.

struct Constraint {
    // Where the constrained directions are led to by the end of the step, m; w unused.
    target_position: vec4<f32>,
    // P, the projection onto the free directions: 0 for a pin, I - n nᵀ on a plane, n nᵀ on a line.
    free: SymmetricBlock,
}

// In `constraint_ix`, which has a word per particle and behind them the user's index of each: this particle is free.
const UNCONSTRAINED: u32 = 0xffffffffu;
