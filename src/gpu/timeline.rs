//! A sequence of dispatches: in one compute pass, in one pass per section when sections are timed, or in several
//! submissions when the sequence is so long that a driver's watchdog might stop it.

use super::{Dispatch, Gpu};
use crate::Error;

/// Largest product of rows and dispatches in one submission. A discrete GPU takes tens of milliseconds for it, a slow one less than the two
/// seconds that some drivers allow.
const MOST_WORK: u64 = 1 << 26;

/// Number of a section, by which times are summed.
pub(crate) type Section = usize;

/// A sequence of dispatches under construction.
pub(crate) struct Timeline<'a> {
    /// The encoder; `None` where dispatches are only counted or listed.
    encoder: Option<&'a mut wgpu::CommandEncoder>,
    /// Set if tenter owns the encoder, which may then be submitted and replaced.
    splits: Option<&'a Gpu>,
    /// Set if the sequence is cut into parts of this many dispatches, which are submitted later.
    part: Option<u32>,
    /// Parts that are complete, in order.
    parts: Vec<wgpu::CommandBuffer>,
    pass: Option<wgpu::ComputePass<'static>>,
    timer: Option<&'a Timer>,
    timed: Vec<Section>,
    rows: u64,
    work: u64,
    dispatches: u32,
    submissions: u64,
    /// Kernels in order, where they are listed.
    #[cfg(test)]
    pub listed: Vec<&'static str>,
}

impl<'a> Timeline<'a> {
    /// Creates an encoder.
    pub fn encoder(gpu: &Gpu) -> wgpu::CommandEncoder {
        gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("tenter.step") })
    }

    /// A sequence of dispatches over `rows` rows in tenter's own encoder, which may be cut into several submissions.
    pub fn own(gpu: &'a Gpu, encoder: &'a mut wgpu::CommandEncoder, rows: usize, timer: Option<&'a Timer>) -> Self {
        Self { splits: Some(gpu), rows: rows as u64, timer, ..Self::host(encoder) }
    }

    /// Cuts the sequence into parts of at most so many dispatches; [`take_parts`](Self::take_parts) returns all but the last, which stays in the encoder. Timed
    /// sequences are not cut.
    pub fn in_parts(mut self, part: Option<u32>) -> Self {
        self.part = part.filter(|_| self.timer.is_none());
        self
    }

    /// A sequence of dispatches in one encoder that is never cut, such as the host's.
    pub fn host(encoder: &'a mut wgpu::CommandEncoder) -> Self {
        Self { encoder: Some(encoder), ..Self::count() }
    }

    /// A sequence of dispatches that is only counted.
    pub fn count() -> Self {
        Self {
            encoder: None,
            splits: None,
            part: None,
            parts: Vec::new(),
            pass: None,
            timer: None,
            timed: Vec::new(),
            rows: 0,
            work: 0,
            dispatches: 0,
            submissions: 0,
            #[cfg(test)]
            listed: Vec::new(),
        }
    }

    /// Begins a section, to which the following dispatches belong. Once all timestamps are in use, they belong to the last one.
    pub fn enter(&mut self, section: impl Into<Section>) {
        if self.timer.is_some_and(|timer| 2 * self.timed.len() < timer.count as usize) {
            self.pass = None;
            self.timed.push(section.into());
        }
    }

    /// Adds a dispatch.
    pub fn run(&mut self, dispatch: &Dispatch) {
        self.work += self.rows;
        self.dispatches += 1;
        #[cfg(test)]
        self.listed.push(dispatch.name());
        if let (Some(part), Some(gpu)) = (self.part, self.splits)
            && self.dispatches > 1
            && (self.dispatches - 1).is_multiple_of(part)
        {
            self.cut(gpu);
        }
        let Some(encoder) = &mut self.encoder else { return };
        let (timer, timed) = (self.timer, &self.timed);
        let pass = self.pass.get_or_insert_with(|| {
            let timestamp_writes =
                timer.filter(|_| !timed.is_empty()).map(|timer| timer.writes(timed.len() as u32 - 1));
            let descriptor = wgpu::ComputePassDescriptor { label: Some("tenter.step"), timestamp_writes };
            encoder.begin_compute_pass(&descriptor).forget_lifetime()
        });
        dispatch.run(pass);
    }

    /// Adds dispatches in order.
    pub fn run_all(&mut self, dispatches: &[Dispatch]) {
        dispatches.iter().for_each(|dispatch| self.run(dispatch));
    }

    /// Allows to cut a long step into two submissions here. Timed steps are not cut, because the numbers of their passes would change.
    pub fn may_split(&mut self) {
        if let (Some(gpu), Some(encoder)) = (self.splits, &mut self.encoder)
            && self.part.is_none()
            && self.work >= MOST_WORK
            && self.timer.is_none()
        {
            self.pass = None;
            let full = std::mem::replace(*encoder, Self::encoder(gpu));
            gpu.queue().submit([full.finish()]);
            self.work = 0;
            self.submissions += 1;
        }
    }

    /// Ends a part.
    fn cut(&mut self, gpu: &Gpu) {
        let Some(encoder) = &mut self.encoder else { return };
        self.pass = None;
        self.parts.push(std::mem::replace(*encoder, Self::encoder(gpu)).finish());
    }

    /// Takes the complete parts, in order. They go before the rest, which is in the encoder.
    pub fn take_parts(&mut self) -> Vec<wgpu::CommandBuffer> {
        std::mem::take(&mut self.parts)
    }

    /// Number of dispatches so far.
    pub fn dispatches(&self) -> u32 {
        self.dispatches
    }

    /// Number of submissions so far.
    pub fn submissions(&self) -> u64 {
        self.submissions
    }

    /// Ends the passes; later commands go straight into the encoder. Returns the timed sections.
    pub fn finish(mut self) -> Vec<Section> {
        self.pass = None;
        self.timed
    }
}

/// Timestamps of sections.
#[derive(Debug)]
pub(crate) struct Timer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    count: u32,
    /// Seconds per tick.
    period: f64,
}

impl Timer {
    /// Timestamps for at most `sections` sections, if the device has them.
    pub fn new(gpu: &Gpu, sections: u32) -> Result<Option<Self>, Error> {
        if !gpu.device().features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return Ok(None);
        }
        let count = 2 * sections;
        gpu.checked(|| {
            let queries = gpu.device().create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("tenter.timer"),
                ty: wgpu::QueryType::Timestamp,
                count,
            });
            let resolved = gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("tenter.timer"),
                size: u64::from(count) * 8,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            });
            Some(Self { queries, resolved, count, period: f64::from(gpu.queue().get_timestamp_period()) * 1e-9 })
        })
    }

    fn writes(&self, part: u32) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(2 * part),
            end_of_pass_write_index: Some(2 * part + 1),
        }
    }

    /// Number of bytes that [`Timer::resolve`] copies.
    pub fn bytes(&self) -> u64 {
        u64::from(self.count) * 8
    }

    /// Copies the first `parts` pairs of timestamps to a buffer.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder, parts: usize, to: &wgpu::Buffer, offset: u64) {
        let count = 2 * parts as u32;
        encoder.resolve_query_set(&self.queries, 0..count, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, to, offset, u64::from(count) * 8);
    }

    /// Sums the timestamps of each section by its number, s. Zeros and negative times, which some drivers give, do not count.
    pub fn read<const COUNT: usize>(&self, sections: &[Section], bytes: &[u8]) -> [f64; COUNT] {
        let mut times = [0.0; COUNT];
        for (&section, pair) in sections.iter().zip(bytes.chunks_exact(16)) {
            let tick = |half: &[u8]| bytemuck::pod_read_unaligned::<u64>(half);
            let seconds = tick(&pair[8..]).saturating_sub(tick(&pair[..8])) as f64 * self.period;
            times[section] += seconds;
        }
        times
    }
}
