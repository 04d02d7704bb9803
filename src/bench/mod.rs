//! `tenter bench`: the same workloads on any GPU, with a copy kernel and the CPU backend in the same run.
//!
//! [`workload::all`] lists the workloads of fixed work; a new force model or integrator adds one there. [`preconditioners::all`] lists the scenes that are solved to a
//! tolerance with each preconditioner, [`meetings::all`] those of contact between bodies.

pub mod accuracy;
pub mod ball;
pub mod collisions;
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
pub mod meetings;
pub mod preconditioners;
mod reduced;
pub mod safe_cost;
pub mod storm;
pub mod workload;

pub use reduced::reduced;
