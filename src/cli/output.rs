//! Lines on stdout and stderr; a closed stream is not an error.

use std::io::Write;

/// Prints a result on stdout.
pub fn print(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints a message on stderr.
pub fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
