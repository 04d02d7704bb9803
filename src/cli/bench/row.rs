//! Results of a workload.

use crate::bench::{copy::Copy, measure::Timing, workload::Workload};
use serde::{Deserialize, Serialize};

/// Results of a workload, on the GPU unless stated otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkloadRow {
    /// Name, by which old and new results are matched.
    pub name: String,
    pub about: String,
    pub particles: usize,
    /// Force elements.
    pub elements: usize,
    /// Iterations per step, mean.
    pub iterations: f64,
    /// Particles in contact per step, mean.
    #[serde(default)]
    pub contacts: f64,
    /// Time per step, ms, with a wait after each: best of `medians_ms`.
    pub ms_per_step: f64,
    /// Medians of consecutive blocks of steps, ms; their spread shows the noise.
    pub medians_ms: Vec<f64>,
    /// Time per step, ms, without a wait after each.
    pub ms_per_step_pipelined: f64,
    /// Time of the whole step per particle and iteration, ns.
    pub ns_per_particle_iteration: f64,
    pub simulated_per_wall_second: f64,
    pub dispatches_per_step: u32,
    /// Dispatches per iteration; 0 if the whole solve is one dispatch.
    pub dispatches_per_iteration: u32,
    /// Waits of the host for the step just submitted, per step.
    pub host_synchronisations_per_step: f64,
    /// Time of the host per step without waiting, µs: median.
    #[serde(default)]
    pub host_us_per_step: f64,
    pub bytes_per_particle_iteration: f64,
    /// Bytes of all iterations over the time of the whole step, relative to the bandwidth of the copy kernel.
    pub copy_bandwidth_fraction: f64,
    pub memory_bytes_per_particle: f64,
    /// Time to set up topology, buffers, and kernels not compiled by an earlier workload, s.
    pub set_up_seconds: f64,
    /// Times on the GPU; `null` without timestamp queries.
    pub gpu_ms: Option<StageTimes>,
    /// Results on the CPU backend; `null` if not timed.
    pub cpu: Option<CpuRow>,
    /// Reason why the CPU backend was not timed.
    pub cpu_skipped: Option<String>,
}

/// Time on the GPU by stage, ms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageTimes {
    pub assembly: f64,
    pub solve: f64,
    pub integrate: f64,
}

/// Results of the workload on the CPU backend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CpuRow {
    pub ms_per_step: f64,
    pub medians_ms: Vec<f64>,
    pub iterations: f64,
    /// Ratio of the CPU's time to the GPU's.
    pub ratio: f64,
}

impl WorkloadRow {
    pub fn new(workload: &Workload, gpu: &Timing, cpu: Result<&Timing, &&str>, copy: &Copy) -> Self {
        let particles = gpu.particles as f64;
        let seconds = gpu.ms_per_step * 1e-3;
        let bytes = gpu.costs.iteration_bytes as f64;
        // Timestamps that are all zero come from a driver that does not support them.
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

    /// Bytes read and written by one iteration.
    pub fn iteration_bytes(&self) -> f64 {
        self.bytes_per_particle_iteration * self.particles as f64
    }

    /// Whether the workload belongs to the series W1, which varies only in size.
    pub fn is_w1(&self) -> bool {
        self.name.starts_with("w1-")
    }
}

/// Quotient, or 0 if the divisor is 0.
fn over(dividend: f64, divisor: f64) -> f64 {
    if divisor > 0.0 { dividend / divisor } else { 0.0 }
}
