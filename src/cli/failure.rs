//! Why a command did not do what it was asked for, and the exit code that says so.

use super::{interrupt, output};
use crate::Error;
use std::process::ExitCode;

/// A failure and who can mend it.
pub enum Failure {
    /// What was asked for makes no sense.
    Input(Error),
    /// It made sense, but did not work; and what is left of it.
    Run(Error, Option<String>),
    /// Somebody has had enough of it; and what there is by then.
    Interrupted(String),
}

impl Failure {
    /// Exit code of what did not work.
    pub const RUN: u8 = 1;
    /// Exit code of bad usage and bad input.
    pub const INPUT: u8 = 2;

    /// Says so on stderr.
    pub fn report(&self) -> ExitCode {
        let (error, note, code) = match self {
            Failure::Interrupted(message) => {
                output::complain(message);
                return ExitCode::from(interrupt::EXIT_CODE);
            }
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
            | Error::Usage(_)
            | Error::CheckpointVersion { .. }
            | Error::NoSuchAdapter { .. } => Failure::Input(error),
            _ => Failure::Run(error, None),
        }
    }
}
