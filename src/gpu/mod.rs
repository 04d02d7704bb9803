//! The GPU: device, shaders, kernels, buffers, read-back. Nothing here knows what is simulated.

mod buffers;
mod context;
mod faults;
mod kernel;
pub mod layout;
mod readback;
mod self_test;
pub mod shader;
pub mod traffic;

pub use buffers::{BufferPlan, Buffers};
pub(crate) use context::largest_binding;
pub use context::{AdapterSummary, Gpu, GpuOptions};
pub(crate) use kernel::{Constants, Dispatch};
pub(crate) use readback::Readback;
