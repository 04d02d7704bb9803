//! What goes wrong behind our back: uncaptured errors and lost devices, kept until somebody asks.

use crate::Error;
use std::sync::{Arc, Mutex, PoisonError};

/// The first fault of a device, kept.
#[derive(Debug, Clone, Default)]
pub struct Faults(Arc<Mutex<Option<DeviceFault>>>);

/// Something that went wrong with a device outside of any error scope.
#[derive(Debug, Clone)]
enum DeviceFault {
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
            lost.set(DeviceFault::Lost(format!("{reason:?}: {message}")));
        });
        faults
    }

    fn note(&self, error: &wgpu::Error) {
        self.set(match error {
            wgpu::Error::OutOfMemory { source } => DeviceFault::OutOfMemory(source.to_string()),
            other => DeviceFault::Refused(other.to_string()),
        });
    }

    /// Whether the device is gone. Other faults are not the caller's: they wait for [`Faults::check`].
    pub fn check_lost(&self) -> Result<(), Error> {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(DeviceFault::Lost(reason)) => Err(Error::DeviceLost(reason.clone())),
            _ => Ok(()),
        }
    }

    fn set(&self, fault: DeviceFault) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Once the device is lost everything else follows from that.
        if first.is_none() || matches!(fault, DeviceFault::Lost(_)) {
            *first = Some(fault);
        }
    }

    /// The fault, if there was one. A refusal or shortage is told once; a lost device stays lost.
    pub fn check(&self) -> Result<(), Error> {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(fault) = first.clone() else { return Ok(()) };
        if !matches!(fault, DeviceFault::Lost(_)) {
            *first = None;
        }
        Err(match fault {
            DeviceFault::Lost(reason) => Error::DeviceLost(reason),
            DeviceFault::OutOfMemory(what) => Error::OutOfMemory(what),
            DeviceFault::Refused(what) => Error::Gpu(what),
        })
    }
}
