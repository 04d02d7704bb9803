//! STL: unconnected triangles, which become a mesh by welding their vertices.

use super::raw::{MAX_ELEMENTS, MAX_VERTICES, Raw, Wrong};
use super::source::{Source, float, name, shown, words};
use glam::DVec3;

/// Size of a binary file's header and number of triangles, bytes.
const HEADER: usize = 84;
/// Size of a triangle, bytes: a normal, three corners, two unused bytes.
const TRIANGLE: usize = 50;

pub(super) fn parse(bytes: &[u8]) -> Result<Raw, Wrong> {
    let count = bytes.get(80..).and_then(|rest| rest.first_chunk()).map(|count| u32::from_le_bytes(*count) as usize);
    let expected = count.map(|count| HEADER.saturating_add(count.saturating_mul(TRIANGLE)));
    // Headers of binary files may begin with "solid", too. Their size distinguishes them, and zero bytes, which text does not
    // have.
    let text = bytes.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
        && !bytes[..bytes.len().min(512)].contains(&0);
    match (count, expected) {
        (Some(count), Some(expected)) if expected == bytes.len() => binary(bytes, count),
        _ if text => ascii(bytes),
        (Some(count), Some(expected)) if expected < bytes.len() => {
            let mut raw = binary(bytes, count)?;
            raw.notes.push(format!("left out {} bytes after the last triangle", bytes.len() - expected));
            Ok(raw)
        }
        (Some(count), Some(expected)) => {
            let message = format!("ends too early: {count} triangles take {expected} bytes, not {}", bytes.len());
            Err(Wrong::new(message))
        }
        _ => Err(Wrong::new("is neither a text that begins with \"solid\" nor has the 84 bytes of a binary header")),
    }
}

fn binary(bytes: &[u8], count: usize) -> Result<Raw, Wrong> {
    check_count(count)?;
    let mut raw = Raw::default();
    for triangle in bytes[HEADER..].as_chunks::<TRIANGLE>().0.iter().take(count) {
        let (numbers, _) = triangle[12..48].as_chunks::<4>();
        let number = |ix: usize| f64::from(f32::from_le_bytes(numbers[ix]));
        push(&mut raw, [0, 3, 6].map(|ix| DVec3::new(number(ix), number(ix + 1), number(ix + 2))));
    }
    Ok(raw)
}

fn check_count(count: usize) -> Result<(), Wrong> {
    if 3 * count > MAX_VERTICES.min(MAX_ELEMENTS) {
        let most = MAX_VERTICES / 3;
        return Err(Wrong::new(format!("{count} triangles are more than the {most} that can be read")));
    }
    Ok(())
}

fn push(raw: &mut Raw, corners: [DVec3; 3]) {
    let first = raw.positions.len() as u32;
    raw.positions.extend(corners);
    raw.triangles.push([first, first + 1, first + 2]);
}

fn ascii(bytes: &[u8]) -> Result<Raw, Wrong> {
    let mut source = Source::new(bytes);
    let mut raw = Raw::default();
    let mut group = None;
    let mut corners: Vec<DVec3> = Vec::new();
    let mut open = false;
    loop {
        let number = source.line;
        let Some(line) = source.next_line() else { break };
        let line = line.trim_ascii_start();
        let mut words = words(line);
        let Some(kind) = words.next() else { continue };
        let wrong = |message: String| Wrong::new(message).at(number);
        match kind.to_ascii_lowercase().as_slice() {
            b"solid" => {
                let name = name(&line[kind.len()..]);
                group = (!name.is_empty()).then(|| raw.groups.place(&name));
                open = true;
            }
            b"vertex" => {
                let mut position = [0.0; 3];
                for number in &mut position {
                    let word = words.next().unwrap_or_default();
                    let value = float(word).filter(|value| value.is_finite());
                    *number = value.ok_or_else(|| wrong(format!("{} is not a finite number", shown(word))))?;
                }
                if corners.len() == 3 {
                    return Err(wrong("a triangle with more than three vertices".to_owned()));
                }
                corners.push(DVec3::from_array(position));
            }
            b"endloop" => {
                let Ok(triangle) = <[DVec3; 3]>::try_from(corners.as_slice()) else {
                    return Err(wrong(format!("a triangle with {} vertices", corners.len())));
                };
                check_count(raw.triangles.len() + 1)?;
                push(&mut raw, triangle);
                raw.lines.push(number);
                if let Some(place) = group {
                    let last = raw.positions.len() as u32;
                    raw.groups.add(place, &[last - 3, last - 2, last - 1]);
                }
                corners.clear();
            }
            b"endsolid" => {
                group = None;
                open = false;
            }
            b"facet" | b"outer" | b"endfacet" => {}
            _ => return Err(wrong(format!("{} is nothing that stands in an STL file", shown(kind)))),
        }
        if kind.eq_ignore_ascii_case(b"endsolid") && !corners.is_empty() {
            return Err(wrong(format!("a triangle with {} vertices", corners.len())));
        }
    }
    if open || !corners.is_empty() {
        return Err(source.wrong("ends too early: \"endsolid\" is missing"));
    }
    Ok(raw)
}
