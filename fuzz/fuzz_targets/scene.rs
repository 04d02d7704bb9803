#![no_main]

use tenter::{Error, SceneFile};

libfuzzer_sys::fuzz_target!(|text: &str| {
    // What begins as JSON is read as JSON.
    let name = if text.trim_start().starts_with('{') { "fuzz.json" } else { "fuzz.toml" };
    if let Err(error) = SceneFile::parse(text, name) {
        assert!(matches!(error, Error::File { .. }), "{error:?}");
    }
});
