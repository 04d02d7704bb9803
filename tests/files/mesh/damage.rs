//! Whatever is done to a file: an error, or a mesh that is sound.

use super::*;
use std::time::{Duration, Instant};

/// Good files, and whether a part of one is always an error, but for spaces at its end.
fn samples() -> Vec<(MeshFormat, Vec<u8>, bool)> {
    let mut samples = vec![
        (MeshFormat::Obj, obj::cube().into_bytes(), false),
        (
            MeshFormat::Obj,
            b"v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 1 1\no a\nf 1/1 2/2 3/3\nl 1 3\n".to_vec(),
            false,
        ),
        (MeshFormat::Stl, stl::ascii().into_bytes(), false),
        (MeshFormat::Stl, stl::binary(), true),
        (MeshFormat::Gltf, gltf::embedded().into_bytes(), true),
        (MeshFormat::Gltf, gltf::binary(), true),
    ];
    for encoding in ply::ENCODINGS {
        samples.push((MeshFormat::Ply, ply::cube(encoding, "int", "uchar", "float"), encoding != ply::Encoding::Ascii));
        samples.push((MeshFormat::Ply, ply::textured(encoding, ["s", "t"], false), encoding != ply::Encoding::Ascii));
        samples.push((MeshFormat::Ply, ply::textured(encoding, ["", ""], true), encoding != ply::Encoding::Ascii));
    }
    for (_, bytes) in msh::all(&msh::solid(true)).into_iter().chain(msh::all(&msh::sheet())) {
        samples.push((MeshFormat::Msh, bytes, true));
    }
    samples
}

/// Ways to read, all of them now and then.
fn options(ix: usize) -> MeshOptions {
    let weld = [Weld::Exact, Weld::Never, Weld::Within(1e-3), Weld::Within(0.7)][ix % 4];
    MeshOptions { weld, ..Default::default() }
}

/// What is read is sound, what is not says why, and neither takes long.
#[track_caller]
fn survive(bytes: &[u8], format: MeshFormat, ix: usize) -> bool {
    let start = Instant::now();
    let result = MeshFile::parse(bytes, format, "mesh", &options(ix));
    assert!(start.elapsed() < Duration::from_secs(5));
    judged(result)
}

#[track_caller]
fn judged(result: Result<MeshFile, Error>) -> bool {
    match result {
        Ok(file) => assert_sound(&file),
        Err(Error::File { message, .. }) => {
            assert!(message.len() > 5 && message.len() < 1000, "{message}");
            return false;
        }
        Err(other) => panic!("{other:?}"),
    }
    true
}

#[test]
fn cut_off_at_every_byte() {
    for (format, bytes, always) in samples() {
        assert!(survive(&bytes, format, 0));
        let end = bytes.trim_ascii_end().len();
        for length in 0..bytes.len() {
            let read = survive(&bytes[..length], format, 0);
            assert!(!(read && always && length < end), "{format:?}: {length} of {} bytes were enough", bytes.len());
        }
    }
    let (node, ele) = tetgen::files(1, true, false);
    let both =
        |node: &str, ele: &str| judged(MeshFile::parse_tetgen(node.as_bytes(), ele.as_bytes(), "m", &options(0)));
    assert!(both(&node, &ele));
    (0..node.len()).for_each(|length| _ = both(&node[..length], &ele));
    (0..ele.len()).for_each(|length| _ = both(&node, &ele[..length]));
}

/// Something else at some places: bits, bytes, numbers, pieces.
fn mutate(rng: &mut fastrand::Rng, bytes: &mut Vec<u8>) {
    const WORDS: [&[u8]; 16] = [
        b"-1",
        b"0",
        b"nan",
        b"inf",
        b"1e999",
        b"4294967295",
        b"4294967296",
        b"18446744073709551615",
        b"-9223372036854775808",
        b"\n",
        b"\0",
        b"$",
        b"/",
        b"\\\n",
        b"\xff\xff\xff\xff",
        b"\xff\xff\xff\x7f",
    ];
    for _ in 0..=rng.usize(..4) {
        if bytes.is_empty() {
            return;
        }
        let place = rng.usize(..bytes.len());
        let end = (place + rng.usize(..12)).min(bytes.len());
        match rng.usize(..8) {
            0 => bytes[place] ^= 1 << rng.u32(..8),
            1 => bytes[place] = rng.u8(..),
            2 => _ = bytes.drain(place..end),
            3 => {
                let copy = bytes[place..end].to_vec();
                let at = rng.usize(..=bytes.len());
                bytes.splice(at..at, copy).for_each(drop);
            }
            4 => {
                let word = WORDS[rng.usize(..WORDS.len())];
                bytes.splice(place..end, word.iter().copied()).for_each(drop);
            }
            5 => {
                // A digit becomes another, or several.
                if let Some(digit) = bytes[place..].iter().position(u8::is_ascii_digit) {
                    bytes[place + digit] = b'0' + rng.u8(..10);
                    if rng.bool() {
                        bytes.insert(place + digit, b'0' + rng.u8(..10));
                    }
                }
            }
            6 => {
                for byte in bytes[place..].iter_mut().take(4) {
                    *byte = [0, 255, 127, 128][rng.usize(..4)];
                }
            }
            _ => bytes.truncate(place),
        }
    }
}

#[test]
fn mutated() {
    let mut rng = fastrand::Rng::with_seed(11);
    let mut counts: HashMap<MeshFormat, [usize; 2]> = HashMap::new();
    for (format, bytes, _) in samples() {
        for ix in 0..1500 {
            let mut bytes = bytes.clone();
            mutate(&mut rng, &mut bytes);
            let read = survive(&bytes, format, ix);
            counts.entry(format).or_default()[usize::from(read)] += 1;
        }
    }
    // Damage that is always fatal, or never, would test little.
    assert!(counts.len() == 5 && counts.values().flatten().all(|count| *count > 50), "{counts:?}");
}

#[test]
fn mutated_tetgen() {
    let mut rng = fastrand::Rng::with_seed(12);
    let mut counts = [0, 0];
    for ix in 0..4000 {
        let (node, ele) = tetgen::files(ix % 2, true, ix % 3 == 0);
        let mut files = [node.into_bytes(), ele.into_bytes()];
        mutate(&mut rng, &mut files[ix / 2 % 2]);
        let read = judged(MeshFile::parse_tetgen(&files[0], &files[1], "mesh", &options(ix)));
        counts[usize::from(read)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
}

#[test]
fn random_bytes() {
    let mut rng = fastrand::Rng::with_seed(13);
    let formats = [MeshFormat::Obj, MeshFormat::Ply, MeshFormat::Stl, MeshFormat::Gltf, MeshFormat::Msh];
    let begins: [&[u8]; 5] = [b"", b"ply\nformat ascii 1.0\n", b"solid ", b"glTF\x02\0\0\0", b"$MeshFormat\n2.2 0 8\n"];
    for ix in 0..3000 {
        let noise: Vec<u8> = match ix % 3 {
            0 => (0..rng.usize(..400)).map(|_| rng.u8(..)).collect(),
            1 => (0..rng.usize(..400)).map(|_| b" \n0123456789.-evfl/$#"[rng.usize(..21)]).collect(),
            _ => (0..rng.usize(..400)).map(|_| rng.u8(b' '..127)).collect(),
        };
        for (format, begin) in formats.iter().zip(begins) {
            survive(&noise, *format, ix);
            survive(&[begin, &noise].concat(), *format, ix);
        }
        _ = judged(MeshFile::parse_tetgen(&noise, &noise, "mesh", &options(ix)));
    }
}
