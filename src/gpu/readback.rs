//! Read-back, the only way by which data return from the GPU. Every wait ends: with the data, an error, or natively a timeout.

use super::{Gpu, Timeline, wait};
use crate::{Error, inject};
use futures_channel::oneshot::{Receiver, channel};
use std::ops::Range;

/// A staging buffer and the state of its read-back.
#[derive(Debug)]
pub struct Readback {
    buffer: wgpu::Buffer,
    journey: Journey,
}

/// State of a read-back.
#[derive(Debug)]
enum Journey {
    /// No data were requested.
    Idle,
    /// The data are under way with a submission.
    Requested(wgpu::SubmissionIndex, Receiver<Result<(), wgpu::BufferAsyncError>>),
    /// The data have arrived and are not taken yet.
    Here(Vec<u8>),
}

impl Readback {
    /// A staging buffer of `bytes` bytes.
    pub fn new(gpu: &Gpu, label: &str, bytes: u64) -> Result<Self, Error> {
        let descriptor = wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes.max(4),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        };
        Ok(Self { buffer: gpu.checked(|| gpu.device().create_buffer(&descriptor))?, journey: Journey::Idle })
    }

    /// The buffer to copy to.
    pub fn destination(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Requests the data, after the submission that copies them.
    pub fn request(&mut self, gpu: &Gpu, submission: wgpu::SubmissionIndex) -> Result<(), Error> {
        let (sender, receiver) = channel();
        self.journey = Journey::Requested(submission, receiver);
        gpu.issue(|| {
            self.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
                // The receiver may be gone with its simulation.
                let _ = sender.send(result);
            });
        })
        .inspect_err(|_| self.cancel(gpu))?;
        // A lost device refuses the mapping at once.
        self.look(gpu).map(|_| ())
    }

    /// Runs dispatches, copies a buffer from a byte on, as far as the staging buffer has room, and waits for the data.
    pub async fn fetch(
        &mut self,
        gpu: &Gpu,
        source: &wgpu::Buffer,
        offset: u64,
        dispatches: impl FnOnce(&mut Timeline<'_>),
        what: &'static str,
    ) -> Result<Vec<u8>, Error> {
        let end = source.size().min(offset.saturating_add(self.buffer.size()));
        self.fetch_ranges(gpu, source, std::slice::from_ref(&(offset..end)), dispatches, what).await
    }

    /// Runs dispatches, copies byte ranges of a buffer one behind the other, and waits for the data. The staging buffer has room for all of them.
    pub async fn fetch_ranges(
        &mut self,
        gpu: &Gpu,
        source: &wgpu::Buffer,
        ranges: &[Range<u64>],
        dispatches: impl FnOnce(&mut Timeline<'_>),
        what: &'static str,
    ) -> Result<Vec<u8>, Error> {
        // An earlier fetch may have been dropped before its end.
        self.cancel(gpu);
        let mut encoder = Timeline::encoder(gpu);
        let mut timeline = Timeline::host(&mut encoder);
        dispatches(&mut timeline);
        timeline.finish();
        let mut filled = 0;
        for range in ranges.iter().filter(|range| !range.is_empty()) {
            encoder.copy_buffer_to_buffer(source, range.start, &self.buffer, filled, range.end - range.start);
            filled += range.end - range.start;
        }
        let submission = gpu.issue(|| gpu.queue().submit([encoder.finish()]))?;
        self.request(gpu, submission)?;
        let waited = self.wait(gpu, what).await;
        if waited.is_err() {
            self.cancel(gpu);
        }
        waited
    }

    /// Fetches from the start of a buffer like [`fetch`](Self::fetch), blocking this thread: for tests and the program.
    #[cfg(any(test, feature = "cli"))]
    pub fn fetch_now(
        &mut self,
        gpu: &Gpu,
        source: &wgpu::Buffer,
        dispatches: impl FnOnce(&mut Timeline<'_>),
        what: &'static str,
        limit: std::time::Duration,
    ) -> Result<Vec<u8>, Error> {
        wait::drive(limit, self.fetch(gpu, source, 0, dispatches, what))
    }

    /// Waits for the data and takes them. After a timeout the caller may wait again.
    pub async fn wait(&mut self, gpu: &Gpu, what: &'static str) -> Result<Vec<u8>, Error> {
        if let Journey::Requested(submission, receiver) = &mut self.journey {
            let mapped = wait::arrival(gpu, receiver, submission, what).await?;
            self.arrive(gpu, mapped)?;
        }
        match std::mem::replace(&mut self.journey, Journey::Idle) {
            Journey::Here(bytes) => Ok(bytes),
            _ => Err(gpu.explained(Error::Gpu(format!("nothing was asked for: {what}")))),
        }
    }

    /// The data if they have arrived, without waiting. They stay here until [`wait`](Self::wait) takes them.
    pub fn look(&mut self, gpu: &Gpu) -> Result<Option<&[u8]>, Error> {
        if let Journey::Requested(_, receiver) = &mut self.journey {
            match receiver.try_recv() {
                Ok(None) => {}
                Ok(Some(mapped)) => self.arrive(gpu, Some(mapped))?,
                Err(_) => self.arrive(gpu, None)?,
            }
        }
        Ok(match &self.journey {
            Journey::Here(bytes) => Some(bytes),
            _ => None,
        })
    }

    /// Takes the data out of the mapped buffer. A failed mapping means a lost device, unless the device reports another error.
    fn arrive(&mut self, gpu: &Gpu, mapped: Option<Result<(), wgpu::BufferAsyncError>>) -> Result<(), Error> {
        self.journey = Journey::Idle;
        let why = match mapped {
            Some(Ok(())) if !inject::due() => {
                let data = gpu.issue(|| self.buffer.get_mapped_range(..).map(|view| view.to_vec()));
                gpu.release(|| self.buffer.unmap());
                self.journey = Journey::Here(data?.map_err(|error| gpu.explained(Error::Gpu(error.to_string())))?);
                return Ok(());
            }
            Some(_) => "the buffer could not be mapped",
            None => "the mapping never came back",
        };
        // Otherwise the buffer could not be mapped again.
        gpu.release(|| self.buffer.unmap());
        gpu.check()?;
        Err(Error::DeviceLost(why.to_owned()))
    }

    /// Cancels a read-back under way, so that the buffer can be used again; data that have arrived are dropped.
    pub fn cancel(&mut self, gpu: &Gpu) {
        if let Journey::Requested(..) = std::mem::replace(&mut self.journey, Journey::Idle) {
            gpu.release(|| self.buffer.unmap());
        }
    }
}
