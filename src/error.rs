//! The one error type of the crate.

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
        /// What `TENTER_ADAPTER` or [`GpuOptions::adapter`](crate::GpuOptions) said.
        wanted: String,
        /// The names there are.
        available: String,
    },

    /// The adapter refused to give a device.
    #[error("adapter {adapter:?} gives no device: {reason}")]
    NoDevice {
        /// The adapter's name.
        adapter: String,
        /// What it said.
        reason: String,
    },

    /// The scene needs more than the adapter gives.
    #[error("{what} needs {needs} of {limit}, but the adapter gives {gives}: use a smaller mesh or another adapter")]
    Limit {
        /// The limit, by wgpu's name.
        limit: &'static str,
        /// What asks for it: a buffer's name, most often.
        what: String,
        /// How much the scene needs.
        needs: u64,
        /// How much there is.
        gives: u64,
    },

    /// Something in the scene cannot be simulated.
    #[error("{field}: {message}")]
    Scene {
        /// Path of the field, as in a scene file: `body[0].material.density`.
        field: String,
        /// What is wrong, and what would be right.
        message: String,
    },

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
        /// What is wrong.
        message: String,
    },

    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// A step produced numbers that are not finite. The simulation holds the last good state, that before `step`.
    #[error(
        "step {step} is not finite ({cause}); the state before it is kept. Try a smaller time step or softer material"
    )]
    NonFinite {
        /// Steps that had finished well before this one.
        step: u64,
        /// Where it was noticed.
        cause: Fault,
    },

    /// An explicit scheme ran away: its step is longer than the stiffness of the scene allows. The state is that before `step`.
    #[error(
        "step {step} runs away: it is too long for an explicit integrator; the state before it is kept. Try a smaller time step, \
         softer or heavier material, or an implicit integrator"
    )]
    Unstable {
        /// Steps that had finished well before this one.
        step: u64,
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
        /// What was waited for.
        what: &'static str,
        /// For how long.
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

impl Error {
    pub(crate) fn scene(field: impl Into<String>, message: impl Into<String>) -> Self {
        Error::Scene { field: field.into(), message: message.into() }
    }
}
