//! Lines on stdout and stderr. A reader that has gone away is no reason to fail.

use std::io::Write;

/// A result.
pub fn print(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Anything else.
pub fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
