//! Collision detection against colliders, on the CPU and in f64: which particles touch which shape in the next step, where, and
//! with which normal.
//!
//! ```text
//! Shape ─► Form (signed distances) ─┐
//! KeyFrame ─► DPose, per step ──────┴► Obstacle ─► touches ─► Touch, at most three a particle
//! ```

mod bounds;
mod check;
mod deforming;
mod form;
mod grid;
mod keys;
mod pose;
mod props;
mod rigid;
mod spots;
mod sweep;
mod trace;
mod tree;
mod triangle;

#[cfg(test)]
mod form_tests;
#[cfg(test)]
mod sweep_tests;
#[cfg(test)]
pub(crate) mod test_shapes;

pub(crate) use check::check_surface;
pub(crate) use form::Form;
#[cfg(feature = "files")]
pub(crate) use grid::CELLS;
pub(crate) use keys::pose_at;
pub(crate) use pose::DPose;
pub(crate) use props::{Course, Features, KEPT, Prop};
pub(crate) use sweep::{Obstacle, Path, Touch, touches};
pub(crate) use tree::SurfaceTree;
pub(crate) use triangle::nearest as nearest_in_triangle;
