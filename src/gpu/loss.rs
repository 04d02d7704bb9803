//! Lost devices: reset by the driver, unplugged, or destroyed.
//!
//! wgpu tells of a lost device by a callback, which on the host's device belongs to the host, and ignores calls to it without an error. So tenter asks the device
//! where an answer matters: it maps a buffer of its own, which a lost device refuses at once.

use super::Gpu;
use crate::Error;
use std::sync::{Mutex, PoisonError, mpsc};

/// Reason of a loss that only the refused mapping shows.
const REFUSED: &str = "it was destroyed or reset, and takes no more work";

/// Buffer by which a device is asked whether it is lost.
#[derive(Debug, Default)]
pub struct Probe(Mutex<Option<wgpu::Buffer>>);

impl Probe {
    /// Whether the device refuses to map a buffer. In a browser, where mappings answer later, it never does.
    fn is_refused(&self, device: &wgpu::Device) -> bool {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Errors of these calls are expected: the scope keeps them from the host.
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let buffer = kept.get_or_insert_with(|| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("tenter.probe"),
                size: 4,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        });
        let (sender, answer) = mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            let _ = sender.send(result.is_err());
        });
        let refused = answer.try_recv() == Ok(true);
        buffer.unmap();
        drop(scope.pop());
        refused
    }
}

impl Gpu {
    /// Whether the device is lost. Polls the device, so that its callback runs.
    pub(crate) fn is_lost(&self) -> bool {
        if self.faults().check_lost().is_ok() && self.poll().is_ok() && self.probe().is_refused(self.device()) {
            self.faults().lose(REFUSED);
        }
        self.faults().check_lost().is_err()
    }

    /// Reports a lost device, even if no call to it has failed yet.
    pub(crate) fn check_lost(&self) -> Result<(), Error> {
        self.is_lost();
        self.faults().check_lost()
    }

    /// Reports the oldest fault of the device, or its loss.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.check_lost()?;
        self.faults().check().map_err(|error| self.explained(error))
    }

    /// The cause of a refused call: the loss of the device if it is lost, or else the error itself.
    pub(crate) fn explained(&self, error: Error) -> Error {
        match error {
            Error::Gpu(_) => self.check_lost().err().unwrap_or(error),
            other => other,
        }
    }
}
