//! Costs of all steps so far.

/// Counters for reports; no step depends on them.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Number of dispatches of the last submitted step.
    pub dispatches: u32,
    /// Number of dispatches since the start.
    pub all_dispatches: u64,
    /// Number of dispatches with work to do, in steps whose records were read.
    pub used_dispatches: u64,
    /// Number of submissions; each step in the host's encoder counts as one.
    pub submissions: u64,
    /// Number of waits of the host during which the GPU was idle.
    pub host_waits: u64,
}
