//! Lists the shaders: every file below `shaders/` is compiled in under its path without the ending.

use std::{env, fs, io, path::Path};

fn main() -> io::Result<()> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("shaders");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut names = Vec::new();
    for folder in fs::read_dir(&root)? {
        let folder = folder?.path();
        for file in fs::read_dir(&folder)? {
            let path = file?.path();
            if path.extension().is_some_and(|ending| ending == "wgsl") {
                let name = path.strip_prefix(&root).map_err(io::Error::other)?.with_extension("");
                names.push((name.to_string_lossy().replace('\\', "/"), path.to_string_lossy().into_owned()));
            }
        }
    }
    names.sort();
    let lines: String = names.iter().map(|(name, path)| format!("    ({name:?}, include_str!({path:?})),\n")).collect();
    let list = format!("&[\n{lines}]\n");
    fs::write(Path::new(&env::var("OUT_DIR").map_err(io::Error::other)?).join("shaders.rs"), list)
}
