use super::*;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Encoding {
    Ascii,
    Little,
    Big,
}

pub const ENCODINGS: [Encoding; 3] = [Encoding::Ascii, Encoding::Little, Encoding::Big];

/// Numbers as text or bytes.
struct Out(Vec<u8>, Encoding);

impl Out {
    fn int(&mut self, value: i32) {
        match self.1 {
            Encoding::Ascii => self.text(&format!("{value} ")),
            Encoding::Little => self.0.extend(value.to_le_bytes()),
            Encoding::Big => self.0.extend(value.to_be_bytes()),
        }
    }

    fn size(&mut self, value: u64) {
        match self.1 {
            Encoding::Ascii => self.text(&format!("{value} ")),
            Encoding::Little => self.0.extend(value.to_le_bytes()),
            Encoding::Big => self.0.extend(value.to_be_bytes()),
        }
    }

    fn float(&mut self, value: f64) {
        match self.1 {
            Encoding::Ascii => self.text(&format!("{value:e} ")),
            Encoding::Little => self.0.extend(value.to_le_bytes()),
            Encoding::Big => self.0.extend(value.to_be_bytes()),
        }
    }

    fn text(&mut self, text: &str) {
        self.0.extend(text.bytes());
    }

    /// Rows end where there are lines.
    fn row(&mut self) {
        if self.1 == Encoding::Ascii {
            self.text("\n");
        }
    }

    fn format(&mut self, version: &str) {
        self.text(&format!("$MeshFormat\n{version} {} 8\n", i32::from(self.1 != Encoding::Ascii)));
        if self.1 != Encoding::Ascii {
            self.int(1);
            self.text("\n");
        }
        self.text("$EndMeshFormat\n");
    }
}

/// An element: its type, the number of its physical group (0: none), its nodes.
pub struct Element(i32, i32, Vec<u64>);

/// Tags that are neither in order nor without gaps.
const TAGS: [u64; 6] = [10, 7, 300, 4, 5, 99];
const NODES: [[f64; 3]; 6] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.5, 0.5, -1.0], [0.5, 0.0, 0.0]];

const NAMES: &str = "$PhysicalNames\n2\n2 5 \"hem of it\"\n3 1 \"inside\"\n$EndPhysicalNames\n";

/// Two tetrahedra, a triangle, a line and a point, in groups. Node 99 is used only by elements of second order.
pub fn solid(second_order: bool) -> Vec<Element> {
    let mut tetrahedra = vec![Element(4, 1, vec![10, 7, 300, 4]), Element(4, 1, vec![10, 7, 300, 5])];
    if second_order {
        tetrahedra[0] = Element(11, 1, vec![10, 7, 300, 4, 99, 99, 99, 99, 99, 99]);
    }
    let mut elements = vec![Element(15, 8, vec![4]), Element(1, 0, vec![10, 7]), Element(2, 5, vec![10, 7, 300])];
    elements.append(&mut tetrahedra);
    elements
}

/// Three triangles about a vertex, a quadrangle beside them, two lines: one along an edge and one that is a wire.
pub fn sheet() -> Vec<Element> {
    vec![
        Element(1, 9, vec![10, 7]),
        Element(1, 9, vec![4, 5]),
        Element(2, 5, vec![10, 7, 300]),
        Element(9, 5, vec![300, 7, 4, 99, 99, 99]),
    ]
}

pub fn version_2(elements: &[Element], encoding: Encoding) -> Vec<u8> {
    let mut out = Out(Vec::new(), encoding);
    out.format("2.2");
    out.text(NAMES);
    out.text("$Nodes\n6\n");
    for (tag, place) in TAGS.iter().zip(NODES) {
        out.int(*tag as i32);
        place.iter().for_each(|&number| out.float(number));
        out.row();
    }
    out.text(&format!("\n$EndNodes\n$Elements\n{}\n", elements.len()));
    for (ix, Element(kind, group, nodes)) in elements.iter().enumerate() {
        let number = 1000 + ix as i32;
        let before = if encoding == Encoding::Ascii { vec![number, *kind, 2] } else { vec![*kind, 1, 2, number] };
        before.iter().for_each(|&value| out.int(value));
        out.int(*group);
        out.int(77);
        nodes.iter().for_each(|&node| out.int(node as i32));
        out.row();
    }
    out.text("\n$EndElements\n");
    out.0
}

/// A part of the model for every element, and nodes in two blocks, of which one is parametric.
pub fn version_4(elements: &[Element], encoding: Encoding) -> Vec<u8> {
    let dimension = |kind: i32| match kind {
        15 => 0,
        1 | 8 => 1,
        2 | 9 | 3 => 2,
        _ => 3,
    };
    let mut out = Out(Vec::new(), encoding);
    out.format("4.1");
    out.text(NAMES);
    out.text("$Entities\n");
    for wanted in 0..4 {
        out.size(elements.iter().filter(|element| dimension(element.0) == wanted).count() as u64);
    }
    out.row();
    for wanted in 0..4 {
        for (ix, Element(_, group, _)) in
            elements.iter().enumerate().filter(|(_, element)| dimension(element.0) == wanted)
        {
            out.int(50 + ix as i32);
            (0..if wanted == 0 { 3 } else { 6 }).for_each(|ix| out.float(f64::from(ix)));
            let groups = if *group == 0 { vec![] } else { vec![*group] };
            out.size(groups.len() as u64);
            groups.iter().for_each(|&group| out.int(group));
            if wanted > 0 {
                out.size(2);
                out.int(1);
                out.int(-2);
            }
            out.row();
        }
    }
    out.text("\n$EndEntities\n$Unknown\nanything $at all\n$EndUnknown\n$Nodes\n");
    [2, 6, 4, 300].iter().for_each(|&value| out.size(value));
    out.row();
    for (range, dimension, parametric) in [(0..2, 2, 1), (2..6, 3, 0)] {
        [dimension, 50, parametric].iter().for_each(|&value| out.int(value));
        out.size(range.len() as u64);
        out.row();
        TAGS[range.clone()].iter().for_each(|&tag| out.size(tag));
        out.row();
        for place in &NODES[range] {
            place.iter().for_each(|&number| out.float(number));
            (0..dimension * parametric).for_each(|_| out.float(0.25));
            out.row();
        }
    }
    out.text("\n$EndNodes\n$Elements\n");
    [elements.len() as u64, elements.len() as u64, 1000, 2000].iter().for_each(|&value| out.size(value));
    out.row();
    for (ix, Element(kind, _, nodes)) in elements.iter().enumerate() {
        [dimension(*kind), 50 + ix as i32, *kind].iter().for_each(|&value| out.int(value));
        out.size(1);
        out.row();
        out.size(1000 + ix as u64);
        nodes.iter().for_each(|&node| out.size(node));
        out.row();
    }
    out.text("\n$EndElements\n");
    out.0
}

/// Every variant of a mesh.
pub fn all(elements: &[Element]) -> Vec<(String, Vec<u8>)> {
    let both = ENCODINGS.iter().flat_map(|&encoding| {
        [
            (format!("2.2 {encoding:?}"), version_2(elements, encoding)),
            (format!("4.1 {encoding:?}"), version_4(elements, encoding)),
        ]
    });
    both.collect()
}

#[test]
fn solids() {
    for second_order in [false, true] {
        for (name, bytes) in all(&solid(second_order)) {
            let file = parse(bytes, MeshFormat::Msh);
            let mesh = &file.mesh;
            assert_eq!((mesh.positions.len(), mesh.tetrahedra.len(), mesh.triangles.len()), (5, 2, 6), "{name}");
            assert!(mesh.wires.is_empty());
            assert!((enclosed(mesh) - 2.0 / 6.0).abs() < 1e-7, "{name}");
            assert_eq!(group(mesh, "hem of it"), [0, 1, 2]);
            assert_eq!(group(mesh, "inside"), [0, 1, 2, 3, 4]);
            assert_eq!(group(mesh, "physical 8"), [3]);
            assert_eq!(mesh.groups.len(), 3);
            let mut expected = vec!["turned 1 inverted tetrahedron", "left out 1 vertex that nothing uses"];
            if second_order {
                expected.insert(0, "used the corners of 1 element of higher order");
            }
            assert_eq!(file.notes, expected, "{name}");
        }
    }
}

#[test]
fn sheets() {
    for (name, bytes) in all(&sheet()) {
        let file = parse(bytes, MeshFormat::Msh);
        let mesh = &file.mesh;
        assert_eq!(mesh.triangles, [[0, 1, 2], [2, 1, 3]], "{name}");
        assert_eq!(mesh.wires, [[3, 4]], "{name}");
        assert_eq!(group(mesh, "physical 9"), [0, 1, 3, 4], "{name}");
        assert!(file.notes.iter().any(|note| note.contains("1 line along edges")), "{:?}", file.notes);
    }
    let quadrangle = [Element(3, 0, vec![10, 7, 300, 4])];
    for (name, bytes) in all(&quadrangle) {
        assert_eq!(parse(bytes, MeshFormat::Msh).mesh.triangles.len(), 2, "{name}");
    }
}

#[test]
fn turned_parts_belong_to_the_same_group() {
    let text = String::from_utf8(version_2(&solid(false), Encoding::Ascii)).unwrap();
    let turned = text.replacen("1002 2 2 5 ", "1002 2 2 -5 ", 1);
    assert_ne!(text, turned);
    assert_eq!(group(&parse(turned, MeshFormat::Msh).mesh, "hem of it"), [0, 1, 2]);
}

#[test]
fn several_elements_in_a_block() {
    // Binary 2.2 as Gmsh writes it.
    let good = version_2(&solid(false), Encoding::Little);
    let place = good.windows(9).position(|part| part == b"$Elements").unwrap();
    let mut bytes = good[..place].to_vec();
    bytes.extend(b"$Elements\n2\n");
    for value in [4, 2, 2, 1, 1, 77, 10, 7, 300, 4, 2, 1, 77, 10, 7, 300, 5i32] {
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend(b"$EndElements\n");
    assert_eq!(parse(&bytes, MeshFormat::Msh).mesh.tetrahedra.len(), 2);
    // 4.1 likewise.
    let text = String::from_utf8(version_4(&solid(false), Encoding::Ascii)).unwrap();
    let (before, _) = text.split_once("$Elements").unwrap();
    let text = format!("{before}$Elements\n1 2 1 2\n3 53 4 2\n1 10 7 300 4\n2 10 7 300 5\n$EndElements\n");
    assert_eq!(parse(text, MeshFormat::Msh).mesh.tetrahedra.len(), 2);
}

#[test]
fn errors() {
    let good = String::from_utf8(version_2(&solid(false), Encoding::Ascii)).unwrap();
    let cases: [(&str, &str, &str, &str); 15] = [
        ("2.2 0 8", "4.0 0 8", "$MeshFormat", "4.0"),
        ("2.2 0 8", "2.2 1 4", "$MeshFormat", "8 bytes"),
        ("2.2 0 8", "2.2 0", "$MeshFormat", "version"),
        ("$MeshFormat", "$Nodes", "", "first"),
        ("$EndNodes", "$EndElements", "", "$EndNodes"),
        ("$Nodes\n6", "$Nodes\n7", "$Nodes", "$EndNodes"),
        ("$Nodes\n6", "$Nodes\n99999999", "$Nodes", "more than the 16777216"),
        ("$Nodes\n6", "$Nodes\n999999", "$Nodes", "do not fit"),
        ("$Nodes\n6", "$Nodes\n-6", "$Nodes", "negative"),
        ("$Nodes\n6", "$Nodes\nsix", "$Nodes", "six"),
        ("$Elements\n5", "$Elements\n6", "$Elements", "$EndElements"),
        ("10 0e0", "10 nan", "vertex 10", "finite"),
        ("7 1e0", "10 1e0", "vertex 10", "twice"),
        ("1003 4 2 1 77 10", "1003 4 2 1 77 11", "element 1003", "vertex 11"),
        ("1003 4", "1003 5", "$Elements", "hexahedra"),
    ];
    for (from, to, expected, words) in cases {
        assert!(good.contains(from), "{from}");
        let (line, field, message) = refusal(good.replacen(from, to, 1), MeshFormat::Msh);
        assert!(message.contains(words), "{to}: {field}: {message}");
        assert_eq!(field, expected, "{to}: {message}");
        assert!(line.is_some() || field == "$MeshFormat", "{to}: {message}");
    }
    let line = good.lines().position(|line| line.starts_with("1003")).unwrap() + 1;
    assert_eq!(refusal(good.replacen("1003 4 2 1 77 10", "1003 4 2 1 77 11", 1), MeshFormat::Msh).0, Some(line));
    assert!(refusal("", MeshFormat::Msh).2.contains("$MeshFormat"));
    assert!(refusal("hello", MeshFormat::Msh).2.contains("section"));
    // Flat and impossible tetrahedra.
    let flat = vec![Element(4, 0, vec![10, 7, 300, 99])];
    let (_, field, message) = refusal(version_2(&flat, Encoding::Ascii), MeshFormat::Msh);
    assert!(field == "tetrahedron 1" && message.contains("flat: vertices 10, 7, 300 and 99"), "{field}: {message}");
    let thrice = [4, 5, 4].map(|node| Element(4, 0, vec![10, 7, 300, node]));
    assert!(refusal(version_4(&thrice, Encoding::Big), MeshFormat::Msh).2.contains("vertices 10, 7 and 300 has three"));
    // The same one twice, once inverted, and one within another.
    let twice = [vec![10, 7, 300, 4], vec![7, 10, 300, 4]].map(|nodes| Element(4, 0, nodes));
    assert!(refusal(version_2(&twice, Encoding::Ascii), MeshFormat::Msh).2.contains("same side"));
    let within = [vec![10, 7, 300, 4], vec![10, 99, 300, 4]].map(|nodes| Element(4, 0, nodes));
    let (_, field, message) = refusal(version_4(&within, Encoding::Little), MeshFormat::Msh);
    assert!(field == "tetrahedron 2" && message.contains("10, 300 and 4 has two tetrahedra on"), "{field}: {message}");
    let mut many = String::from_utf8(version_4(&solid(false), Encoding::Ascii)).unwrap();
    many = many.replacen("$Elements\n5 5", "$Elements\n999999999999 5", 1);
    assert!(refusal(many, MeshFormat::Msh).2.contains("more than"));
}
