//! Lines on stdout and stderr. A result that cannot be written is a failure of the command; a message that cannot is lost.

use super::failure::Failure;
use crate::Error;
use std::{
    io::{self, Write},
    path::PathBuf,
};

/// Prints a result on stdout.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{text}").and_then(|()| stdout.flush()).map_err(failure)
}

/// The failure to write to stdout.
pub fn failure(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::Closed,
        _ => Failure::Run(Error::Io { path: PathBuf::from("standard output"), source: error }, None),
    }
}

/// Prints a message on stderr.
pub fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
