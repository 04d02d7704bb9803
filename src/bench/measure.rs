//! Timing of workloads.

use super::workload::Workload;
use crate::{Backend, Costs, Error, Gpu, Options, Simulation, StageTimes, StepRecord};
use std::time::{Duration, Instant};

/// Untimed steps at the start, while pipelines warm up and the iteration budget settles.
const WARM_UP: usize = 5;
/// Number of blocks of steps. The best of their medians counts: disturbances only ever make a machine slower.
const BLOCKS: usize = 3;

/// Results of a workload on a backend.
#[derive(Debug, Clone)]
pub struct Timing {
    /// Particles of the scene.
    pub particles: usize,
    /// Force elements of the scene: edges, triangles, tetrahedra, …
    pub elements: usize,
    /// Time per step with a wait after each, ms: best of three medians.
    pub ms_per_step: f64,
    /// Medians of the three blocks, ms.
    pub medians: Vec<f64>,
    /// Time per step without waits, as in a game, ms: best of three blocks.
    pub ms_per_step_pipelined: f64,
    /// Iterations per step, mean.
    pub iterations: f64,
    /// Particles in contact per step, mean.
    pub contacts: f64,
    /// Costs reported by the simulation.
    pub costs: Costs,
    /// GPU times, median over steps; `None` without timestamp queries.
    pub gpu_times: Option<StageTimes>,
    /// Time to set up topology, buffers, and kernels not compiled before, s.
    pub set_up: f64,
    /// Waits of the host for the step just submitted, per step, when pipelined.
    pub synchronisations: f64,
    /// Time of the host inside [`Simulation::step`] without waiting, µs: median over pipelined steps.
    pub host_us: f64,
}

/// Times a workload, within about `limit`.
pub fn time(backend: &Backend, workload: &Workload, limit: Duration) -> Result<Timing, Error> {
    let start = Instant::now();
    let mut simulation = Simulation::new(backend.clone(), &workload.scene, workload.options.clone())?;
    simulation.finish()?;
    let set_up = start.elapsed().as_secs_f64();

    let begin = Instant::now();
    for _ in 0..WARM_UP {
        simulation.step()?;
    }
    simulation.finish()?;
    let per_step = begin.elapsed() / WARM_UP as u32;
    // Three blocks with waits and three pipelined ones.
    let fitting = limit.as_secs_f64() / per_step.as_secs_f64().max(1e-6) / (2 * BLOCKS) as f64;
    let steps = (fitting as usize).clamp(3, 200);
    simulation.take_records();

    let mut medians = Vec::new();
    for _ in 0..BLOCKS {
        let mut times = Vec::with_capacity(steps);
        for _ in 0..steps {
            let begin = Instant::now();
            simulation.step()?;
            simulation.finish()?;
            times.push(begin.elapsed().as_secs_f64() * 1e3);
        }
        medians.push(median(&mut times));
    }
    let mut pipelined = f64::INFINITY;
    let mut waits = 0;
    for _ in 0..BLOCKS {
        let waits_before = simulation.costs().host_waits;
        let begin = Instant::now();
        simulation.step_many(steps as u32)?;
        // Counted before the last wait, which belongs to the measurement.
        waits = simulation.costs().host_waits - waits_before;
        simulation.finish()?;
        pipelined = pipelined.min(begin.elapsed().as_secs_f64() * 1e3 / steps as f64);
    }
    let host_us = host_time(&mut simulation, steps)?;

    let records = simulation.take_records();
    let mean = |of: fn(&StepRecord) -> u32| {
        records.iter().map(|record| f64::from(of(record))).sum::<f64>() / records.len().max(1) as f64
    };
    Ok(Timing {
        particles: simulation.topology().particle_count(),
        elements: simulation.topology().edges.len() + simulation.topology().elements.len(),
        ms_per_step: medians.iter().copied().fold(f64::INFINITY, f64::min),
        medians,
        ms_per_step_pipelined: pipelined,
        iterations: mean(|record| record.iterations),
        contacts: mean(|record| record.contacts),
        costs: simulation.costs(),
        gpu_times: stage_times(backend, workload)?,
        set_up,
        synchronisations: waits as f64 / steps as f64,
        host_us,
    })
}

/// Time of the host inside a step without waiting, µs: median over `steps` steps.
fn host_time(simulation: &mut Simulation, steps: usize) -> Result<f64, Error> {
    let waited = |simulation: &Simulation| simulation.gpu().map_or(Duration::ZERO, Gpu::time_waited);
    let mut times = Vec::with_capacity(steps);
    for _ in 0..steps {
        let (before, begin) = (waited(simulation), Instant::now());
        simulation.step()?;
        let busy = begin.elapsed().saturating_sub(waited(simulation) - before);
        times.push(busy.as_secs_f64() * 1e6);
    }
    simulation.finish()?;
    Ok(median(&mut times))
}

/// GPU time of each stage, from a separate run, because timestamps split the pass.
fn stage_times(backend: &Backend, workload: &Workload) -> Result<Option<StageTimes>, Error> {
    let options = Options { timing: true, ..workload.options.clone() };
    let Backend::Gpu(gpu) = backend else { return Ok(None) };
    if !gpu.device().features().contains(wgpu::Features::TIMESTAMP_QUERY) {
        return Ok(None);
    }
    let mut simulation = Simulation::new(gpu, &workload.scene, options)?;
    for _ in 0..WARM_UP {
        simulation.step()?;
    }
    simulation.finish()?;
    let times: Vec<StageTimes> = simulation.take_records().iter().filter_map(|record| record.stage_times).collect();
    let of = |part: fn(&StageTimes) -> f64| median(&mut times.iter().map(part).collect::<Vec<_>>());
    Ok(Some(StageTimes {
        assembly: of(|t| t.assembly),
        solve: of(|t| t.solve),
        integrate: of(|t| t.integrate),
        collision: of(|t| t.collision),
    }))
}

/// Sorts the values and returns the median.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
