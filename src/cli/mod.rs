//! The program `tenter`: commands, exit codes, what is printed where.
//!
//! Results go to stdout, everything else to stderr. Exit code 0: done; 1: failed; 2: bad usage or input, and nothing was written.

mod adapter_text;
mod adapters;
mod bench;
mod colouring;
mod failure;
mod folder;
mod image_size;
mod json;
mod output;
mod progress;
mod run;
mod still;
mod summary;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

#[derive(Parser)]
#[command(version, about = "Implicit cloth simulation on the GPU", after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate a scene file; write frames, measurements and a picture
    Run(run::RunArguments),
    /// Time fixed workloads on the GPU and the CPU
    Bench(bench::BenchArguments),
    /// List the GPU adapters and which one is used
    Adapters(adapters::AdaptersArguments),
}

const EXAMPLES: &str = "\
Examples:
  tenter run scenes/hanging.toml            simulate, write to out/hanging/
  tenter run scenes/hanging.toml --json     the same, with a summary for programs
  tenter bench                              how fast this GPU is
  tenter adapters                           which GPUs there are

Exit codes: 0 done, 1 failed, 2 bad usage or input (nothing is written then).
RUST_LOG=info shows what the library has to say.";

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version come this way too. If they cannot be printed there is nobody to tell.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(Failure::INPUT));
        }
    };
    let result = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Adapters(arguments) => adapters::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
