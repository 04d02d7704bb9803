//! glTF 2.0. The `gltf` crate parses and validates the JSON; references that it does not check are checked here first.

mod buffers;
mod scene;

use super::raw::{Raw, Wrong};
use buffers::Buffers;
use gltf::json::{Root, mesh::Semantic, validation::Checked};
use std::path::Path;

/// Parses a file, JSON or binary. `folder` may contain its other files; `None` forbids them.
pub(super) fn parse(bytes: &[u8], folder: Option<&Path>) -> Result<Raw, Wrong> {
    let (text, blob) = if bytes.starts_with(b"glTF") { chunks(bytes)? } else { (bytes, None) };
    let mut root = Root::from_slice(text).map_err(|error| {
        // Line numbers in a binary file's JSON are not those of the file.
        let wrong = Wrong::new(error.to_string());
        if blob.is_none() && error.line() > 0 { wrong.at(error.line()) } else { wrong }
    })?;
    for (ix, mesh) in root.meshes.iter_mut().enumerate() {
        for (place, primitive) in mesh.primitives.iter_mut().enumerate() {
            // Application-specific attributes are allowed, but invalid for the crate.
            primitive.attributes.remove(&Checked::Invalid);
            // The crate's validation indexes this accessor without a check.
            let position = primitive.attributes.get(&Checked::Valid(Semantic::Positions));
            if position.is_some_and(|position| position.value() >= root.accessors.len()) {
                let message =
                    format!("names an accessor for positions that is not there: there are {}", root.accessors.len());
                return Err(Wrong::new(message).of(format!("mesh {ix}, primitive {place}")));
            }
        }
    }
    let document = gltf::Document::from_json(root).map_err(|error| Wrong::new(error.to_string()))?;
    let root = document.into_json();
    let buffers = Buffers::new(&root, blob, folder);
    scene::read(&root, buffers, bytes.len())
}

/// JSON and binary chunk of a binary file.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Wrong> {
    let word = |place: usize| {
        let word = bytes.get(place..).and_then(|rest| rest.first_chunk()).map(|word| u32::from_le_bytes(*word));
        word.ok_or_else(|| Wrong::new(format!("ends too early: 4 bytes are missing at byte {place}")))
    };
    let (version, length) = (word(4)?, word(8)? as usize);
    if version != 2 {
        return Err(Wrong::new(format!("is of version {version}, but only 2 can be read")));
    }
    if length > bytes.len() {
        return Err(Wrong::new(format!("ends too early: it says it has {length} bytes, but has {}", bytes.len())));
    }
    let chunk = |place: usize, kind: &[u8; 4]| {
        let size = word(place)? as usize;
        if bytes.get(place + 4..place + 8) != Some(kind.as_slice()) {
            let kind = String::from_utf8_lossy(kind);
            return Err(Wrong::new(format!("the part at byte {place} should be of kind {kind:?}")));
        }
        let part = bytes.get(place + 8..).and_then(|rest| rest.get(..size));
        part.ok_or_else(|| Wrong::new(format!("ends too early: the part at byte {place} has {size} bytes")))
    };
    let text = chunk(12, b"JSON")?;
    let next = 20 + text.len();
    let blob = if next < length { Some(chunk(next, b"BIN\0")?) } else { None };
    Ok((text, blob))
}
