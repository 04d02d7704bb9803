//! The program, called as from a shell in a folder of its own.

use std::{
    path::PathBuf,
    process::{Command, Output},
};

/// A folder that is gone with the test.
pub struct Place {
    pub folder: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn tenter(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tenter"));
        command.args(arguments).current_dir(self.folder.path());
        command
    }
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[track_caller]
pub fn code(output: &Output, expected: i32) {
    assert_eq!(output.status.code(), Some(expected), "stdout:\n{}\nstderr:\n{}", stdout(output), stderr(output));
    assert!(!stderr(output).contains("panicked"), "{}", stderr(output));
}
