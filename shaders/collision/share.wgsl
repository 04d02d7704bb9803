// Shares t of their motion that particles may use, as whole numbers: the smallest of many is then the same in every order. `fractions` has three words per row: t in two
// halves, which rounds of the guard read and write in turn, and in which steps the row was shortened. Tied particles use the t of their master.

// t = 1. Smaller fractions are exact as f32.
const WHOLE_SHARE: u32 = 1u << 24u;

fn share_of(word: u32) -> f32 {
    return f32(word) / f32(WHOLE_SHARE);
}

// Third word of a row after a step: the number of the step, and in the lowest bits whether the row was shortened in it and in the step before. A step that fails later is
// made again with the same number, and then still finds the step before it.
fn cut_word(step: u32, cut: bool, before: bool) -> u32 {
    return (step << 2u) | select(0u, 2u, before) | select(0u, 1u, cut);
}

// Whether a row was shortened in the step before this one.
fn was_cut(word: u32, step: u32) -> bool {
    let again = (word >> 2u) == (step & 0x3fffffffu);
    let follows = (word >> 2u) == ((step - 1u) & 0x3fffffffu);
    return (again && (word & 2u) != 0u) || (follows && (word & 1u) != 0u);
}

// After the last round of the guard, which has stopped nothing and only read: the half of `fractions` that holds the result.
fn half_after(rounds: u32) -> u32 {
    return (rounds + 1u) & 1u;
}

// Rounds down.
fn share_word(share: f32) -> u32 {
    return min(WHOLE_SHARE, u32(max(share, 0.0) * f32(WHOLE_SHARE)));
}
