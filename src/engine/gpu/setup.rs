//! Set-up of the GPU engine: buffers, kernels and parameters of a scene.

use super::{
    Device, GpuEngine, Held, Stages, Tally, Timekeeping, UnderWay, collision,
    inputs::{put_air, put_scheme},
    plan::Plan,
    skins,
    stages::Parts,
};
use crate::{
    Error, Options, Preconditioner, Scene,
    engine::upload,
    gpu::{Buffers, Gpu, layout},
    stage::Skin,
    topology::Topology,
};
use std::sync::Arc;

/// Ratio of rounding to weight above which a scene gets a warning.
const LOUD: f64 = 3.0;

impl GpuEngine {
    pub async fn new(gpu: &Gpu, topology: Arc<Topology>, scene: &Scene, options: &Options) -> Result<Self, Error> {
        gpu.check_device()?;
        let noise = topology.rounding_over_weight(scene.gravity.as_dvec3());
        if noise > LOUD {
            log::warn!(
                "f32 rounds positions to forces of {noise:.1} times a particle's weight here: equilibria will be no finer. Softer \
                 springs, heavier or fewer particles, a scene nearer to the origin, or the CPU backend would help"
            );
        }
        let largest_binding = gpu.largest_binding();
        let plan = Plan::new(&topology, scene, options, gpu.launch(), largest_binding)?;
        let gpu = Buffers::device_for(&plan.buffers, gpu).await?;
        gpu.test().await?;
        let params = parameters(&gpu, &plan, &topology, scene, options)?;
        let device = Device::new(gpu, &plan, params, &topology, largest_binding)?;
        let (gpu, buffers) = (&device.gpu, &device.buffers);
        upload::structure(&topology, &plan.matrix, plan.launch, gpu, buffers)?;
        if let Some(aggregates) = &topology.aggregates {
            upload::aggregates(aggregates, gpu, buffers)?;
        }
        skins::upload(&topology.skins, gpu, buffers)?;
        collision::upload(&topology, options, &plan, gpu, buffers)?;
        upload::stages(options.integrator, gpu, buffers)?;
        if options.integrator.is_imex() {
            upload::couplings(&topology, &plan.matrix, gpu, buffers)?;
        }
        let parts = Parts::of(scene, plan.collision);
        let mut engine = Self {
            stages: Stages::new(gpu, buffers, plan.launch, &topology, parts, options)?,
            parts,
            air: scene.air.unwrap_or_default(),
            device,
            time: Timekeeping::new(options.time_step),
            held: Held::new(&topology, scene),
            under_way: UnderWay::default(),
            tally: Tally::default(),
            pace: None,
            snapshot: None,
            options: options.clone(),
            topology,
        };
        engine.provide_readbacks()?;
        engine.upload_start()?;
        engine.device.gpu.settle().await?;
        engine.device.gpu.check_lost()?;
        Ok(engine)
    }
}

/// Parameters of the kernels at the start.
fn parameters(
    gpu: &Gpu,
    plan: &Plan,
    topology: &Topology,
    scene: &Scene,
    options: &Options,
) -> Result<layout::Params, Error> {
    let Plan { matrix, launch, .. } = plan;
    let slices = matrix.compact.slice_offsets.len();
    let mut params = layout::Params {
        gravity: scene.gravity.to_array(),
        time_step: options.time_step as f32,
        particle_count: topology.particle_count() as u32,
        pattern_header: slices as u32,
        full_pattern: (slices + matrix.compact.slot_count()) as u32,
        element_count: topology.elements.len() as u32,
        measure_count: launch.partials * launch.chunks as u32 + launch.element_partials + launch.strut_partials,
        strut_partials: launch.strut_partials,
        contact_passes: if plan.collision.is_some() { options.safe_passes() } else { 0 },
        workgroup_count: launch.workgroups,
        partial_count: launch.partials,
        chunk_count: launch.chunks as u32,
        max_iterations: options.solver.max_iterations,
        iterations_at_once: launch.single.unwrap_or(0),
        tolerance_squared: options.safe().map_or(options.solver.tolerance, |safe| safe.tolerance).powi(2) as f32,
        max_linearisations: options.safe().map_or(0, |safe| safe.max_linearisations),
        energy_tolerance: options.safe().map_or(0.0, |safe| safe.energy_tolerance) as f32,
        most_rise: options.integrator.most_rise() as f32,
        audited_steps: options.integrator.audited_steps() as u32,
        newton_tolerance_squared: options.newton().map_or(0.0, |n| n.tolerance * n.tolerance) as f32,
        flags: flags(options, launch.models.corrected),
        coarse_count: topology.aggregates.as_ref().map_or(0, |known| known.count) as u32,
        coarse_stride: topology.aggregates.as_ref().map_or(0, |known| known.padded() / 4) as u32,
        record_count: upload::RECORD_COUNT as u32,
        element_workgroups: launch.element_workgroups,
        skin_count: topology.skins.points.len() as u32,
        skin_workgroups: if topology.skins.is_empty() { 0 } else { Skin::workgroups(gpu, &topology.skins)? },
        mass_damping: options.rayleigh.mass as f32,
        stiffness_damping: options.rayleigh.stiffness as f32,
        reach: topology.reach() as f32,
        rounding: topology.rounding() as f32,
        ..Default::default()
    };
    put_air(&mut params, &scene.air.unwrap_or_default(), options.time_step);
    put_scheme(&mut params, options.integrator, options.time_step);
    Ok(params)
}

fn flags(options: &Options, corrected: bool) -> u32 {
    let bit = |set: bool, bit: u32| if set { bit } else { 0 };
    bit(options.clamp, layout::flag::CLAMP)
        | bit(options.solver.preconditioner == Preconditioner::Jacobi, layout::flag::SCALAR_JACOBI)
        | bit(options.measure, layout::flag::MEASURE)
        | bit(!options.has_predictor(), layout::flag::NO_PREDICTOR)
        | bit(options.warm_start(corrected), layout::flag::WARM_START)
        | bit(options.safe().is_some(), layout::flag::SAFE)
        | bit(options.audited().is_some(), layout::flag::AUDITED)
}
