//! Files of the resumed run: its checkpoint and the records of its steps.

use super::{
    folder::{self, Folder},
    summary::Totals,
};
use crate::{
    Error, Simulation,
    io::{Draft, regular},
    simulation::{CHECKPOINT_HEADER, check_header},
};
use serde_json::Value;
use std::{
    fs::File,
    io::{BufRead, BufReader, ErrorKind, Read},
    path::{Path, PathBuf},
};

/// Largest accepted checkpoint, bytes: about 30 million particles.
const MAX_BYTES: u64 = 16 << 30;

/// A checkpoint file whose header is that of a checkpoint which this version reads.
pub struct Checkpoint {
    path: PathBuf,
    file: File,
    header: Vec<u8>,
}

impl Checkpoint {
    /// Opens a checkpoint and reads its header only.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let mut file = regular::open(path).map_err(|error| match error {
            Error::Io { source, .. } if source.kind() == ErrorKind::NotFound => {
                in_file(path, "there is no such file: run without --resume to begin".to_owned())
            }
            other => other,
        })?;
        let mut header = Vec::new();
        let read = file.by_ref().take(CHECKPOINT_HEADER).read_to_end(&mut header);
        read.map_err(|source| Error::Io { path: path.to_owned(), source })?;
        check_header(&header).map_err(|error| located(path, error))?;
        Ok(Self { path: path.to_owned(), file, header })
    }

    /// Restores the state.
    pub fn restore(mut self, simulation: &mut Simulation) -> Result<(), Error> {
        let mut bytes = std::mem::take(&mut self.header);
        let read = self.file.take(MAX_BYTES).read_to_end(&mut bytes);
        read.map_err(|source| Error::Io { path: self.path.clone(), source })?;
        simulation.restore(&bytes).map_err(|error| located(&self.path, error))
    }
}

/// An error of a checkpoint's contents, with the file.
fn located(path: &Path, error: Error) -> Error {
    match error {
        Error::Usage(message) => in_file(path, message),
        Error::CheckpointVersion { .. } => in_file(path, error.to_string()),
        other => other,
    }
}

fn in_file(path: &Path, message: String) -> Error {
    Error::File { path: path.to_owned(), line: None, field: String::new(), message }
}

/// Records of the resumed run's steps.
#[derive(Default)]
pub struct Earlier {
    pub totals: Totals,
    lines: Vec<String>,
}

impl Earlier {
    /// Reads the records of the first `steps` steps. An interrupted run has left them under a temporary name. Missing records are
    /// not an error, as the state does not depend on them.
    pub fn read(folder: &Folder, steps: u64) -> Result<Self, Error> {
        let mut earlier = Self::default();
        let path = folder.path().join(folder::STEPS);
        let part = folder.path().join(format!("{}.part", folder::STEPS));
        let path = if part.exists() { part } else { path };
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(earlier),
            Err(source) => return Err(Error::Io { path, source }),
        };
        for line in BufReader::new(file).lines() {
            let line = line.map_err(|source| Error::Io { path: path.clone(), source })?;
            let Ok(value) = serde_json::from_str::<Value>(&line) else { break };
            if value["step"].as_u64().is_none_or(|step| step > steps) {
                break;
            }
            earlier.totals.add_line(&value);
            earlier.lines.push(line);
        }
        Ok(earlier)
    }

    /// Begins a file that starts with these records.
    pub fn continued(&self, folder: &Folder) -> Result<Draft, Error> {
        let mut draft = folder.draft(folder::STEPS)?;
        draft.write(|writer| self.lines.iter().try_for_each(|line| writeln!(writer, "{line}")))?;
        Ok(draft)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn records_up_to_a_step() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::claim(place.path()).unwrap();
        assert_eq!(Earlier::read(&folder, 9).unwrap().totals.steps, 0);
        let line = |step: u64| {
            format!("{{\"step\":{step},\"time\":{step}.5,\"iterations\":{step},\"outcome\":\"converged\"}}\n")
        };
        fs::write(place.path().join("steps.jsonl.part"), format!("{}{}{}{{\"st", line(1), line(2), line(3))).unwrap();
        let earlier = Earlier::read(&folder, 2).unwrap();
        assert_eq!((earlier.totals.steps, earlier.totals.iterations, earlier.totals.simulated), (2, 3, 2.5));
        assert_eq!(Earlier::read(&folder, 99).unwrap().totals.steps, 3);
        earlier.continued(&folder).unwrap().finish().unwrap();
        assert_eq!(fs::read_to_string(place.path().join("steps.jsonl")).unwrap(), line(1) + &line(2));
    }
}
