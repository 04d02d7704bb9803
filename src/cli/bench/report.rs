//! Benchmark report, as it is printed, saved and read again. It has no date: two equal runs differ in measured numbers only.

use super::{comparison::Comparison, meetings::MeetingRow, row::WorkloadRow, solved::SolvedRow};
use crate::{Error, Gpu, bench::copy::Copy, cli::adapter_text};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A benchmark's results on an adapter.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// Version of this program.
    pub tenter: String,
    pub adapter: String,
    pub driver: String,
    /// API that wgpu uses.
    pub backend: String,
    pub device_type: String,
    /// Bandwidth of the copy kernel, bytes read and written per second.
    pub copy_bandwidth: f64,
    /// Time per vec4 of the copy kernel, ns; a software driver is limited by instructions, not memory.
    pub copy_ns_per_element: f64,
    /// Time of an almost empty dispatch, µs.
    pub launch_us: f64,
    pub rows: Vec<WorkloadRow>,
    /// Scenes solved to a tolerance, one row per preconditioner.
    #[serde(default)]
    pub solved: Vec<SolvedRow>,
    /// Scenes of contact between bodies, one row per backend.
    #[serde(default)]
    pub meetings: Vec<MeetingRow>,
    /// Speed of collision detection on the CPU, for workloads with contacts.
    #[serde(default)]
    pub contact_tests: Vec<ContactTests>,
    /// Workloads that failed.
    #[serde(default)]
    pub failed: Vec<FailedRow>,
    /// Comparison with an earlier report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

/// Speed of collision detection in one situation.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ContactTests {
    /// Positions of the particles relative to the collider.
    pub situation: String,
    /// Pairs of a particle and a collider tested per second.
    pub pairs_per_second: f64,
}

/// A workload that failed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FailedRow {
    pub name: String,
    pub error: String,
}

impl Report {
    /// A report without rows.
    pub fn new(gpu: &Gpu, copy: &Copy) -> Self {
        let info = gpu.info();
        Self {
            tenter: env!("CARGO_PKG_VERSION").to_owned(),
            adapter: info.name.clone(),
            driver: adapter_text::driver(info),
            backend: info.backend.to_string(),
            device_type: adapter_text::device_type(info).to_owned(),
            copy_bandwidth: copy.bandwidth,
            copy_ns_per_element: copy.ns_per_element,
            launch_us: copy.launch_us,
            rows: Vec::new(),
            solved: Vec::new(),
            meetings: Vec::new(),
            contact_tests: Vec::new(),
            failed: Vec::new(),
            comparison: None,
        }
    }

    /// Name and time per step, ms, of every row.
    pub fn times(&self) -> impl Iterator<Item = (&str, f64)> {
        let solved = self.solved.iter().map(|row| (row.name.as_str(), row.ms_per_step));
        let meetings = self.meetings.iter().map(|row| (row.name.as_str(), row.ms_per_step));
        self.rows.iter().map(|row| (row.name.as_str(), row.ms_per_step)).chain(solved).chain(meetings)
    }

    /// Reads a report written by `--save`.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let refuse = |line, message: String| Error::File { path: path.to_owned(), line, field: String::new(), message };
        let text = std::fs::read_to_string(path).map_err(|error| refuse(None, error.to_string()))?;
        let report: Self = serde_json::from_str(&text).map_err(|error| {
            refuse(Some(error.line()), format!("not a report that `tenter bench --save` wrote: {error}"))
        })?;
        if let Some((name, ms)) = report.times().find(|(_, ms)| !(ms.is_finite() && *ms > 0.0)) {
            return Err(refuse(None, format!("{name} cannot take {ms} ms per step")));
        }
        Ok(report)
    }
}
