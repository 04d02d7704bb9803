//! The library's interface: what a host can ask of a simulation, and errors where it asks for what makes no sense.

#[path = "../common/mod.rs"]
mod common;

/// The async interface: event loops, polling, futures that are dropped.
mod awaiting;
/// Checkpoints: a simulation that was stopped goes on with the same bits.
mod checkpoints;
/// Faults of numbers, devices and hosts end in typed errors.
mod faults;
/// The fuzz targets with random bytes: sequences of calls, checkpoints, scenes.
mod fuzzed;
/// Lost devices, and encoders of other devices.
mod lost;
/// Meshes and numbers that make no sense.
mod meshes;
/// What can be asked of a simulation while it runs.
mod simulation;
/// Skins: fine surfaces on coarse bodies.
mod skin;
