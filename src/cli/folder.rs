//! The output folder of a run.

use crate::{Error, io::Draft};
use std::{
    fs::{self, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// An output folder, which one run at a time has: a lock of the system keeps others out, and vanishes with the process however it ends.
pub struct Folder {
    path: PathBuf,
    /// The folder itself, locked; `None` where the file system has no locks.
    _lock: Option<fs::File>,
    /// Whether this run has made the folder.
    is_new: bool,
}

impl Folder {
    /// Makes the folder if there is none, and locks it. All files in it stay. A folder that another run has is refused at once.
    pub fn claim(path: &Path) -> Result<Self, Error> {
        let io_error = |source| Error::Io { path: path.to_owned(), source };
        let is_new = !path.exists();
        fs::create_dir_all(path).map_err(io_error)?;
        let folder = Self { path: path.to_owned(), _lock: None, is_new };
        let file = folder.lock_file().map_err(io_error)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _lock: Some(file), ..folder }),
            Err(TryLockError::WouldBlock) => {
                let message = "another run writes to this folder: wait for its end, or choose another with --output";
                Err(Error::Io { path: path.to_owned(), source: io::Error::new(io::ErrorKind::ResourceBusy, message) })
            }
            Err(TryLockError::Error(error)) => {
                log::warn!("{}: no lock keeps other runs out of this folder: {error}", path.display());
                Ok(folder)
            }
        }
    }

    /// The file to lock. On Unix that is the folder itself.
    fn lock_file(&self) -> io::Result<fs::File> {
        if cfg!(unix) { fs::File::open(&self.path) } else { fs::File::create(self.path.join("tenter.lock")) }
    }

    /// Removes the frames of an earlier run, which could be mistaken for the new ones.
    pub fn clear(&self) -> Result<(), Error> {
        let path = &self.path;
        let io_error = |source| Error::Io { path: path.to_owned(), source };
        for entry in fs::read_dir(path).map_err(io_error)? {
            let entry = entry.map_err(io_error)?;
            if is_ours(&entry.file_name().to_string_lossy()) {
                fs::remove_file(entry.path()).map_err(|source| Error::Io { path: entry.path(), source })?;
            }
        }
        Ok(())
    }

    /// Removes the folder if this run has made it and written nothing.
    pub fn give_up(self) {
        if self.is_new {
            // A folder that is not empty stays.
            let _ = fs::remove_dir(&self.path);
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins a file, which gets its name when it is complete.
    pub fn draft(&self, name: &str) -> Result<Draft, Error> {
        Draft::create(&self.path.join(name))
    }

    /// Writes a whole file.
    pub fn write(&self, name: &str, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
        Draft::write_file(&self.path.join(name), contents)
    }
}

/// File name of a frame.
pub fn frame_name(frame: u64, extension: &str) -> String {
    format!("frame_{frame:04}.{extension}")
}

/// Name of the file with a record per step.
pub const STEPS: &str = "steps.jsonl";

/// Name of the picture of the final state.
pub const PICTURE: &str = "last.png";

/// Name of ParaView's list of frames.
pub const LIST: &str = "frames.pvd";

/// Names of files with all frames.
const CACHES: [&str; 3] = ["frames.pc2", "frames.mdd", "frames.glb"];

/// Extensions of files with one frame.
const FRAMES: [&str; 4] = ["obj", "ply", "vtu", "png"];

fn is_ours(name: &str) -> bool {
    let name = name.strip_suffix(".part").unwrap_or(name);
    let name = name.strip_suffix(".data").unwrap_or(name);
    let frame = name.strip_prefix("frame_").and_then(|rest| rest.split_once('.'));
    let numbered = |frame: &str| frame.len() >= 4 && frame.bytes().all(|byte| byte.is_ascii_digit());
    let is_frame = frame.is_some_and(|(number, extension)| numbered(number) && FRAMES.contains(&extension));
    [STEPS, PICTURE, LIST].contains(&name) || CACHES.contains(&name) || is_frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_run_at_a_time() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        let first = Folder::claim(&path).unwrap();
        match Folder::claim(&path).map(|_| ()) {
            Err(Error::Io { source, .. }) => assert!(source.to_string().contains("another run"), "{source}"),
            other => panic!("{other:?}"),
        }
        first.write("frame_0000.obj", |writer| writer.write_all(b"v 0 0 0")).unwrap();
        drop(first);
        let second = Folder::claim(&path).unwrap();
        second.clear().unwrap();
        assert!(fs::read_dir(&path).unwrap().next().is_none());
        // The second run did not make the folder.
        second.give_up();
        assert!(path.exists());
        Folder::claim(&place.path().join("new")).unwrap().give_up();
        assert!(!place.path().join("new").exists());
    }
}
