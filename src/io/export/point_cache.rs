//! Point caches: positions of all vertices in every frame, without the mesh.
//!
//! ```text
//! .pc2, little endian:  "POINTCACHE2\0"  version i32 = 1  points i32  first frame f32  step of frames f32  frames i32
//!                       then x y z f32 of every point, frame after frame
//! .mdd, big endian:     frames i32  points i32  time f32 of every frame, s
//!                       then the same
//! ```

use super::{Frame, invalid, numbers::put};
use crate::{Error, io::Draft};
use std::path::Path;

/// File format of a point cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PointCacheFormat {
    /// PC2, of 3ds Max and others. Frames are evenly spaced; times are not stored.
    Pc2,
    /// MDD, of LightWave and others, with the time of every frame.
    Mdd,
}

/// A point cache under construction. Points of all parts follow each other. [`finish`](Self::finish) completes it from the frames
/// pushed so far; without it there is no file.
///
/// ```
/// use tenter::io::export::{Frame, Part, PointCache, PointCacheFormat};
/// # fn main() -> Result<(), tenter::Error> {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("cloth.pc2");
/// let mut cache = PointCache::create(&path, PointCacheFormat::Pc2)?;
/// for step in 0..3 {
///     let cloth = Part { positions: &[[0.0, step as f32, 0.0].into()], ..Default::default() };
///     cache.push(&Frame { time: f64::from(step), parts: &[cloth] })?;
/// }
/// cache.finish()?;
/// assert_eq!(std::fs::metadata(path).unwrap().len(), 32 + 3 * 12);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct PointCache {
    format: PointCacheFormat,
    draft: Draft,
    /// Points, in formats that store the times before them.
    points: Option<Draft>,
    /// Number of points of each frame.
    point_count: Option<usize>,
    /// Time of each frame, s.
    times: Vec<f32>,
}

impl PointCache {
    /// Begins a file.
    pub fn create(path: &Path, format: PointCacheFormat) -> Result<Self, Error> {
        let mut draft = Draft::create(path)?;
        let points = match format {
            PointCacheFormat::Pc2 => {
                draft.write(|writer| writer.write_all(&pc2_head(0, 0)))?;
                None
            }
            PointCacheFormat::Mdd => Some(Draft::beside(path)?),
        };
        Ok(Self { format, draft, points, point_count: None, times: Vec::new() })
    }

    /// Adds a frame. All frames must have the same number of points. After an error the frames before it remain.
    pub fn push(&mut self, frame: &Frame) -> Result<(), Error> {
        frame.check().map_err(|error| self.draft.error(error))?;
        let count = frame.vertex_count();
        let expected = *self.point_count.get_or_insert(count);
        if count != expected {
            let message = format!("frame {} has {count} points, those before it {expected}", self.times.len());
            return Err(self.draft.error(invalid(message)));
        }
        if self.times.len() == i32::MAX as usize {
            return Err(self.draft.error(invalid("too many frames".to_owned())));
        }
        let values = frame.parts.iter().flat_map(|part| part.positions).flat_map(|position| position.to_array());
        match &mut self.points {
            None => self.draft.write_whole(|writer| put(writer, values.map(f32::to_le_bytes)))?,
            Some(points) => points.write_whole(|writer| put(writer, values.map(f32::to_be_bytes)))?,
        }
        self.times.push(frame.time as f32);
        Ok(())
    }

    /// Number of frames so far.
    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<(), Error> {
        // Both fit: their limits were checked.
        let (frames, points) = (self.times.len() as i32, self.point_count.unwrap_or(0) as i32);
        match (self.format, &mut self.points) {
            (PointCacheFormat::Mdd, Some(body)) => {
                let head = [frames.to_be_bytes(), points.to_be_bytes()];
                let times = self.times.iter().map(|time| time.to_be_bytes());
                self.draft.write(|writer| put(writer, head.into_iter().chain(times)))?;
                self.draft.append(body)?;
            }
            _ => self.draft.patch(0, &pc2_head(points, frames))?,
        }
        self.draft.finish()
    }
}

fn pc2_head(points: i32, frames: i32) -> Vec<u8> {
    let (version, first, step) = (1i32, 0f32, 1f32);
    let words = [version.to_le_bytes(), points.to_le_bytes(), first.to_le_bytes(), step.to_le_bytes()];
    [b"POINTCACHE2\0".as_slice(), words.as_flattened(), &frames.to_le_bytes()].concat()
}
