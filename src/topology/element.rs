//! Force elements of two to four particles: everything that is not an edge.

/// Which model an element follows: the table of element models, with `shaders/forces/element.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum ElementModel {
    /// Area energy of a triangle, Teschner (5).
    Area = 0,
    /// St. Venant–Kirchhoff membrane, a triangle in weft, warp and shear.
    Membrane = 1,
    /// Volume energy of a tetrahedron, real or virtual, Teschner (6).
    Volume = 2,
    /// Bending along the bending vector, with rest curvature, hardening and viscosity.
    Curvature = 3,
    /// The same as Volino prints it: (16) to (18).
    CurvaturePrinted = 4,
    /// Bending by the angle between normals.
    Dihedral = 5,
    /// Shear and transverse contraction of a cell of a quadrilateral grid, after Etzmuß.
    WeaveCell = 6,
    /// Shear as Etzmuß prints it, algorithm 2: a force without an energy.
    ShearPrinted = 7,
    /// A linear coupling of two particles projected onto the surface normal, Etzmuß algorithms 3 and 4.
    ProjectedPair = 8,
}

impl ElementModel {
    /// Every model: the tests of derivatives go through this table.
    pub const ALL: &[ElementModel] = &[
        ElementModel::Area,
        ElementModel::Membrane,
        ElementModel::Volume,
        ElementModel::Curvature,
        ElementModel::CurvaturePrinted,
        ElementModel::Dihedral,
        ElementModel::WeaveCell,
        ElementModel::ShearPrinted,
        ElementModel::ProjectedPair,
    ];

    /// Particles of an element.
    pub fn particle_count(self) -> usize {
        match self {
            ElementModel::ProjectedPair => 2,
            ElementModel::Area | ElementModel::Membrane => 3,
            _ => 4,
        }
    }

    /// Whether the surface normals of the start of the step are read.
    pub fn needs_normals(self) -> bool {
        self == ElementModel::ProjectedPair
    }
}

/// What elements are made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElementMaterial {
    /// Its model.
    pub model: ElementModel,
    /// What the model makes of these stands in its own file.
    pub parameters: [f64; 8],
}

/// A force element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Element {
    /// As many as the model has; the rest repeat the last.
    pub particles: [u32; 4],
    /// Rest measures. What the model makes of these stands in its own file.
    pub rest: [f64; 11],
    /// Index into the element materials.
    pub material: u32,
}
