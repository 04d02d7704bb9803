//! Writing of binary numbers.

use glam::Vec3;
use std::io::{self, Write};

/// Bytes per write, as the writer may be unbuffered.
const AT_ONCE: usize = 1 << 14;

/// Writes words of N bytes consecutively.
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

/// Writes vectors as three little-endian f32 each.
pub fn put_vectors(writer: &mut dyn Write, vectors: impl IntoIterator<Item = Vec3>) -> io::Result<()> {
    put(writer, vectors.into_iter().flat_map(|vector| vector.to_array().map(f32::to_le_bytes)))
}
