//! The GPU: device, shaders, kernels, buffers, read-back. Only two files know cloth: [`layout`] has the structs that the host and the shaders share, [`traffic`] the words that a solve moves.

mod binding;
mod buffers;
mod calls;
mod context;
mod drawing;
mod faults;
mod kernel;
pub mod layout;
mod loss;
mod pace;
mod readback;
mod requirements;
mod self_test;
pub mod shader;
mod timeline;
pub mod traffic;
pub(crate) mod wait;

pub use buffers::{BufferPlan, Buffers};
pub(crate) use calls::into_hosts;
pub(crate) use context::largest_binding;
pub use context::{AdapterSummary, Gpu, GpuOptions};
pub(crate) use drawing::{BoundDrawing, DEPTH_FORMAT, Drawing, DrawingPlan};
pub(crate) use kernel::{Constants, Dispatch};
pub use pace::Pace;
pub(crate) use readback::Readback;
#[cfg(feature = "cli")]
pub(crate) use requirements::{TargetNeed, WITHOUT_PICTURES};
pub use shader::Launch;
pub(crate) use timeline::{Section, Timeline, Timer};
