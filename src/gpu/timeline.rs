//! A sequence of dispatches: in one compute pass, in one pass per section when sections are timed, and in several
//! submissions when it is so long that a driver's watchdog might stop it.

use super::{Dispatch, Gpu};
use crate::Error;

/// Rows × dispatches in one submission, at most. A discrete GPU does that in tens of milliseconds, a slow one in less than the two
/// seconds some drivers allow.
const MOST_WORK: u64 = 1 << 26;

/// Number of a section, by which times are summed.
pub(crate) type Section = usize;

/// A sequence of dispatches in the making.
pub(crate) struct Timeline<'a> {
    /// `None` where dispatches are only counted or listed.
    encoder: Option<&'a mut wgpu::CommandEncoder>,
    /// Set when the encoder is ours: what it holds may then be submitted and a new one begun.
    splits: Option<&'a Gpu>,
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
    /// An encoder of our own.
    pub fn encoder(gpu: &Gpu) -> wgpu::CommandEncoder {
        gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("tenter.step") })
    }

    /// Into an encoder of our own, over so many rows; it may be cut into several submissions.
    pub fn own(gpu: &'a Gpu, encoder: &'a mut wgpu::CommandEncoder, rows: usize, timer: Option<&'a Timer>) -> Self {
        Self { splits: Some(gpu), rows: rows as u64, timer, ..Self::host(encoder) }
    }

    /// Into an encoder that stays one, such as the host's.
    pub fn host(encoder: &'a mut wgpu::CommandEncoder) -> Self {
        Self { encoder: Some(encoder), ..Self::count() }
    }

    /// Nowhere: dispatches are counted, and nothing else.
    pub fn count() -> Self {
        Self {
            encoder: None,
            splits: None,
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

    /// Begins a section: the dispatches that follow belong to it.
    pub fn enter(&mut self, section: impl Into<Section>) {
        if self.timer.is_some() {
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

    /// Adds dispatches, one after the other.
    pub fn run_all(&mut self, dispatches: &[Dispatch]) {
        dispatches.iter().for_each(|dispatch| self.run(dispatch));
    }

    /// Here a long step may be cut into two submissions. Timed ones are not: their passes would lose their place.
    pub fn may_split(&mut self) {
        if let (Some(gpu), Some(encoder)) = (self.splits, &mut self.encoder)
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

    /// Dispatches so far.
    pub fn dispatches(&self) -> u32 {
        self.dispatches
    }

    /// Submissions made so far on the way.
    pub fn submissions(&self) -> u64 {
        self.submissions
    }

    /// Ends the passes; what comes after goes straight into the encoder. Returns the sections that were timed.
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
    /// s per tick
    period: f64,
}

impl Timer {
    /// For at most so many sections, if the device has timestamps.
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

    /// Bytes [`Timer::resolve`] copies.
    pub fn bytes(&self) -> u64 {
        u64::from(self.count) * 8
    }

    /// Copies the first `parts` pairs of timestamps out.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder, parts: usize, to: &wgpu::Buffer, offset: u64) {
        let count = 2 * parts as u32;
        encoder.resolve_query_set(&self.queries, 0..count, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, to, offset, u64::from(count) * 8);
    }

    /// Sums the timestamps of each section by its number, s. Some drivers give zeros or go backwards: those count as nothing.
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
