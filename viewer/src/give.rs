//! Files that are saved.

/// Writes a file into the present folder, beside an earlier one of its name. Returns where it went.
pub fn give(name: &str, bytes: &[u8]) -> Result<String, String> {
    let stem = std::path::Path::new(name);
    // An earlier file is not written over.
    let free = (0..10_000).map(|ix| match (ix, stem.file_stem(), stem.extension()) {
        (0, _, _) => stem.to_owned(),
        (ix, Some(stem), Some(ending)) => {
            format!("{}-{ix}.{}", stem.to_string_lossy(), ending.to_string_lossy()).into()
        }
        (ix, _, _) => format!("{name}-{ix}").into(),
    });
    let path = free.into_iter().find(|path| !path.exists()).ok_or("no free name")?;
    std::fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path.display().to_string())
}
