//! Faults outside of any call: uncaptured errors and lost devices, kept until they are reported.

use crate::Error;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Largest number of unreported faults that are kept.
const KEPT: usize = 16;

/// Unreported faults of a device.
#[derive(Debug, Clone, Default)]
pub struct Faults(Arc<Mutex<Noted>>);

#[derive(Debug, Default)]
struct Noted {
    /// Why the device is lost, if it is.
    lost: Option<String>,
    /// Unreported validation and out-of-memory errors, oldest first.
    untold: VecDeque<Error>,
    /// Number of errors since the start.
    count: u64,
}

impl Faults {
    /// Listens to a device that tenter opened.
    pub fn listen(device: &wgpu::Device) -> Self {
        let faults = Self::default();
        let uncaptured = faults.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| uncaptured.note(error.into())));
        let lost = faults.clone();
        device.set_device_lost_callback(move |reason, message| {
            lost.lose(format!("{reason:?}: {message}").trim_end_matches(": "));
        });
        faults
    }

    /// Notes that the device is lost, and the first reason given for it.
    pub fn lose(&self, reason: &str) {
        self.noted().lost.get_or_insert_with(|| reason.to_owned());
    }

    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, error: Error) {
        let mut noted = self.noted();
        if noted.untold.len() == KEPT {
            noted.untold.pop_front();
        }
        noted.untold.push_back(error);
        noted.count += 1;
    }

    /// Number of validation and out-of-memory errors since the start.
    pub fn count(&self) -> u64 {
        self.noted().count
    }

    /// Reports the newest error, if there were more than `count`. Earlier errors belong to other callers and wait for [`Faults::check`].
    pub fn check_since(&self, count: u64) -> Result<(), Error> {
        self.check_lost()?;
        let mut noted = self.noted();
        if noted.count == count {
            return Ok(());
        }
        noted.untold.pop_back().map_or(Ok(()), Err)
    }

    /// Reports a lost device.
    pub fn check_lost(&self) -> Result<(), Error> {
        self.noted().lost.clone().map_or(Ok(()), |reason| Err(Error::DeviceLost(reason)))
    }

    /// Reports the oldest fault. An error is reported once; a lost device every time.
    pub fn check(&self) -> Result<(), Error> {
        self.check_lost()?;
        self.noted().untold.pop_front().map_or(Ok(()), Err)
    }
}

impl From<wgpu::Error> for Error {
    fn from(error: wgpu::Error) -> Self {
        match error {
            wgpu::Error::OutOfMemory { source } => Self::OutOfMemory(source.to_string()),
            other => Self::Gpu(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callers_own_fault_is_told_however_many_others_there_are() {
        let faults = Faults::default();
        (0..3 * KEPT).for_each(|ix| faults.note(Error::Gpu(format!("foreign {ix}"))));
        let count = faults.count();
        assert!(faults.check_since(count).is_ok());
        faults.note(Error::Gpu("own".to_owned()));
        assert!(matches!(faults.check_since(count), Err(Error::Gpu(message)) if message == "own"));
        // Foreign faults are left for whoever asks for everything, each told once.
        let told = std::iter::from_fn(|| faults.check().err()).count();
        assert_eq!(told, KEPT - 1);
    }
}
