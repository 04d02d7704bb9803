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
pub mod bench;
#[cfg(feature = "cli")]
pub mod cli;
mod contact;
mod engine;
mod error;
pub mod forces;
pub mod gpu;
pub mod integrator;
#[cfg(feature = "files")]
pub mod io;
mod options;
mod parallel;
#[cfg(feature = "cli")]
mod picture;
mod random;
pub mod reference;
mod report;
pub mod scene;
mod simulation;
mod stage;
#[cfg(test)]
mod test_scenes;
pub mod topology;

pub use engine::{Footprint, LimitUse};
pub use error::{Error, Fault, Instability};
// What the interface is made of, in the versions it is made with.
pub use gpu::{AdapterSummary, Gpu, GpuOptions};
pub use integrator::Integrator;
#[cfg(feature = "files")]
pub use io::SceneFile;
pub use options::{
    Adaptive, Budget, Control, NewtonOptions, Nonlinear, Options, Ordering, Preconditioner, Rayleigh, SafeOptions,
    SolverOptions, Variant,
};
pub use report::{AdaptiveReport, Costs, GpuTimes, Measures, Outcome, StepRecord};
pub use scene::{
    Air, Area, Bending, BendingModel, Body, BodyId, Collider, ColliderId, Cubic, Dynamic, Free, Group, Handle,
    KelvinVoigt, KeyFrame, Mass, Material, Membrane, Memory, Mesh, Motion, Normalisation, PinId, PinKey, Plasticity,
    PointForce, Pose, RestShape, Scene, Seam, Shape, Side, Spring, SpringLaw, Tie, Vertices, Volume, Weave,
    WeaveBending,
};
pub use simulation::{Backend, RepeatReport, Simulation};
pub use {glam, wgpu};

/// The README's example is compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
