//! Cost of the safe step compared with one linearisation: the same scenes with both methods, in turn.

use super::{
    measure::median,
    workload::{Workload, hanging_cloth, hanging_cotton},
};
use crate::{Backend, Costs, Error, Nonlinear, Options, Scene, SceneFile, Simulation, StepRecord};
use glam::Vec3;
use std::time::Instant;

/// Default number of paired runs; the median counts.
pub const PAIRS: usize = 7;
/// Simulated time of a run, s: long enough for drapes to reach their ball.
const DURATION: f64 = 0.6;
/// Growth of the bounding box with which a run has exploded, as a factor.
const EXPLODED: f32 = 10.0;

/// Iterations, assemblies, time and dispatches of one method; means per step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cost {
    /// Conjugate gradient iterations.
    pub iterations: f64,
    /// Assemblies of forces and matrix.
    pub linearisations: f64,
    /// Time per step, ms: median over runs.
    pub ms: f64,
    /// Dispatches; 0 on the CPU backend.
    pub dispatches: f64,
    /// Dispatches that returned early or whose result was discarded.
    pub idle_dispatches: f64,
    /// Whether the bounding box of the cloth has exploded.
    pub exploded: bool,
}

/// Results of both methods on a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Particles of the scene.
    pub particles: usize,
    /// Steps of each run.
    pub steps: u32,
    /// Cost of safe steps, the default.
    pub safe: Cost,
    /// Cost of one linearisation per step.
    pub one: Cost,
    /// Ratios of the time of a run with safe steps to the next run with one linearisation, in increasing order.
    pub ratios: Vec<f64>,
}

impl Comparison {
    /// Median of the ratios.
    pub fn ratio(&self) -> f64 {
        self.ratios.get(self.ratios.len() / 2).copied().unwrap_or(0.0)
    }
}

/// Scenes that are run with both methods and default options, first those for which one linearisation suffices.
pub fn all() -> Vec<Workload> {
    let workload = |name: &str, about, (scene, time_step): (Scene, f64), large| Workload {
        name: name.to_owned(),
        about,
        scene,
        options: Options { time_step, ..Options::default() },
        large,
    };
    vec![
        workload("w1-64", "hanging cloth of w1-64, to the tolerance", (hanging_cloth(64).scene, 0.01), false),
        workload("cotton-64", "hanging cotton", (hanging_cotton(64), 0.01), false),
        workload("cotton-128", "hanging cotton", (hanging_cotton(128), 0.01), true),
        workload("flag", "scenes/flag.toml", from_file(include_str!("../../scenes/flag.toml"), None), false),
        workload("drape-32", "scenes/drape.toml, 32×32", drape(32), false),
        workload("drape-64", "scenes/drape.toml, 64×64", drape(64), false),
        workload("drape-128", "scenes/drape.toml, 128×128", drape(128), true),
    ]
}

fn drape(n: u32) -> (Scene, f64) {
    from_file(include_str!("../../scenes/drape.toml"), Some(n))
}

/// Scene of a file with `resolution` columns and rows, and its time step; other options are the defaults.
fn from_file(text: &str, resolution: Option<u32>) -> (Scene, f64) {
    let text = resolution.map_or_else(
        || text.to_owned(),
        |n| text.replace("columns = 64", &format!("columns = {n}")).replace("rows = 64", &format!("rows = {n}")),
    );
    // A test parses each of these files.
    SceneFile::parse(&text, "scene.toml")
        .map(|file| (file.scene.into_scene(), file.options.time_step))
        .unwrap_or_default()
}

/// Runs a scene `pairs` times in turn with safe steps and with one linearisation per step, solved to `tolerance`.
pub fn compare(backend: &Backend, workload: &Workload, tolerance: f64, pairs: usize) -> Result<Comparison, Error> {
    let steps = (DURATION / workload.options.time_step).round() as u32;
    let mut one_linearisation = Options { nonlinear: Nonlinear::OneLinearisation, ..workload.options.clone() };
    one_linearisation.solver.tolerance = tolerance;
    let (mut safe, mut one) = (Cost::default(), Cost::default());
    let (mut times, mut ratios) = ([Vec::new(), Vec::new()], Vec::new());
    for _ in 0..pairs {
        let mut seconds = [0.0; 2];
        for (ix, (options, cost)) in
            [(&workload.options, &mut safe), (&one_linearisation, &mut one)].into_iter().enumerate()
        {
            (*cost, seconds[ix]) = run(backend, &workload.scene, options, steps)?;
            times[ix].push(1e3 * seconds[ix] / f64::from(steps));
        }
        ratios.push(seconds[0] / seconds[1].max(f64::MIN_POSITIVE));
    }
    ratios.sort_by(f64::total_cmp);
    (safe.ms, one.ms) = (median(&mut times[0]), median(&mut times[1]));
    Ok(Comparison { particles: workload.scene.particle_count(), steps, safe, one, ratios })
}

/// Runs a scene from its start; returns counts, and the time of its steps, s.
fn run(backend: &Backend, scene: &Scene, options: &Options, steps: u32) -> Result<(Cost, f64), Error> {
    let mut simulation = Simulation::new(backend.clone(), scene, options.clone())?;
    let size_at_start = extent(simulation.positions()?);
    let began = Instant::now();
    simulation.step_many(steps)?;
    simulation.finish()?;
    let seconds = began.elapsed().as_secs_f64();
    let per_step = |total: f64| total / f64::from(steps);
    let Costs { all_dispatches, used_dispatches, .. } = simulation.costs();
    let records = simulation.take_records();
    let total = |of: fn(&StepRecord) -> u32| records.iter().map(|record| f64::from(of(record))).sum();
    let cost = Cost {
        iterations: per_step(total(|record| record.iterations)),
        linearisations: per_step(total(|record| record.linearisations)),
        ms: 0.0,
        dispatches: per_step(all_dispatches as f64),
        idle_dispatches: per_step(all_dispatches.saturating_sub(used_dispatches) as f64),
        exploded: extent(simulation.positions()?) > EXPLODED * size_at_start,
    };
    Ok((cost, seconds))
}

/// Diagonal of the bounding box, m.
fn extent(positions: &[Vec3]) -> f32 {
    let (low, high) = positions.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), x| (low.min(*x), high.max(*x)));
    (high - low).length()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_has_as_many_particles_as_its_name_says() {
        for workload in all() {
            let count = match workload.name.rsplit('-').next().and_then(|n| n.parse::<usize>().ok()) {
                Some(n) => n * n,
                None => 83 * 56,
            };
            assert_eq!(workload.scene.particle_count(), count, "{}", workload.name);
            assert_eq!(workload.options, Options { time_step: 0.01, ..Options::default() }, "{}", workload.name);
        }
    }

    #[test]
    fn both_ways_are_counted() {
        let workload = Workload { scene: hanging_cotton(8), ..all().remove(1) };
        let Comparison { steps, safe, one, ratios, .. } = compare(&Backend::Cpu, &workload, 1e-3, 3).unwrap();
        assert_eq!((steps, ratios.len()), (60, 3));
        assert!(ratios.is_sorted());
        assert_eq!(one.linearisations, 1.0);
        assert!(safe.linearisations >= 1.0 && safe.iterations > 1.0 && one.iterations > 1.0);
        assert!(!safe.exploded && !one.exploded && safe.ms > 0.0 && one.ms > 0.0);
    }
}
