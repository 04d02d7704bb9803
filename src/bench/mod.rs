//! `tenter bench`: the same workloads on any GPU, beside a copy kernel and the CPU backend in the same run.
//!
//! A workload is a row of [`workload::all`]; a new force model or integrator joins by adding one.

pub mod accuracy;
pub mod ball;
pub mod contacts;
pub mod copy;
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
