//! `tenter bench`: the same workloads on any GPU, with a copy kernel and the CPU backend in the same run.
//!
//! [`workload::all`] lists the workloads; a new force model or integrator adds one there.

pub mod accuracy;
pub mod ball;
pub mod contacts;
pub mod copy;
pub mod cusick;
mod distances;
pub mod drape;
pub mod forces;
pub mod horned;
pub mod integrators;
pub mod judge;
pub mod kernels;
pub mod measure;
mod reduced;
pub mod safe_cost;
pub mod storm;
pub mod workload;

pub use reduced::reduced;
