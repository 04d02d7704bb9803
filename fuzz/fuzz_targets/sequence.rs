#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tenter_fuzz::sequence::run(data, &[tenter::Backend::Cpu]));
