#![no_main]

use tenter::{Error, SceneFile};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Err(error) = SceneFile::parse(text, "fuzz.toml") {
        assert!(matches!(error, Error::File { .. }), "{error:?}");
    }
});
