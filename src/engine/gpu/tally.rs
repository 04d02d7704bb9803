//! What steps have cost so far.

/// Counters that change nothing.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Dispatches of the last step that was submitted.
    pub dispatches: u32,
    /// Dispatches since the start.
    pub all_dispatches: u64,
    /// Dispatches that had something to do, of steps that have come back.
    pub used_dispatches: u64,
    /// Submissions so far; each step in the host's encoder counts as one.
    pub submissions: u64,
    /// How often the GPU had nothing to do while the host waited.
    pub host_waits: u64,
}
