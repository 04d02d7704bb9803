//! How a step is solved: the linear solve, integrators, step lengths, safe steps, and physics with known answers.

#[path = "../common/mod.rs"]
mod common;

/// Steps of adaptive length.
mod adaptive;
/// The coarse level and the warm start.
mod coarse;
/// Scenes on which one linearisation a step explodes.
#[cfg(feature = "cli")]
mod hard_scenes;
/// Order of convergence and start-up of every integrator.
mod integrators;
/// Catenary, pendulum, momenta, energy: physics with known answers.
mod physics;
/// Rayleigh damping.
mod rayleigh;
/// Safe steps that fail and are repeated in halves.
mod repeats;
/// Safe steps on hard scenes: energy, stretch, distance.
#[cfg(feature = "cli")]
mod safe_step;
/// The linear solve and its residual.
mod solve;
/// Stability of integrators: largest steps, energy, stiff modes.
mod stability;
/// A sample of `examples/storm.rs`.
#[cfg(feature = "cli")]
mod storm;
