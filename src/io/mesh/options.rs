//! Options for reading mesh files.

/// Options for reading a mesh file. The default uses metres and y up, and welds coincident vertices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshOptions {
    /// Vertices that are merged.
    pub weld: Weld,
    /// Metres per unit of the file; positive.
    pub scale: f32,
    /// Whether the file has z up; it is then rotated to y up.
    pub z_up: bool,
}

impl Default for MeshOptions {
    fn default() -> Self {
        Self { weld: Weld::default(), scale: 1.0, z_up: false }
    }
}

/// Vertices of a file that are merged into one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub enum Weld {
    /// No vertices: triangles are connected only where the file shares vertices.
    Never,
    /// Vertices at exactly the same position.
    #[default]
    Exact,
    /// Vertices within this distance of the first of them, m, after scaling.
    Within(f32),
}
