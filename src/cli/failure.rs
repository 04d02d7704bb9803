//! Failures of commands and their exit codes.

use super::{interrupt, output};
use crate::Error;
use std::process::ExitCode;

/// A failure by its cause.
pub enum Failure {
    /// The arguments or the input are invalid.
    Input(Error),
    /// The command failed; the note says which results exist.
    Run(Error, Option<String>),
    /// The user interrupted the run; the text says which results exist.
    Interrupted(String),
    /// Nobody reads the results: the pipe behind stdout is closed.
    Closed,
}

impl Failure {
    /// Exit code of a failed run.
    pub const RUN: u8 = 1;
    /// Exit code of invalid usage or input.
    pub const INPUT: u8 = 2;
    /// Exit code of a command whose results nobody reads, as of a process that SIGPIPE ends.
    pub const CLOSED: u8 = 141;

    /// Prints the failure on stderr and returns its exit code.
    pub fn report(&self) -> ExitCode {
        let (error, note, code) = match self {
            Failure::Interrupted(message) => {
                output::complain(message);
                return ExitCode::from(interrupt::EXIT_CODE);
            }
            Failure::Closed => return ExitCode::from(Self::CLOSED),
            Failure::Input(error) => (error, None, Self::INPUT),
            Failure::Run(error, note) => (error, note.as_ref(), Self::RUN),
        };
        output::complain(&format!("error: {error}"));
        if let Some(note) = note {
            output::complain(&format!("note: {note}"));
        }
        ExitCode::from(code)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::File { .. }
            | Error::Scene { .. }
            | Error::Intersecting(_)
            | Error::Usage(_)
            | Error::CheckpointVersion { .. }
            | Error::NoSuchAdapter { .. } => Failure::Input(error),
            _ => Failure::Run(error, None),
        }
    }
}
