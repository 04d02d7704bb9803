// Shares t of their motion that particles may use, as whole numbers: the smallest of many is then the same in every order. `fractions` has three words per row: t in two
// halves, which rounds of the guard read and write in turn, and whether the last step was shortened. Tied particles use that of their master.

// t = 1. Smaller fractions are exact as f32.
const WHOLE_SHARE: u32 = 1u << 24u;

fn share_of(word: u32) -> f32 {
    return f32(word) / f32(WHOLE_SHARE);
}

// Rounds down.
fn share_word(share: f32) -> u32 {
    return min(WHOLE_SHARE, u32(max(share, 0.0) * f32(WHOLE_SHARE)));
}
