//! VTK's XML file of an unstructured grid, with its arrays appended as raw bytes.
//!
//! ```text
//! <VTKFile …> what there is, each array by its offset … <AppendedData encoding="raw"> _ length bytes length bytes … </AppendedData>
//! ```
//! Lengths are UInt64; offsets count from the byte after the underscore.

use super::{
    Frame, Part,
    numbers::{put, put_vectors},
};
use glam::Vec3;
use std::io::{self, Write};

/// VTK's cell types.
const VERTEX: u8 = 1;
const LINE: u8 = 3;
const TRIANGLE: u8 = 5;
const TETRAHEDRON: u8 = 10;

/// Writes a frame. Cells of a part are its tetrahedra or else its triangles, and its wires; or its vertices, if it has nothing
/// else. The cell array `part` is the index of the part. Point arrays are `velocity`, `strain`, `normal` and `texture`, each if
/// any part has it, zero for parts without it.
pub fn write(writer: &mut dyn Write, frame: &Frame) -> io::Result<()> {
    frame.check()?;
    let sections = sections(frame);
    writeln!(writer, "<?xml version=\"1.0\"?>")?;
    let attributes = "type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"";
    writeln!(writer, "<VTKFile {attributes}>\n  <UnstructuredGrid>")?;
    let cell_count: usize = frame.parts.iter().map(|part| cells(part).count()).sum();
    let mut offset = 0;
    for (section, arrays) in &sections {
        // The time belongs to the grid, the other arrays to its single piece.
        if *section == "PointData" {
            let points = frame.vertex_count();
            writeln!(writer, "    <Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cell_count}\">")?;
        }
        writeln!(writer, "      <{section}>")?;
        for array in arrays {
            let Array { attributes, .. } = array;
            writeln!(writer, "        <DataArray {attributes} format=\"appended\" offset=\"{offset}\"/>")?;
            offset += 8 + array.bytes as u64;
        }
        writeln!(writer, "      </{section}>")?;
    }
    writeln!(writer, "    </Piece>\n  </UnstructuredGrid>")?;
    write!(writer, "  <AppendedData encoding=\"raw\">\n_")?;
    for array in sections.iter().flat_map(|(_, arrays)| arrays) {
        writer.write_all(&(array.bytes as u64).to_le_bytes())?;
        (array.write)(writer)?;
    }
    writeln!(writer, "\n  </AppendedData>\n</VTKFile>")
}

type Contents<'a> = Box<dyn Fn(&mut dyn Write) -> io::Result<()> + 'a>;

/// A data array with its contents.
struct Array<'a> {
    attributes: String,
    bytes: usize,
    write: Contents<'a>,
}

/// Data arrays of each XML section.
fn sections<'a>(frame: &'a Frame<'a>) -> Vec<(&'static str, Vec<Array<'a>>)> {
    let parts = frame.parts;
    let counts = || parts.iter().map(|part| cells(part).map(|(_, corners)| corners.len()));
    let corner_count: usize = counts().flatten().sum();
    let cell_count: usize = counts().map(Iterator::count).sum();

    let time = Array {
        attributes: "type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\"".to_owned(),
        bytes: 8,
        write: Box::new(|writer| writer.write_all(&frame.time.to_le_bytes())),
    };
    let part_of_cell = Array {
        attributes: "type=\"Int32\" Name=\"part\"".to_owned(),
        bytes: 4 * cell_count,
        write: Box::new(|writer| {
            let numbers = parts.iter().enumerate().flat_map(|(ix, part)| cells(part).map(move |_| ix as i32));
            put(writer, numbers.map(i32::to_le_bytes))
        }),
    };
    let connectivity = Array {
        attributes: "type=\"Int64\" Name=\"connectivity\"".to_owned(),
        bytes: 8 * corner_count,
        write: Box::new(|writer| {
            let of_part = |(first, part)| {
                cells(part).flat_map(move |(_, corners)| corners.iter().map(move |ix| i64::from(first + ix)))
            };
            put(writer, frame.with_first().flat_map(of_part).map(i64::to_le_bytes))
        }),
    };
    let offsets = Array {
        attributes: "type=\"Int64\" Name=\"offsets\"".to_owned(),
        bytes: 8 * cell_count,
        write: Box::new(|writer| {
            let mut end = 0;
            let ends = parts.iter().flat_map(|part| cells(part)).map(|(_, corners)| {
                end += corners.len() as i64;
                end.to_le_bytes()
            });
            put(writer, ends)
        }),
    };
    let types = Array {
        attributes: "type=\"UInt8\" Name=\"types\"".to_owned(),
        bytes: cell_count,
        write: Box::new(|writer| put(writer, parts.iter().flat_map(|part| cells(part)).map(|(kind, _)| [kind]))),
    };
    let mut point_data: Vec<Array> = Vec::new();
    let component = |values: &[Vec3], ix: usize| values.get(ix / 3).map(|value| value[ix % 3]);
    point_data.extend(point_array(frame, "velocity", 3, move |part, ix| component(part.velocities, ix)));
    point_data.extend(point_array(frame, "strain", 1, |part, ix| part.strains.get(ix).copied()));
    point_data.extend(point_array(frame, "normal", 3, move |part, ix| component(part.normals, ix)));
    point_data
        .extend(point_array(frame, "texture", 2, |part, ix| part.texture.get(ix / 2).map(|texture| texture[ix % 2])));
    let points = Array {
        attributes: "type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\"".to_owned(),
        bytes: 12 * frame.vertex_count(),
        write: Box::new(|writer| put_vectors(writer, parts.iter().flat_map(|part| part.positions).copied())),
    };
    vec![
        ("FieldData", vec![time]),
        ("PointData", point_data),
        ("CellData", vec![part_of_cell]),
        ("Points", vec![points]),
        ("Cells", vec![connectivity, offsets, types]),
    ]
}

/// A point array of several components, if any part has it.
fn point_array<'a>(
    frame: &'a Frame<'a>,
    name: &str,
    components: usize,
    of: impl Fn(&Part<'a>, usize) -> Option<f32> + Copy + 'a,
) -> Option<Array<'a>> {
    frame.parts.iter().any(|part| of(part, 0).is_some()).then(|| Array {
        attributes: format!("type=\"Float32\" Name=\"{name}\" NumberOfComponents=\"{components}\""),
        bytes: 4 * components * frame.vertex_count(),
        write: Box::new(move |writer| {
            let of_part = |part: &'a Part<'a>| {
                (0..components * part.positions.len()).map(move |ix| of(part, ix).unwrap_or_default().to_le_bytes())
            };
            put(writer, frame.parts.iter().flat_map(of_part))
        }),
    })
}

/// Cells of a part: VTK's cell type and corners.
fn cells<'a>(part: &'a Part<'a>) -> impl Iterator<Item = (u8, Corners)> + 'a {
    let tetrahedra = part.tetrahedra.iter().map(|corners| (TETRAHEDRON, Corners::new(corners)));
    let faces = if part.tetrahedra.is_empty() { part.triangles } else { &[] };
    let triangles = faces.iter().map(|corners| (TRIANGLE, Corners::new(corners)));
    let lines = part.wires.iter().map(|corners| (LINE, Corners::new(corners)));
    let nothing = part.tetrahedra.is_empty() && part.triangles.is_empty() && part.wires.is_empty();
    let vertices = if nothing { part.positions.len() as u32 } else { 0 };
    let vertices = (0..vertices).map(|ix| (VERTEX, Corners::new(&[ix])));
    tetrahedra.chain(triangles).chain(lines).chain(vertices)
}

/// Corners of a cell, at most four.
#[derive(Clone, Copy)]
struct Corners {
    vertices: [u32; 4],
    count: usize,
}

impl Corners {
    fn new(corners: &[u32]) -> Self {
        let mut vertices = [0; 4];
        vertices.iter_mut().zip(corners).for_each(|(to, from)| *to = *from);
        Self { vertices, count: corners.len().min(4) }
    }

    fn len(&self) -> usize {
        self.count
    }

    fn iter(self) -> impl Iterator<Item = u32> {
        self.vertices.into_iter().take(self.count)
    }
}
