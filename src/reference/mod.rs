//! The f64 twin of every kernel: same names, same formulas, simple enough to trust, parallel over rows. Tests compare the GPU with
//! the twins, and the `cpu` backend runs them.
//!
//! `shaders/solve/spmv.wgsl` is [`solve::spmv`], `shaders/assembly/edges.wgsl` is [`assembly::edges`], and so on.

pub mod assembly;
pub mod audit;
pub mod coarse;
pub mod collision;
pub mod contact;
mod corrections;
pub mod explicit;
pub mod external;
mod finite;
pub mod integrate;
pub mod moduli;
pub mod report;
pub mod rigid;
pub mod search;
pub mod skin;
pub mod solve;
mod state;
pub mod ties;

/// The twins of `shaders/forces/` by the name that the stem rule gives them. They are a layer of their own, `src/forces/`, which topology may import too.
pub mod forces {
    pub use crate::forces::*;
}

pub use corrections::{Correction, Corrections};
pub use state::{Block, CgState, Fresh, NEGATIVE_BLOCK, Parameters, SearchPoint, State};
