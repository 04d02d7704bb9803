//! The energy audit at the end of a step.
//!
//! Reads previous, anchor, positions, velocities, constraints, contacts, residual, loads, normals. Writes row_sums, which `report/record` folds. After steps without
//! line search it also writes search, weights, status.

use super::{LaunchPlan, Surroundings, Timeline, matrix_kernel, row_kernel};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

/// Kernels for kinetic energy, gravity, and the work of constraints, wind and point loads.
#[derive(Debug)]
pub(crate) struct Audit {
    rows: Vec<Dispatch>,
    loads: Dispatch,
}

impl Audit {
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, surroundings: Surroundings) -> Result<Self, Error> {
        let kernel = |name| row_kernel(gpu, buffers, launch, name);
        let mut rows = vec![kernel("search/audit")?];
        if surroundings.air {
            rows.push(kernel("search/audit_air")?);
        }
        Ok(Self { rows, loads: kernel("search/audit_loads")? })
    }

    pub fn encode(&self, timeline: &mut Timeline<'_>, loads: bool) {
        timeline.run_all(&self.rows);
        if loads {
            timeline.run(&self.loads);
        }
    }
}

/// Kernels for the energy scale of a step, to which its tolerances are relative.
#[derive(Debug)]
pub(crate) struct Scale([Dispatch; 2]);

impl Scale {
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan) -> Result<Self, Error> {
        let fold = gpu.kernel_with("search/scale", &launch.models.constants())?.bind(gpu, buffers, 1)?;
        Ok(Self([row_kernel(gpu, buffers, launch, "search/weight")?, fold]))
    }

    pub fn encode(&self, timeline: &mut Timeline<'_>) {
        timeline.run_all(&self.0);
    }
}

/// Binds the elastic energies along a line search: edges, and elements in scenes that have them.
pub(super) fn weigh(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan) -> Result<Vec<Dispatch>, Error> {
    let mut weigh = matrix_kernel(gpu, buffers, launch, "search/weigh")?;
    if launch.element_partials > 0 {
        let elements = gpu.kernel_with("search/weigh_elements", &launch.models.constants())?;
        weigh.push(elements.bind(gpu, buffers, launch.element_workgroups)?);
    }
    Ok(weigh)
}

/// The energy audit of steps without line search: those of the IMEX schemes.
#[derive(Debug)]
pub(crate) struct Afterwards {
    scale: Scale,
    look_back: Dispatch,
    weigh: Vec<Dispatch>,
    audit: Audit,
}

impl Afterwards {
    /// `beyond_stage`: whether the state at the end of a step lies beyond the stage of the integrator.
    pub fn new(
        gpu: &Gpu,
        buffers: &Buffers,
        launch: LaunchPlan,
        surroundings: Surroundings,
        beyond_stage: bool,
    ) -> Result<Self, Error> {
        let look_back = gpu.kernel_with("search/look_back", &vec![("BEYOND_STAGE", beyond_stage.into())])?;
        Ok(Self {
            scale: Scale::new(gpu, buffers, launch)?,
            look_back: look_back.bind(gpu, buffers, launch.workgroups)?,
            weigh: weigh(gpu, buffers, launch)?,
            audit: Audit::new(gpu, buffers, launch, surroundings)?,
        })
    }

    pub fn encode(&self, timeline: &mut Timeline<'_>, loads: bool) {
        self.scale.encode(timeline);
        timeline.run(&self.look_back);
        timeline.run_all(&self.weigh);
        self.audit.encode(timeline, loads);
    }
}
