//! Vertices of a mesh over time: point caches of modelling programs, `.pc2` and `.mdd`, and sequences of mesh files.

use super::{
    MeshFile, MeshOptions, Weld,
    mesh_file::{check, read_file, refuse},
    raw::{MAX_VERTICES, Wrong},
    source::Source,
};
use crate::{Error, MeshFrame};
use glam::Vec3;
use std::path::Path;

/// Largest number of frames.
const MAX_FRAMES: usize = 1 << 20;
/// Largest number of vertices of all frames.
const MAX_POINTS: usize = 1 << 28;

/// Formats of point caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CacheFormat {
    /// Point Cache 2.
    Pc2,
    /// LightWave's motion designer data.
    Mdd,
}

impl CacheFormat {
    /// Format by a file's extension, in upper or lower case.
    pub fn of(path: impl AsRef<Path>) -> Option<Self> {
        match path.as_ref().extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "pc2" => Some(Self::Pc2),
            "mdd" => Some(Self::Mdd),
            _ => None,
        }
    }
}

/// Positions of a mesh's vertices over time, from a point cache or a sequence of mesh files.
///
/// The vertices are those of a mesh file that was read without welding. Units and axes follow the options as those of the mesh do.
///
/// ```
/// # fn main() -> Result<(), tenter::Error> {
/// use tenter::io::{CacheFormat, MeshCache, MeshOptions};
/// // One point in two frames, a tenth of a second apart.
/// let header = [0u8, 0, 0, 2, 0, 0, 0, 1];
/// let numbers = [0f32, 0.1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let bytes: Vec<u8> = header.into_iter().chain(numbers.into_iter().flat_map(f32::to_be_bytes)).collect();
/// let cache = MeshCache::parse(&bytes, CacheFormat::Mdd, "point.mdd", 25.0, &MeshOptions::default())?;
/// assert_eq!(cache.frames.len(), 2);
/// assert_eq!(cache.frames[1].positions[0].to_array(), [4.0, 5.0, 6.0]);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct MeshCache {
    /// Frames, times ascending, in metres with y up.
    pub frames: Vec<MeshFrame>,
}

impl MeshCache {
    /// Reads a point cache in the format of its extension. `rate` is the number of frames in a second, which `.pc2` does not tell.
    pub fn read(path: impl AsRef<Path>, rate: f64, options: &MeshOptions) -> Result<Self, Error> {
        let path = path.as_ref();
        let Some(format) = CacheFormat::of(path) else {
            return Err(refuse(path, Wrong::new("is no point cache by its extension: pc2 or mdd")));
        };
        Self::parse(&read_file(path)?, format, path, rate, options)
    }

    /// Parses and checks the bytes of a point cache; its path is used in errors only.
    pub fn parse(
        bytes: &[u8],
        format: CacheFormat,
        path: impl AsRef<Path>,
        rate: f64,
        options: &MeshOptions,
    ) -> Result<Self, Error> {
        check(options)?;
        check_rate(rate)?;
        let frames = match format {
            CacheFormat::Pc2 => pc2(bytes, rate),
            CacheFormat::Mdd => mdd(bytes),
        };
        let frames = frames.and_then(|frames| finish(frames, options));
        frames.map(|frames| Self { frames }).map_err(|wrong| refuse(path.as_ref(), wrong))
    }

    /// Reads a sequence of mesh files, `rate` of them in a second, the first at time 0. All must have as many vertices as the first.
    pub fn read_sequence<P: AsRef<Path>>(paths: &[P], rate: f64, options: &MeshOptions) -> Result<Self, Error> {
        check_rate(rate)?;
        let options = MeshOptions { weld: Weld::Never, ..*options };
        let mut frames: Vec<MeshFrame> = Vec::new();
        for (ix, path) in paths.iter().enumerate() {
            let positions = MeshFile::read(path, &options)?.mesh.positions;
            let count = frames.first().map_or(positions.len(), |first| first.positions.len());
            if positions.len() != count {
                let message =
                    format!("has {} vertices, but the first file of the sequence has {count}", positions.len());
                return Err(refuse(path.as_ref(), Wrong::new(message)));
            }
            frames.push(MeshFrame { time: ix as f64 / rate, positions });
        }
        Ok(Self { frames })
    }
}

fn check_rate(rate: f64) -> Result<(), Error> {
    if rate > 0.0 && rate.is_finite() {
        return Ok(());
    }
    Err(Error::Usage(format!("rate: must be positive and finite, not {rate}")))
}

/// Size of a cache, checked against the bytes that it has.
fn size(frames: i64, points: i64, bytes: usize, each: usize) -> Result<(usize, usize), Wrong> {
    let count = |value: i64, most: usize, what: &str| match usize::try_from(value) {
        Ok(value) if (1..=most).contains(&value) => Ok(value),
        _ => Err(Wrong::new(format!("must have from 1 to {most} {what}, not {value}"))),
    };
    let (frames, points) = (count(frames, MAX_FRAMES, "frames")?, count(points, MAX_VERTICES, "points")?);
    let all = frames.saturating_mul(points);
    if all > MAX_POINTS {
        return Err(Wrong::new(format!("must have at most {MAX_POINTS} points in all frames, not {all}")));
    }
    let needed = frames.saturating_mul(each).saturating_add(all.saturating_mul(12));
    if needed > bytes {
        let message =
            format!("ends too early: {frames} frames of {points} points need {needed} bytes, but there are {bytes}");
        return Err(Wrong::new(message));
    }
    Ok((frames, points))
}

/// Point Cache 2: a header with the number of points, the first frame, frames per sample and number of samples; then all positions, little-endian.
fn pc2(bytes: &[u8], rate: f64) -> Result<Vec<MeshFrame>, Wrong> {
    let mut source = Source::new(bytes);
    if &source.take::<12>()? != b"POINTCACHE2\0" {
        return Err(Wrong::new("does not begin with POINTCACHE2"));
    }
    let version = i32::from_le_bytes(source.take()?);
    if version != 1 {
        return Err(Wrong::new(format!("is of version {version}, but only 1 can be read")).of("version"));
    }
    let points = i32::from_le_bytes(source.take()?);
    let (first, step) = (f32::from_le_bytes(source.take()?), f32::from_le_bytes(source.take()?));
    let samples = i32::from_le_bytes(source.take()?);
    if !(first.is_finite() && step > 0.0 && step.is_finite()) {
        let message =
            format!("must be a finite first frame and a positive number of frames per sample, not {first} and {step}");
        return Err(Wrong::new(message).of("header"));
    }
    let (samples, points) = size(samples.into(), points.into(), source.rest().len(), 0)?;
    let mut frames = Vec::with_capacity(samples);
    for ix in 0..samples {
        let time = (f64::from(first) + ix as f64 * f64::from(step)) / rate;
        frames.push(MeshFrame { time, positions: positions(&mut source, points, f32::from_le_bytes)? });
    }
    Ok(frames)
}

/// Motion designer data: numbers of frames and points, the times of all frames, s; then all positions, big-endian.
fn mdd(bytes: &[u8]) -> Result<Vec<MeshFrame>, Wrong> {
    let mut source = Source::new(bytes);
    let (frames, points) = (i32::from_be_bytes(source.take()?), i32::from_be_bytes(source.take()?));
    let (frames, points) = size(frames.into(), points.into(), source.rest().len(), 4)?;
    let mut times = Vec::with_capacity(frames);
    for _ in 0..frames {
        times.push(f64::from(f32::from_be_bytes(source.take()?)));
    }
    let frame = |time: f64| Ok(MeshFrame { time, positions: positions(&mut source, points, f32::from_be_bytes)? });
    times.into_iter().map(frame).collect()
}

fn positions(source: &mut Source<'_>, count: usize, number: fn([u8; 4]) -> f32) -> Result<Vec<Vec3>, Wrong> {
    let mut positions = Vec::with_capacity(count);
    for _ in 0..count {
        let mut next = || source.take().map(number);
        positions.push(Vec3::new(next()?, next()?, next()?));
    }
    Ok(positions)
}

/// Checks frames and gives them metres and y up.
fn finish(mut frames: Vec<MeshFrame>, options: &MeshOptions) -> Result<Vec<MeshFrame>, Wrong> {
    let mut last = f64::NEG_INFINITY;
    for (ix, frame) in frames.iter_mut().enumerate() {
        if !(frame.time.is_finite() && frame.time > last) {
            let message = format!("has the time {} s, which is not after that of the frame before it", frame.time);
            return Err(Wrong::new(message).of(format!("frame {ix}")));
        }
        last = frame.time;
        for (point, position) in frame.positions.iter_mut().enumerate() {
            *position *= options.scale;
            if options.z_up {
                *position = Vec3::new(position.x, position.z, -position.y);
            }
            if !position.is_finite() {
                return Err(Wrong::new("is not finite").of(format!("frame {ix}, point {point}")));
            }
        }
    }
    Ok(frames)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pc2_file(points: i32, samples: i32, numbers: &[f32]) -> Vec<u8> {
        let mut bytes = b"POINTCACHE2\0".to_vec();
        bytes.extend([1i32, points].iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend([5f32, 2.0].iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(samples.to_le_bytes());
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    fn parse(bytes: &[u8], format: CacheFormat) -> Result<MeshCache, String> {
        let options = MeshOptions { scale: 0.01, z_up: true, ..Default::default() };
        MeshCache::parse(bytes, format, "figure.pc2", 10.0, &options).map_err(|error| error.to_string())
    }

    #[test]
    fn frames_of_a_point_cache() {
        let numbers: Vec<f32> = (1..=12).map(|ix| ix as f32).collect();
        let cache = parse(&pc2_file(2, 2, &numbers), CacheFormat::Pc2).unwrap();
        assert_eq!(cache.frames.iter().map(|frame| frame.time).collect::<Vec<_>>(), [0.5, 0.7]);
        assert!(cache.frames[1].positions[1].distance(Vec3::new(0.10, 0.12, -0.11)) < 1e-6, "{:?}", cache.frames);
    }

    #[test]
    fn hostile_caches_are_errors() {
        let good: Vec<f32> = (0..12).map(|ix| ix as f32).collect();
        let refused = |bytes: &[u8], format, words: &str| {
            let message = parse(bytes, format).unwrap_err();
            assert!(message.starts_with("figure.pc2") && message.contains(words), "{message}");
        };
        let file = pc2_file(2, 2, &good);
        for end in 0..file.len() {
            refused(&file[..end], CacheFormat::Pc2, "early");
        }
        refused(b"POINTCACHE3\0", CacheFormat::Pc2, "POINTCACHE2");
        refused(&pc2_file(0, 2, &good), CacheFormat::Pc2, "points");
        refused(&pc2_file(2, -1, &good), CacheFormat::Pc2, "frames");
        refused(&pc2_file(i32::MAX, i32::MAX, &good), CacheFormat::Pc2, "frames");
        refused(&pc2_file(1 << 24, 1 << 20, &good), CacheFormat::Pc2, "at most");
        refused(&pc2_file(1 << 20, 1 << 8, &good), CacheFormat::Pc2, "early");
        let mut broken = good.clone();
        broken[7] = f32::NAN;
        refused(&pc2_file(2, 2, &broken), CacheFormat::Pc2, "frame 1, point 0: is not finite");
        let mdd = |times: [f32; 2]| -> Vec<u8> {
            let header = [2i32, 1].into_iter().flat_map(i32::to_be_bytes);
            header.chain(times.into_iter().chain([0.0; 6]).flat_map(f32::to_be_bytes)).collect()
        };
        assert_eq!(parse(&mdd([0.0, 0.5]), CacheFormat::Mdd).unwrap().frames.len(), 2);
        refused(&mdd([0.5, 0.5]), CacheFormat::Mdd, "frame 1: has the time");
        refused(&mdd([f32::NAN, 0.5]), CacheFormat::Mdd, "frame 0: has the time");
        refused(&[], CacheFormat::Mdd, "early");
    }
}
