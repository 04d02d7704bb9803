//! Forces, twins of `shaders/forces/`.

pub mod area;
pub mod buckling;
pub mod cubic;
pub mod cubic_absolute;
pub mod curvature;
pub mod curvature_printed;
pub mod dihedral;
pub mod edge;
pub mod element;
pub mod law;
pub mod linear;
pub mod membrane;
pub mod plastic;
pub mod projected_pair;
pub mod series;
pub mod shear_printed;
pub mod strain;
pub mod tension_only;
pub mod volume;
pub mod weave_cell;
