//! Frames that make no sense, full disks and interruptions: every file is whole or not there.

use super::*;
use glam::{Vec2, Vec3};
use std::{
    fs,
    io::{self, Write},
};
use tenter::Error;
use tenter::io::export::{Animation, Frame, Part, PointCache, PointCacheFormat, obj, ply, pvd, vtu};

type Writer = fn(&mut dyn Write, &Frame) -> io::Result<()>;

const WRITERS: [(&str, Writer); 3] = [("obj", obj::write), ("ply", ply::write), ("vtu", vtu::write)];

#[test]
fn nonsense_is_refused() {
    let points = vectors(3, 3);
    let good = Part { name: "cloth", positions: &points, triangles: &[[0, 1, 2]], ..Default::default() };
    let broken = [Vec3::X, Vec3::Y, Vec3::new(0.0, f32::NAN, 0.0)];
    let wrong = [
        Part { triangles: &[[0, 1, 3]], ..good },
        Part { wires: &[[0, u32::MAX]], ..good },
        Part { tetrahedra: &[[0, 1, 2, 3]], ..good },
        Part { normals: &points[..2], ..good },
        Part { texture: &[Vec2::ZERO], ..good },
        Part { velocities: &[Vec3::ZERO], ..good },
        Part { strains: &[0.0; 4], ..good },
        Part { strains: &[0.0, f32::INFINITY, 0.0], ..good },
        Part { positions: &broken, ..good },
        Part { velocities: &broken, ..good },
    ];
    for (name, write) in WRITERS {
        write(&mut io::sink(), &Frame { time: 0.0, parts: &[good] }).unwrap();
        assert!(write(&mut io::sink(), &Frame { time: f64::INFINITY, parts: &[good] }).is_err());
        for part in &wrong {
            let mut file = Vec::new();
            let error = write(&mut file, &Frame { time: 0.0, parts: &[good, *part] }).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}: {error}");
            assert!(error.to_string().contains("cloth") && file.is_empty());
        }
    }
}

/// A disk with room for so many bytes.
struct Disk(usize);

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let written = bytes.len().min(self.0);
        self.0 -= written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_noticed_wherever_it_is_full() {
    let things = Things::new(5);
    let parts = things.parts();
    let frame = Frame { time: 0.0, parts: &parts };
    for (name, write) in WRITERS {
        let mut file = Vec::new();
        write(&mut file, &frame).unwrap();
        for room in 0..file.len() {
            let error = write(&mut Disk(room), &frame).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{name} {room}");
        }
        write(&mut Disk(file.len()), &frame).unwrap();
    }
    assert!(pvd::write(&mut Disk(50), &[(0.0, String::new())]).is_err());
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_named_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cloth.x");
    let full = |ending: &str| std::os::unix::fs::symlink("/dev/full", folder.path().join(ending)).unwrap();
    let points = vectors(10_000, 1);
    let frame = Frame { time: 0.0, parts: &[Part { positions: &points, ..Default::default() }] };
    let check = |result: Result<(), Error>| {
        let Err(error @ Error::Io { .. }) = result else { panic!("{result:?}") };
        assert!(error.to_string().contains("cloth.x") && error.to_string().contains("No space left"), "{error}");
    };
    for format in [PointCacheFormat::Pc2, PointCacheFormat::Mdd] {
        full(if format == PointCacheFormat::Pc2 { "cloth.x.part" } else { "cloth.x.data.part" });
        let mut cache = PointCache::create(&path, format).unwrap();
        check(cache.push(&frame));
        assert!(cache.finish().is_err());
        assert!(names(folder.path()).is_empty(), "{:?}", names(folder.path()));
    }
    full("cloth.x.data.part");
    let mut animation = Animation::create(&path).unwrap();
    check(animation.push(&frame));
    drop(animation);
    assert!(names(folder.path()).is_empty());
    // Room for the data, but not for the whole.
    let mut animation = Animation::create(&path).unwrap();
    animation.push(&frame).unwrap();
    full("cloth.x.part");
    check(animation.finish());
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_to_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    for inside in ["file", "missing"] {
        let path = folder.path().join(inside).join("cloth.x");
        let named = |result: Result<(), Error>| match result {
            Err(Error::Io { path: named, .. }) => assert!(named.to_string_lossy().starts_with(path.to_str().unwrap())),
            other => panic!("{other:?}"),
        };
        named(PointCache::create(&path, PointCacheFormat::Mdd).map(|_| ()));
        named(PointCache::create(&path, PointCacheFormat::Pc2).map(|_| ()));
        named(Animation::create(&path).map(|_| ()));
    }
}

#[test]
fn what_is_interrupted_has_no_name() {
    let folder = tempfile::tempdir().unwrap();
    let points = vectors(100, 1);
    let frame = Frame { time: 0.0, parts: &[Part { positions: &points, ..Default::default() }] };
    let path = folder.path().join("a");
    // What was there stays.
    fs::write(&path, "old").unwrap();
    for format in [PointCacheFormat::Pc2, PointCacheFormat::Mdd] {
        let mut cache = PointCache::create(&path, format).unwrap();
        cache.push(&frame).unwrap();
        assert!(names(folder.path()).len() > 1);
        drop(cache);
        assert_eq!(names(folder.path()), ["a"]);
    }
    let mut animation = Animation::create(&path).unwrap();
    animation.push(&frame).unwrap();
    drop(animation);
    assert_eq!(names(folder.path()), ["a"]);
    assert_eq!(fs::read(&path).unwrap(), b"old");
}
