//! Contact between everything that moves, twins of `shaders/collision/`: pairs that may come near, struts that keep them apart, and the guard that cuts motion short where
//! surfaces would pass through each other.

pub mod closest;
pub mod guard;
pub mod pairs;
pub mod struts;

pub use closest::PairKind;
pub use pairs::{Pair, Pairs};
pub use struts::{Strut, Struts};
