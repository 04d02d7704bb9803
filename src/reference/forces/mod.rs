//! Forces, twins of `shaders/forces/`.

pub mod edge;
pub mod element;
pub mod law;
pub mod linear;
pub mod membrane;
pub mod volume;
