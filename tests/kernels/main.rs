//! What runs on the GPU: shaders that validate, bits that repeat, and the limits of drivers.

#[path = "../common/mod.rs"]
mod common;

/// Same bits twice on one adapter, small differences between adapters.
mod determinism;
/// Particles with very many neighbours, on drivers that end long loops early.
mod limits;
/// Private arrays, which GPUs keep in memory when they are indexed at run time.
mod private_arrays;
/// Validation, loops and shared structs of every shader.
mod shaders;
/// Translation of every shader for every backend.
mod writers;
