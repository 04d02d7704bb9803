//! Factors of the scenes, and the draw of their combinations.

use crate::{Integrator, Material, random::Random};
use std::collections::HashSet;

/// A property in which scenes differ.
#[derive(Debug)]
pub struct Factor {
    /// Name of the property.
    pub name: &'static str,
    /// Names of its values.
    pub values: &'static [&'static str],
    /// Relative frequency of each value: fine meshes and short steps are expensive.
    pub shares: &'static [usize],
}

/// All properties in which scenes differ, in the order of [`Combination::levels`].
pub const FACTORS: [Factor; 7] = [
    Factor { name: "cloth", values: &["cotton", "silk", "denim", "leather", "rubber"], shares: &[1; 5] },
    Factor { name: "size", values: &["10 cm", "1 m"], shares: &[1; 2] },
    Factor { name: "resolution", values: &["32", "64", "128"], shares: &[5, 4, 1] },
    Factor {
        name: "obstacle",
        values: &["small ball", "ball", "box edge", "cylinder", "horned mesh"],
        shares: &[1; 5],
    },
    Factor { name: "drop", values: &["4 mm", "0.3 m", "5 m"], shares: &[1; 3] },
    Factor { name: "step", values: &["2 ms", "10 ms", "16.7 ms"], shares: &[1, 5, 4] },
    Factor { name: "integrator", values: &["implicit Euler", "BDF2"], shares: &[1; 2] },
];

const MATERIALS: [fn() -> Material; 5] =
    [Material::cotton, Material::silk, Material::denim, Material::leather, Material::rubber];
const SIZES: [f32; 2] = [0.1, 1.0];
const RESOLUTIONS: [u32; 3] = [32, 64, 128];
const OBSTACLES: [Obstacle; 5] =
    [Obstacle::SmallBall, Obstacle::Ball, Obstacle::BoxEdge, Obstacle::Cylinder, Obstacle::HornedMesh];
const DROPS: [f32; 3] = [0.004, 0.3, 5.0];
const STEPS: [f64; 3] = [0.002, 0.01, 1.0 / 60.0];
const INTEGRATORS: [Integrator; 2] = [Integrator::ImplicitEuler, Integrator::Bdf2];

/// Obstacle that the cloth falls on, besides the floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// A ball with a radius of 2 % of the cloth's side.
    SmallBall,
    /// A ball with a radius of 26 % of the cloth's side.
    Ball,
    /// A box with a long edge upwards.
    BoxEdge,
    /// A horizontal cylinder.
    Cylinder,
    /// A closed mesh with horns and legs.
    HornedMesh,
}

/// One value of each factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Combination {
    /// Index of the value of each of [`FACTORS`].
    pub levels: [usize; 7],
}

impl Combination {
    /// Names of the values, factor by factor.
    pub fn labels(&self) -> [&'static str; 7] {
        std::array::from_fn(|factor| FACTORS[factor].values[self.levels[factor]])
    }

    /// Simulated time, s: at 32×32 until the cloth is at rest, at 64×64 until it has wrapped the obstacle and reached the floor,
    /// at 128×128 until it has wrapped the obstacle. A small cloth takes less time.
    pub fn duration(&self) -> f64 {
        let (large, small) = match self.resolution() {
            0..=32 => (1.5, 0.5),
            33..=64 => (0.5, 0.16),
            _ => (0.3, 0.1),
        };
        if self.size() < 0.5 { small } else { large }
    }

    /// Simulated time of a run with fine steps, s: until the cloth has wrapped the obstacle.
    pub(super) fn fine_duration(&self) -> f64 {
        if self.size() < 0.5 { 0.15 } else { 0.3 }
    }

    pub(super) fn material(&self) -> Material {
        MATERIALS[self.levels[0]]()
    }

    /// Side of the cloth, m.
    pub(super) fn size(&self) -> f32 {
        SIZES[self.levels[1]]
    }

    /// Particles along a side of the cloth.
    pub fn resolution(&self) -> u32 {
        RESOLUTIONS[self.levels[2]]
    }

    pub(super) fn obstacle(&self) -> Obstacle {
        OBSTACLES[self.levels[3]]
    }

    /// Height of the cloth's fall before it reaches the obstacle, m.
    pub(super) fn drop(&self) -> f32 {
        DROPS[self.levels[4]]
    }

    /// Step h, s.
    pub fn time_step(&self) -> f64 {
        STEPS[self.levels[5]]
    }

    pub(super) fn integrator(&self) -> Integrator {
        INTEGRATORS[self.levels[6]]
    }
}

/// Draws `count` combinations, without repetition as long as there are enough. Each value of a factor appears as often as its
/// share demands, plus or minus one. The draw depends only on the seed.
pub fn draw(count: usize, seed: u64) -> Vec<Combination> {
    let mut random = Random(seed);
    let mut below = |end: usize| (random.next() % end as u64) as usize;
    let mut combinations = vec![Combination { levels: [0; 7] }; count];
    for (factor, Factor { shares, .. }) in FACTORS.iter().enumerate() {
        let turn: Vec<usize> = (0..shares.len()).flat_map(|level| vec![level; shares[level]]).collect();
        for (ix, combination) in combinations.iter_mut().enumerate() {
            combination.levels[factor] = turn[ix % turn.len()];
        }
        for ix in (1..count).rev() {
            let other = below(ix + 1);
            swap_level(&mut combinations, factor, ix, other);
        }
    }
    // Equal combinations exchange one value with others, which changes no counts. Some of the 2700 are always free.
    let all: usize = FACTORS.iter().map(|factor| factor.values.len()).product();
    for _ in 0..if count < all { 1000 } else { 0 } {
        let mut seen = HashSet::new();
        let Some(twice) = combinations.iter().position(|combination| !seen.insert(*combination)) else { break };
        swap_level(&mut combinations, below(FACTORS.len()), twice, below(count));
    }
    combinations
}

/// Indices of the runs whose stretch is compared with fine steps: every sixth of those below 128×128, at most 30.
pub fn compared(drawn: &[Combination]) -> Vec<usize> {
    let below = drawn.iter().enumerate().filter(|(_, combination)| combination.resolution() < 128);
    below.step_by(6).map(|(index, _)| index).take(30).collect()
}

fn swap_level(combinations: &mut [Combination], factor: usize, one: usize, other: usize) {
    let level = combinations[one].levels[factor];
    combinations[one].levels[factor] = combinations[other].levels[factor];
    combinations[other].levels[factor] = level;
}

#[cfg(test)]
mod tests {
    use super::super::{COUNT, SEED};
    use super::*;
    use crate::scene::presets;

    #[test]
    fn every_value_is_drawn_by_its_share_and_no_combination_twice() {
        for (count, seed) in [(COUNT, SEED), (COUNT, 1), (37, SEED), (2, 3)] {
            let drawn = draw(count, seed);
            assert_eq!(drawn.len(), count);
            for (factor, Factor { name, values, shares }) in FACTORS.iter().enumerate() {
                assert_eq!(values.len(), shares.len());
                let turn: usize = shares.iter().sum();
                for (level, value) in values.iter().enumerate() {
                    let times = drawn.iter().filter(|combination| combination.levels[factor] == level).count();
                    let (least, most) = (count / turn * shares[level], count.div_ceil(turn) * shares[level]);
                    assert!((least..=most).contains(&times), "{name} {value}: {times}");
                    assert!(count < COUNT || times >= 30, "{name} {value}: {times}");
                }
            }
            let distinct: HashSet<_> = drawn.iter().collect();
            assert_eq!(distinct.len(), count);
            assert_eq!(draw(count, seed), drawn);
        }
        assert_ne!(draw(COUNT, SEED), draw(COUNT, SEED + 1));
        // A draw of more than all combinations repeats some.
        assert_eq!(draw(3000, SEED).len(), 3000);
    }

    #[test]
    fn pairs_of_values_meet() {
        let drawn = draw(COUNT, SEED);
        assert_eq!(compared(&drawn).len(), 30);
        for (a, one) in FACTORS.iter().enumerate() {
            for (b, other) in FACTORS.iter().enumerate().skip(a + 1) {
                let pairs: HashSet<_> = drawn.iter().map(|c| (c.levels[a], c.levels[b])).collect();
                assert_eq!(pairs.len(), one.values.len() * other.values.len(), "{} and {}", one.name, other.name);
            }
        }
    }

    #[test]
    fn words_say_what_is_run() {
        for (word, material) in FACTORS[0].values.iter().zip(MATERIALS) {
            let preset = presets::ALL.iter().find(|(name, ..)| name == word);
            assert_eq!(preset.map(|(_, _, make)| make()), Some(material()), "{word}");
        }
        let counts = [MATERIALS.len(), SIZES.len(), RESOLUTIONS.len(), OBSTACLES.len(), DROPS.len(), STEPS.len()];
        assert_eq!(FACTORS[..6].iter().map(|factor| factor.values.len()).collect::<Vec<_>>(), counts);
        assert_eq!(FACTORS[6].values.len(), INTEGRATORS.len());
        for level in 0..3 {
            let combination = Combination { levels: [0, 0, level, 0, 0, level, 0] };
            assert_eq!(combination.labels()[2], combination.resolution().to_string());
            let milliseconds = (1e4 * combination.time_step()).round() / 10.0;
            assert_eq!(combination.labels()[5], format!("{milliseconds} ms"));
        }
    }
}
