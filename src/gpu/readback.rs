//! The one way data comes back from the GPU. Every wait ends: with the data, an error, or a timeout.

use super::Gpu;
use crate::Error;
use std::{
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

/// A staging buffer and the state of its journey.
#[derive(Debug)]
pub struct Readback {
    buffer: wgpu::Buffer,
    arrival: Option<(wgpu::SubmissionIndex, Receiver<Result<(), wgpu::BufferAsyncError>>)>,
}

impl Readback {
    /// Room for `bytes`.
    pub fn new(gpu: &Gpu, label: &str, bytes: u64) -> Result<Self, Error> {
        let descriptor = wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes.max(4),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        };
        Ok(Self { buffer: gpu.checked(|| gpu.device().create_buffer(&descriptor))?, arrival: None })
    }

    /// Where to copy to.
    pub fn destination(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Asks for the data once the submission that copies it is on its way.
    pub fn request(&mut self, submission: wgpu::SubmissionIndex) {
        let (sender, receiver) = channel();
        self.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // Nobody listens any more when the simulation is gone: that is fine.
            let _ = sender.send(result);
        });
        self.arrival = Some((submission, receiver));
    }

    /// The data, waiting for it.
    pub fn wait(&mut self, gpu: &Gpu, what: &'static str, timeout: Duration) -> Result<Vec<u8>, Error> {
        let Some((submission, receiver)) = &self.arrival else {
            return Err(Error::Gpu(format!("nothing was asked for: {what}")));
        };
        let poll = gpu
            .device()
            .poll(wgpu::PollType::Wait { submission_index: Some(submission.clone()), timeout: Some(timeout) });
        if let Err(wgpu::PollError::Timeout) = poll {
            return Err(Error::Timeout { what, seconds: timeout.as_secs_f64() });
        }
        match receiver.recv_timeout(timeout) {
            Ok(result) => self.take(gpu, result),
            Err(_) => self.lost(gpu, "the mapping never came back"),
        }
    }

    fn take(&mut self, gpu: &Gpu, result: Result<(), wgpu::BufferAsyncError>) -> Result<Vec<u8>, Error> {
        if result.is_err() {
            return self.lost(gpu, "the buffer could not be mapped");
        }
        self.arrival = None;
        let data = match self.buffer.get_mapped_range(..) {
            Ok(view) => view.to_vec(),
            Err(error) => return Err(Error::Gpu(error.to_string())),
        };
        self.buffer.unmap();
        Ok(data)
    }

    /// A mapping that fails means a lost device, unless the device itself knows better.
    fn lost<T>(&mut self, gpu: &Gpu, why: &str) -> Result<T, Error> {
        self.arrival = None;
        gpu.check()?;
        Err(Error::DeviceLost(why.to_owned()))
    }
}
