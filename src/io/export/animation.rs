//! All frames as one binary glTF 2.0 file.
//!
//! The first frame is the mesh; every other frame is a morph target, its difference from the first. The animation of the weights
//! has one key per frame, at which that frame's weight is 1, so that positions are interpolated linearly between keys.
//!
//! Data are written to a file beside the draft, frame by frame. Memory holds the first frame, and a few words per further frame.

mod document;

use super::{Frame, Part, invalid, numbers::put};
use crate::{Error, io::Draft};
use document::{Accessor, AccessorKind, Document, Mesh};
use glam::Vec3;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Largest size of a file, bytes: its length has 32 bits.
const MOST_BYTES: u64 = u32::MAX as u64;
/// Size of the headers of the file and of its two chunks.
const HEADERS: u64 = 12 + 8 + 8;

/// A `.glb` file under construction. [`finish`](Self::finish) completes it from the frames pushed so far; without it there is no
/// file.
///
/// All frames must have the parts of the first, with as many vertices, and normals if it has them. Triangles, wires and texture
/// coordinates come from the first frame. The weights grow with the square of the number of frames: thousands are possible, but
/// few programs handle so many shape keys; use [`PointCache`](super::PointCache) then.
///
/// ```
/// use tenter::io::export::{Animation, Frame, Part};
/// # fn main() -> Result<(), tenter::Error> {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("cloth.glb");
/// let mut animation = Animation::create(&path)?;
/// for step in 0..3 {
///     let cloth = Part { name: "bead", positions: &[[0.0, step as f32, 0.0].into()], ..Default::default() };
///     animation.push(&Frame { time: 0.1 * f64::from(step), parts: &[cloth] })?;
/// }
/// animation.finish()?;
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Animation {
    path: PathBuf,
    /// All data but the JSON description.
    data: Draft,
    bytes: u64,
    accessors: Vec<Accessor>,
    parts: Vec<AnimatedPart>,
    /// Times of the frames, s, strictly increasing.
    times: Vec<f32>,
}

/// A part with its accessors.
#[derive(Debug)]
struct AnimatedPart {
    mesh: Mesh,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

/// Data of a frame before they are written.
#[derive(Debug, Default)]
struct Addition {
    accessors: Vec<Accessor>,
    bytes: Vec<u8>,
}

impl Animation {
    /// Begins a file.
    pub fn create(path: &Path) -> Result<Self, Error> {
        // The path is checked before anything is computed.
        drop(Draft::create(path)?);
        Ok(Self {
            path: path.to_owned(),
            data: Draft::beside(path)?,
            bytes: 0,
            accessors: Vec::new(),
            parts: Vec::new(),
            times: Vec::new(),
        })
    }

    /// Adds a frame, later than the one before it. After an error the frames before it remain.
    pub fn push(&mut self, frame: &Frame) -> Result<(), Error> {
        let refuse = |error| Error::Io { path: self.path.clone(), source: error };
        frame.check().and_then(|()| self.check(frame)).map_err(refuse)?;
        let first_frame = self.times.is_empty();
        let mut addition = Addition::default();
        let base = self.accessors.len();
        let meshes: Vec<AnimatedPart> = match first_frame {
            true => frame.parts.iter().map(|part| addition.base(base, self.bytes, part)).collect(),
            false => Vec::new(),
        };
        let targets: Vec<_> = self
            .parts
            .iter()
            .zip(frame.parts)
            .map(|(known, part)| addition.target(base, self.bytes, known, part))
            .collect();
        let frames = self.times.len() as u64 + 1;
        let keys = 4 * frames * frames;
        if self.bytes + addition.bytes.len() as u64 + keys + HEADERS > MOST_BYTES {
            let message = format!("frame {} would make it larger than 4 GiB, the most that glTF allows", frames - 1);
            return Err(refuse(io::Error::new(io::ErrorKind::FileTooLarge, message)));
        }
        self.data.write_whole(|writer| writer.write_all(&addition.bytes))?;
        self.bytes += addition.bytes.len() as u64;
        self.accessors.append(&mut addition.accessors);
        self.parts.extend(meshes);
        self.parts.iter_mut().zip(targets).for_each(|(part, target)| part.mesh.targets.push(target));
        self.times.push(frame.time as f32);
        Ok(())
    }

    /// Checks that a frame matches those before it.
    fn check(&self, frame: &Frame) -> io::Result<()> {
        let (number, time) = (self.times.len(), frame.time as f32);
        if time < 0.0 {
            return Err(invalid(format!("frame {number} is at {time} s: glTF begins with 0")));
        }
        let Some(&last) = self.times.last() else { return Ok(()) };
        if time <= last {
            return Err(invalid(format!("frame {number} is at {time} s, the one before it at {last} s")));
        }
        let alike = |(known, part): (&AnimatedPart, &Part)| {
            known.positions.len() == part.positions.len() && known.normals.len() == part.normals.len()
        };
        if self.parts.len() != frame.parts.len() || !self.parts.iter().zip(frame.parts).all(alike) {
            let message = format!("frame {number} has other parts, vertices or normals than the first");
            return Err(invalid(message));
        }
        Ok(())
    }

    /// Number of frames so far.
    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<(), Error> {
        let mut draft = Draft::create(&self.path)?;
        let targets = self.times.len().saturating_sub(1);
        let moves = targets > 0 && self.parts.iter().any(|part| !part.positions.is_empty());
        let keys = if moves { Some(self.write_keys(targets)?) } else { None };
        let meshes = self.parts.iter().map(|part| &part.mesh);
        let document = Document::new(meshes, &self.accessors, keys, self.bytes);
        // The lengths are filled in at the end.
        draft.write(|writer| writer.write_all(&[0; 20]))?;
        let json = document.write(&mut draft).map_err(|error| draft.error(error))?;
        let mut total = 20 + json;
        if self.bytes > 0 {
            total += 8 + self.bytes;
            // The conversion fits: the length of the whole file is checked below.
            let head = [(self.bytes as u32).to_le_bytes(), *b"BIN\0"];
            draft.write(|writer| writer.write_all(head.as_flattened()))?;
            draft.append(&mut self.data)?;
        }
        let (Ok(total), Ok(json)) = (u32::try_from(total), u32::try_from(json)) else {
            let message = "is larger than 4 GiB, the most that glTF allows";
            return Err(draft.error(io::Error::new(io::ErrorKind::FileTooLarge, message)));
        };
        let head = [*b"glTF", 2u32.to_le_bytes(), total.to_le_bytes(), json.to_le_bytes(), *b"JSON"];
        draft.patch(0, head.as_flattened())?;
        draft.finish()
    }

    /// Writes times and weights of all keys after all other data; returns the first of their two accessors.
    fn write_keys(&mut self, targets: usize) -> Result<usize, Error> {
        let times = &self.times;
        let first = self.accessors.len();
        self.data.write_whole(|writer| put(writer, times.iter().map(|time| time.to_le_bytes())))?;
        let frames = times.len();
        let bounds = [times[0], times[frames - 1]].map(Vec3::splat);
        let accessor = Accessor { kind: AccessorKind::Time, offset: self.bytes, count: frames, bounds: Some(bounds) };
        self.accessors.push(accessor);
        self.bytes += 4 * frames as u64;
        self.data.write_whole(|writer| {
            let weight = |frame: usize, target: usize| if frame == target + 1 { 1f32 } else { 0.0 };
            let rows = (0..frames).flat_map(|frame| (0..targets).map(move |target| weight(frame, target)));
            put(writer, rows.map(f32::to_le_bytes))
        })?;
        let count = frames * targets;
        self.accessors.push(Accessor { kind: AccessorKind::Weight, offset: self.bytes, count, bounds: None });
        self.bytes += 4 * count as u64;
        Ok(first)
    }
}

impl Addition {
    /// Adds a part of the first frame. `base` and `bytes` are the counts before the frame.
    fn base(&mut self, base: usize, bytes: u64, part: &Part) -> AnimatedPart {
        // The specification requires unit vectors.
        let normals: Vec<Vec3> = part.normals.iter().map(|normal| normal.normalize_or(Vec3::Y)).collect();
        let vectors =
            |values: &[Vec3]| values.iter().flat_map(|value| value.to_array()).map(f32::to_le_bytes).collect();
        let mut add = |kind, bounds, words: Vec<[u8; 4]>| self.add(base, bytes, kind, bounds, &words);
        let words = |indices: &[u32]| indices.iter().map(|ix| ix.to_le_bytes()).collect::<Vec<_>>();
        let mesh = Mesh {
            name: part.name.to_owned(),
            positions: add(AccessorKind::Position, bounds(part.positions), vectors(part.positions)),
            normals: add(AccessorKind::Normal, None, vectors(&normals)),
            texture: add(
                AccessorKind::Texture,
                None,
                part.texture.iter().flat_map(|value| value.to_array()).map(f32::to_le_bytes).collect(),
            ),
            triangles: add(AccessorKind::Index, None, words(part.triangles.as_flattened())),
            wires: add(AccessorKind::Index, None, words(part.wires.as_flattened())),
            targets: Vec::new(),
        };
        AnimatedPart { mesh, positions: part.positions.to_vec(), normals }
    }

    /// Adds a part of a further frame as its difference from the first.
    fn target(&mut self, base: usize, bytes: u64, known: &AnimatedPart, part: &Part) -> [Option<usize>; 2] {
        let moved: Vec<Vec3> = part.positions.iter().zip(&known.positions).map(|(now, then)| now - then).collect();
        let turned = part.normals.iter().zip(&known.normals).map(|(now, then)| now.normalize_or(Vec3::Y) - then);
        let words = |values: &mut dyn Iterator<Item = Vec3>| -> Vec<[u8; 4]> {
            values.flat_map(|value| value.to_array()).map(f32::to_le_bytes).collect()
        };
        [
            self.add(base, bytes, AccessorKind::Position, bounds(&moved), &words(&mut moved.iter().copied())),
            self.add(base, bytes, AccessorKind::Normal, None, &words(&mut turned.into_iter())),
        ]
    }

    /// Adds an accessor with its words; `None` without words.
    fn add(
        &mut self,
        base: usize,
        bytes: u64,
        kind: AccessorKind,
        bounds: Option<[Vec3; 2]>,
        words: &[[u8; 4]],
    ) -> Option<usize> {
        if words.is_empty() {
            return None;
        }
        let offset = bytes + self.bytes.len() as u64;
        self.accessors.push(Accessor { kind, offset, count: words.len() / kind.components(), bounds });
        self.bytes.extend(words.as_flattened());
        Some(base + self.accessors.len() - 1)
    }
}

/// Smallest and largest value of each component.
fn bounds(values: &[Vec3]) -> Option<[Vec3; 2]> {
    let first = *values.first()?;
    Some(values.iter().fold([first; 2], |[low, high], value| [low.min(*value), high.max(*value)]))
}
