//! Implicit simulation of cloth and soft bodies, in WGSL compute shaders on [wgpu](https://wgpu.rs), or in f64 on the CPU.
#![doc = include_str!("../docs/front-picture.html")]
//! ```
//! use tenter::{Body, Collider, Gpu, Material, Mesh, Options, Scene, Simulation, glam::Vec3};
//! # fn main() -> Result<(), tenter::Error> {
//! // A cloth of 1 m × 1 m lies flat, 2 cm above a ball.
//! let mut scene = Scene::new();
//! let mesh = Mesh::grid(1.0, 1.0, 32, 32).translated(0.52 * Vec3::Y);
//! let cloth = scene.add(Body::cloth(mesh, Material::cotton()));
//! scene.add_collider(Collider::sphere([0.0, 0.2, 0.0], 0.3));
//!
//! let mut simulation = Simulation::new(&Gpu::headless()?, &scene, Options::default())?;
//! for _frame in 0..6 {
//!     simulation.advance(1.0 / 60.0)?;
//! }
//! let positions = &simulation.positions()?[scene.body_range(cloth)?];
//! assert!(positions[0].y < 0.5); // A corner has fallen.
//! # Ok(()) }
//! ```
//!
//! Units are SI throughout: m, kg, s, N. y points up; [`Scene::gravity`] is 9.81 m/s² along −y unless it is set.
//!
//! # A scene
//!
//! A [`Scene`] is plain data: bodies, and what acts on them. [`Simulation::new`] checks it, and an [`Error::Scene`] names the field that is
//! wrong.
//!
//! | part | made by |
//! |---|---|
//! | a [`Body`]: a [`Mesh`], whose vertices become particles, and a [`Material`] | [`Body::cloth`], [`Body::solid`], [`Body::chain`], [`Body::particles`]; [`Scene::add`] |
//! | a [`Material`]: mass and force models | presets such as [`Material::cotton`] and [`Material::jelly`]; [`Material::springs`]; [`presets`] |
//! | a pin: vertices that are fixed, slide, or move along a path | [`Scene::pin`], [`Scene::pin_sliding`], [`Scene::lead_pin`], [`Scene::release_pin_at`] |
//! | a [`Collider`]: a plane, sphere, box, capsule, cylinder or closed mesh, fixed, animated or rigid | [`Scene::add_collider`] |
//! | a tie or a [`Seam`]: vertices that move as one | [`Scene::tie`], [`Scene::sew`], [`Scene::attach`] |
//! | gravity, wind, forces | [`Scene::gravity`], [`Scene::air`], [`Scene::push`] |
//!
//! # A step
//!
//! A step of length [`Options::time_step`] solves the implicit equation of motion M(v − v̂) = γh f(x̂ + γhv, v) for the new velocities, by default
//! with implicit Euler; [`Integrator`] lists the sixteen schemes.
//!
//! Steps are *safe by default*: Newton's method with a line search, contacts and friction inside the solve, an energy audit. A step that would
//! create energy or leave a particle inside a collider is repeated in shorter steps. If these fail too, the call returns
//! [`Error::Unstable`], and the state before the step is kept. [`Nonlinear`] has the cheaper methods.
//!
//! | call | does |
//! |---|---|
//! | [`Simulation::step`] | submits one step |
//! | [`Simulation::step_many`] | submits many, without the host in between |
//! | [`Simulation::advance`] | makes as many whole steps as fit into a frame |
//! | [`Simulation::encode_step`] | adds a step to your own command encoder |
//! | [`Simulation::finish`] | waits for all steps, and returns the last [`StepRecord`] |
//! | [`Simulation::positions`] | waits for all steps, and reads positions back |
//! | [`Simulation::position_buffer`] | the buffer of positions on the GPU, to draw from without a copy |
//! | [`Simulation::checkpoint`], [`Simulation::restore`] | the whole state as bytes, and back, to the bit |
//!
//! # Backends
//!
//! [`Backend::Gpu`] computes in f32 on any device that wgpu opens, with its default limits and no optional features: a device that tenter opens
//! ([`Gpu::headless`], [`Gpu::with_options`]), or yours ([`Gpu::from_wgpu`]). [`Backend::Cpu`] computes the same step in f64 and needs no driver.
//! Two runs on one adapter give the same bits.
//!
//! # Blocking and async
//!
//! A step is *submitted*: [`Simulation::step`] returns while the GPU computes, with the record of an earlier step, and waits only for the step
//! before the last. Calls that read something back wait, at most for [`Options::timeout`].
//!
//! A program that cannot block, as in a browser, has two ways. Every call that may wait has an `async` twin, such as [`Simulation::step_async`]. And
//! [`Simulation::poll`] takes in what has come back, and never waits:
//!
//! ```
//! use tenter::{Body, Gpu, Mass, Material, Mesh, Options, Scene, Simulation, Spring, Vertices, glam::Vec3};
//! # fn main() -> Result<(), tenter::Error> {
//! let rope = Material::springs(Mass::Line(0.1), Spring::new(500.0).damped(0.1));
//! let mut scene = Scene::new();
//! let chain = scene.add(Body::chain(Mesh::chain(Vec3::ZERO, Vec3::X, 21), rope));
//! scene.pin(chain, Vertices::list([0]));
//!
//! let mut simulation = Simulation::new(&Gpu::headless()?, &scene, Options::default())?;
//! simulation.step()?;
//! let record = loop {
//!     // Draw a frame, look after the window.
//!     if let Some(record) = simulation.poll()? {
//!         break record;
//!     }
//! };
//! println!("step {} took {} iterations", record.step, record.iterations);
//! # Ok(()) }
//! ```
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `rayon` (default) | contact tests, set-up and the CPU backend on all cores; without it they run on one thread, with the same bits |
//! | `files` | the module `io`: scenes from TOML and JSON, meshes from OBJ, PLY, STL, glTF, Gmsh and TetGen, frames for other programs |
//! | `cli` (default) | the program `tenter`, with pictures and benchmarks; includes `files` and `rayon` |
//! | `webgpu` | the browser's WebGPU, on wasm32 |
//!
//! A program that embeds tenter needs none: `tenter = { version = "0.1", default-features = false, features = ["rayon"] }`.
//!
//! # Files and pictures
//!
//! With the feature `files`, `SceneFile` reads a scene and its options, `io::MeshFile` a mesh, and `io::export` writes OBJ, PLY, VTU, point caches
//! and glTF animations. Pictures are drawn by the program: `tenter run drape --gif drape.gif`. A program of yours draws live
//! with [`view`], or by itself from [`Simulation::position_buffer`] with the triangles of [`Scene::triangles`]: `examples/own_device.rs` shows how.
//!
//! # What may change
//!
//! Structs of options and scenes may get fields in any release: build them with their constructors and `..Default::default()`. Enums that are
//! marked non-exhaustive may get variants. Everything in [`internals`] may change altogether.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "cli")]
mod bench;
#[cfg(feature = "cli")]
mod cli;
mod contact;
mod engine;
mod error;
#[cfg(test)]
mod fault_tests;
mod forces;
mod gpu;
mod inject;
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
mod scene;
mod simulation;
mod stage;
#[cfg(test)]
mod test_scenes;
mod topology;
pub mod view;

pub use engine::{Footprint, LimitUse};
pub use error::{Error, Fault, Instability};
pub use gpu::{AdapterSummary, Gpu, GpuOptions, Launch, Pace};
pub use integrator::Integrator;
#[cfg(feature = "files")]
#[doc(inline)]
pub use io::SceneFile;
pub use options::{
    Adaptive, Budget, Control, NewtonOptions, Nonlinear, Options, Ordering, Preconditioner, Rayleigh, SafeOptions,
    SolverOptions, Variant,
};
pub use report::{AdaptiveReport, Costs, Intersection, Measures, Meeting, Outcome, StageTimes, StepRecord};
pub use scene::{
    Air, Area, Bending, BendingModel, Body, BodyContact, BodyId, BodyKind, Collider, ColliderId, ContactOf, Cubic,
    DeformingMesh, Dynamic, Free, GridShape, Group, Handle, Hole, JACOBIAN_DAMPING, KelvinVoigt, KelvinVoigtSeries,
    KeyFrame, Mass, Material, Membrane, Memory, Mesh, MeshFrame, Motion, NeoHookean, Normalisation, Pin, PinId, PinKey,
    Plasticity, PointForce, Pose, RestShape, STANDARD_GRAVITY, Scene, Seam, Shape, Side, Spring, SpringLaw, Tie,
    Vertices, Volume, Weave, WeaveBending, presets,
};
pub use simulation::{Backend, PreparedScene, RepeatReport, Simulation};
// The versions of the crates whose types are in the interface.
pub use {glam, wgpu};

/// The README's example is compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
