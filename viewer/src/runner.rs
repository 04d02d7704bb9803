//! Drives the worker's future: natively on a thread of its own, in a browser by the event loop.

use crate::{
    link::Link,
    worker::{self, Surroundings},
};
use std::sync::Arc;

/// Starts the worker.
#[cfg(not(target_arch = "wasm32"))]
pub fn start(surroundings: Surroundings, link: Arc<Link>) {
    use std::{
        pin::pin,
        task::{Context, Poll, Wake, Waker},
        thread::{self, Thread},
        time::Duration,
    };

    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    /// Time between two polls of the device while something is awaited.
    const GLANCE: Duration = Duration::from_micros(500);

    let drive = move || {
        let gpu = surroundings.gpu.clone();
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        let mut context = Context::from_waker(&waker);
        let mut future = pin!(worker::run(surroundings, link));
        while future.as_mut().poll(&mut context) == Poll::Pending {
            // A lost device is reported by the call that meets it.
            let _ = gpu.poll();
            thread::park_timeout(GLANCE);
        }
    };
    if let Err(error) = thread::Builder::new().name("simulation".to_owned()).spawn(drive) {
        log::error!("no thread for the simulation: {error}");
    }
}

/// Starts the worker.
#[cfg(target_arch = "wasm32")]
pub fn start(surroundings: Surroundings, link: Arc<Link>) {
    wasm_bindgen_futures::spawn_local(worker::run(surroundings, link));
}
