//! PLY: a header that declares elements, then their rows as ASCII or binary numbers.

use super::finish::note;
use super::polygon::{MOST_CORNERS, cut};
use super::raw::{MAX_ELEMENTS, MAX_VERTICES, Raw, Wrong};
use super::source::{Source, integer, shown, words};
use glam::{DVec3, Vec2};

#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Ascii,
    Little,
    Big,
}

/// Type of a number.
#[derive(Clone, Copy)]
enum NumberType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl NumberType {
    fn parse(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// Size of the type, bytes.
    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// Role of a property in the mesh.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    X,
    Y,
    Z,
    U,
    V,
    From,
    To,
    Corners,
    CornerTexture,
    Strip,
    Nothing,
}

struct Property {
    kind: NumberType,
    /// Type of the count, for a list.
    list: Option<NumberType>,
    role: Role,
}

struct Element {
    name: Vec<u8>,
    count: i64,
    properties: Vec<Property>,
}

impl Element {
    /// Smallest size of a row, bytes.
    fn least_bytes(&self, encoding: Encoding) -> usize {
        let size = |property: &Property| match encoding {
            Encoding::Ascii => 2,
            _ => property.list.unwrap_or(property.kind).size(),
        };
        self.properties.iter().map(size).sum()
    }

    fn has(&self, role: Role) -> bool {
        self.properties.iter().any(|property| property.role == role)
    }
}

#[derive(Default)]
struct Reader {
    raw: Raw,
    /// Corners of all faces, consecutively.
    corners: Vec<u32>,
    /// Texture coordinates of all corners, if the faces have them.
    corner_texture: Vec<Vec2>,
    /// End of each face in `corners`.
    ends: Vec<usize>,
    strips: Vec<Vec<Option<u32>>>,
    /// Number of faces with their own texture coordinates.
    textured: usize,
}

pub(super) fn parse(bytes: &[u8]) -> Result<Raw, Wrong> {
    let mut source = Source::new(bytes);
    let (encoding, elements) = header(&mut source)?;
    let mut reader = Reader::default();
    for element in &elements {
        let read = reader.element(element, encoding, &mut source);
        read.map_err(
            |wrong| if encoding == Encoding::Ascii { wrong.at(source.line) } else { Wrong { line: None, ..wrong } },
        )?;
    }
    reader.finish()
}

fn header(source: &mut Source) -> Result<(Encoding, Vec<Element>), Wrong> {
    if source.next_line() != Some(b"ply") {
        return Err(Wrong::new("does not begin with \"ply\"").at(1));
    }
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    loop {
        let number = source.line;
        let Some(line) = source.next_line() else {
            return Err(source.wrong("ends too early: \"end_header\" is missing"));
        };
        let wrong = |message: String| Wrong::new(message).at(number);
        let words: Vec<&[u8]> = words(line).take(6).collect();
        match *words {
            [b"format", kind, b"1.0"] => {
                encoding = Some(match kind {
                    b"ascii" => Encoding::Ascii,
                    b"binary_little_endian" => Encoding::Little,
                    b"binary_big_endian" => Encoding::Big,
                    _ => return Err(wrong(format!("{} is no known encoding", shown(kind)))),
                });
            }
            [b"comment" | b"obj_info", ..] | [] => {}
            [b"element", name, count] => {
                let Some(count) = integer(count) else {
                    return Err(wrong(format!("{} is not a number of elements", shown(count))));
                };
                elements.push(Element { name: name.to_owned(), count, properties: Vec::new() });
            }
            [b"property", ref rest @ ..] => {
                let Some(element) = elements.last_mut() else {
                    return Err(wrong("a property of no element".to_owned()));
                };
                let kind = |word: &[u8]| {
                    NumberType::parse(word).ok_or_else(|| wrong(format!("{} is no known type", shown(word))))
                };
                let property = match *rest {
                    [b"list", count, item, name] => {
                        let role = role(&element.name, name, true);
                        Property { kind: kind(item)?, list: Some(kind(count)?), role }
                    }
                    [item, name] => Property { kind: kind(item)?, list: None, role: role(&element.name, name, false) },
                    _ => return Err(wrong("a property must have a type and a name".to_owned())),
                };
                element.properties.push(property);
            }
            [b"end_header"] => break,
            _ => return Err(wrong(format!("{} is nothing that stands in a header", shown(line)))),
        }
    }
    match encoding {
        Some(encoding) => Ok((encoding, elements)),
        None => Err(source.wrong("the header does not say which format follows")),
    }
}

fn role(element: &[u8], name: &[u8], list: bool) -> Role {
    match (element, name, list) {
        (b"vertex", b"x", false) => Role::X,
        (b"vertex", b"y", false) => Role::Y,
        (b"vertex", b"z", false) => Role::Z,
        (b"vertex", b"s" | b"u" | b"texture_u", false) => Role::U,
        (b"vertex", b"t" | b"v" | b"texture_v", false) => Role::V,
        (b"face", b"vertex_indices" | b"vertex_index", true) => Role::Corners,
        (b"face", b"texcoord", true) => Role::CornerTexture,
        (b"tristrips", b"vertex_indices" | b"vertex_index", true) => Role::Strip,
        (b"edge", b"vertex1", false) => Role::From,
        (b"edge", b"vertex2", false) => Role::To,
        _ => Role::Nothing,
    }
}

fn scalar(source: &mut Source, kind: NumberType, encoding: Encoding) -> Result<f64, Wrong> {
    macro_rules! number {
        ($type:ty) => {{
            let bytes = source.take()?;
            f64::from(if encoding == Encoding::Big {
                <$type>::from_be_bytes(bytes)
            } else {
                <$type>::from_le_bytes(bytes)
            })
        }};
    }
    if encoding == Encoding::Ascii {
        return source.float("a number");
    }
    Ok(match kind {
        NumberType::I8 => number!(i8),
        NumberType::U8 => number!(u8),
        NumberType::I16 => number!(i16),
        NumberType::U16 => number!(u16),
        NumberType::I32 => number!(i32),
        NumberType::U32 => number!(u32),
        NumberType::F32 => number!(f32),
        NumberType::F64 => number!(f64),
    })
}

/// Index of a vertex; its range is checked later.
fn index(value: f64) -> Result<u32, Wrong> {
    if value >= 0.0 && value < f64::from(u32::MAX) && value.fract() == 0.0 {
        return Ok(value as u32);
    }
    Err(Wrong::new(format!("{value} is not the number of a vertex")))
}

impl Reader {
    fn element(&mut self, element: &Element, encoding: Encoding, source: &mut Source) -> Result<(), Wrong> {
        let what = format!("elements {}", shown(&element.name));
        // Rows without properties take no bytes, however many there are.
        if element.properties.is_empty() && element.name != b"vertex" {
            return Ok(());
        }
        let is_vertex = element.name == b"vertex";
        let most = if is_vertex { MAX_VERTICES } else { MAX_ELEMENTS };
        let count = source.count(element.count, element.least_bytes(encoding), most, &what)?;
        if is_vertex && !(element.has(Role::X) && element.has(Role::Y) && element.has(Role::Z)) {
            return Err(Wrong::new("vertices must have x, y and z"));
        }
        let textured = element.has(Role::U) && element.has(Role::V);
        for ix in 0..count {
            let field = || format!("{} {ix}", String::from_utf8_lossy(&element.name));
            let row = self.row(element, encoding, source).map_err(|wrong| wrong.of(field()))?;
            if is_vertex {
                if !row.position.is_finite() {
                    return Err(Wrong::new("is not finite").of(field()));
                }
                self.raw.positions.push(row.position);
                if textured {
                    self.raw.texture.push(row.texture);
                }
            }
            if let [Some(from), Some(to)] = row.ends {
                self.raw.wires.push([from, to]);
            }
        }
        Ok(())
    }

    fn row(&mut self, element: &Element, encoding: Encoding, source: &mut Source) -> Result<Scalars, Wrong> {
        let mut row = Scalars::default();
        for property in &element.properties {
            if let Some(kind) = property.list {
                self.list(property, kind, encoding, source)?;
                continue;
            }
            let value = scalar(source, property.kind, encoding)?;
            match property.role {
                Role::X => row.position.x = value,
                Role::Y => row.position.y = value,
                Role::Z => row.position.z = value,
                Role::U => row.texture.x = value as f32,
                Role::V => row.texture.y = value as f32,
                Role::From => row.ends[0] = Some(index(value)?),
                Role::To => row.ends[1] = Some(index(value)?),
                _ => {}
            }
        }
        // Faces without texture coordinates get placeholders, so that the list stays aligned with the corners.
        if element.has(Role::Corners) {
            self.corner_texture.resize(self.corners.len(), Vec2::NAN);
        }
        Ok(row)
    }

    fn list(
        &mut self,
        property: &Property,
        count: NumberType,
        encoding: Encoding,
        source: &mut Source,
    ) -> Result<(), Wrong> {
        let count = scalar(source, count, encoding)?;
        if count.fract() != 0.0 {
            return Err(Wrong::new(format!("a list of {count} numbers")));
        }
        let each = if encoding == Encoding::Ascii { 2 } else { property.kind.size() };
        let count = source.count(count as i64, each, MAX_ELEMENTS, "numbers of a list")?;
        match property.role {
            Role::Corners => {
                if count < 3 {
                    return Err(Wrong::new(format!("must have three vertices at least, not {count}")));
                }
                for _ in 0..count {
                    self.corners.push(index(scalar(source, property.kind, encoding)?)?);
                }
                self.ends.push(self.corners.len());
            }
            Role::CornerTexture => {
                for _ in 0..count / 2 {
                    let [u, v] = [scalar(source, property.kind, encoding)?, scalar(source, property.kind, encoding)?];
                    self.corner_texture.push(Vec2::new(u as f32, v as f32));
                }
                if count % 2 == 1 {
                    return Err(Wrong::new(format!("must have two texture coordinates a corner, not {count} in all")));
                }
                self.textured += 1;
            }
            Role::Strip => {
                let mut strip = Vec::new();
                for _ in 0..count {
                    let value = scalar(source, property.kind, encoding)?;
                    strip.push(if value == -1.0 { None } else { Some(index(value)?) });
                }
                self.strips.push(strip);
            }
            _ if encoding == Encoding::Ascii => {
                for _ in 0..count {
                    source.float("a number")?;
                }
            }
            _ => source.skip(count * each)?,
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Raw, Wrong> {
        let per_corner = self.textured > 0 && self.corner_texture.iter().all(|point| !point.is_nan());
        if self.textured > 0 && !per_corner {
            self.raw.notes.push("left out texture coordinates: not all faces have them".to_owned());
        }
        let per_vertex = !per_corner && !self.raw.texture.is_empty();
        if per_corner {
            self.raw.texture = std::mem::take(&mut self.corner_texture);
        } else if !per_vertex {
            self.raw.texture.clear();
        }
        let mut cut_up = 0;
        let mut places = Vec::new();
        let mut first = 0;
        for (ix, &end) in self.ends.iter().enumerate() {
            let corners = &self.corners[first..end];
            places.clear();
            for &vertex in corners {
                let Some(&position) = self.raw.positions.get(vertex as usize) else {
                    let count = self.raw.positions.len();
                    let message = format!("names vertex {vertex}, but there are {count} vertices");
                    return Err(Wrong::new(message).of(format!("face {ix}")));
                };
                places.push(position);
            }
            let Some(triangles) = cut(&places) else {
                let message = format!("a face of more than {MOST_CORNERS} corners must be convex");
                return Err(Wrong::new(message).of(format!("face {ix}")));
            };
            cut_up += usize::from(triangles.len() > 1);
            for triangle in triangles {
                self.raw.triangles.push(triangle.map(|k| corners[k]));
                if per_corner {
                    self.raw.texture_corners.push(triangle.map(|k| (first + k) as u32));
                }
            }
            first = end;
        }
        note(&mut self.raw.notes, cut_up, "cut", "polygon", "polygons", " into triangles");
        for strip in &self.strips {
            for part in strip.split(Option::is_none) {
                for (place, three) in part.windows(3).enumerate() {
                    if let [Some(a), Some(b), Some(c)] = *three {
                        self.raw.triangles.push(if place % 2 == 0 { [a, b, c] } else { [b, a, c] });
                    }
                }
            }
        }
        if per_vertex {
            self.raw.texture_corners = self.raw.triangles.clone();
        } else if !self.strips.is_empty() {
            self.raw.texture_corners.clear();
        }
        Ok(self.raw)
    }
}

/// Scalar properties of a row.
#[derive(Default)]
struct Scalars {
    position: DVec3,
    texture: Vec2,
    ends: [Option<u32>; 2],
}
