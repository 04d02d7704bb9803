//! Numbers as bytes.

use glam::Vec3;
use std::io::{self, Write};

/// Bytes that go to a writer at once: it may not have a buffer of its own.
const AT_ONCE: usize = 1 << 14;

/// Words one after the other.
pub fn put<const N: usize>(writer: &mut dyn Write, words: impl IntoIterator<Item = [u8; N]>) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(AT_ONCE + N);
    for word in words {
        bytes.extend_from_slice(&word);
        if bytes.len() >= AT_ONCE {
            writer.write_all(&bytes)?;
            bytes.clear();
        }
    }
    writer.write_all(&bytes)
}

/// Three words each, little endian.
pub fn put_vectors(writer: &mut dyn Write, vectors: impl IntoIterator<Item = Vec3>) -> io::Result<()> {
    put(writer, vectors.into_iter().flat_map(|vector| vector.to_array().map(f32::to_le_bytes)))
}
