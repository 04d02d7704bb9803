//! Reading of mesh files.

use super::{MeshOptions, Pattern, finish, gltf, msh, obj, ply, raw::Raw, raw::Wrong, stl, tetgen};
use crate::{Error, Mesh, io::regular};
use std::{
    io::Read,
    path::{Path, PathBuf},
};

/// Largest accepted file, bytes.
pub(super) const MAX_BYTES: u64 = 4 << 30;

/// A checked mesh from a file, with notes on repairs.
///
/// | Format | Files | Taken | Groups |
/// |---|---|---|---|
/// | Wavefront OBJ | `obj` | polygons, lines, texture coordinates | objects and groups |
/// | PLY | `ply`, ASCII and binary | polygons, edges, texture coordinates | |
/// | STL | `stl`, ASCII and binary | triangles | solids |
/// | glTF 2.0 | `gltf`, `glb` | triangles, lines, texture coordinates, as the default scene places them | nodes and meshes |
/// | Gmsh 2.2 and 4.1 | `msh`, ASCII and binary | triangles, quadrangles, tetrahedra, lines | physical groups |
/// | TetGen | `node` and `ele` | tetrahedra | boundary markers, as `"marker 3"` |
///
/// Polygons are triangulated. In a file with tetrahedra, triangles and lines only define groups.
///
/// A mesh that cannot be simulated is an [`Error::File`]: indices out of range, numbers that are not finite, edges of more than
/// two triangles, flat tetrahedra, no elements. Other defects are repaired and listed in [`notes`](Self::notes): neighbouring
/// triangles of opposite orientation, inverted tetrahedra, degenerate or duplicate triangles, unused vertices. Vertices keep the
/// order of the file. Messages number them as the file does: from 1 in OBJ, by tags in Gmsh, from 0 otherwise. `parse` accepts
/// only glTF files with embedded buffers.
///
/// ```
/// # fn main() -> Result<(), tenter::Error> {
/// use tenter::io::{MeshFile, MeshFormat, MeshOptions};
/// let text = "v 0 0 0\nv 100 0 0\nv 100 100 0\nv 0 100 0\nf 1 2 3 4\n";
/// let centimetres = MeshOptions { scale: 0.01, ..Default::default() };
/// let file = MeshFile::parse(text.as_bytes(), MeshFormat::Obj, "square.obj", &centimetres)?;
/// assert_eq!(file.mesh.triangles.len(), 2);
/// assert_eq!(file.mesh.positions[2].x, 1.0);
///
/// let wrong = MeshFile::parse(b"v 0 0 0\nv 1 0 x\n", MeshFormat::Obj, "square.obj", &centimetres).unwrap_err();
/// assert_eq!(wrong.to_string(), "square.obj:2: vertex 2: \"x\" is not a number");
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MeshFile {
    /// Mesh in metres with y up.
    pub mesh: Mesh,
    /// Flat pattern, if every corner of a triangle has texture coordinates.
    pub pattern: Option<Pattern>,
    /// Repairs made, one line each.
    pub notes: Vec<String>,
}

/// Supported file formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MeshFormat {
    /// Wavefront OBJ.
    Obj,
    /// Polygon file format.
    Ply,
    /// Stereolithography.
    Stl,
    /// glTF 2.0, with buffers in other files or embedded.
    Gltf,
    /// Gmsh 2.2 and 4.1.
    Msh,
    /// TetGen's nodes and tetrahedra, two files of the same name.
    TetGen,
}

impl MeshFormat {
    /// Format by a file's extension, in upper or lower case.
    pub fn of(path: impl AsRef<Path>) -> Option<Self> {
        let extension = path.as_ref().extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "obj" => Self::Obj,
            "ply" => Self::Ply,
            "stl" => Self::Stl,
            "gltf" | "glb" => Self::Gltf,
            "msh" => Self::Msh,
            "node" | "ele" => Self::TetGen,
            _ => return None,
        })
    }
}

impl MeshFile {
    /// Reads and checks a file in the format of its extension. For TetGen, pass either file; the other must be beside it. Buffers
    /// of glTF must be in the same folder or below it.
    pub fn read(path: impl AsRef<Path>, options: &MeshOptions) -> Result<Self, Error> {
        let path = path.as_ref();
        let Some(format) = MeshFormat::of(path) else {
            let message = "is no mesh by its extension: obj, ply, stl, gltf, glb, msh, node or ele";
            return Err(refuse(path, Wrong::new(message)));
        };
        match format {
            MeshFormat::TetGen => {
                let [node, ele] = ["node", "ele"].map(|extension| path.with_extension(extension));
                Self::parse_tetgen(&read_file(&node)?, &read_file(&ele)?, path, options)
            }
            MeshFormat::Gltf => {
                let folder = path.parent().unwrap_or(Path::new(""));
                Self::finish(gltf::parse(&read_file(path)?, Some(folder)), path, options)
            }
            _ => Self::parse(&read_file(path)?, format, path, options),
        }
    }

    /// Parses and checks the bytes of a file; its path is used in errors only. A TetGen mesh is two files: see
    /// [`parse_tetgen`](Self::parse_tetgen).
    pub fn parse(
        bytes: &[u8],
        format: MeshFormat,
        path: impl AsRef<Path>,
        options: &MeshOptions,
    ) -> Result<Self, Error> {
        let raw = match format {
            MeshFormat::Obj => obj::parse(bytes),
            MeshFormat::Ply => ply::parse(bytes),
            MeshFormat::Stl => stl::parse(bytes),
            MeshFormat::Gltf => gltf::parse(bytes, None),
            MeshFormat::Msh => msh::parse(bytes),
            MeshFormat::TetGen => Err(Wrong::new("TetGen's meshes are two files: nodes and tetrahedra")),
        };
        Self::finish(raw, path.as_ref(), options)
    }

    /// Parses and checks the bytes of TetGen's two files, `.node` and `.ele`; the path of either is used in errors only.
    pub fn parse_tetgen(node: &[u8], ele: &[u8], path: impl AsRef<Path>, options: &MeshOptions) -> Result<Self, Error> {
        let path = path.as_ref();
        let mut raw = tetgen::nodes(node).map_err(|wrong| refuse(&path.with_extension("node"), wrong))?;
        let ele_path = path.with_extension("ele");
        tetgen::tetrahedra(ele, &mut raw).map_err(|wrong| refuse(&ele_path, wrong))?;
        Self::finish(Ok(raw), &ele_path, options)
    }

    fn finish(raw: Result<Raw, Wrong>, path: &Path, options: &MeshOptions) -> Result<Self, Error> {
        check(options)?;
        raw.and_then(|raw| finish::finish(raw, options)).map_err(|wrong| refuse(path, wrong))
    }
}

/// Checks the options.
pub(super) fn check(options: &MeshOptions) -> Result<(), Error> {
    let positive = |value: f32| value > 0.0 && value.is_finite();
    if !positive(options.scale) {
        return Err(Error::Usage(format!("scale: must be positive and finite, not {}", options.scale)));
    }
    match options.weld {
        super::Weld::Within(distance) if !positive(distance) => {
            Err(Error::Usage(format!("weld: must be within a distance that is positive and finite, not {distance}")))
        }
        _ => Ok(()),
    }
}

pub(super) fn refuse(path: &Path, wrong: Wrong) -> Error {
    Error::File { path: path.to_owned(), line: wrong.line, field: wrong.field, message: wrong.message }
}

/// Reads a whole regular file; devices and other endless files are rejected.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::Io { path: PathBuf::from(path), source };
    let file = regular::open(path)?;
    if file.metadata().map_err(failed)?.len() > MAX_BYTES {
        return Err(refuse(path, Wrong::new(format!("is larger than {} GiB", MAX_BYTES >> 30))));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}
