//! The storm: hundreds of ordinary scenes, drawn from a matrix of cloths, sizes, resolutions, obstacles, speeds, steps and integrators, each run with
//! default options and judged. No combination is tuned for; what explodes here explodes for users.
//!
//! Cloth of 1 m is simulated for [`Combination::duration`] = 0.5 s, cloth of 10 cm for 0.25 s: long enough for impact, wrapping and most of the fall past the
//! obstacle. A draw of 300 is meant to take about an hour on two cores.
//!
//! ```text
//! draw(300, SEED) ─► Combination ─► (Scene, Options) ─► judge ─► Row ─► summary
//! ```

mod matrix;
mod row;
mod scenes;
mod table;

pub use matrix::{Combination, FACTORS, Factor, draw};
pub use row::Row;
pub use table::{head, summary};

use super::judge::judge;
use crate::{Backend, Options};
use std::time::Instant;

/// Seed of the draw that is reported.
pub const SEED: u64 = 20_240_607;
/// Runs in the draw that is reported.
pub const COUNT: usize = 300;
/// Every so many runs of the draw, the stretch is compared with that of fine steps: 30 of 300.
const FINE_EVERY: usize = 10;
/// Fine steps, s.
const FINE_STEP: f64 = 5e-4;

/// Runs one combination of a draw. With `fine`, every tenth is run once more in steps of 0.5 ms, for its stretch; if that explodes too, there is
/// nothing to compare with.
pub fn run(backend: &Backend, index: usize, combination: &Combination, fine: bool) -> Row {
    let began = Instant::now();
    let (scene, options) = scenes::build(combination);
    let duration = combination.duration();
    let mut row = match judge(backend, &scene, &options, duration) {
        Ok(verdict) => Row::new(index, combination, &verdict),
        Err(error) => Row::refused(index, combination, &error),
    };
    row.seconds = began.elapsed().as_secs_f64();
    if fine && index.is_multiple_of(FINE_EVERY) {
        let options = Options { time_step: FINE_STEP, ..options };
        let fine = judge(backend, &scene, &options, duration).ok().filter(|verdict| !verdict.exploded());
        row.fine_stretch = fine.map(|verdict| row::bounded(verdict.stretch));
    }
    row
}
