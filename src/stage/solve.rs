//! The solve stage: A Δv = b by preconditioned conjugate gradients (Chronopoulos–Gear). An iteration takes two dispatches and those of the
//! [corrections](super::corrections). Where one workgroup takes all rows, many iterations take one dispatch.
//!
//! Reads values, pattern, diagonal, residual, constraints. Writes preconditioner, solution; leaves the constraint impulse in the residual.

use super::{
    LaunchPlan, Models, Timeline,
    coarse::Coarse,
    corrections::{Corrections, Coupled},
    row_kernel,
};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

#[derive(Debug)]
pub(crate) struct Solve {
    precondition: Dispatch,
    /// The coarse matrix, in scenes with aggregates.
    coarse: Option<Coarse>,
    /// The warm start of the first solve of a step.
    warm: Option<Dispatch>,
    iterate: Iterate,
    corrections: Corrections,
}

#[derive(Debug)]
enum Iterate {
    /// Many iterations in one dispatch, which resumes where the last dispatch stopped.
    Single {
        solve: Dispatch,
        at_once: u32,
    },
    Many {
        spmv: Vec<Dispatch>,
        update: Dispatch,
    },
}

impl Solve {
    /// Binds the solve of a scene. `warm`: whether the first solve of a step begins along the velocity change of the last step.
    pub fn new(
        gpu: &Gpu,
        buffers: &Buffers,
        launch: LaunchPlan,
        coupled: Coupled<'_>,
        warm: bool,
    ) -> Result<Self, Error> {
        let iterate = if let Some(at_once) = launch.single {
            Iterate::Single {
                solve: gpu.kernel_with("solve/single", &launch.models.constants())?.bind_chunk(
                    gpu,
                    buffers,
                    Some(0),
                    1,
                )?,
                at_once,
            }
        } else {
            Iterate::Many {
                spmv: product(gpu, buffers, launch, false)?,
                update: row_kernel(gpu, buffers, launch, "solve/update")?,
            }
        };
        let coarse = |aggregates| Coarse::new(gpu, buffers, launch, aggregates);
        Ok(Self {
            precondition: row_kernel(gpu, buffers, launch, "solve/precondition")?,
            coarse: coupled.aggregates.map(coarse).transpose()?,
            warm: warm.then(|| row_kernel(gpu, buffers, launch, "solve/warm")).transpose()?,
            iterate,
            corrections: Corrections::new(gpu, buffers, launch, coupled)?,
        })
    }

    /// Number of dispatches of one iteration; 0 where one workgroup runs the whole solve.
    pub fn dispatches(&self) -> u32 {
        match &self.iterate {
            Iterate::Single { .. } => 0,
            Iterate::Many { spmv, .. } => (spmv.len() + 1 + self.corrections.dispatches()) as u32,
        }
    }

    /// Encodes a solve, from the preconditioner on. `first`: whether it is the first of its step.
    pub fn encode(&self, timeline: &mut Timeline<'_>, iterations: u32, first: bool) {
        self.encode_start(timeline, first);
        self.encode_loop(timeline, iterations);
    }

    /// Encodes the start of a solve, without iterations: preconditioner, coarse matrix, u, and the warm start of the first solve of a step.
    pub fn encode_start(&self, timeline: &mut Timeline<'_>, first: bool) {
        timeline.run(&self.precondition);
        self.coarse.iter().for_each(|coarse| coarse.encode(timeline));
        self.corrections.encode_start(timeline);
        self.warm.iter().filter(|_| first).for_each(|warm| timeline.run(warm));
    }

    /// Encodes iterations of a solve that continues after a contact pass, which has left u = Q r.
    pub fn encode_resumed(&self, timeline: &mut Timeline<'_>, iterations: u32) {
        self.coarse.iter().for_each(|coarse| coarse.encode_again(timeline));
        self.corrections.encode(timeline);
        self.encode_loop(timeline, iterations);
    }

    /// Encodes iterations of a solve under way.
    pub fn encode_loop(&self, timeline: &mut Timeline<'_>, iterations: u32) {
        match &self.iterate {
            Iterate::Single { solve, at_once } => {
                for _ in 0..iterations.div_ceil(*at_once) {
                    timeline.run(solve);
                }
            }
            Iterate::Many { spmv, update } => {
                for _ in 0..iterations {
                    timeline.run_all(spmv);
                    timeline.run(update);
                    self.corrections.encode(timeline);
                    timeline.may_split();
                }
            }
        }
    }
}

/// Binds the product w = A u with its partial sums, or A d along a line search: one dispatch per chunk of the matrix, after one over struts where bodies meet.
pub(super) fn product(
    gpu: &Gpu,
    buffers: &Buffers,
    launch: LaunchPlan,
    along_search: bool,
) -> Result<Vec<Dispatch>, Error> {
    let name = match launch.models {
        Models { scalar_matrix: true, collides: true, .. } => "collision/spmv_scalars",
        Models { scalar_matrix: true, .. } => "solve/spmv_scalars",
        Models { collides: true, .. } => "collision/spmv",
        _ => "solve/spmv",
    };
    let mut constants = launch.models.constants();
    if along_search {
        constants.push(("ALONG_SEARCH", 1));
    }
    let kernel = gpu.kernel_with(name, &constants)?;
    let mut product = Vec::new();
    if launch.models.collides {
        product.push(gpu.kernel_with("collision/pull", &constants)?.bind(gpu, buffers, launch.strut_workgroups)?);
    }
    for chunk in 0..launch.chunks {
        product.push(kernel.bind_chunk(gpu, buffers, Some(chunk), launch.workgroups)?);
    }
    Ok(product)
}

#[cfg(test)]
impl Solve {
    /// Encodes the corrections of u that follow an iteration.
    pub fn encode_corrections(&self, timeline: &mut Timeline<'_>) {
        self.corrections.encode(timeline);
    }

    /// Encodes the first half of an iteration alone.
    pub fn encode_spmv(&self, timeline: &mut Timeline<'_>) {
        if let Iterate::Many { spmv, .. } = &self.iterate {
            timeline.run_all(spmv);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::gpu::shader::{self, Launch};

    /// Number of storage buffers that a kernel binds.
    fn storage_buffers(kernel: &str) -> usize {
        let module = shader::parse(kernel, Launch::Hardware).unwrap();
        let is_storage = |variable: &naga::GlobalVariable| matches!(variable.space, naga::AddressSpace::Storage { .. });
        module.global_variables.iter().filter(|(_, variable)| is_storage(variable)).count()
    }

    #[test]
    fn kernels_of_the_solve_leave_storage_buffers_free() {
        let most = wgpu::Limits::default().max_storage_buffers_per_shader_stage as usize;
        assert_eq!(most, 8);
        let free = |kernel| most - storage_buffers(kernel);
        // `collision/spmv` takes two buffers more than `solve/spmv`.
        assert!(free("solve/spmv") >= 2 && free("solve/spmv_scalars") >= 2);
        assert!(free("solve/update") >= 1 && free("solve/precondition") >= 1 && free("solve/single") >= 1);
        // Checks of the count: a kernel with every storage buffer taken, and one that binds its status as uniform.
        assert_eq!(storage_buffers("integrate/begin"), 8);
        assert_eq!(storage_buffers("solve/spmv"), 6);
    }

    #[test]
    fn only_assembly_writes_diagonal_blocks_and_only_the_filter_the_preconditioner() {
        let writes = |kernel: &str, name: &str| {
            let module = shader::parse(kernel, Launch::Hardware).unwrap();
            module.global_variables.iter().any(|(_, variable)| {
                let access = match variable.space {
                    naga::AddressSpace::Storage { access } => access,
                    _ => return false,
                };
                variable.name.as_deref() == Some(name) && access.contains(naga::StorageAccess::STORE)
            })
        };
        let of_diagonal: Vec<_> = shader::kernel_names().filter(|kernel| writes(kernel, "diagonal")).collect();
        assert!(
            of_diagonal.iter().all(
                |kernel| kernel.starts_with("assembly/") || ["solve/tie_blocks", "collision/join"].contains(kernel)
            )
        );
        let of_preconditioner: Vec<_> =
            shader::kernel_names().filter(|kernel| writes(kernel, "preconditioner")).collect();
        assert_eq!(of_preconditioner, ["collision/restore", "contact/respond", "contact/revise", "solve/precondition"]);
    }
}
