//! The storm: hundreds of ordinary scenes, drawn from a matrix of cloths, sizes, resolutions, obstacles, speeds, steps and
//! integrators, each run with default options and judged. No combination is tuned: a scene that explodes here explodes for users.
//!
//! Each is simulated for [`Combination::duration`], 0.15 s to 1.5 s. A draw of 300 on the CPU backend takes about two hours on
//! two cores, as long as nothing explodes; exploded runs stop early.
//!
//! ```text
//! draw(300, SEED) ─► Combination ─► (Scene, Options) ─► judge ─► Row ─► summary
//! ```

mod matrix;
mod row;
mod scenes;
mod table;

pub use matrix::{Combination, FACTORS, Factor, compared, draw};
pub use row::Row;
pub use table::{head, summary};

use super::judge::judge;
use crate::{Backend, Options};
use std::time::Instant;

/// Seed of the published draw.
pub const SEED: u64 = 20_240_607;
/// Number of runs of the published draw.
pub const COUNT: usize = 300;
/// Length of fine steps, s.
const FINE_STEP: f64 = 5e-4;

/// Scene and options of a combination.
pub fn scene(combination: &Combination) -> (crate::Scene, Options) {
    scenes::build(combination)
}

/// Runs one combination of a draw. With `fine`, its stretch until the cloth has wrapped the obstacle is compared with that in
/// steps of 0.5 ms; if those explode too, there is no comparison.
pub fn run(backend: &Backend, index: usize, combination: &Combination, fine: bool) -> Row {
    let began = Instant::now();
    let (scene, options) = self::scene(combination);
    let mut row = match judge(backend, &scene, &options, combination.duration()) {
        Ok(verdict) => Row::new(index, combination, &verdict),
        Err(error) => Row::refused(index, combination, &error),
    };
    row.seconds = began.elapsed().as_secs_f64();
    if fine {
        let stretch = |options: &Options| {
            let verdict = judge(backend, &scene, options, combination.fine_duration()).ok();
            verdict.filter(|verdict| !verdict.exploded()).map(|verdict| row::bounded(verdict.stretch))
        };
        row.early_stretch = stretch(&options);
        row.fine_stretch = stretch(&Options { time_step: FINE_STEP, ..options });
    }
    row
}
