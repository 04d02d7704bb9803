//! Meshes of a glTF file, transformed by its nodes.

use super::super::finish::note;
use super::super::raw::{MAX_ELEMENTS, MAX_VERTICES, Raw, Wrong};
use super::super::source::name;
use super::buffers::{Buffers, Numbers};
use glam::{DMat4, DQuat, DVec3, Vec2};
use gltf::json::{
    Index, Mesh, Node, Root,
    accessor::{ComponentType, Type},
    mesh::{Mode, Primitive, Semantic},
    validation::Checked,
};

/// Largest number of vertices and corners per byte of the file: instances of a mesh are limited.
const MOST_PER_BYTE: usize = 16;

struct Reader<'a> {
    root: &'a Root,
    buffers: Buffers<'a>,
    raw: Raw,
    /// Number of vertices and corners so far.
    elements: usize,
    /// Size of the file itself, bytes.
    bytes: usize,
    /// Number of triangles without texture coordinates.
    bare: usize,
    points: usize,
    skins: usize,
}

pub(super) fn read(root: &Root, buffers: Buffers<'_>, bytes: usize) -> Result<Raw, Wrong> {
    let mut reader = Reader { root, buffers, raw: Raw::default(), elements: 0, bytes, bare: 0, points: 0, skins: 0 };
    match root.scene.or_else(|| (!root.scenes.is_empty()).then(|| Index::new(0))) {
        Some(scene) => {
            let nodes = root.get(scene).map(|scene| scene.nodes.as_slice()).unwrap_or_default();
            reader.nodes(nodes)?;
        }
        // Without a scene, meshes are not transformed.
        None => {
            for (ix, mesh) in root.meshes.iter().enumerate() {
                reader.mesh(ix, mesh, None, DMat4::IDENTITY)?;
            }
        }
    }
    let Reader { mut raw, bare, points, skins, .. } = reader;
    if bare > 0 || raw.triangles.is_empty() {
        if raw.texture.iter().any(|point| !point.is_nan()) {
            raw.notes.push("left out texture coordinates: not all triangles have them".to_owned());
        }
        raw.texture.clear();
    } else {
        // Vertices of lines have no texture coordinates.
        raw.texture.iter_mut().filter(|point| point.is_nan()).for_each(|point| *point = Vec2::ZERO);
        raw.texture_corners = raw.triangles.clone();
    }
    note(&mut raw.notes, points, "left out", "point", "points", "");
    note(&mut raw.notes, skins, "left out", "skin", "skins", ": meshes are as they were before they were bound");
    Ok(raw)
}

impl Reader<'_> {
    fn nodes(&mut self, roots: &[Index<Node>]) -> Result<(), Wrong> {
        let mut met = vec![false; self.root.nodes.len()];
        let mut waiting: Vec<(Index<Node>, DMat4)> = roots.iter().rev().map(|&node| (node, DMat4::IDENTITY)).collect();
        let root = self.root;
        while let Some((index, parent)) = waiting.pop() {
            let ix = index.value();
            let wrong = |message: &str| Wrong::new(message).of(format!("node {ix}"));
            let node = root.get(index).ok_or_else(|| wrong("is not there"))?;
            if std::mem::replace(&mut met[ix], true) {
                return Err(wrong("has several parents, or is its own"));
            }
            let placed = parent * transform(node);
            self.skins += usize::from(node.skin.is_some());
            if let Some(mesh) = node.mesh {
                let Some(there) = root.get(mesh) else { return Err(wrong("names a mesh that is not there")) };
                self.mesh(mesh.value(), there, node.name.as_deref(), placed)?;
            }
            let children = node.children.as_deref().unwrap_or_default();
            waiting.extend(children.iter().rev().map(|&child| (child, placed)));
        }
        Ok(())
    }

    fn mesh(&mut self, ix: usize, mesh: &Mesh, node: Option<&str>, placed: DMat4) -> Result<(), Wrong> {
        let first = self.raw.positions.len() as u32;
        for (place, primitive) in mesh.primitives.iter().enumerate() {
            let read = self.primitive(primitive, placed);
            read.map_err(|wrong| {
                let field = format!("mesh {ix}, primitive {place}");
                if wrong.field.is_empty() { wrong.of(field) } else { wrong }
            })?;
        }
        let vertices: Vec<u32> = (first..self.raw.positions.len() as u32).collect();
        let mut last = None;
        for called in [node, mesh.name.as_deref()].into_iter().flatten() {
            let called = name(called.as_bytes());
            if !called.is_empty() && last.as_ref() != Some(&called) {
                let group = self.raw.groups.place(&called);
                self.raw.groups.add(group, &vertices);
            }
            last = Some(called);
        }
        Ok(())
    }

    fn primitive(&mut self, primitive: &Primitive, placed: DMat4) -> Result<(), Wrong> {
        let attribute = |semantic: Semantic| primitive.attributes.get(&Checked::Valid(semantic)).copied();
        let Some(positions) = attribute(Semantic::Positions) else { return Err(Wrong::new("has no positions")) };
        let positions = self.buffers.numbers(positions)?;
        if (positions.component, positions.kind) != (ComponentType::F32, Type::Vec3) {
            return Err(Wrong::new("positions must be three floats each"));
        }
        let texture = attribute(Semantic::TexCoords(0)).map(|texture| self.buffers.numbers(texture)).transpose()?;
        if texture.as_ref().is_some_and(|texture| texture.kind != Type::Vec2 || texture.count != positions.count) {
            return Err(Wrong::new("texture coordinates must be two numbers for each vertex"));
        }
        let corners = primitive.indices.map(|indices| self.buffers.numbers(indices)).transpose()?;
        let corner_count = corners.as_ref().map_or(positions.count, |corners| corners.count);
        self.elements += positions.count + corner_count;
        let bytes = self.bytes + self.buffers.bytes;
        if self.elements > MOST_PER_BYTE.saturating_mul(bytes)
            || self.raw.positions.len() + positions.count > MAX_VERTICES
            || self.raw.triangles.len() + self.raw.wires.len() + corner_count > MAX_ELEMENTS
        {
            let message = format!(
                "is too much: {MAX_VERTICES} vertices and {MAX_ELEMENTS} elements can be read, and {MOST_PER_BYTE} for each byte of the file"
            );
            return Err(Wrong::new(message));
        }
        let first = self.raw.positions.len() as u32;
        let corners = indices(corners.as_ref(), positions.count)?;
        for ix in 0..positions.count {
            let [x, y, z] = positions.entry(ix);
            self.raw.positions.push(placed.transform_point3(DVec3::new(x, y, z)));
            let point = texture.as_ref().map(|texture| texture.entry::<2>(ix).map(|number| number as f32));
            self.raw.texture.push(point.map_or(Vec2::NAN, Vec2::from_array));
        }
        // A mirroring transform reverses the orientation.
        let mirrored = placed.determinant() < 0.0;
        let corner = |ix: usize| first + corners[ix];
        let count = corners.len();
        let before = self.raw.triangles.len();
        let mut triangle = |a: usize, b: usize, c: usize| {
            let [b, c] = if mirrored { [c, b] } else { [b, c] };
            self.raw.triangles.push([a, b, c].map(corner));
        };
        let Checked::Valid(mode) = primitive.mode else { return Err(Wrong::new("is of no known mode")) };
        match mode {
            Mode::Triangles if count % 3 != 0 => {
                return Err(Wrong::new(format!("triangles must have three corners each, not {count} in all")));
            }
            Mode::Triangles => (0..count / 3).for_each(|ix| triangle(3 * ix, 3 * ix + 1, 3 * ix + 2)),
            Mode::TriangleStrip => {
                (2..count).for_each(|ix| {
                    if ix % 2 == 0 { triangle(ix - 2, ix - 1, ix) } else { triangle(ix - 1, ix - 2, ix) }
                });
            }
            Mode::TriangleFan => (2..count).for_each(|ix| triangle(0, ix - 1, ix)),
            Mode::Lines => self.raw.wires.extend((0..count / 2).map(|ix| [corner(2 * ix), corner(2 * ix + 1)])),
            Mode::LineStrip => self.raw.wires.extend((1..count).map(|ix| [corner(ix - 1), corner(ix)])),
            Mode::LineLoop => self.raw.wires.extend((0..count).map(|ix| [corner(ix), corner((ix + 1) % count)])),
            Mode::Points => self.points += count,
        }
        if texture.is_none() {
            self.bare += self.raw.triangles.len() - before;
        }
        Ok(())
    }
}

/// Vertex of each corner.
fn indices(numbers: Option<&Numbers>, count: usize) -> Result<Vec<u32>, Wrong> {
    let Some(numbers) = numbers else { return Ok((0..count as u32).collect()) };
    let whole = matches!(numbers.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
    if !whole || numbers.kind != Type::Scalar {
        return Err(Wrong::new("indices must be whole numbers that are not negative"));
    }
    let index = |ix: usize| {
        let [value] = numbers.entry(ix);
        if value >= 0.0 && value < count as f64 {
            return Ok(value as u32);
        }
        Err(Wrong::new(format!("index {ix} names vertex {value}, but there are {count} vertices")))
    };
    (0..numbers.count).map(index).collect()
}

/// Transform of a node relative to its parent.
fn transform(node: &Node) -> DMat4 {
    if let Some(matrix) = node.matrix {
        return DMat4::from_cols_array(&matrix.map(f64::from));
    }
    let vector = |vector: Option<[f32; 3]>, default: DVec3| {
        vector.map_or(default, |vector| DVec3::from_array(vector.map(f64::from)))
    };
    let rotation = node.rotation.map(|rotation| DQuat::from_array(rotation.0.map(f64::from)));
    let rotation = rotation.filter(|rotation| rotation.length() > 0.0).map_or(DQuat::IDENTITY, DQuat::normalize);
    DMat4::from_scale_rotation_translation(
        vector(node.scale, DVec3::ONE),
        rotation,
        vector(node.translation, DVec3::ZERO),
    )
}
