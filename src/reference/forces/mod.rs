//! Forces, twins of `shaders/forces/`.

pub mod area;
pub mod curvature;
pub mod curvature_printed;
pub mod dihedral;
pub mod edge;
pub mod element;
pub mod law;
pub mod linear;
pub mod membrane;
pub mod projected_pair;
pub mod shear_printed;
pub mod volume;
pub mod weave_cell;
