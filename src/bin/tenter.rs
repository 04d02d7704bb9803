//! The program `tenter`: see `tenter --help`, or `src/cli/`.

fn main() -> std::process::ExitCode {
    tenter::cli::main()
}
