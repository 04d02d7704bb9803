#![no_main]

use std::cell::RefCell;
use tenter_fuzz::checkpoint::Target;

thread_local! {
    static TARGET: RefCell<Target> = RefCell::new(Target::new(&tenter::Backend::Cpu));
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET.with_borrow_mut(|target| target.run(data)));
