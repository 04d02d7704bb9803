#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tenter_fuzz::steps::run(text));
