//! Ctrl-C: the first one is noted, and the run ends at the next good moment; the second one ends it at once.

use super::output;
use std::{
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Exit code of a run that was ended from outside, as shells have it.
pub const EXIT_CODE: u8 = 130;

/// Whether somebody has had enough.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on.
    pub fn listen() -> Self {
        let came = Arc::new(AtomicBool::new(false));
        let noted = came.clone();
        let listening = ctrlc::set_handler(move || {
            if noted.swap(true, Ordering::SeqCst) {
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
