//! What is reported of a workload.

use crate::bench::{copy::Copy, measure::Timing, workload::Workload};
use serde::{Deserialize, Serialize};

/// A workload's numbers. All of the GPU unless said otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What old and new results are compared by.
    pub name: String,
    pub about: String,
    pub particles: usize,
    /// Force elements.
    pub elements: usize,
    /// Per step, mean.
    pub iterations: f64,
    /// Particles that touch something, per step, mean.
    #[serde(default)]
    pub contacts: f64,
    /// Best of the medians; every step is waited for.
    pub ms_per_step: f64,
    /// Of blocks of steps, one after the other: how far they spread tells how far to trust the best.
    pub medians_ms: Vec<f64>,
    /// When steps are submitted without waiting for each.
    pub ms_per_step_pipelined: f64,
    /// Of the whole step.
    pub ns_per_particle_iteration: f64,
    pub simulated_per_wall_second: f64,
    pub dispatches_per_step: u32,
    /// 0 when the whole solve is one dispatch.
    pub dispatches_per_iteration: u32,
    /// How often the host waits for the step it has just submitted.
    pub host_synchronisations_per_step: f64,
    /// µs that the host is busy inside a step, without what it waits there: median.
    #[serde(default)]
    pub host_us_per_step: f64,
    pub bytes_per_particle_iteration: f64,
    /// Bytes of all iterations over the time of the whole step, relative to what the copy kernel moves.
    pub copy_bandwidth_fraction: f64,
    pub memory_bytes_per_particle: f64,
    /// Topology, buffers, and kernels that no earlier workload has compiled.
    pub set_up_seconds: f64,
    /// `null` if the adapter has no timestamps.
    pub gpu_ms: Option<StageTimes>,
    /// `null` if it was not timed.
    pub cpu: Option<CpuRow>,
    /// Why not.
    pub cpu_skipped: Option<String>,
}

/// Time on the GPU by stage, ms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageTimes {
    pub assembly: f64,
    pub solve: f64,
    pub integrate: f64,
}

/// The same workload on the CPU backend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CpuRow {
    pub ms_per_step: f64,
    pub medians_ms: Vec<f64>,
    pub iterations: f64,
    /// Its time over the GPU's.
    pub ratio: f64,
}

impl Row {
    pub fn new(workload: &Workload, gpu: &Timing, cpu: Result<&Timing, &&str>, copy: &Copy) -> Self {
        let particles = gpu.particles as f64;
        let seconds = gpu.ms_per_step * 1e-3;
        let bytes = gpu.costs.iteration_bytes as f64;
        // A driver that answers its timestamp queries with zeros does not know.
        let known = gpu.gpu_times.filter(|times| times.assembly + times.solve + times.integrate > 0.0);
        Self {
            name: workload.name.clone(),
            about: workload.about.to_owned(),
            particles: gpu.particles,
            elements: gpu.elements,
            iterations: gpu.iterations,
            contacts: gpu.contacts,
            ms_per_step: gpu.ms_per_step,
            medians_ms: gpu.medians.clone(),
            ms_per_step_pipelined: gpu.ms_per_step_pipelined,
            ns_per_particle_iteration: over(seconds * 1e9, particles * gpu.iterations),
            simulated_per_wall_second: over(workload.options.time_step, seconds),
            dispatches_per_step: gpu.costs.dispatches,
            dispatches_per_iteration: gpu.costs.dispatches_per_iteration,
            host_synchronisations_per_step: gpu.synchronisations,
            host_us_per_step: gpu.host_us,
            bytes_per_particle_iteration: over(bytes, particles),
            copy_bandwidth_fraction: over(over(bytes * gpu.iterations, seconds), copy.bandwidth),
            memory_bytes_per_particle: over(gpu.costs.buffer_bytes as f64, particles),
            set_up_seconds: gpu.set_up,
            gpu_ms: known.map(|times| StageTimes {
                assembly: times.assembly * 1e3,
                solve: times.solve * 1e3,
                integrate: times.integrate * 1e3,
            }),
            cpu: cpu.as_ref().ok().map(|cpu| CpuRow {
                ms_per_step: cpu.ms_per_step,
                medians_ms: cpu.medians.clone(),
                iterations: cpu.iterations,
                ratio: over(cpu.ms_per_step, gpu.ms_per_step),
            }),
            cpu_skipped: cpu.err().map(|reason| (*reason).to_owned()),
        }
    }

    /// Bytes an iteration reads and writes.
    pub fn iteration_bytes(&self) -> f64 {
        self.bytes_per_particle_iteration * self.particles as f64
    }

    /// Whether it is one of the series that differs in nothing but its size.
    pub fn is_w1(&self) -> bool {
        self.name.starts_with("w1-")
    }
}

/// The quotient; 0 of nothing.
fn over(dividend: f64, divisor: f64) -> f64 {
    if divisor > 0.0 { dividend / divisor } else { 0.0 }
}
