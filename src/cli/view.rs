//! `tenter view`: starts the viewer, a program of its own, so that this one needs no window system.

use super::failure::Failure;
use crate::Error;
use clap::Args;
use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// Name of the viewer's program.
const VIEWER: &str = if cfg!(windows) { "tenter-viewer.exe" } else { "tenter-viewer" };

/// Look at a scene in a window and pull at it
#[derive(Args)]
#[command(
    after_help = "The viewer is a program of its own, tenter-viewer. Further arguments are its own: tenter view drape -- --help"
)]
pub struct ViewArguments {
    /// Scene file, or the name of a built-in scene
    #[arg(default_value = "drape")]
    scene: String,
    /// Arguments of the viewer
    #[arg(last = true)]
    further: Vec<String>,
}

/// Runs the command.
pub fn run(arguments: &ViewArguments) -> Result<(), Failure> {
    let beside = env::current_exe().ok().and_then(|path| path.parent().map(Path::to_owned));
    let on_path = env::var_os("PATH").map(|path| env::split_paths(&path).collect::<Vec<PathBuf>>()).unwrap_or_default();
    let Some(viewer) = find(beside.into_iter().chain(on_path)) else {
        let message = format!(
            "{VIEWER} is neither beside this program nor on the PATH: in the sources of tenter 'make view' starts it, 'cargo install --path viewer' installs it. \
             Without a window 'tenter run {}' writes pictures",
            arguments.scene
        );
        return Err(Error::Usage(message).into());
    };
    let status = Command::new(&viewer).arg(&arguments.scene).args(&arguments.further).status();
    let status = status.map_err(|source| Error::Io { path: viewer.clone(), source })?;
    if status.success() {
        return Ok(());
    }
    Err(Error::Usage(format!("{} ended with {status}", viewer.display())).into())
}

/// The viewer in one of these folders.
fn find(folders: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    folders.map(|folder| folder.join(VIEWER)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_viewer_is_found_in_the_first_folder_that_has_it() {
        let (empty, full) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(full.path().join(VIEWER), "").unwrap();
        let folders = || [empty.path().to_owned(), full.path().to_owned()].into_iter();
        assert_eq!(find(folders()), Some(full.path().join(VIEWER)));
        assert_eq!(find(folders().take(1)), None);
    }
}
