//! How a mesh file is read.

/// How a mesh file is read. The default takes it as it is, in metres, and welds vertices at the same place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshOptions {
    /// Which vertices become one.
    pub weld: Weld,
    /// Metres per unit of the file; positive.
    pub scale: f32,
    /// The file has z up: it is turned so that y is.
    pub z_up: bool,
}

impl Default for MeshOptions {
    fn default() -> Self {
        Self { weld: Weld::default(), scale: 1.0, z_up: false }
    }
}

/// Which vertices of a file become one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub enum Weld {
    /// None: triangles hang together where the file says so.
    Never,
    /// Those at exactly the same place.
    #[default]
    Exact,
    /// Those no further than this from the first of them, m, after scaling.
    Within(f32),
}
