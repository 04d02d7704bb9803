//! Point caches: positions of every frame in one file.

use super::*;
use glam::Vec3;
use std::fs;
use tenter::io::export::{PointCache, PointCacheFormat};

#[test]
fn point_caches_are_read_back_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    for format in [PointCacheFormat::Pc2, PointCacheFormat::Mdd] {
        for frames in [0, 1, 7] {
            let path = folder.path().join("cache");
            let _ = fs::remove_file(&path);
            let mut cache = PointCache::create(&path, format).unwrap();
            let time = |frame: u64| frame as f64 / 24.0;
            let expected: Vec<Vec<Vec3>> =
                (0..frames).map(|frame| pushed(30 + frame, time(frame), |frame| cache.push(frame).unwrap())).collect();
            assert!(!path.exists());
            assert_eq!(cache.frames() as u64, frames);
            cache.finish().unwrap();
            assert_eq!(names(folder.path()), ["cache"]);
            let file = fs::read(&path).unwrap();
            let points = if frames == 0 { 0 } else { 20 };
            let big = format == PointCacheFormat::Mdd;
            let word = |ix: usize| {
                let bytes: [u8; 4] = file[4 * ix..4 * ix + 4].try_into().unwrap();
                if big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
            };
            let first = if big {
                assert_eq!([word(0), word(1)], [frames as u32, points]);
                let times: Vec<u32> = (0..frames).map(|frame| (time(frame) as f32).to_bits()).collect();
                assert_eq!((0..frames as usize).map(|ix| word(2 + ix)).collect::<Vec<_>>(), times);
                2 + frames as usize
            } else {
                assert_eq!(&file[..12], b"POINTCACHE2\0");
                let head = [1, points, 0f32.to_bits(), 1f32.to_bits(), frames as u32];
                assert_eq!([3, 4, 5, 6, 7].map(word), head);
                8
            };
            let read: Vec<u32> = (first..file.len() / 4).map(word).collect();
            assert_eq!(read, bits(&expected.concat()).concat(), "{format:?}");
            assert_eq!(file.len() % 4, 0);
        }
    }
}
