//! Forces, twins of `shaders/forces/`.

pub mod edge;
pub mod law;
pub mod linear;
