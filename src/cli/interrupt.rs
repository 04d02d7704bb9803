//! Ctrl-C, SIGTERM and SIGHUP: the first ends the run after the current frame, the second at once. Either leaves whole files only.

use super::output;
use crate::io::abandon_all;
use std::{
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Exit code of an interrupted run, by the convention of shells.
pub const EXIT_CODE: u8 = 130;

/// Whether Ctrl-C was pressed or the process was asked to end.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Installs the handler.
    pub fn listen() -> Self {
        let came = Arc::new(AtomicBool::new(false));
        // Unit tests make several runs in one process, which Ctrl-C ends as a whole.
        if cfg!(test) {
            return Self(came);
        }
        let noted = came.clone();
        let listening = ctrlc::set_handler(move || {
            if noted.swap(true, Ordering::SeqCst) {
                abandon_all();
                process::exit(EXIT_CODE.into());
            }
            output::complain("finishing this frame; once more to stop at once");
        });
        if let Err(error) = listening {
            log::warn!("Ctrl-C will end the run at once: {error}");
        }
        Self(came)
    }

    pub fn came(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
