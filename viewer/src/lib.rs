//! The live viewer of tenter: the same source in a window and in a page.
//!
//! | module | does |
//! |---|---|
//! | `app` | the window: one frame of the interface |
//! | `worker`, `runner` | the simulation: a future that obeys commands; its thread, or the event loop of a page |
//! | `link` | commands and status between the two |
//! | `grants` | how much of a step goes between two frames |
//! | `canvas` | the texture of the scene, drawn by `tenter::view` |
//! | `input` | mouse, touch and keys |
//! | `panels`, `plots`, `material` | controls, numbers |
//! | `setup`, `gallery` | scenes and changes to them |
//! | `save`, `readback`, `share`, `drop` | files out and in, the address of a page |
//! | `report` | a line per frame, for tests |

#![deny(unsafe_code)]

pub mod app;
mod ball;
mod canvas;
mod drop;
mod gallery;
mod grants;
mod input;
mod link;
mod material;
#[cfg(not(target_arch = "wasm32"))]
pub mod native;
mod panels;
mod plots;
mod readback;
mod report;
mod runner;
mod save;
pub mod setup;
mod share;
mod surface;
#[cfg(target_arch = "wasm32")]
mod web;
mod worker;
