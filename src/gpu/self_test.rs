//! The self-test of a device: whether its reductions are right. See `shaders/check/reduction.wgsl`.

use super::{BufferPlan, Buffers, Gpu, Readback, layout, shader};
use crate::Error;

/// Runs the self-test. The error says what the device computed.
pub async fn run(gpu: &Gpu) -> Result<(), Error> {
    let module = shader::parse("check/reduction", gpu.launch()).map_err(Error::Gpu)?;
    let size = shader::constant(&module, "WORKGROUP_SIZE").ok_or_else(|| Error::Gpu("no workgroup size".to_owned()))?;
    let plan = [
        BufferPlan::uniform("params", size_of::<layout::Params>()),
        BufferPlan::storage("sums", size as usize, size_of::<[f32; 2]>()),
    ];
    let buffers = Buffers::create(&plan, gpu)?;
    // Values start at 1, so that a missing thread is noticed.
    buffers.write(gpu, "params", 0, &[layout::Params { particle_count: 1, ..Default::default() }])?;
    let check = gpu.kernel("check/reduction")?.bind(gpu, &buffers, 1)?;
    let mut readback = Readback::new(gpu, "tenter.check", u64::from(size) * 8)?;
    let sums = buffers.named("sums")?;
    let bytes = readback.fetch(gpu, sums, 0, |timeline| timeline.run(&check), "the self-test").await?;
    let found = bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned::<[f32; 2]>);
    judge(found.collect::<Vec<_>>().as_slice(), size, gpu.launch()).map_err(|problem| {
        Error::Gpu(format!(
            "{} fails tenter's self-test: {problem}. Update its driver or choose another adapter",
            gpu.info().name
        ))
    })
}

/// Checks the sum and maximum of every thread of a workgroup; on software drivers each thread has only its own value.
fn judge(found: &[[f32; 2]], size: u32, launch: shader::Launch) -> Result<(), String> {
    for (ix, pair) in found.iter().enumerate() {
        let expected = match launch {
            shader::Launch::Hardware => [(size * (size + 1) / 2) as f32, size as f32],
            shader::Launch::Software => [ix as f32 + 1.0; 2],
        };
        if *pair != expected {
            return Err(format!("thread {ix} has sum and maximum {pair:?} instead of {expected:?}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::wait;
    use shader::Launch;
    use std::time::Duration;

    #[test]
    fn both_launches_pass_on_this_device() {
        for launch in Launch::ALL {
            let gpu = Gpu::with_options(crate::GpuOptions { launch: Some(launch), ..Default::default() }).unwrap();
            wait::drive(Duration::from_secs(30), run(&gpu)).unwrap();
        }
    }

    #[test]
    fn a_wrong_sum_is_noticed() {
        let mut sums = vec![[10.0, 4.0]; 4];
        assert!(judge(&sums, 4, Launch::Hardware).is_ok());
        sums[2][0] = 9.0;
        assert!(judge(&sums, 4, Launch::Hardware).unwrap_err().contains("thread 2"));
        assert!(judge(&[[1.0, 1.0], [2.0, 1.0]], 2, Launch::Software).is_err());
    }
}
