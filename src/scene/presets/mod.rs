//! Materials with names: what people know, and what the papers used. Scene files know them by these names, those of [`ALL`].
//!
//! | name | | |
//! |---|---|---|
//! | `silk` | a light, supple silk, 0.06 kg/m² | [`Material::silk`] |
//! | `wool` | wool suiting, 0.25 kg/m² | [`Material::wool`] |
//! | `cotton` | a crisp cotton poplin, 0.13 kg/m² | [`Material::cotton`] |
//! | `denim` | rigid denim, 0.4 kg/m² | [`Material::denim`] |
//! | `leather` | garment leather of 0.8 mm, 0.55 kg/m² | [`Material::leather`] |
//! | `rubber` | a sheet of natural rubber of 1 mm, 0.95 kg/m² | [`Material::rubber`] |
//! | `jelly` | a wobbling solid, 1000 kg/m³, 10 kPa | [`Material::jelly`] |
//! | `cotton-springs` | cotton as springs of a grid, for one resolution, 0.15 kg/m² | [`Material::cotton_springs`] |
//! | `teschner-snakes` | solids of Teschner's figure 4; 4.0 ms | [`teschner::snakes`] |
//! | `teschner-pitbull` | stiff solid of Teschner's figure 5; 2.7 ms | [`teschner::pitbull`] |
//! | `teschner-cows` | solids of Teschner's figure 6; 7.1 ms | [`teschner::cows`] |
//! | `teschner-cloth` | triangles of Teschner's figure 7; 2.6 ms | [`teschner::cloth`] |
//! | `teschner-face` | shell of Teschner's figure 8; 2.9 ms | [`teschner::face`] |
//! | `teschner-dragon` | melting solid of Teschner's figure 10; 1.7 ms | [`teschner::dragon`] |
//! | `teschner-cubes` | solid of Teschner's figure 3; 3.1 ms | [`teschner::cubes`] |
//! | `vogiannou-ball` | cloth that catches a ball, Vogiannou's figure 4 | [`vogiannou::ball`] |
//! | `vogiannou-load` | cloth with a weight on its edge, Vogiannou's figure 5 | [`vogiannou::load`] |
//! | `vogiannou-solid` | cube under a weight, Vogiannou's figure 6 | [`vogiannou::solid`] |
//! | `volino-disk` | Volino's drape test, figure 6, with 0.01 N·m | [`volino::disk`] |
//! | `etzmuss-tension` | weave of Etzmuß's experiment 1 | [`etzmuss::tension`] |
//! | `etzmuss-shear` | weave of Etzmuß's experiment 2 | [`etzmuss::shear`] |
//! | `etzmuss-bend` | weave of Etzmuß's experiment 3 | [`etzmuss::bend`] |
//!
//! What holds at any resolution: the first six and jelly, whose numbers and sources `docs/materials.md` compares with measurements; densities; moduli of
//! membranes, weaves, neo-Hookean solids and calibrated [`Bending`](crate::Bending). What does not hold: springs, of which only those along the rows,
//! columns and diagonals of a grid of square cells come near it (k N/m of structural and s N/m of shear springs are a modulus of k + s
//! along the threads, sides held, and a shear modulus of s, but for the border, whose edges count whole where half would do); crossover springs; and Teschner's
//! energies in N·m, which are made for one mesh: with edges half as long a solid is eight times as stiff.

pub mod etzmuss;
mod household;
pub mod teschner;
pub mod vogiannou;
pub mod volino;

use super::Material;

/// Name in scene files, what it is, and how it is made.
pub type Preset = (&'static str, &'static str, fn() -> Material);

/// Every preset.
///
/// ```
/// use tenter::{Material, presets};
/// let (_, about, make) = presets::ALL.iter().find(|(name, ..)| *name == "denim").unwrap();
/// assert_eq!(make(), Material::denim());
/// println!("{about}");
/// ```
pub const ALL: &[Preset] = &[
    ("silk", "a light, supple silk, 0.06 kg/m²", Material::silk),
    ("wool", "wool suiting, 0.25 kg/m²", Material::wool),
    ("cotton", "a crisp cotton poplin, 0.13 kg/m²", Material::cotton),
    ("denim", "rigid denim, 0.4 kg/m²", Material::denim),
    ("leather", "garment leather of 0.8 mm, 0.55 kg/m²", Material::leather),
    ("rubber", "a sheet of natural rubber of 1 mm, 0.95 kg/m²", Material::rubber),
    ("jelly", "a wobbling solid, 1000 kg/m³, 10 kPa", Material::jelly),
    ("cotton-springs", "cotton as springs of a grid, for one resolution, 0.15 kg/m²", Material::cotton_springs),
    ("teschner-snakes", "solids of Teschner's figure 4; 4.0 ms", teschner::snakes),
    ("teschner-pitbull", "stiff solid of Teschner's figure 5; 2.7 ms", teschner::pitbull),
    ("teschner-cows", "solids of Teschner's figure 6; 7.1 ms", teschner::cows),
    ("teschner-cloth", "triangles of Teschner's figure 7; 2.6 ms", teschner::cloth),
    ("teschner-face", "shell of Teschner's figure 8; 2.9 ms", teschner::face),
    ("teschner-dragon", "melting solid of Teschner's figure 10; 1.7 ms", teschner::dragon),
    ("teschner-cubes", "solid of Teschner's figure 3; 3.1 ms", teschner::cubes),
    ("vogiannou-ball", "cloth that catches a ball, Vogiannou's figure 4", vogiannou::ball),
    ("vogiannou-load", "cloth with a weight on its edge, Vogiannou's figure 5", vogiannou::load),
    ("vogiannou-solid", "cube under a weight, Vogiannou's figure 6", vogiannou::solid),
    ("volino-disk", "Volino's drape test, figure 6, with 0.01 N·m", || volino::disk(0.01)),
    ("etzmuss-tension", "weave of Etzmuß's experiment 1", etzmuss::tension),
    ("etzmuss-shear", "weave of Etzmuß's experiment 2", etzmuss::shear),
    ("etzmuss-bend", "weave of Etzmuß's experiment 3", etzmuss::bend),
];
