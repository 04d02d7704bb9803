//! JSON description of a glTF file.

use glam::Vec3;
use serde::{
    Serialize,
    ser::{SerializeSeq, Serializer},
};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Constants of the specification.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const POINTS: u32 = 0;
const LINES: u32 = 1;
const TRIANGLES: u32 = 4;

/// Use of an accessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessorKind {
    Position,
    Normal,
    Texture,
    Index,
    Time,
    Weight,
}

impl AccessorKind {
    /// Number of components of an element.
    pub fn components(self) -> usize {
        match self {
            AccessorKind::Position | AccessorKind::Normal => 3,
            AccessorKind::Texture => 2,
            AccessorKind::Index | AccessorKind::Time | AccessorKind::Weight => 1,
        }
    }

    fn type_name(self) -> &'static str {
        ["SCALAR", "VEC2", "VEC3"][self.components() - 1]
    }

    fn target(self) -> Option<u32> {
        match self {
            AccessorKind::Position | AccessorKind::Normal | AccessorKind::Texture => Some(ARRAY_BUFFER),
            AccessorKind::Index => Some(ELEMENT_ARRAY_BUFFER),
            AccessorKind::Time | AccessorKind::Weight => None,
        }
    }
}

/// A range of the data, with a buffer view of the same index.
#[derive(Debug, Clone)]
pub struct Accessor {
    pub kind: AccessorKind,
    pub offset: u64,
    /// Number of elements.
    pub count: usize,
    /// Smallest and largest value of each component, where the specification requires them.
    pub bounds: Option<[Vec3; 2]>,
}

impl Accessor {
    fn view(&self) -> Value {
        let length = 4 * self.count * self.kind.components();
        let mut view = json!({ "buffer": 0, "byteOffset": self.offset, "byteLength": length });
        if let Some(target) = self.kind.target() {
            view["target"] = target.into();
        }
        view
    }

    fn json(&self, ix: usize) -> Value {
        let component = if self.kind == AccessorKind::Index { UNSIGNED_INT } else { FLOAT };
        let mut accessor = json!({
            "bufferView": ix, "componentType": component, "count": self.count, "type": self.kind.type_name(),
        });
        if let Some([low, high]) = self.bounds {
            let components = |bound: Vec3| json!(bound.to_array()[..self.kind.components()]);
            accessor["min"] = components(low);
            accessor["max"] = components(high);
        }
        accessor
    }
}

/// A part with its accessors.
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    pub name: String,
    pub positions: Option<usize>,
    pub normals: Option<usize>,
    pub texture: Option<usize>,
    pub triangles: Option<usize>,
    pub wires: Option<usize>,
    /// Positions and normals of each further frame.
    pub targets: Vec<[Option<usize>; 2]>,
}

impl Mesh {
    fn json(&self) -> Value {
        let mut attributes = json!({ "POSITION": self.positions });
        if let Some(normals) = self.normals {
            attributes["NORMAL"] = normals.into();
        }
        if let Some(texture) = self.texture {
            attributes["TEXCOORD_0"] = texture.into();
        }
        let target = |[positions, normals]: &[Option<usize>; 2]| match normals {
            Some(normals) => json!({ "POSITION": positions, "NORMAL": normals }),
            None => json!({ "POSITION": positions }),
        };
        let targets: Vec<Value> = self.targets.iter().map(target).collect();
        let primitive = |mode: u32, indices: Option<usize>| {
            let mut primitive = json!({ "attributes": attributes, "mode": mode, "material": 0 });
            if let Some(indices) = indices {
                primitive["indices"] = indices.into();
            }
            if !targets.is_empty() {
                primitive["targets"] = targets.clone().into();
            }
            primitive
        };
        let mut primitives = Vec::new();
        primitives.extend(self.triangles.map(|triangles| primitive(TRIANGLES, Some(triangles))));
        primitives.extend(self.wires.map(|wires| primitive(LINES, Some(wires))));
        if primitives.is_empty() {
            primitives.push(primitive(POINTS, None));
        }
        let mut mesh = json!({ "name": self.name, "primitives": primitives });
        if !targets.is_empty() {
            // Names of the morph targets, shown as shape keys.
            let names: Vec<String> = (1..=targets.len()).map(|frame| format!("frame {frame}")).collect();
            mesh["extras"] = json!({ "targetNames": names });
        }
        mesh
    }
}

/// The whole JSON description.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Document<'a> {
    asset: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    scene: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scenes: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    materials: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    meshes: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    animations: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    buffers: Vec<Value>,
    #[serde(skip_serializing_if = "no_accessors", serialize_with = "views")]
    buffer_views: &'a [Accessor],
    #[serde(skip_serializing_if = "no_accessors", serialize_with = "accessors")]
    accessors: &'a [Accessor],
}

impl<'a> Document<'a> {
    /// Describes all parts that have vertices. `keys` is the accessor of the times, if there is an animation; the accessor of the
    /// weights follows it.
    pub fn new<'b>(
        meshes: impl Iterator<Item = &'b Mesh>,
        accessors: &'a [Accessor],
        keys: Option<usize>,
        bytes: u64,
    ) -> Self {
        let meshes: Vec<&Mesh> = meshes.filter(|mesh| mesh.positions.is_some()).collect();
        let some = !meshes.is_empty();
        let node = |(ix, mesh): (usize, &&Mesh)| json!({ "name": mesh.name, "mesh": ix });
        let channel = |node: usize| json!({ "sampler": 0, "target": { "node": node, "path": "weights" } });
        let animation = keys.map(|times| {
            let channels: Vec<Value> = (0..meshes.len()).map(channel).collect();
            let sampler = json!({ "input": times, "output": times + 1, "interpolation": "LINEAR" });
            json!({ "name": "simulation", "samplers": [sampler], "channels": channels })
        });
        // Cloth is visible from both sides.
        let surface = json!({ "metallicFactor": 0.0, "roughnessFactor": 0.8 });
        let material = json!({ "name": "cloth", "doubleSided": true, "pbrMetallicRoughness": surface });
        let numbers: Vec<usize> = (0..meshes.len()).collect();
        Self {
            asset: json!({ "version": "2.0", "generator": concat!("tenter ", env!("CARGO_PKG_VERSION")) }),
            scene: some.then_some(0),
            scenes: if some { vec![json!({ "nodes": numbers })] } else { Vec::new() },
            nodes: meshes.iter().enumerate().map(node).collect(),
            materials: if some { vec![material] } else { Vec::new() },
            meshes: meshes.iter().map(|mesh| mesh.json()).collect(),
            animations: animation.into_iter().collect(),
            buffers: if bytes > 0 { vec![json!({ "byteLength": bytes })] } else { Vec::new() },
            buffer_views: accessors,
            accessors,
        }
    }

    /// Writes the JSON, padded with blanks to a multiple of 4 bytes; returns its length.
    pub fn write(&self, writer: &mut dyn Write) -> io::Result<u64> {
        let mut counted = Counted { writer, bytes: 0 };
        serde_json::to_writer(&mut counted, self)?;
        while !counted.bytes.is_multiple_of(4) {
            counted.write_all(b" ")?;
        }
        Ok(counted.bytes)
    }
}

fn no_accessors(accessors: &&[Accessor]) -> bool {
    accessors.is_empty()
}

/// Entries are serialised one by one to save memory.
fn views<S: Serializer>(accessors: &&[Accessor], serializer: S) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(Some(accessors.len()))?;
    accessors.iter().try_for_each(|accessor| list.serialize_element(&accessor.view()))?;
    list.end()
}

fn accessors<S: Serializer>(accessors: &&[Accessor], serializer: S) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(Some(accessors.len()))?;
    accessors.iter().enumerate().try_for_each(|(ix, accessor)| list.serialize_element(&accessor.json(ix)))?;
    list.end()
}

/// A writer that counts bytes.
struct Counted<'a> {
    writer: &'a mut dyn Write,
    bytes: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
