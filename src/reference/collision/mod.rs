//! Contact between everything that moves, twins of `shaders/collision/`: pairs that may come near, struts that keep them apart, and the guard that shortens motion where
//! surfaces would pass through each other.

pub mod closest;
pub mod crossings;
pub mod guard;
pub mod impulses;
pub mod pairs;
pub mod pressure;
pub mod select;
pub mod struts;

pub use closest::PairKind;
pub use crossings::{Crossing, crossings};
pub use guard::{Guard, Guarded};
pub use pairs::{Pair, Pairs, Sweep};
pub use select::Course;
pub use struts::{Strut, Struts};
