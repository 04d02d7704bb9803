//! All that a benchmark has to say, as it is printed, saved and read again. There is no date in it: the same run twice differs in
//! measured numbers only.

use super::{comparison::Comparison, row::Row};
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
    /// What the copy kernel moves, bytes read and written per second.
    pub copy_bandwidth: f64,
    /// ns per vec4 it copies: on a software driver that takes instructions, not memory.
    pub copy_ns_per_element: f64,
    /// µs per dispatch of next to nothing.
    pub launch_us: f64,
    pub rows: Vec<Row>,
    /// Looking for contacts on the CPU, where a workload has any.
    #[serde(default)]
    pub contact_tests: Vec<ContactTests>,
    /// Workloads that did not run.
    #[serde(default)]
    pub failed: Vec<FailedRow>,
    /// With an earlier report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

/// How fast particles are tested against colliders.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ContactTests {
    /// Where the particles are.
    pub situation: String,
    /// Pairs of a particle and a collider.
    pub pairs_per_second: f64,
}

/// A workload that did not run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FailedRow {
    pub name: String,
    pub error: String,
}

impl Report {
    /// The head of a report, without rows.
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
            contact_tests: Vec::new(),
            failed: Vec::new(),
            comparison: None,
        }
    }

    /// Reads what `--save` wrote.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let refuse = |line, message: String| Error::File { path: path.to_owned(), line, field: String::new(), message };
        let text = std::fs::read_to_string(path).map_err(|error| refuse(None, error.to_string()))?;
        let report: Self = serde_json::from_str(&text).map_err(|error| {
            refuse(Some(error.line()), format!("not a report that `tenter bench --save` wrote: {error}"))
        })?;
        match report.rows.iter().find(|row| !(row.ms_per_step.is_finite() && row.ms_per_step > 0.0)) {
            Some(row) => Err(refuse(None, format!("{} cannot take {} ms per step", row.name, row.ms_per_step))),
            None => Ok(report),
        }
    }
}
