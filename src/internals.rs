//! The solver from inside. **Not part of the stable interface**: anything here may change or go in any release.
//!
//! This module is for tests, for benchmarks, and for those who study the solver. Programs that simulate need nothing of it:
//! they use what the [crate root](crate) exports.
//!
//! | module | holds |
//! |---|---|
//! | [`topology`] | what the solver works on: particles by row, edges, elements, sparsity pattern, constraints |
//! | [`forces`] | edge laws and element models in f64, and their packed parameters |
//! | [`reference`](mod@reference) | the f64 twin of every kernel |
//! | [`gpu`] | layouts of buffers, sources of shaders, memory traffic, plans of buffers |
//! | [`integrator`] | the numbers of a step of each integrator |
//! | `bench`, `cli` | benchmarks and the program, with the feature `cli` |

use crate::{BodyId, ColliderId, PinId};

/// From a scene to what the solver works on: particles with lumped mass, edges, elements, the sparsity pattern, constraints.
///
/// A particle has the user's number; its *row* is its number inside the solver. [`Topology::order`](topology::Topology::order) has the
/// particle of each row.
pub mod topology {
    pub use crate::topology::*;
}

/// Force models of edges and elements, in f64: forces, energies and Jacobians, with the parameters that each model packs.
pub mod forces {
    pub use crate::forces::*;
}

/// The f64 twin of every kernel, which is also the CPU backend: `shaders/solve/spmv.wgsl` is [`solve::spmv`](reference::solve::spmv).
pub mod reference {
    pub use crate::reference::*;
}

/// Buffers, layouts, shaders and memory traffic of the GPU backend.
pub mod gpu {
    pub use crate::engine::pipeline_constants;
    pub use crate::gpu::{BufferPlan, Buffers, layout, shader, traffic};
    pub use crate::stage::scene_constants;
}

/// The numbers of a step of each [`Integrator`](crate::Integrator).
pub mod integrator {
    pub use crate::integrator::{Estimate, Kind, Method, RungeKuttaStage, Scheme};
}

/// Workloads, measurements and judgements that benchmarks, tests and examples share.
#[cfg(feature = "cli")]
pub mod bench {
    pub use crate::bench::*;
}

/// The command-line program.
#[cfg(feature = "cli")]
pub mod cli {
    pub use crate::cli::main;
}

/// The id of the body at an index of [`Scene::bodies`](crate::Scene::bodies), whether or not a scene has such a body.
pub fn body_id(index: usize) -> BodyId {
    BodyId(index)
}

/// The id of the pin at an index of [`Scene::pins`](crate::Scene::pins), whether or not a scene has such a pin.
pub fn pin_id(index: usize) -> PinId {
    PinId(index)
}

/// The id of the collider at an index of [`Scene::colliders`](crate::Scene::colliders), whether or not a scene has such a collider.
pub fn collider_id(index: usize) -> ColliderId {
    ColliderId(index)
}
