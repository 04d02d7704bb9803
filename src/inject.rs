//! Fault injection: tests let the n-th call that the system may refuse fail. Outside of unit tests nothing ever fails here, and the compiler removes all of it.
//!
//! Counted are calls to wgpu, allocations, read-backs and waits (`gpu/`), and files that are created, written, flushed and renamed (`io/draft.rs`), on the thread of the test.

/// Whether a call fails that the system could refuse. Counts the call.
#[cfg(not(test))]
#[inline(always)]
pub const fn due() -> bool {
    false
}

#[cfg(test)]
pub use tests::{count, due, failing};

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    thread_local! {
        /// Calls so far, and the number of the one that fails.
        static CALLS: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
    }

    /// Whether this call fails.
    pub fn due() -> bool {
        let (calls, fails) = CALLS.get();
        CALLS.set((calls + 1, fails));
        calls + 1 == fails
    }

    /// Number of calls that a run makes.
    pub fn count(run: impl FnOnce()) -> u64 {
        failing(0, run);
        CALLS.get().0
    }

    /// A run whose n-th call fails, counted from 1.
    pub fn failing<T>(n: u64, run: impl FnOnce() -> T) -> T {
        CALLS.set((0, n));
        let result = run();
        CALLS.set((CALLS.get().0, 0));
        result
    }

    #[test]
    fn one_call_fails() {
        assert_eq!(count(|| (0..5).for_each(|_| assert!(!due()))), 5);
        let found: Vec<bool> = failing(3, || (0..5).map(|_| due()).collect());
        assert_eq!(found, [false, false, true, false, false]);
        assert!(!due());
    }
}
