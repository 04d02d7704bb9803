//! The live viewer of tenter, as a program: see `tenter-viewer --help`.

#![deny(unsafe_code)]

fn main() -> std::process::ExitCode {
    tenter_viewer::native::main()
}
