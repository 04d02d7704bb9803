//! Waiting. The core only ever awaits: a future that waits for the GPU says on this thread which submission it needs. Natively [`drive`] polls the device until
//! that is done; in a browser the event loop goes on by itself, and blocking calls are refused.

use super::Gpu;
use crate::Error;
use futures_channel::oneshot::Receiver;
use std::{
    cell::RefCell,
    pin::{Pin, pin},
    sync::atomic::{AtomicU64, Ordering},
    task::{Context, Poll},
    time::Duration,
};

/// What a future on this thread waits for.
// A browser's event loop needs to know nothing of it.
#[cfg_attr(target_arch = "wasm32", expect(dead_code))]
struct Awaited {
    submission: wgpu::SubmissionIndex,
    /// What it brings, for errors.
    what: &'static str,
    /// Tells one wait from the next.
    ticket: u64,
}

thread_local! {
    static AWAITED: RefCell<Option<Awaited>> = const { RefCell::new(None) };
    /// Why the future on this thread is not to wait any longer.
    static VERDICT: RefCell<Option<Error>> = const { RefCell::new(None) };
}

/// What comes back with a submission, once it is done. `None` if the sender is gone.
pub async fn arrival<T>(
    receiver: &mut Receiver<T>,
    submission: &wgpu::SubmissionIndex,
    what: &'static str,
) -> Result<Option<T>, Error> {
    static NEXT_TICKET: AtomicU64 = AtomicU64::new(0);
    let ticket = NEXT_TICKET.fetch_add(1, Ordering::Relaxed);
    std::future::poll_fn(|context| match Pin::new(&mut *receiver).poll(context) {
        Poll::Ready(sent) => Poll::Ready(Ok(sent.ok())),
        Poll::Pending => match VERDICT.take() {
            Some(error) => Poll::Ready(Err(error)),
            None => {
                AWAITED.replace(Some(Awaited { submission: submission.clone(), what, ticket }));
                Poll::Pending
            }
        },
    })
    .await
}

#[cfg(not(target_arch = "wasm32"))]
pub use native::{at_once, drive};

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::*;
    use std::{
        sync::Arc,
        task::{Wake, Waker},
        thread::Thread,
        time::Instant,
    };

    /// How often a callback is looked for that another thread is about to run.
    const GLANCE: Duration = Duration::from_micros(100);

    /// Wakes a thread.
    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    /// Runs a future to its end on this thread; whenever it has to wait, so does `wait`.
    fn run<T>(future: impl Future<Output = T>, mut wait: impl FnMut()) -> T {
        let mut future = pin!(future);
        let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
        let mut context = Context::from_waker(&waker);
        (AWAITED.take(), VERDICT.take());
        loop {
            if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
                return result;
            }
            wait();
        }
    }

    /// Runs a future that waits for no submission, but for the operating system at most.
    pub fn at_once<T>(future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        run(future, std::thread::park)
    }

    /// Runs a future to its end, polling the device whenever the future waits for a submission. A wait that takes longer than the time limit ends in an
    /// error inside the future, which leaves everything as it would after any other error.
    pub fn drive<T>(gpu: &Gpu, limit: Duration, future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        // The wait whose submission is done, and since when: its callback is still to come.
        let mut done: Option<(u64, Instant)> = None;
        run(future, || {
            let begin = Instant::now();
            match AWAITED.take() {
                Some(awaited) => {
                    let since = done.filter(|(ticket, _)| *ticket == awaited.ticket).map(|(_, since)| since);
                    let ticket = awaited.ticket;
                    VERDICT.replace(wait_for(gpu, awaited, limit, since).err());
                    done = Some((ticket, since.unwrap_or_else(Instant::now)));
                }
                // An error scope that has not answered. It wakes this thread.
                None => std::thread::park_timeout(GLANCE),
            }
            gpu.note_wait(begin.elapsed());
        })
    }

    /// Waits for a submission. Where it has been done for some time, another thread polls the same device and is about to run the callback; a lost device has
    /// none to run.
    fn wait_for(gpu: &Gpu, awaited: Awaited, limit: Duration, done: Option<Instant>) -> Result<(), Error> {
        if let Some(since) = done {
            if since.elapsed() > limit {
                gpu.faults().check()?;
                return Err(Error::DeviceLost("the mapping never came back".to_owned()));
            }
            std::thread::park_timeout(GLANCE);
        }
        let Awaited { submission, what, .. } = awaited;
        let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(limit) };
        match gpu.poll_device(wait)? {
            true => Ok(()),
            false => Err(Error::Timeout { what, seconds: limit.as_secs_f64() }),
        }
    }
}

#[cfg(target_arch = "wasm32")]
pub use browser::{at_once, drive};

#[cfg(target_arch = "wasm32")]
mod browser {
    use super::*;
    use std::task::Waker;

    /// Runs a future that need not wait. Any other is refused.
    pub fn at_once<T>(future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => result,
            Poll::Pending => {
                Err(Error::Usage("a browser cannot wait for the GPU: await the async form of this call".to_owned()))
            }
        }
    }

    /// As [`at_once`]: there is no waiting in a browser.
    pub fn drive<T>(_: &Gpu, _: Duration, future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        at_once(future)
    }
}
