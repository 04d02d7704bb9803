//! The output folder of a run.

use crate::{Error, io::Draft};
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// An output folder.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Creates the folder and removes the frames of an earlier run, which could be mistaken for the new ones.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let io_error = |source| Error::Io { path: path.to_owned(), source };
        fs::create_dir_all(path).map_err(io_error)?;
        for entry in fs::read_dir(path).map_err(io_error)? {
            let entry = entry.map_err(io_error)?;
            if is_ours(&entry.file_name().to_string_lossy()) {
                fs::remove_file(entry.path()).map_err(|source| Error::Io { path: entry.path(), source })?;
            }
        }
        Ok(Self { path: path.to_owned() })
    }

    /// Opens the folder of a resumed run and keeps its files.
    pub fn open(path: &Path) -> Result<Self, Error> {
        fs::create_dir_all(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned() })
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
