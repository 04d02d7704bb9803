//! The program `tenter`: commands, exit codes, output streams.
//!
//! Results go to stdout, everything else to stderr. Exit code 0: done; 1: failed; 2: bad usage or input, and nothing was written; 130: ended by Ctrl-C, SIGTERM or
//! SIGHUP; 141: the reader of stdout is gone.

mod adapter_text;
mod adapters;
mod bench;
mod camera;
mod check;
mod colouring;
mod cpu_speed;
mod failure;
#[cfg(test)]
mod fault_tests;
mod folder;
mod gallery;
mod gif;
mod image_size;
mod interrupt;
mod json;
mod output;
mod outputs;
mod progress;
mod proportions;
mod resume;
mod run;
mod still;
mod summary;
mod view;
mod warnings;

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
    /// Simulate a scene; write frames, measurements and pictures
    Run(run::RunArguments),
    /// Look at a scene in a window and pull at it; starts the program tenter-viewer
    View(view::ViewArguments),
    /// Check a scene and report its sizes, proportions, memory and limits
    Check(check::CheckArguments),
    /// List the built-in scenes, show one, or write them out
    Scenes(gallery::ScenesArguments),
    /// Time fixed workloads on the GPU and the CPU
    Bench(bench::BenchArguments),
    /// List the GPU adapters and which one is used
    Adapters(adapters::AdaptersArguments),
}

const EXAMPLES: &str = "\
Examples:
  tenter scenes                             list the built-in scenes
  tenter run drape                          simulate one, and write to out/drape/
  tenter run mine.toml --json               simulate your own scene, with a JSON summary
  tenter view drape                         pull at it in a window
  tenter check mine.toml                    check it; report its sizes and memory
  tenter bench                              time this GPU
  tenter adapters                           list the GPUs

Exit codes: 0 success, 1 failed, 2 bad usage or input (nothing is written then), 130 ended by Ctrl-C, SIGTERM or
SIGHUP, 141 stdout is closed.
RUST_LOG=info shows the log of the library.";

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version arrive here too.
            if let Err(unprinted) = error.print()
                && !error.use_stderr()
            {
                return output::failure(unprinted).report();
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(Failure::INPUT));
        }
    };
    let result = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::View(arguments) => view::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Scenes(arguments) => gallery::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Adapters(arguments) => adapters::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
