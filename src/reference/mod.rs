//! The f64 twin of every kernel: same names, same formulas, simple enough to trust, parallel over rows. Tests compare the GPU with
//! it, and it is the `cpu` backend.
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

// Its own layer, which topology may import too: the twin of `shaders/forces/` by the name that the stem rule gives it.
pub use crate::forces;
pub use corrections::{Correction, Corrections};
pub use state::{Block, CgState, Fresh, NEGATIVE_BLOCK, Parameters, Place, State};
