//! Calls to wgpu, and the errors of calls that it refuses. Nothing here waits.
//!
//! Error scopes report at once natively, and later in a browser. Scopes that have not reported are kept until the next call, or until
//! [`Gpu::settle`] awaits them.

use super::Gpu;
use crate::{Error, inject};
use std::{
    pin::Pin,
    sync::{Mutex, PoisonError},
    task::{Context, Poll, Waker},
};

#[cfg(not(target_arch = "wasm32"))]
type Answer = Pin<Box<dyn Future<Output = Option<wgpu::Error>> + Send>>;
#[cfg(target_arch = "wasm32")]
type Answer = Pin<Box<dyn Future<Output = Option<wgpu::Error>>>>;

/// Error scopes that were popped and have not reported yet, oldest first.
#[derive(Default)]
pub struct Scopes {
    answers: Mutex<Vec<Answer>>,
    /// The future that awaits all of them. Whoever polls the answers in between does so in its name, or it would not be woken.
    waiting: Mutex<Option<Waker>>,
}

impl std::fmt::Debug for Scopes {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Scopes").finish_non_exhaustive()
    }
}

impl Scopes {
    fn push(&self, answer: Answer) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
    }

    /// Sets who is woken when a scope reports.
    fn await_in(&self, waiting: Option<Waker>) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = waiting;
    }

    /// The oldest error of the scopes that have reported.
    fn poll(&self) -> Result<(), wgpu::Error> {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let context = &mut Context::from_waker(waiting.as_ref().unwrap_or(Waker::noop()));
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let count = answers.len();
        let mut refused = None;
        answers.retain_mut(|answer| match answer.as_mut().poll(context) {
            Poll::Ready(error) => {
                refused = refused.take().or(error);
                false
            }
            Poll::Pending => true,
        });
        if let (true, Some(waiting)) = (answers.len() < count, waiting) {
            waiting.wake();
        }
        refused.map_or(Ok(()), Err)
    }

    fn is_empty(&self) -> bool {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

/// Fails where a test wants calls to fail.
fn refusable() -> Result<(), Error> {
    if inject::due() { Err(Error::Gpu("injected".to_owned())) } else { Ok(()) }
}

/// Makes calls to the host's encoder. wgpu panics if the encoder belongs to a device of another `wgpu::Instance`; this function catches the panic.
pub fn into_hosts<T>(calls: impl FnOnce() -> T) -> Result<T, Error> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(calls)).map_err(|_| {
        Error::Usage("the encoder is not of the simulation's device: create it with Simulation::gpu()".to_owned())
    })
}

impl Gpu {
    /// Makes calls of the set-up in error scopes, on any device: scopes take precedence over callbacks. Natively an error belongs to these calls. In a browser it may
    /// belong to earlier calls, and an error of these calls is reported later, by [`Gpu::settle`] at the latest.
    pub(crate) fn checked<T>(&self, calls: impl FnOnce() -> T) -> Result<T, Error> {
        refusable()?;
        let scopes = [wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Internal]
            .map(|filter| self.device().push_error_scope(filter));
        let value = calls();
        let [validation, memory, internal] = scopes;
        // Scopes are a stack: they are popped now, in this order, whenever they report.
        let answers = [internal.pop(), memory.pop(), validation.pop()];
        let mut answer: Answer = Box::pin(async move {
            let mut refused = None;
            for answer in answers {
                refused = answer.await.or(refused);
            }
            refused
        });
        let context = &mut Context::from_waker(Waker::noop());
        match answer.as_mut().poll(context) {
            Poll::Ready(refused) => {
                self.faults().check_lost()?;
                if let Some(error) = refused {
                    return Err(self.explained(error.into()));
                }
            }
            Poll::Pending => {
                self.scopes().push(answer);
                self.check_scopes()?;
            }
        }
        Ok(value)
    }

    /// Makes calls of a step. On a device that tenter opened the callback for uncaptured errors receives refusals of wgpu; on the host's device error scopes do.
    pub(crate) fn issue<T>(&self, calls: impl FnOnce() -> T) -> Result<T, Error> {
        if self.is_hosts() {
            return self.checked(calls);
        }
        refusable()?;
        let count = self.faults().count();
        let value = calls();
        self.faults().check_since(count).map_err(|error| self.explained(error))?;
        Ok(value)
    }

    /// Makes calls that give something back. What wgpu says of them is of no use: if the device is gone, the next call says so.
    pub(crate) fn release(&self, calls: impl FnOnce()) {
        let scopes = [wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Internal]
            .map(|filter| self.device().push_error_scope(filter));
        calls();
        scopes.into_iter().rev().for_each(|scope| drop(scope.pop()));
    }

    /// Waits until all error scopes have reported.
    pub(crate) async fn settle(&self) -> Result<(), Error> {
        std::future::poll_fn(|context| {
            self.scopes().await_in(Some(context.waker().clone()));
            match self.check_scopes() {
                Ok(()) if !self.scopes().is_empty() => Poll::Pending,
                result => {
                    self.scopes().await_in(None);
                    Poll::Ready(result)
                }
            }
        })
        .await
    }

    fn check_scopes(&self) -> Result<(), Error> {
        let answers = self.scopes().poll();
        self.faults().check_lost()?;
        answers.map_err(|error| self.explained(error.into()))
    }
}
