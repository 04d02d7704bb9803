//! How much of a step may go between two frames: as much as leaves the interface its rate.
//!
//! Now and then a frame goes without any part of a step. How long such a frame takes is what the interface costs by itself; frames with parts of a step may take
//! a little longer, or twice as long where the interface alone is slow, as on a driver without a GPU.

use tenter::Pace;

/// Frames that are longer than this make the next ones shorter, s; shorter ones let more go.
const LONG: f64 = 0.045;
const SHORT: f64 = 0.025;
/// The same as multiples of what the interface takes by itself.
const LONG_PART: f64 = 2.2;
const SHORT_PART: f64 = 1.7;
/// Frames from one without a part of a step to the next.
const EVERY: u64 = 25;
/// Submissions to a frame at which their dispatches become more.
const MANY: f64 = 12.0;
const FEWEST_DISPATCHES: u32 = 8;
const MOST_DISPATCHES: u32 = 512;

/// Submissions to a frame.
pub struct Grants {
    submissions: f64,
    before: u64,
    frames: u64,
    /// Time of a frame without a part of a step, s.
    alone: f64,
}

impl Default for Grants {
    fn default() -> Self {
        Self { submissions: 4.0, before: 0, frames: 0, alone: 0.02 }
    }
}

impl Grants {
    /// A frame has begun; the last one took so long, s.
    pub fn frame(&mut self, seconds: f64, pace: &Pace) {
        let gone = pace.submissions() - self.before;
        self.before = pace.submissions();
        self.frames += 1;
        let long = LONG.max(LONG_PART * self.alone);
        let short = SHORT.max(SHORT_PART * self.alone);
        if gone == 0 {
            self.alone += 0.3 * (seconds.min(0.5) - self.alone);
        } else if seconds > long {
            self.submissions = (0.7 * self.submissions).max(0.5);
        } else if seconds < short && gone as f64 >= self.submissions.floor() {
            self.submissions *= 1.3;
        }
        if self.submissions > MANY && pace.dispatches() < MOST_DISPATCHES {
            self.submissions /= 2.0;
            pace.set_dispatches(2 * pace.dispatches());
        } else if self.submissions < 1.0 && pace.dispatches() > FEWEST_DISPATCHES {
            self.submissions *= 2.0;
            pace.set_dispatches(pace.dispatches() / 2);
        }
        let most = if self.frames.is_multiple_of(EVERY) { 0 } else { self.submissions.max(1.0) as u64 };
        pace.allow(most.saturating_sub(pace.under_way()).min(4096) as u32);
    }
}
