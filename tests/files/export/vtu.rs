//! VTU files, and the PVD files that list them.

use super::*;
use std::collections::BTreeMap;
use tenter::io::export::{Frame, pvd, vtu};

/// Attributes of an XML tag.
fn attributes(tag: &str) -> BTreeMap<&str, &str> {
    let mut found = BTreeMap::new();
    let mut rest = tag.trim_start_matches('<').split_once(' ').map_or("", |(_, rest)| rest);
    while let Some((name, after)) = rest.split_once("=\"") {
        let (value, after) = after.split_once('"').unwrap();
        found.insert(name.trim(), value);
        rest = after;
    }
    found
}

type Arrays = BTreeMap<(String, String), (BTreeMap<String, String>, Vec<u8>)>;

/// Arrays of a VTU file by (section, name): their attributes and bytes. Checks that they fill the appended data.
fn read_vtu(file: &[u8]) -> (Arrays, [usize; 2]) {
    let marker = b"<AppendedData encoding=\"raw\">\n_";
    let start = file.windows(marker.len()).position(|bytes| bytes == marker).unwrap() + marker.len();
    let head = std::str::from_utf8(&file[..start]).unwrap();
    let mut arrays = BTreeMap::new();
    let mut open: Vec<String> = Vec::new();
    let mut counts = [0; 2];
    let mut stretches = Vec::new();
    for tag in head.split('<').skip(1).map(|tag| tag.split('>').next().unwrap()) {
        if tag.starts_with('?') {
            continue;
        }
        let name = tag.split([' ', '/']).find(|word| !word.is_empty()).unwrap().to_owned();
        let found = attributes(tag);
        match name.as_str() {
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name)),
            "DataArray" => {
                assert!(tag.ends_with('/') && found["format"] == "appended");
                let offset: usize = found["offset"].parse().unwrap();
                let length = file[start + offset..].first_chunk().map(|bytes| u64::from_le_bytes(*bytes)).unwrap();
                stretches.push(offset..offset + 8 + length as usize);
                let bytes = file[start + offset + 8..][..length as usize].to_vec();
                let own = found.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
                arrays.insert((open.last().unwrap().clone(), found["Name"].to_owned()), (own, bytes));
            }
            _ => {
                match name.as_str() {
                    "VTKFile" => {
                        assert_eq!(found["type"], "UnstructuredGrid");
                        assert_eq!([found["byte_order"], found["header_type"]], ["LittleEndian", "UInt64"]);
                        assert_eq!(found["version"], "1.0");
                    }
                    "Piece" => counts = ["NumberOfPoints", "NumberOfCells"].map(|key| found[key].parse().unwrap()),
                    _ => {}
                }
                open.push(name);
            }
        }
    }
    assert_eq!(open, ["VTKFile", "AppendedData"]);
    let mut end = 0;
    for stretch in stretches {
        assert_eq!(stretch.start, end);
        end = stretch.end;
    }
    assert_eq!(&file[start + end..], b"\n  </AppendedData>\n</VTKFile>\n");
    (arrays, counts)
}

fn longs(bytes: &[u8]) -> Vec<i64> {
    bytes.chunks_exact(8).map(|word| i64::from_le_bytes(word.try_into().unwrap())).collect()
}

#[test]
fn vtu_is_read_back_to_the_bit() {
    let things = Things::new(21);
    let parts = things.parts();
    let mut file = Vec::new();
    vtu::write(&mut file, &Frame { time: 1.0 / 3.0, parts: &parts }).unwrap();
    let (arrays, counts) = read_vtu(&file);
    let array = |section: &str, name: &str, kind: &str, components: Option<&str>| {
        let (attributes, bytes) = &arrays[&(section.to_owned(), name.to_owned())];
        assert_eq!(attributes["type"], kind, "{name}");
        assert_eq!(attributes.get("NumberOfComponents").map(String::as_str), components, "{name}");
        bytes.clone()
    };
    // Sections are where VTK looks for them, and nothing else is there.
    assert_eq!(arrays.len(), 10);
    let time = array("FieldData", "TimeValue", "Float64", None);
    assert_eq!(time, (1.0f64 / 3.0).to_le_bytes());
    let positions = bits(&all_positions(&parts));
    assert_eq!(floats(&array("Points", "Points", "Float32", Some("3"))), positions.concat());
    let with_zeros = |known: Vec<[u32; 3]>| [known.concat(), vec![0; 3 * 14]].concat();
    let velocity = array("PointData", "velocity", "Float32", Some("3"));
    assert_eq!(floats(&velocity), with_zeros(bits(&things.velocities)));
    assert_eq!(floats(&array("PointData", "normal", "Float32", Some("3"))), with_zeros(bits(&things.normals)));
    let strain = floats(&array("PointData", "strain", "Float32", Some("1")));
    let known = things.strains.iter().chain(&things.strains[..4]).map(|value| value.to_bits());
    assert_eq!(strain, known.chain([0; 10]).collect::<Vec<_>>());
    let texture = floats(&array("PointData", "texture", "Float32", Some("2")));
    let known = things.texture.iter().flat_map(|value| value.to_array().map(f32::to_bits));
    assert_eq!(texture, known.chain([0; 28]).collect::<Vec<_>>());

    let mut cells: Vec<(u8, i32, Vec<i64>)> = Vec::new();
    let mut add = |kind, part, first: i64, corners: &[u32]| {
        cells.push((kind, part, corners.iter().map(|&ix| first + i64::from(ix)).collect()));
    };
    things.sheet.triangles.iter().for_each(|corners| add(5, 0, 0, corners));
    things.chain.wires.iter().for_each(|corners| add(3, 1, 6, corners));
    // A solid by its inside alone.
    things.solid.tetrahedra.iter().for_each(|corners| add(10, 3, 10, corners));
    (0..2).for_each(|ix| add(1, 4, 18, &[ix]));
    assert_eq!(counts, [20, cells.len()]);
    assert_eq!(array("Cells", "types", "UInt8", None), cells.iter().map(|cell| cell.0).collect::<Vec<_>>());
    let part = floats(&array("CellData", "part", "Int32", None));
    assert_eq!(part, cells.iter().map(|cell| cell.1 as u32).collect::<Vec<_>>());
    let connectivity = longs(&array("Cells", "connectivity", "Int64", None));
    assert_eq!(connectivity, cells.iter().flat_map(|cell| cell.2.clone()).collect::<Vec<_>>());
    let ends = cells.iter().scan(0, |end, cell| {
        *end += cell.2.len() as i64;
        Some(*end)
    });
    assert_eq!(longs(&array("Cells", "offsets", "Int64", None)), ends.collect::<Vec<_>>());
}

#[test]
fn pvd_lists_times_and_files() {
    let mut text = Vec::new();
    let files = [(0.0, "a.vtu".to_owned()), (0.1, "b & \"c\" <d>.vtu".to_owned())];
    pvd::write(&mut text, &files).unwrap();
    let text = String::from_utf8(text).unwrap();
    let sets: Vec<_> =
        text.lines().map(str::trim).filter(|line| line.starts_with("<DataSet")).map(attributes).collect();
    let of = |ix: usize| (sets[ix]["timestep"].parse::<f64>().unwrap(), sets[ix]["file"]);
    assert_eq!((of(0), of(1)), ((0.0, "a.vtu"), (0.1, "b &amp; &quot;c&quot; &lt;d&gt;.vtu")));
    assert!(text.contains("<VTKFile type=\"Collection\"") && text.trim_end().ends_with("</VTKFile>"));
}
