//! What goes wrong behind our back: uncaptured errors and lost devices, kept until somebody asks.

use crate::Error;
use std::sync::{Arc, Mutex, PoisonError};

/// The first fault of a device, kept.
#[derive(Debug, Clone, Default)]
pub struct Faults(Arc<Mutex<Option<Kind>>>);

#[derive(Debug, Clone)]
enum Kind {
    Lost(String),
    OutOfMemory(String),
    Refused(String),
}

impl Faults {
    /// Listens to a device that is ours.
    pub fn listen(device: &wgpu::Device) -> Self {
        let faults = Self::default();
        let uncaptured = faults.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| uncaptured.note(&error)));
        let lost = faults.clone();
        device.set_device_lost_callback(move |reason, message| {
            lost.set(Kind::Lost(format!("{reason:?}: {message}")));
        });
        faults
    }

    fn note(&self, error: &wgpu::Error) {
        self.set(match error {
            wgpu::Error::OutOfMemory { source } => Kind::OutOfMemory(source.to_string()),
            other => Kind::Refused(other.to_string()),
        });
    }

    /// Whether the device is gone. Other faults are not the caller's: they wait for [`Faults::check`].
    pub fn check_lost(&self) -> Result<(), Error> {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(Kind::Lost(reason)) => Err(Error::DeviceLost(reason.clone())),
            _ => Ok(()),
        }
    }

    fn set(&self, kind: Kind) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Once the device is lost everything else follows from that.
        if first.is_none() || matches!(kind, Kind::Lost(_)) {
            *first = Some(kind);
        }
    }

    /// The fault, if there was one. A refusal or shortage is told once; a lost device stays lost.
    pub fn check(&self) -> Result<(), Error> {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(kind) = first.clone() else { return Ok(()) };
        if !matches!(kind, Kind::Lost(_)) {
            *first = None;
        }
        Err(match kind {
            Kind::Lost(reason) => Error::DeviceLost(reason),
            Kind::OutOfMemory(what) => Error::OutOfMemory(what),
            Kind::Refused(what) => Error::Gpu(what),
        })
    }
}
