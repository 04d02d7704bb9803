//! The one way data comes back from the GPU. Every wait ends: with the data, an error, or a timeout.

use super::Gpu;
use crate::{Error, stage::Timeline};
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

    /// Runs dispatches, copies the beginning of a buffer, as much as there is room for, and waits for it.
    pub fn fetch(
        &mut self,
        gpu: &Gpu,
        source: &wgpu::Buffer,
        dispatches: impl FnOnce(&mut Timeline<'_>),
        what: &'static str,
        timeout: Duration,
    ) -> Result<Vec<u8>, Error> {
        self.fetch_from(gpu, source, 0, dispatches, what, timeout)
    }

    /// The same from a byte on.
    pub fn fetch_from(
        &mut self,
        gpu: &Gpu,
        source: &wgpu::Buffer,
        offset: u64,
        dispatches: impl FnOnce(&mut Timeline<'_>),
        what: &'static str,
        timeout: Duration,
    ) -> Result<Vec<u8>, Error> {
        let mut encoder = Timeline::encoder(gpu);
        let mut timeline = Timeline::host(&mut encoder);
        dispatches(&mut timeline);
        timeline.finish();
        let bytes = self.buffer.size().min(source.size().saturating_sub(offset));
        encoder.copy_buffer_to_buffer(source, offset, &self.buffer, 0, bytes);
        self.request(gpu.checked(|| gpu.queue().submit([encoder.finish()]))?);
        let waited = self.wait(gpu, what, timeout);
        if waited.is_err() {
            self.cancel();
        }
        waited
    }

    /// The data, waiting for it. After a timeout it may be waited for again.
    pub fn wait(&mut self, gpu: &Gpu, what: &'static str, timeout: Duration) -> Result<Vec<u8>, Error> {
        let Some((submission, receiver)) = &self.arrival else {
            return Err(Error::Gpu(format!("nothing was asked for: {what}")));
        };
        let wait = wgpu::PollType::Wait { submission_index: Some(submission.clone()), timeout: Some(timeout) };
        if !gpu.poll(wait)? {
            return Err(Error::Timeout { what, seconds: timeout.as_secs_f64() });
        }
        // The wait has run the callback, or another thread that polls the same device is about to. A lost device has none to run.
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
        let data = self.buffer.get_mapped_range(..).map(|view| view.to_vec());
        self.buffer.unmap();
        data.map_err(|error| Error::Gpu(error.to_string()))
    }

    /// Gives up on data under way, so that the buffer can be used again.
    fn cancel(&mut self) {
        if self.arrival.take().is_some() {
            self.buffer.unmap();
        }
    }

    /// A mapping that fails means a lost device, unless the device itself knows better.
    fn lost<T>(&mut self, gpu: &Gpu, why: &str) -> Result<T, Error> {
        self.arrival = None;
        gpu.check()?;
        Err(Error::DeviceLost(why.to_owned()))
    }
}
