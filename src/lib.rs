//! Implicit cloth and soft-body simulation, entirely in WGSL compute shaders on wgpu.
//!
//! ```
//! use tenter::{Body, Gpu, Material, Mesh, Options, Scene, Simulation, Vertices};
//! # fn main() -> Result<(), tenter::Error> {
//! let gpu = Gpu::headless()?; // or Gpu::from_wgpu(device, queue)
//! let mut scene = Scene::new();
//! let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 32, 32), Material::cotton()));
//! scene.pin(cloth, Vertices::corners());
//! let mut simulation = Simulation::new(&gpu, &scene, Options::default())?;
//! simulation.step()?;
//! println!("{:?}", simulation.finish()?);
//! # Ok(()) }
//! ```
//!
//! Units are SI throughout: m, kg, s, N. Start at [`Simulation`].

#![deny(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "cli")]
mod bench;
#[cfg(feature = "cli")]
mod cli;
mod contact;
mod engine;
mod error;
mod gpu;
mod integrator;
pub mod internals;
#[cfg(feature = "files")]
pub mod io;
mod options;
mod parallel;
#[cfg(feature = "cli")]
mod picture;
mod random;
mod reference;
mod report;
pub mod scene;
mod simulation;
mod stage;
#[cfg(test)]
mod test_scenes;
mod topology;

pub use engine::{Footprint, LimitUse};
pub use error::{Error, Fault, Instability};
pub use gpu::{AdapterSummary, Gpu, GpuOptions, Launch};
pub use integrator::Integrator;
#[cfg(feature = "files")]
pub use io::SceneFile;
pub use options::{
    Adaptive, Budget, Control, NewtonOptions, Nonlinear, Options, Ordering, Preconditioner, Rayleigh, SafeOptions,
    SolverOptions, Variant,
};
pub use report::{AdaptiveReport, Costs, GpuTimes, Measures, Outcome, StepRecord};
pub use scene::{
    Air, Area, Bending, BendingModel, Body, BodyId, BodyKind, Collider, ColliderId, Cubic, Dynamic, Free, GridShape,
    Group, Handle, KelvinVoigt, KelvinVoigtSeries, KeyFrame, Mass, Material, Membrane, Memory, Mesh, Motion,
    Normalisation, Pin, PinId, PinKey, Plasticity, PointForce, Pose, RestShape, Scene, Seam, Shape, Side, Spring,
    SpringLaw, Tie, Vertices, Volume, Weave, WeaveBending,
};
pub use simulation::{Backend, RepeatReport, Simulation};
// The versions of the crates whose types are in the interface.
pub use {glam, wgpu};

/// The README's example is compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
