#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tenter_fuzz::read(data, tenter::io::MeshFormat::Obj));
