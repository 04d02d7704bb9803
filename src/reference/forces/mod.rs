//! Forces, twins of `shaders/forces/`.

pub mod buckling;
pub mod cubic;
pub mod cubic_absolute;
pub mod edge;
pub mod law;
pub mod linear;
pub mod plastic;
pub mod series;
pub mod tension_only;
