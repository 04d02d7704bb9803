#![no_main]

use tenter::io::MeshFile;

// Both files in one, cut at the first zero.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some((&first, bytes)) = data.split_first() {
        let mut parts = bytes.splitn(2, |&byte| byte == 0);
        let (node, ele) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        tenter_fuzz::check(MeshFile::parse_tetgen(node, ele, "fuzz", &tenter_fuzz::options(first)));
    }
});
