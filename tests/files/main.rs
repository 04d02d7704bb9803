//! Files that are read and written: scenes, meshes, exports for other programs.
#![cfg(feature = "files")]

#[path = "../common/mod.rs"]
mod common;

/// Exports, read back by other means.
mod export;
/// Mesh files of every format, and damaged ones.
mod mesh;
/// Exports that tenter reads again itself.
mod round_trips;
/// Scene files, a module per table of the format.
mod scene;
