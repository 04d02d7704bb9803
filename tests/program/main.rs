//! The program `tenter`, called as from a shell.
#![cfg(feature = "cli")]

/// Line numbers of fixtures.
#[path = "../common/lines.rs"]
mod lines;
/// A folder in which the program is called.
mod place;

/// `tenter bench`.
mod bench;
/// Exit codes, files, what is printed where.
mod cli;
/// Contact between bodies.
mod contact;
/// What the documentation names exists.
mod documentation;
/// Devices, pipes, locks, full disks, closed streams and signals.
mod faults;
/// Built-in scenes, and `tenter check`.
mod gallery;
/// OpenGL: pictures, and refusals.
mod opengl;
/// What a run leaves behind: formats, pictures, checkpoints.
mod run_outputs;
/// What a run says about the safety of its steps.
mod run_safety;
