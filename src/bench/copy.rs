//! The yardstick: a kernel that copies, timed in the same run.

use super::measure::median;
use crate::{
    Error, Gpu,
    gpu::{BufferPlan, Buffers, Readback, layout},
    stage::Timeline,
};
use std::time::{Duration, Instant};

/// 16 MiB in, 16 MiB out: more than most caches.
const ELEMENTS: usize = 1 << 20;
/// Dispatches timed together.
const REPEATS: u32 = 8;
const ROUNDS: usize = 5;

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

/// Times the copy kernel.
pub fn time(gpu: &Gpu, workgroups: u32) -> Result<Copy, Error> {
    let full = run(gpu, workgroups, ELEMENTS)?;
    let empty = run(gpu, 1, 64)?;
    Ok(Copy {
        bandwidth: 32.0 * ELEMENTS as f64 / full,
        ns_per_element: full * 1e9 / ELEMENTS as f64,
        launch_us: empty * 1e6,
    })
}

/// Seconds per dispatch.
fn run(gpu: &Gpu, workgroups: u32, elements: usize) -> Result<f64, Error> {
    let plan = [
        BufferPlan::uniform("params", size_of::<layout::Params>()),
        BufferPlan::storage("source", elements, 16),
        BufferPlan::storage("destination", elements, 16),
    ];
    let buffers = Buffers::create(&plan, gpu)?;
    let params = layout::Params { particle_count: elements as u32, workgroup_count: workgroups, ..Default::default() };
    buffers.write(gpu, "params", 0, &[params])?;
    let copy = gpu.kernel("bench/copy")?.bind(gpu, &buffers, workgroups)?;
    let mut end = Readback::new(gpu, "tenter.bench", 16)?;
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        let mut timeline = Timeline::own(gpu, 0, None);
        for _ in 0..REPEATS {
            timeline.run(&copy);
        }
        if let (Some(mut encoder), _) = timeline.finish() {
            encoder.copy_buffer_to_buffer(buffers.named("destination")?, 0, end.destination(), 0, 16);
            end.request(gpu.checked(|| gpu.queue().submit([encoder.finish()]))?);
        }
        end.wait(gpu, "a copy", Duration::from_secs(60))?;
        times.push(begin.elapsed().as_secs_f64() / f64::from(REPEATS));
    }
    Ok(median(&mut times))
}
