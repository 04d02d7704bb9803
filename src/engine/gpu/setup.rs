//! From a scene to buffers, kernels and parameters.

use super::{
    inputs::{put_air, put_scheme},
    *,
};

/// Rounding over weight above which a scene is worth a warning.
const LOUD: f64 = 3.0;

impl GpuEngine {
    pub fn new(gpu: &Gpu, topology: Arc<Topology>, scene: &Scene, options: &Options) -> Result<Self, Error> {
        let noise = topology.rounding_over_weight(scene.gravity.as_dvec3());
        if noise > LOUD {
            log::warn!(
                "f32 rounds positions to forces of {noise:.1} times a particle's weight here: equilibria will be no finer. Softer \
                 springs, heavier or fewer particles, a scene nearer to the origin, or the CPU backend would help"
            );
        }
        let largest_binding = gpu.largest_binding();
        let matrix = upload::matrix(&topology, largest_binding);
        let touches = !scene.colliders.is_empty();
        let rigids = scene.rigid_count();
        let mut load = stage::Load::of(&topology, &matrix);
        load.models.corrected |= rigids > 0;
        let launch = LaunchPlan::choose(gpu.launch(), &load, options)?;
        let mut plan = upload::plan(&topology, &matrix, launch, options, touches, rigids);
        plan.extend(skins::plan(&topology.skins));
        let gpu = Buffers::device_for(&plan, gpu)?;
        gpu.test()?;
        let buffers = Buffers::create(&plan, &gpu)?;
        upload::structure(&topology, &matrix, launch, &gpu, &buffers)?;
        skins::upload(&topology.skins, &gpu, &buffers)?;
        upload::stages(options.integrator, &gpu, &buffers)?;
        if options.integrator.is_imex() {
            upload::couplings(&topology, &matrix, &gpu, &buffers)?;
        }

        let surroundings = Surroundings { normals: topology.fans.is_some(), air: scene.air.is_some() };
        // An explicit method has no matrix.
        let main = if options.integrator.is_explicit() { launch.standalone() } else { launch };
        let assembly = Assembly::new(&gpu, &buffers, main, surroundings)?;
        let at_stage = options.integrator == Integrator::ImexMidpoint;
        let forces = if at_stage || options.integrator.explicit_share() > 0.0 {
            Some(Assembly::new(&gpu, &buffers, launch.standalone(), surroundings)?)
        } else {
            None
        };
        let tied = !topology.ties.is_empty();
        let solve = Solve::new(&gpu, &buffers, launch, tied, rigids as u32)?;
        let timer = if options.timing { Timer::new(&gpu, timed_parts(options))? } else { None };
        let rayleigh = options.rayleigh.mass != 0.0 || options.rayleigh.stiffness != 0.0;
        let seen = stage::Seen {
            velocities: launch.models.damped || rayleigh || scene.air.is_some(),
            memory: topology.has_memory(),
        };
        let skins = skins::SkinEngine::new(&topology.skins, &gpu, &buffers)?;
        let mut engine = Self {
            params: layout::Params {
                gravity: scene.gravity.to_array(),
                time_step: options.time_step as f32,
                particle_count: topology.particle_count() as u32,
                pattern_header: matrix.compact.slice_offsets.len() as u32,
                full_pattern: (matrix.compact.slice_offsets.len() + matrix.compact.slot_count()) as u32,
                element_count: topology.elements.len() as u32,
                measure_count: launch.partials * launch.chunks as u32 + launch.element_partials,
                workgroup_count: launch.workgroups,
                partial_count: launch.partials,
                chunk_count: launch.chunks as u32,
                max_iterations: options.solver.max_iterations,
                iterations_at_once: launch.single.unwrap_or(0),
                tolerance_squared: options.safe().map_or(options.solver.tolerance, |safe| safe.tolerance).powi(2)
                    as f32,
                max_linearisations: options.safe().map_or(0, |safe| safe.max_linearisations),
                energy_tolerance: options.safe().map_or(0.0, |safe| safe.energy_tolerance) as f32,
                most_rise: options.integrator.most_rise() as f32,
                audited_steps: options.integrator.audited_steps() as u32,
                newton_tolerance_squared: options.newton().map_or(0.0, |n| n.tolerance * n.tolerance) as f32,
                flags: flags(options),
                record_count: upload::RECORD_COUNT as u32,
                element_workgroups: launch.element_workgroups,
                skin_count: topology.skins.points.len() as u32,
                skin_workgroups: skins.as_ref().map_or(0, |skins| skins.workgroups),
                ..Default::default()
            },
            buffer_bytes: plan.iter().map(|buffer| buffer.bytes).sum(),
            slot_count: matrix.compact.slot_count() as u64,
            full_count: matrix.full.slot_count() as u64,
            assembly,
            forces,
            search: options.safe().map(|_| Search::new(&gpu, &buffers, launch, surroundings, touches)).transpose()?,
            afterwards: options
                .audited()
                .filter(|_| options.integrator.is_imex())
                .map(|_| {
                    let beyond_stage = options.integrator == Integrator::ImexMidpoint;
                    Afterwards::new(&gpu, &buffers, launch, surroundings, beyond_stage)
                })
                .transpose()?,
            cut_short: 0,
            unfinished: None,
            largest_binding,
            solve,
            ties: tied.then(|| Ties::new(&gpu, &buffers, launch)).transpose()?,
            groups: TieGroups::default(),
            skins,
            contact: touches
                .then(|| ContactStage::new(&gpu, &buffers, launch, options.integrator.is_explicit()))
                .transpose()?,
            integrate: Integrate::new(&gpu, &buffers, launch, options, seen)?,
            report: Report::new(&gpu, &buffers, launch, options.measure)?,
            state_readback: Readback::new(&gpu, "tenter.state", 16 * topology.particle_count() as u64)?,
            timer,
            air: scene.air.unwrap_or_default(),
            constraints: topology.constraints.clone(),
            flights: VecDeque::new(),
            idle: Vec::new(),
            records: Vec::new(),
            counts: Counts::default(),
            last_motion: None,
            rigid_capacity: rigids,
            touch_count: 0,
            step: 0,
            clock: Clock::new(options.time_step),
            last_stage_step: options.time_step,
            before: None,
            snapshot: None,
            dispatches: 0,
            all_dispatches: 0,
            used_dispatches: 0,
            submissions: 0,
            batches: 0,
            batch_waited_for: None,
            host_waits: 0,
            options: options.clone(),
            launch,
            topology,
            buffers,
            gpu,
        };
        for _ in 0..=BATCHES_IN_FLIGHT {
            let readback = engine.new_readback()?;
            engine.idle.push(readback);
        }
        put_air(&mut engine.params, &engine.air, options.time_step);
        put_scheme(&mut engine.params, options.integrator, options.time_step);
        engine.params.mass_damping = options.rayleigh.mass as f32;
        engine.params.stiffness_damping = options.rayleigh.stiffness as f32;
        engine.params.reach = engine.topology.reach() as f32;
        engine.params.rounding = engine.topology.rounding() as f32;
        engine.upload_start()?;
        Ok(engine)
    }
}

/// Parts of a step that may be timed.
fn timed_parts(options: &Options) -> u32 {
    match options.safe() {
        // A driver has room for some thousand timestamps.
        Some(safe) => (2 * safe.max_linearisations * (options.safe_passes() + 4) + 2).min(2000),
        None => 3 * options.linearisations(),
    }
}

fn flags(options: &Options) -> u32 {
    let bit = |set: bool, bit: u32| if set { bit } else { 0 };
    bit(options.clamp, layout::flag::CLAMP)
        | bit(options.solver.preconditioner == Preconditioner::Jacobi, layout::flag::SCALAR_JACOBI)
        | bit(options.measure, layout::flag::MEASURE)
        | bit(!options.predicts(), layout::flag::NO_PREDICTOR)
        | bit(options.safe().is_some(), layout::flag::SAFE)
        | bit(options.audited().is_some(), layout::flag::AUDITED)
}
