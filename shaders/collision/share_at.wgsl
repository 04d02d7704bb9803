// Share of a row during rounds of the guard. The importing kernel binds `fractions` and `masters`.
#import collision/share

fn word_at(row: u32, half: u32) -> u32 {
    return atomicLoad(&fractions[half * params.particle_count + masters[row]]);
}
