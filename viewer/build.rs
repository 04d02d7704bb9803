//! Lists the built-in scenes. Those that name files of their own are left out: a browser has none.

use std::{env, fs, io, path::Path};

fn main() -> io::Result<()> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("../scenes");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut list = String::new();
    let mut paths: Vec<_> = fs::read_dir(&root)?.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "toml")) {
        let text = fs::read_to_string(path)?;
        if text.lines().any(|line| line.trim_start().starts_with("file =")) {
            continue;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        list += &format!("    BuiltIn {{ name: {name:?}, text: include_str!({:?}) }},\n", path.canonicalize()?);
    }
    fs::write(Path::new(&env::var("OUT_DIR").map_err(io::Error::other)?).join("scenes.rs"), format!("&[\n{list}]\n"))
}
