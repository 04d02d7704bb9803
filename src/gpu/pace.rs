//! Pace: a step in several short submissions, which a host with frames to draw lets go one by one.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Poll, Waker},
};

/// The pace of a simulation whose device also draws: its steps are cut at dispatches into short submissions, and each waits until the host allows it. The
/// dispatches and their order stay the same, and so do the bits. A clone is the same pace.
///
/// The host drives the async calls of a simulation, such as [`step_async`](crate::Simulation::step_async), and calls [`allow`](Self::allow) for every frame.
/// A blocking call with a pace waits until another thread allows its submissions.
///
/// ```
/// use tenter::{Body, Gpu, Material, Mesh, Options, Pace, Scene, Simulation, Vertices};
/// # fn main() -> Result<(), tenter::Error> {
/// # let mut scene = Scene::new();
/// # let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 8, 8), Material::cotton()));
/// # scene.pin(cloth, Vertices::corners());
/// let pace = Pace::new(4);
/// let mut simulation = Simulation::new(&Gpu::headless()?, &scene, Options::default())?;
/// simulation.set_pace(Some(pace.clone()));
/// // A thread with a window would allow some submissions before each frame.
/// pace.allow(u32::MAX);
/// simulation.step()?;
/// assert!(pace.submissions() > 1);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Pace(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// Largest number of dispatches in a submission.
    dispatches: u32,
    /// Submissions that may still go.
    allowed: u32,
    /// The future that waits for its turn.
    waiting: Option<Waker>,
    submissions: u64,
    done: u64,
}

impl Pace {
    /// A pace of at most `dispatches` dispatches to a submission. Nothing is allowed yet.
    pub fn new(dispatches: u32) -> Self {
        let dispatches = dispatches.max(1);
        Self(Arc::new(Mutex::new(State { dispatches, allowed: 0, waiting: None, submissions: 0, done: 0 })))
    }

    /// Changes the largest number of dispatches in a submission, from the next step on.
    pub fn set_dispatches(&self, dispatches: u32) {
        self.state().dispatches = dispatches.max(1);
    }

    /// Largest number of dispatches in a submission.
    pub fn dispatches(&self) -> u32 {
        self.state().dispatches
    }

    /// Allows this many submissions from now on, in place of those that were allowed before and did not happen.
    pub fn allow(&self, submissions: u32) {
        let mut state = self.state();
        state.allowed = submissions;
        // Who waits is woken only when there is something to take: a waker that is taken and dropped never comes back.
        if submissions > 0
            && let Some(waiting) = state.waiting.take()
        {
            drop(state);
            waiting.wake();
        }
    }

    /// Submissions so far.
    pub fn submissions(&self) -> u64 {
        self.state().submissions
    }

    /// Submissions that the device has not finished, as known when it was last polled.
    pub fn under_way(&self) -> u64 {
        let state = self.state();
        state.submissions - state.done
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a submission is allowed, and takes it.
    pub(crate) async fn turn(&self) {
        std::future::poll_fn(|context| {
            let mut state = self.state();
            if state.allowed == 0 {
                state.waiting = Some(context.waker().clone());
                return Poll::Pending;
            }
            state.allowed -= u32::from(state.allowed != u32::MAX);
            Poll::Ready(())
        })
        .await;
    }

    /// Counts a submission that has just gone.
    pub(crate) fn count(&self, queue: &wgpu::Queue) {
        self.state().submissions += 1;
        let pace = self.clone();
        queue.on_submitted_work_done(move || pace.state().done += 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Collider, Gpu, Material, Mesh, Options, Scene, Simulation, Vertices, glam::Vec3};
    use std::{pin::pin, task::Context};

    fn scene() -> Scene {
        let mut scene = Scene::new();
        let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 10, 9), Material::cotton()));
        scene.pin(cloth, Vertices::list([0]));
        scene.add_collider(Collider::sphere([0.0, -0.31, 0.0], 0.3));
        scene
    }

    /// Positions after some steps, and the number of submissions.
    fn run(gpu: &Gpu, pace: Option<Pace>) -> (Vec<Vec3>, u64) {
        let mut simulation = Simulation::new(gpu, &scene(), Options::default()).unwrap();
        simulation.set_pace(pace);
        simulation.step_many(6).unwrap();
        (simulation.positions().unwrap().to_vec(), simulation.costs().submissions)
    }

    #[test]
    fn a_step_in_parts_has_the_same_bits() {
        let gpu = Gpu::headless().unwrap();
        let (whole, submissions) = run(&gpu, None);
        for dispatches in [1, 7] {
            let pace = Pace::new(dispatches);
            pace.allow(u32::MAX);
            let (parts, cut) = run(&gpu, Some(pace.clone()));
            assert_eq!(parts, whole, "{dispatches}");
            assert!(cut > 2 * submissions && pace.submissions() > 12, "{dispatches}: {cut} and {submissions}");
        }
    }

    #[test]
    fn who_waits_is_woken_after_a_frame_that_allows_nothing() {
        struct Noted(std::sync::atomic::AtomicBool);
        impl std::task::Wake for Noted {
            fn wake(self: Arc<Self>) {
                self.0.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        }
        let pace = Pace::new(4);
        let noted = Arc::new(Noted(false.into()));
        let waker = Waker::from(noted.clone());
        let mut turn = pin!(pace.turn());
        assert!(turn.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        pace.allow(0);
        assert!(!noted.0.load(std::sync::atomic::Ordering::Relaxed));
        pace.allow(1);
        assert!(noted.0.load(std::sync::atomic::Ordering::Relaxed));
        assert!(turn.as_mut().poll(&mut Context::from_waker(&waker)).is_ready());
    }

    #[test]
    fn nothing_goes_that_is_not_allowed() {
        let gpu = Gpu::headless().unwrap();
        let mut simulation = Simulation::new(&gpu, &scene(), Options::default()).unwrap();
        let pace = Pace::new(5);
        simulation.set_pace(Some(pace.clone()));
        let mut step = pin!(simulation.step_async());
        let mut context = Context::from_waker(Waker::noop());
        let mut frames = 0;
        loop {
            let done = step.as_mut().poll(&mut context).is_ready();
            assert!(pace.submissions() <= 2 * frames, "{} submissions after {frames} frames", pace.submissions());
            if done {
                break;
            }
            gpu.poll().unwrap();
            pace.allow(2);
            frames += 1;
        }
        assert!(frames > 2, "{frames}");
    }
}
