//! The f64 twin of every kernel: same names, same formulas, simple enough to trust, parallel over rows. Tests compare the GPU with
//! the twins, and the `cpu` backend runs them.
//!
//! `shaders/solve/spmv.wgsl` is [`solve::spmv`], `shaders/assembly/edges.wgsl` is [`assembly::edges`], and so on.

pub mod assembly;
pub mod audit;
pub mod contact;
mod corrections;
pub mod explicit;
pub mod external;
mod finite;
pub mod integrate;
pub mod report;
pub mod rigid;
pub mod search;
pub mod skin;
pub mod solve;
mod state;
pub mod ties;

// `forces` is a layer of its own, which topology may import too. Its name here follows from the stem rule: `shaders/forces/` is `reference::forces`.
pub use crate::forces;
pub use corrections::{Correction, Corrections};
pub use state::{Block, CgState, Fresh, NEGATIVE_BLOCK, Parameters, SearchPoint, State};
