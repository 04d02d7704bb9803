//! The one error type of the crate.

use crate::{BodyId, Intersection};
use std::path::PathBuf;

/// Everything that can go wrong. Nothing a scene, a mesh or a file contains panics: it ends up here.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No adapter at all: no GPU driver is installed, or none that wgpu can use.
    #[error(
        "no GPU adapter found. Install a driver for your GPU, or a software one \
         (Debian/Ubuntu: apt-get install mesa-vulkan-drivers libvulkan1; Fedora: dnf install mesa-vulkan-drivers; \
         Arch: pacman -S vulkan-swrast), or run on the CPU: --backend cpu, Backend::Cpu"
    )]
    NoAdapter,

    /// Adapters exist, but none has the name asked for.
    #[error("no adapter's name contains {wanted:?}; there are: {available}")]
    NoSuchAdapter {
        /// The part of a name that `TENTER_ADAPTER` or [`GpuOptions::adapter`](crate::GpuOptions) asked for.
        wanted: String,
        /// Names of the adapters that exist.
        available: String,
    },

    /// The adapter refused to give a device.
    #[error("adapter {adapter:?} gives no device: {reason}")]
    NoDevice {
        /// The adapter's name.
        adapter: String,
        /// Reason that wgpu gave.
        reason: String,
    },

    /// No scene can be simulated, or no picture drawn, on an adapter or on the host's device.
    #[error("{adapter} cannot {task}: it lacks {lacks}. {remedy}")]
    Unsuitable {
        /// Name of the adapter, with its API.
        adapter: String,
        /// The task: `simulate` or `draw pictures`.
        task: &'static str,
        /// The missing abilities and limits.
        lacks: String,
        /// Advice for the user.
        remedy: &'static str,
    },

    /// The scene needs more than the adapter gives.
    #[error("{what} needs {needs} of {limit}, but the adapter gives {gives}: use a smaller mesh or another adapter")]
    Limit {
        /// The limit, by wgpu's name.
        limit: &'static str,
        /// Cause of the need, most often the name of a buffer.
        what: String,
        /// How much the scene needs.
        needs: u64,
        /// How much the adapter gives.
        gives: u64,
    },

    /// Something in the scene cannot be simulated.
    #[error("{field}: {message}")]
    Scene {
        /// Path of the field, as in a scene file: `body[0].material.density`.
        field: String,
        /// Description of the error, and of what would be right.
        message: String,
    },

    /// Surfaces intersect at the start of a scene that refuses that, see [`BodyContact::refuse_intersections`](crate::BodyContact).
    #[error("contact.refuse_intersections: {}", intersecting(.0, |body| format!("body[{}]", body.index())))]
    Intersecting(
        /// The bodies, at least one pair.
        Vec<Intersection>,
    ),

    /// A file, of a scene or of a mesh, says something that cannot be simulated, or cannot be read at all.
    #[error("{}{}: {field}{}{message}", path.display(), line.map(|l| format!(":{l}")).unwrap_or_default(),
            if field.is_empty() { "" } else { ": " })]
    File {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1, where it is known.
        line: Option<usize>,
        /// Path of the field, what of a mesh it is, such as `vertex 17`, or empty when the file as a whole is at fault.
        field: String,
        /// Description of the error.
        message: String,
    },

    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },

    /// A step produced numbers that are not finite. The simulation holds the last good state, that before `step`.
    #[error(
        "step {step} is not finite ({cause}); the state before it is kept. Try a smaller time step or softer material"
    )]
    NonFinite {
        /// Steps that had finished well before this one.
        step: u64,
        /// Where the number was noticed.
        cause: Fault,
    },

    /// A step was given up: an explicit one is longer than the stiffness of the scene allows, or a safe one failed however short it was made. The
    /// state is that before `step`.
    #[error(
        "step {step} is unstable: {cause}{}; the state before it is kept. Try a smaller time step or softer material{}",
        particle.map(|particle| format!(" (particle {particle})")).unwrap_or_default(),
        if *cause == Instability::Runaway { ", or an implicit integrator" } else { "" }
    )]
    Unstable {
        /// Steps that had finished well before this one.
        step: u64,
        /// Why the step was given up.
        cause: Instability,
        /// A particle at which the instability shows, in the user's order, where there is one.
        particle: Option<u32>,
    },

    /// A checkpoint has another format than this version of tenter reads. Checkpoints are not converted: run the scene again.
    #[error("the checkpoint has format {found}; this version of tenter reads format {expected} only")]
    CheckpointVersion {
        /// Format of the checkpoint.
        found: u32,
        /// Format that this version of tenter writes and reads.
        expected: u32,
    },

    /// The simulation was asked for something its scene does not have.
    #[error("{0}")]
    Usage(String),

    /// The GPU is gone: reset by the driver, unplugged, destroyed by the host.
    #[error("the GPU device is lost: {0}")]
    DeviceLost(String),

    /// The GPU's memory does not suffice.
    #[error("out of GPU memory: {0}")]
    OutOfMemory(String),

    /// The GPU did not answer in time.
    #[error("the GPU did not finish {what} within {seconds} s")]
    Timeout {
        /// Result that was waited for.
        what: &'static str,
        /// Time limit, s.
        seconds: f64,
    },

    /// wgpu refused a call. This is a bug in tenter or in the driver.
    #[error("wgpu refused a call: {0}")]
    Gpu(String),
}

/// Where a step stopped being finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A scalar of the linear solve, after this many iterations.
    Solve {
        /// Finished iterations.
        iteration: u32,
    },
    /// Positions or velocities after the solve.
    State,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Solve { iteration } => write!(f, "noticed by the solve in iteration {iteration}"),
            Fault::State => write!(f, "noticed in the new positions and velocities"),
        }
    }
}

/// Why a step was given up although its numbers are finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Instability {
    /// A particle crossed the scene a hundred times in one explicit step.
    Runaway,
    /// The energy grew by more than a tenth beyond the work from outside.
    EnergyRise,
    /// The line search found no lower incremental potential.
    LineSearch,
    /// The active set of contacts did not settle.
    ActiveSet,
    /// The residual did not fall to the tolerance within the linearisations of a step.
    Linearisations,
    /// The dispatches that were submitted for the step did not suffice. Such a step is repeated with more dispatches.
    Budget,
    /// A particle ended inside a collider.
    Penetration,
    /// The step failed at every length down to the shortest that [`SafeOptions::max_halvings`](crate::SafeOptions) allows.
    Halvings,
}

impl std::fmt::Display for Instability {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Instability::Runaway => "a particle crossed the scene a hundred times in one step",
            Instability::EnergyRise => "its energy grew by more than was done from outside",
            Instability::LineSearch => "its line search found nothing lower",
            Instability::ActiveSet => "its contacts went on changing",
            Instability::Linearisations => "it did not converge",
            Instability::Budget => "more had to be done than was submitted",
            Instability::Penetration => "a particle ended inside a collider",
            Instability::Halvings => "shorter and shorter steps failed as well",
        })
    }
}

/// Most intersections that a message lists.
const MOST_LISTED: usize = 4;

/// Message about intersections, with names of the bodies.
pub(crate) fn intersecting(list: &[Intersection], name: impl Fn(BodyId) -> String) -> String {
    let mut clauses: Vec<String> = list.iter().take(MOST_LISTED).map(|one| one.text(&name)).collect();
    if list.len() > MOST_LISTED {
        clauses.push(format!("and so do {} more", list.len() - MOST_LISTED));
    }
    format!("at the start {}", clauses.join("; "))
}

impl Error {
    pub(crate) fn scene(field: impl Into<String>, message: impl Into<String>) -> Self {
        Error::Scene { field: field.into(), message: message.into() }
    }
}
