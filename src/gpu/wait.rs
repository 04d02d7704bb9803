//! Waiting. The core only awaits: a future that waits for the GPU registers the submission it needs on its thread. Natively [`drive`] polls the device until
//! that submission is done; in a browser the event loop continues by itself, and blocking calls are refused.

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

/// The submission that a future on this thread waits for.
// A browser's event loop does not need it.
#[cfg_attr(target_arch = "wasm32", expect(dead_code))]
struct Awaited {
    gpu: Gpu,
    submission: wgpu::SubmissionIndex,
    /// Name of the awaited data, for errors.
    what: &'static str,
    /// Number that distinguishes one wait from the next.
    ticket: u64,
}

/// State shared by a future and the function that drives it.
#[derive(Default)]
struct Drive {
    /// The submission that the future waits for.
    awaited: Option<Awaited>,
    /// Ticket of a wait that must end, and its error.
    verdict: Option<(u64, Error)>,
}

thread_local! {
    /// Set while a future is driven on this thread, and cleared afterwards: a device must not be dropped when a thread ends.
    static DRIVE: RefCell<Option<Drive>> = const { RefCell::new(None) };
}

/// Waits for the value that is sent after a submission is done. `None` if the sender is gone.
pub async fn arrival<T>(
    gpu: &Gpu,
    receiver: &mut Receiver<T>,
    submission: &wgpu::SubmissionIndex,
    what: &'static str,
) -> Result<Option<T>, Error> {
    static NEXT_TICKET: AtomicU64 = AtomicU64::new(0);
    let ticket = NEXT_TICKET.fetch_add(1, Ordering::Relaxed);
    std::future::poll_fn(|context| match Pin::new(&mut *receiver).poll(context) {
        Poll::Ready(sent) => Poll::Ready(Ok(sent.ok())),
        Poll::Pending => DRIVE.with_borrow_mut(|drive| {
            let Some(drive) = drive else { return Poll::Pending };
            if let Some((_, error)) = drive.verdict.take().filter(|(of, _)| *of == ticket) {
                return Poll::Ready(Err(error));
            }
            drive.awaited = Some(Awaited { gpu: gpu.clone(), submission: submission.clone(), what, ticket });
            Poll::Pending
        }),
    })
    .await
}

#[cfg(not(target_arch = "wasm32"))]
pub use native::drive;

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::*;
    use std::{
        sync::Arc,
        task::{Wake, Waker},
        thread::Thread,
        time::Instant,
    };

    /// Polling interval for a callback that another thread is about to run.
    const GLANCE: Duration = Duration::from_micros(100);

    /// Restores the previous driver of the thread, also after a panic.
    struct Driven(Option<Drive>);

    impl Drop for Driven {
        fn drop(&mut self) {
            DRIVE.set(self.0.take());
        }
    }

    /// Wakes a thread.
    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    /// Runs a future to its end on this thread, polling the device whenever the future waits for a submission. A wait that takes longer than the time limit ends in
    /// an error inside the future, which leaves everything as it would after any other error.
    pub fn drive<T>(limit: Duration, future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let mut future = pin!(future);
        let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
        let mut context = Context::from_waker(&waker);
        let _driven = Driven(DRIVE.replace(Some(Drive::default())));
        // The wait whose submission is done and whose callback has not run yet, and since when.
        let mut done: Option<(u64, Instant)> = None;
        loop {
            if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
                return result;
            }
            let Some(awaited) = DRIVE.with_borrow_mut(|drive| drive.as_mut().and_then(|drive| drive.awaited.take()))
            else {
                // The future waits for the operating system or for an error scope, which wakes this thread.
                std::thread::park_timeout(GLANCE);
                continue;
            };
            let begin = Instant::now();
            let since = done.filter(|(ticket, _)| *ticket == awaited.ticket).map(|(_, since)| since);
            let verdict = awaited.wait(limit, since).err().map(|error| (awaited.ticket, error));
            DRIVE.with_borrow_mut(|drive| {
                if let Some(drive) = drive {
                    drive.verdict = verdict;
                }
            });
            done = Some((awaited.ticket, since.unwrap_or_else(Instant::now)));
            awaited.gpu.note_wait(begin.elapsed());
        }
    }

    impl Awaited {
        /// Waits for the submission. If it has been done for some time, another thread polls the same device and is about to run the callback; a lost device
        /// has no callback to run.
        fn wait(&self, limit: Duration, done: Option<Instant>) -> Result<(), Error> {
            if let Some(since) = done {
                if since.elapsed() > limit {
                    self.gpu.check()?;
                    return Err(Error::DeviceLost("the mapping never came back".to_owned()));
                }
                std::thread::park_timeout(GLANCE);
            }
            let submission_index = Some(self.submission.clone());
            match self.gpu.poll_device(wgpu::PollType::Wait { submission_index, timeout: Some(limit) })? {
                true => Ok(()),
                false => Err(Error::Timeout { what: self.what, seconds: limit.as_secs_f64() }),
            }
        }
    }
}

#[cfg(target_arch = "wasm32")]
pub use browser::drive;

#[cfg(target_arch = "wasm32")]
mod browser {
    use super::*;
    use std::task::Waker;

    /// Runs a future that need not wait, and refuses any other.
    pub fn drive<T>(_: Duration, future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => result,
            Poll::Pending => {
                Err(Error::Usage("a browser cannot wait for the GPU: await the async form of this call".to_owned()))
            }
        }
    }
}
