//! Files under construction, which have a temporary name until they are complete.

use super::regular;
use crate::{Error, inject};
use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Temporary names of all drafts of this process.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all drafts before the process exits without unwinding. Whoever begins or finishes a draft afterwards waits for the exit.
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
pub(crate) fn abandon_all() {
    let drafts = unfinished();
    drafts.iter().for_each(|draft| _ = fs::remove_file(draft));
    std::mem::forget(drafts);
}

/// A file that is being written: `NAME.part` until it is finished. A draft that is dropped unfinished is removed.
#[derive(Debug)]
pub(crate) struct Draft {
    path: PathBuf,
    draft: PathBuf,
    writer: BufWriter<File>,
    /// Whether a partial write could not be undone.
    broken: bool,
    finished: bool,
}

impl Draft {
    /// Writes a whole file.
    #[cfg_attr(not(feature = "cli"), allow(dead_code))]
    pub fn write_file(path: &Path, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
        let mut draft = Self::create(path)?;
        draft.write(contents)?;
        draft.finish()
    }

    /// Begins a file.
    pub fn create(path: &Path) -> Result<Self, Error> {
        Self::named(path, ".part")
    }

    /// Checks that a file can be written at a path, and makes the folders that it needs.
    #[cfg_attr(not(feature = "cli"), allow(dead_code))]
    pub fn check(path: &Path) -> Result<(), Error> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|source| Error::Io { path: folder.to_owned(), source })?;
        }
        Self::create(path).map(|_| ())
    }

    /// Begins a temporary file beside another, which is removed when it is dropped.
    pub fn beside(path: &Path) -> Result<Self, Error> {
        Self::named(path, ".data.part")
    }

    fn named(path: &Path, ending: &str) -> Result<Self, Error> {
        regular::check_target(path)?;
        refusable().map_err(|source| Error::Io { path: path.to_owned(), source })?;
        let mut draft = path.as_os_str().to_owned();
        draft.push(ending);
        let draft = PathBuf::from(draft);
        let mut unfinished = unfinished();
        match OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&draft) {
            Ok(file) => {
                let writer = BufWriter::new(file);
                unfinished.insert(draft.clone());
                Ok(Self { path: path.to_owned(), draft, writer, broken: false, finished: false })
            }
            Err(source) => Err(Error::Io { path: draft, source }),
        }
    }

    /// Writes; an error names the file.
    pub fn write(&mut self, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
        contents(&mut self.writer).and_then(|()| refusable()).map_err(|source| self.error(source))
    }

    /// Appends all of the contents or nothing: after a failure the file is unchanged and can still be finished.
    pub fn write_whole(&mut self, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
        let written = self.seek(SeekFrom::End(0)).and_then(|end| {
            contents(&mut self.writer).and_then(|()| self.writer.flush()).and_then(|()| refusable()).inspect_err(|_| {
                self.broken |= self.cut_back(end).is_err();
            })
        });
        written.map_err(|source| self.error(source))
    }

    fn cut_back(&mut self, length: u64) -> io::Result<()> {
        let file = self.writer.get_ref().try_clone()?;
        // The old writer is dismantled, so that it does not write its buffer.
        let _ = std::mem::replace(&mut self.writer, BufWriter::new(file)).into_parts();
        self.writer.get_ref().set_len(length)?;
        self.seek(SeekFrom::Start(length)).map(|_| ())
    }

    /// Overwrites bytes at an offset.
    pub fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        let patched = self.seek(SeekFrom::Start(offset)).and_then(|_| self.writer.write_all(bytes));
        let patched = patched.and_then(|()| refusable());
        patched.and_then(|()| self.seek(SeekFrom::End(0)).map(|_| ())).map_err(|source| self.error(source))
    }

    /// Appends the whole contents of another draft.
    pub fn append(&mut self, other: &mut Draft) -> Result<(), Error> {
        if other.broken {
            return Err(other.error(in_part()));
        }
        let length = other.seek(SeekFrom::End(0)).and_then(|length| other.seek(SeekFrom::Start(0)).map(|_| length));
        let length = length.map_err(|source| other.error(source))?;
        let copied = refusable().and_then(|()| io::copy(&mut other.writer.get_mut().take(length), &mut self.writer));
        copied.map(|_| ()).map_err(|source| self.error(source))
    }

    /// Completes the file under its final name.
    pub fn finish(mut self) -> Result<(), Error> {
        if self.broken {
            return Err(self.error(in_part()));
        }
        self.writer.flush().and_then(|()| refusable()).map_err(|source| self.error(source))?;
        // Something else may have come to be at the path meanwhile.
        regular::check_target(&self.path)?;
        let mut unfinished = unfinished();
        refusable().and_then(|()| fs::rename(&self.draft, &self.path)).map_err(|source| self.error(source))?;
        unfinished.remove(&self.draft);
        self.finished = true;
        Ok(())
    }

    /// An error of this file.
    pub fn error(&self, source: io::Error) -> Error {
        Error::Io { path: self.path.clone(), source }
    }
}

/// Fails where a test wants the system to refuse.
fn refusable() -> io::Result<()> {
    if inject::due() { Err(io::Error::from(io::ErrorKind::StorageFull)) } else { Ok(()) }
}

fn in_part() -> io::Error {
    io::Error::other("was written only in part")
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        refusable()?;
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        refusable()?;
        self.writer.flush()
    }
}

impl Seek for Draft {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.writer.seek(to)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.finished {
            let mut unfinished = unfinished();
            // A temporary file that cannot be removed is ignored.
            let _ = fs::remove_file(&self.draft);
            unfinished.remove(&self.draft);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn only_whole_files_have_their_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let mut draft = Draft::create(&path).unwrap();
        draft.write(|writer| writer.write_all(b"new and longer")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.txt", "a.txt.part"]);
        draft.patch(0, b"NEW").unwrap();
        draft.write(|writer| writer.write_all(b"!")).unwrap();
        draft.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"NEW and longer!");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn what_is_dropped_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut beside = Draft::beside(&path).unwrap();
        beside.write_all(b"body").unwrap();
        let mut draft = Draft::create(&path).unwrap();
        draft.write_all(b"head ").unwrap();
        draft.append(&mut beside).unwrap();
        assert_eq!(names(folder.path()).len(), 2);
        drop(beside);
        assert_eq!(names(folder.path()), ["a.txt.part"]);
        draft.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"head body");
        drop(Draft::create(&folder.path().join("b.txt")).unwrap());
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn what_fails_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut draft = Draft::create(&path).unwrap();
        draft.write_whole(|writer| writer.write_all(b"one ")).unwrap();
        for size in [3, 100_000] {
            let half = |writer: &mut dyn Write| {
                writer.write_all(&vec![b'x'; size])?;
                Err(io::Error::from(io::ErrorKind::StorageFull))
            };
            assert!(matches!(draft.write_whole(half), Err(Error::Io { .. })));
        }
        draft.write_whole(|writer| writer.write_all(b"two")).unwrap();
        draft.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one two");
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("none/a.txt");
        match Draft::create(&missing) {
            Err(Error::Io { path, .. }) => assert!(path.starts_with(folder.path())),
            other => panic!("{other:?}"),
        }
        let path = folder.path().join("a.txt");
        let mut draft = Draft::create(&path).unwrap();
        match draft.write(|_| Err(io::Error::from(io::ErrorKind::StorageFull))) {
            Err(Error::Io { path: named, source }) => {
                assert_eq!((named, source.kind()), (path.clone(), io::ErrorKind::StorageFull));
            }
            other => panic!("{other:?}"),
        }
        // A folder of that name cannot be replaced: the draft is removed.
        fs::create_dir_all(path.join("inside")).unwrap();
        assert!(draft.finish().is_err());
        assert_eq!(names(folder.path()), ["a.txt"]);
    }
}
