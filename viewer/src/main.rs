//! The live viewer of tenter, as a program: see `tenter-viewer --help`.

#![deny(unsafe_code)]

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    tenter_viewer::native::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
