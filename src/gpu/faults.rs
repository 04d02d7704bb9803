//! Faults behind our back: uncaptured errors and lost devices, kept until somebody asks.

use crate::Error;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Faults that are kept at most, if nobody asks.
const KEPT: usize = 16;

/// Faults of a device that nobody has been told of.
#[derive(Debug, Clone, Default)]
pub struct Faults(Arc<Mutex<Noted>>);

#[derive(Debug, Default)]
struct Noted {
    /// Why the device is gone, once it is.
    lost: Option<String>,
    /// Refusals and shortages, oldest first.
    untold: VecDeque<Error>,
    /// How many there were since the start.
    count: u64,
}

impl Faults {
    /// Listens to a device that is ours.
    pub fn listen(device: &wgpu::Device) -> Self {
        let faults = Self::default();
        let uncaptured = faults.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| uncaptured.note(error.into())));
        let lost = faults.clone();
        device.set_device_lost_callback(move |reason, message| {
            lost.noted().lost = Some(format!("{reason:?}: {message}"));
        });
        faults
    }

    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, error: Error) {
        let mut noted = self.noted();
        noted.untold.push_back(error);
        noted.untold.truncate(KEPT);
        noted.count += 1;
    }

    /// How many refusals and shortages there were since the start.
    pub fn count(&self) -> u64 {
        self.noted().count
    }

    /// The newest fault, if there were more than so many. Earlier ones are not the caller's: they wait for [`Faults::check`].
    pub fn check_since(&self, count: u64) -> Result<(), Error> {
        self.check_lost()?;
        let mut noted = self.noted();
        if noted.count == count {
            return Ok(());
        }
        noted.untold.pop_back().map_or(Ok(()), Err)
    }

    /// Whether the device is gone.
    pub fn check_lost(&self) -> Result<(), Error> {
        self.noted().lost.clone().map_or(Ok(()), |reason| Err(Error::DeviceLost(reason)))
    }

    /// The oldest fault, if there was one. A refusal or shortage is told once; a lost device stays lost.
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
