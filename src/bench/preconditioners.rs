//! Iterations and time by preconditioner: scenes solved to a tolerance, with each preconditioner in turn.

use super::{
    drape::draped_cloth,
    kernels::{Kernel, KernelBench},
    measure::median,
    workload::{Workload, hanging_cotton},
};
use crate::{
    Backend, Costs, Error, Footprint, Gpu, Nonlinear, Options, Outcome, Preconditioner, Simulation, SolverOptions,
};
use std::time::Instant;

/// A preconditioner, and where the first solve of a step begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// Preconditioner of the solves.
    pub preconditioner: Preconditioner,
    /// Whether the first solve of a step begins along the velocity change of the last step.
    pub warm_start: bool,
}

impl Variant {
    /// Variants in the order of the table. The others are compared with the first. Solves with a coarse level begin at 0.
    pub const ALL: [Variant; 3] = [
        Variant { preconditioner: Preconditioner::BlockJacobi, warm_start: false },
        Variant { preconditioner: Preconditioner::BlockJacobi, warm_start: true },
        Variant { preconditioner: Preconditioner::TwoLevel, warm_start: false },
    ];

    /// Name of the variant in reports.
    pub fn name(self) -> String {
        let start = if self.warm_start { "warm" } else { "0" };
        format!("{} from {start}", self.preconditioner.name())
    }

    fn options(self, options: &Options) -> Options {
        let Self { preconditioner, warm_start } = self;
        let solver = SolverOptions { preconditioner, warm_start, ..options.solver.clone() };
        Options { solver, ..options.clone() }
    }
}

/// Results of a variant on a backend. Means are over the counted steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved {
    /// Iterations per step, mean.
    pub iterations: f64,
    /// Time of each counted step with a wait after it, ms.
    pub times: Vec<f64>,
    /// Counted steps whose solve did not end converged.
    pub unconverged: u32,
    /// Particles in contact per step, mean.
    pub contacts: f64,
    /// Costs reported by the simulation.
    pub costs: Costs,
}

impl Solved {
    /// Time per step, ms: median.
    pub fn ms_per_step(&self) -> f64 {
        median(&mut self.times.clone())
    }

    /// Ratio of the time per step to that of another variant: median over the steps.
    pub fn ratio_to(&self, other: &Self) -> f64 {
        median(&mut self.times.iter().zip(&other.times).map(|(own, other)| own / other).collect::<Vec<_>>())
    }
}

/// Results of a variant that do not depend on the motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SetUp {
    /// Time to start a solve, ms: the preconditioner with its coarse matrix.
    pub ms: f64,
    /// Size of all buffers, bytes.
    pub bytes: u64,
}

/// Uncounted steps at the start. The number of iterations that are submitted to the GPU follows earlier steps, so that the first solves are cut short.
const START: u32 = 10;
/// Uncounted safe steps at the start: these submit as many iterations as they need.
const SAFE_START: u32 = 1;
/// Runs of the start of a solve that are timed together.
const STARTS_AT_ONCE: u32 = 4;
/// Number of times the start of a solve is timed. The shortest time counts.
const BLOCKS: usize = 3;

/// Scenes of the comparison, smallest first within each series.
pub fn all() -> Vec<Workload> {
    let mut workloads: Vec<Workload> = [32, 64, 128, 256, 512].map(hanging).into();
    workloads.extend([128, 256].map(draped));
    workloads
}

/// Whether a workload is one of this comparison.
pub fn compares(name: &str) -> bool {
    name.starts_with("hang-") || name.ends_with("-solved")
}

/// Number of counted steps of a workload.
pub fn steps_of(workload: &Workload) -> u32 {
    match workload.scene.particle_count() {
        // A safe step solves several times.
        _ if workload.options.safe().is_some() => 3,
        0..40_000 => 20,
        40_000..100_000 => 10,
        _ => 5,
    }
}

/// Cotton of n×n particles on 1 m², two corners pinned, h = 10 ms, one linearisation per step, solved to 5·10⁻³.
fn hanging(n: u32) -> Workload {
    let solver = SolverOptions { tolerance: 5e-3, max_iterations: 4000, ..Default::default() };
    Workload {
        name: format!("hang-{n}"),
        about: "hanging cotton, solved to 5e-3, by preconditioner",
        scene: hanging_cotton(n),
        options: Options { time_step: 0.01, solver, nonlinear: Nonlinear::OneLinearisation, ..Default::default() },
        large: n > 128,
    }
}

/// The cotton of `drape-n` on a sphere, in safe steps of 10 ms.
fn draped(n: u32) -> Workload {
    let solver = SolverOptions { max_iterations: 4000, ..Default::default() };
    Workload {
        name: format!("drape-{n}-solved"),
        about: "cotton on a sphere, safe steps, by preconditioner",
        options: Options { time_step: 0.01, solver, ..Default::default() },
        large: true,
        ..draped_cloth(n)
    }
}

/// Runs a workload with each variant: `steps` counted steps after a start. All variants make a step before any makes the next, so that the load of the machine is the
/// same for all.
pub fn compare(backend: &Backend, workload: &Workload, steps: u32) -> Result<Vec<Solved>, Error> {
    let simulation =
        |variant: &Variant| Simulation::new(backend.clone(), &workload.scene, variant.options(&workload.options));
    let mut simulations = Variant::ALL.iter().map(simulation).collect::<Result<Vec<_>, _>>()?;
    let mut times = vec![Vec::new(); simulations.len()];
    let start = if workload.options.safe().is_some() { SAFE_START } else { START };
    for step in 0..start + steps {
        for (simulation, times) in simulations.iter_mut().zip(&mut times) {
            let begin = Instant::now();
            simulation.step()?;
            simulation.finish()?;
            if step >= start {
                times.push(1e3 * begin.elapsed().as_secs_f64());
            }
        }
    }
    let mean = |total: f64| total / f64::from(steps.max(1));
    let solved = simulations.iter_mut().zip(times).map(|(simulation, times)| {
        let records = simulation.take_records();
        let counted = &records[records.len().saturating_sub(steps as usize)..];
        Solved {
            iterations: mean(counted.iter().map(|record| f64::from(record.iterations)).sum()),
            times,
            unconverged: counted.iter().filter(|record| record.outcome != Outcome::Converged).count() as u32,
            contacts: mean(counted.iter().map(|record| f64::from(record.contacts)).sum()),
            costs: simulation.costs(),
        }
    });
    Ok(solved.collect())
}

/// Times the start of a solve with each variant on a GPU, and adds up its buffers.
pub fn set_up(gpu: &Gpu, workload: &Workload) -> Result<Vec<SetUp>, Error> {
    let mut known: Vec<(Preconditioner, f64)> = Vec::new();
    let mut set_ups = Vec::new();
    for variant in Variant::ALL {
        let bytes = Footprint::of(&workload.scene, &variant.options(&workload.options), Some(gpu))?.bytes();
        let before = known.iter().find(|(preconditioner, _)| *preconditioner == variant.preconditioner);
        let ms = match before {
            Some((_, ms)) => *ms,
            None => time_start(gpu, workload, variant)?,
        };
        known.push((variant.preconditioner, ms));
        set_ups.push(SetUp { ms, bytes });
    }
    Ok(set_ups)
}

/// Time to start a solve, ms: best of three.
fn time_start(gpu: &Gpu, workload: &Workload, variant: Variant) -> Result<f64, Error> {
    // The time depends on the scene's topology alone, so that one step with one iteration is enough of a start.
    let solver = SolverOptions {
        preconditioner: variant.preconditioner,
        warm_start: false,
        max_iterations: 1,
        ..workload.options.solver.clone()
    };
    let options = Options { solver, nonlinear: Nonlinear::OneLinearisation, ..workload.options.clone() };
    let mut bench = KernelBench::after(gpu, &Workload { options, ..workload.clone() }, 1)?;
    let mut best = f64::INFINITY;
    for _ in 0..=BLOCKS {
        let time = bench.time(Kernel::Precondition, STARTS_AT_ONCE)?;
        best = best.min(1e3 * time.as_secs_f64() / f64::from(STARTS_AT_ONCE));
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_are_known_by_their_names_and_of_their_size() {
        for workload in all() {
            assert!(compares(&workload.name), "{}", workload.name);
            let n = workload.name.split('-').find_map(|word| word.parse::<usize>().ok()).unwrap();
            assert_eq!(workload.scene.particle_count(), n * n, "{}", workload.name);
        }
        assert!(super::super::workload::all().iter().all(|workload| !compares(&workload.name)));
    }

    #[test]
    fn a_coarse_level_and_a_warm_start_save_iterations_of_a_hanging_cloth() {
        let solved = compare(&Backend::Cpu, &hanging(40), 20).unwrap();
        let [base, warm, coarse] = solved.as_slice() else { panic!("{} variants", solved.len()) };
        assert!(solved.iter().all(|solved| solved.unconverged == 0 && solved.ms_per_step() > 0.0), "{solved:?}");
        assert!(warm.iterations < base.iterations && coarse.iterations < 0.5 * base.iterations, "{solved:?}");
        assert_eq!((base.times.len(), base.ratio_to(base)), (20, 1.0));
    }

    #[test]
    fn a_coarse_level_takes_longer_to_set_up_and_more_memory() {
        let gpu = Gpu::headless().unwrap();
        let set_ups = set_up(&gpu, &hanging(32)).unwrap();
        assert!(set_ups[2].ms > set_ups[0].ms && set_ups[2].bytes > set_ups[0].bytes, "{set_ups:?}");
    }
}
