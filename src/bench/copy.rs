//! The yardstick: a kernel that copies, timed in the same run.

use super::measure::median;
use crate::{
    Error, Gpu, Options,
    gpu::{BufferPlan, Buffers, Dispatch, Readback, Timeline, layout},
    stage::{LaunchPlan, ProblemSize},
};
use std::time::{Duration, Instant};

/// 16 MiB in, 16 MiB out: more than most caches.
const ELEMENTS: usize = 1 << 20;
/// Next to nothing: what is left is the launch.
const FEW: usize = 64;
/// Dispatches timed together take at least this long, or waiting for them would count.
const LONG_ENOUGH: Duration = Duration::from_millis(40);
/// Most dispatches timed together.
const MOST_REPEATS: u32 = 1024;
const ROUNDS: usize = 5;
const TIMEOUT: Duration = Duration::from_secs(60);

/// What a copy takes on an adapter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Copy {
    /// Bytes read and written per second.
    pub bandwidth: f64,
    /// ns per vec4 copied.
    pub ns_per_element: f64,
    /// µs per dispatch of next to nothing.
    pub launch_us: f64,
}

impl Copy {
    /// The best of two: what disturbs a machine only ever makes it slower.
    pub fn best(self, other: Self) -> Self {
        Self {
            bandwidth: self.bandwidth.max(other.bandwidth),
            ns_per_element: self.ns_per_element.min(other.ns_per_element),
            launch_us: self.launch_us.min(other.launch_us),
        }
    }
}

/// Times the copy kernel.
pub fn time(gpu: &Gpu) -> Result<Copy, Error> {
    let full = CopyBench::new(gpu, ELEMENTS)?.seconds()?;
    let empty = CopyBench::new(gpu, FEW)?.seconds()?;
    Ok(Copy {
        bandwidth: 32.0 * ELEMENTS as f64 / full,
        ns_per_element: full * 1e9 / ELEMENTS as f64,
        launch_us: empty * 1e6,
    })
}

/// The copy kernel, ready to run.
#[derive(Debug)]
pub struct CopyBench {
    gpu: Gpu,
    buffers: Buffers,
    copy: Dispatch,
    end: Readback,
}

impl CopyBench {
    /// The 1 Mi elements that count as the bandwidth.
    pub fn yardstick(gpu: &Gpu) -> Result<Self, Error> {
        Self::new(gpu, ELEMENTS)
    }

    /// Over so many vec4, spread by the rule of the solver's kernels.
    fn new(gpu: &Gpu, elements: usize) -> Result<Self, Error> {
        let workgroups =
            LaunchPlan::choose(gpu.launch(), &ProblemSize::rows_only(elements), &Options::default())?.workgroups;
        let plan = [
            BufferPlan::uniform("params", size_of::<layout::Params>()),
            BufferPlan::storage("source", elements, 16),
            BufferPlan::storage("destination", elements, 16),
        ];
        let buffers = Buffers::create(&plan, gpu)?;
        let params =
            layout::Params { particle_count: elements as u32, workgroup_count: workgroups, ..Default::default() };
        buffers.write(gpu, "params", 0, &[params])?;
        let copy = gpu.kernel("bench/copy")?.bind(gpu, &buffers, workgroups)?;
        let end = Readback::new(gpu, "tenter.bench", 16)?;
        Ok(Self { gpu: gpu.clone(), buffers, copy, end })
    }

    /// Submits so many copies, one after the other, and waits.
    pub fn time(&mut self, repeats: u32) -> Result<Duration, Error> {
        let begin = Instant::now();
        let copies = |timeline: &mut Timeline<'_>| (0..repeats).for_each(|_| timeline.run(&self.copy));
        self.end.fetch_now(&self.gpu, self.buffers.named("destination")?, copies, "a copy", TIMEOUT)?;
        Ok(begin.elapsed())
    }

    /// Per dispatch.
    fn seconds(&mut self) -> Result<f64, Error> {
        let mut repeats = 8;
        while self.time(repeats)? < LONG_ENOUGH && repeats < MOST_REPEATS {
            repeats *= 2;
        }
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            times.push(self.time(repeats)?.as_secs_f64() / f64::from(repeats));
        }
        Ok(median(&mut times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GpuOptions, gpu::shader::Launch};

    /// A driver that ends loops early would make a yardstick of what was not copied.
    #[test]
    fn all_of_it_is_copied() {
        for launch in Launch::ALL {
            let gpu = Gpu::with_options(GpuOptions { launch: Some(launch), ..Default::default() }).unwrap();
            let mut bench = CopyBench::yardstick(&gpu).unwrap();
            let source: Vec<[u32; 4]> = (0..ELEMENTS as u32).map(|ix| [ix + 1, !ix, ix / 3, 7]).collect();
            bench.buffers.write(&gpu, "source", 0, &source).unwrap();
            bench.time(2).unwrap();
            let mut whole = Readback::new(&gpu, "test", 16 * ELEMENTS as u64).unwrap();
            let destination = bench.buffers.named("destination").unwrap();
            let bytes = whole.fetch_now(&gpu, destination, |_| {}, "a test", TIMEOUT).unwrap();
            assert!(bytes == bytemuck::cast_slice::<_, u8>(&source), "{launch:?}");
        }
    }
}
