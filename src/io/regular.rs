//! Regular files. A pipe would be waited on, a device read without end or replaced by a file: both are refused before they are opened.

use crate::Error;
use std::{
    fs::{self, File, FileType},
    io,
    path::Path,
};

/// Opens a regular file for reading.
pub(crate) fn open(path: &Path) -> Result<File, Error> {
    let failed = |source| Error::Io { path: path.to_owned(), source };
    match kind(fs::metadata(path).map_err(failed)?.file_type()) {
        None => File::open(path).map_err(failed),
        Some(kind) => Err(refuse(path, format!("is {kind}, not a regular file"))),
    }
}

/// Checks that a file may be written at a path: nothing is there, or a regular file, which the new one replaces.
pub(crate) fn check_target(path: &Path) -> Result<(), Error> {
    match fs::metadata(path) {
        Ok(known) => match kind(known.file_type()) {
            None => Ok(()),
            Some(kind) => Err(refuse(path, format!("is {kind}: only regular files are written and replaced"))),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(Error::Io { path: path.to_owned(), source }),
    }
}

fn refuse(path: &Path, message: String) -> Error {
    Error::File { path: path.to_owned(), line: None, field: String::new(), message }
}

/// Name of the kind of anything but a regular file.
fn kind(found: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.is_fifo() {
            return Some("a pipe");
        }
        if found.is_char_device() || found.is_block_device() {
            return Some("a device");
        }
        if found.is_socket() {
            return Some("a socket");
        }
    }
    if found.is_dir() {
        return Some("a folder");
    }
    (!found.is_file()).then_some("something else")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn only_regular_files_are_opened_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "text").unwrap();
        assert!(Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        std::os::unix::fs::symlink("/dev/null", path("link")).unwrap();
        open(&path("file")).unwrap();
        check_target(&path("file")).unwrap();
        check_target(&path("missing")).unwrap();
        assert!(matches!(open(&path("missing")), Err(Error::Io { .. })));
        let kinds = [("pipe", "a pipe"), ("socket", "a socket"), ("link", "a device"), (".", "a folder")];
        for (name, kind) in kinds {
            for result in [open(&path(name)).map(|_| ()), check_target(&path(name))] {
                let Err(Error::File { message, .. }) = result else { panic!("{name}: {result:?}") };
                assert!(message.starts_with(&format!("is {kind}")), "{name}: {message}");
            }
        }
    }
}
