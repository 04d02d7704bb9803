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

    /// Whether it has a Jacobian: forces as printed have none, and need no blocks.
    pub fn has_jacobian(self) -> bool {
        self != ElementModel::ShearPrinted
    }

    /// Whether its force is the derivative of an energy: forces as printed are not.
    pub fn has_energy(self) -> bool {
        !matches!(self, ElementModel::CurvaturePrinted | ElementModel::ShearPrinted)
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

impl Element {
    /// Whether velocities enter its force.
    pub fn is_damped(&self, material: &ElementMaterial) -> bool {
        let numbers: &[f64] = match material.model {
            ElementModel::Area | ElementModel::Volume => &material.parameters[1..2],
            ElementModel::Membrane => &material.parameters[4..8],
            ElementModel::WeaveCell => &material.parameters[2..4],
            ElementModel::Curvature | ElementModel::CurvaturePrinted => &self.rest[6..7],
            ElementModel::Dihedral => &self.rest[2..3],
            ElementModel::ShearPrinted | ElementModel::ProjectedPair => &self.rest[1..2],
        };
        numbers.iter().any(|number| *number != 0.0)
    }
}

/// An element, seen from one of its particles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementIncidence {
    /// Index of the element.
    pub element: u32,
    /// Which of its particles this row is.
    pub own: u32,
    /// Places of the blocks with the other particles, in their order, in [`ElementPattern::neighbours`]; none for a particle
    /// that is the row itself, and for forces without a Jacobian.
    pub blocks: [Option<u32>; 3],
}

/// Which rows elements couple, by 3×3 blocks, and which elements a row belongs to: both as compressed sparse rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ElementPattern {
    /// Where the blocks of each row begin, and the end.
    pub offsets: Vec<u32>,
    /// Column of each block, ascending within a row.
    pub neighbours: Vec<u32>,
    /// Where the incidences of each row begin, and the end.
    pub incidence_offsets: Vec<u32>,
    /// Within a row in ascending order of the element.
    pub incidences: Vec<ElementIncidence>,
}

impl ElementPattern {
    /// Pattern of `elements` between `row_count` rows.
    pub fn build(row_count: usize, elements: &[Element], materials: &[ElementMaterial]) -> Self {
        let particles = |element: &Element| {
            let model = materials[element.material as usize].model;
            (element.particles, model.particle_count(), model.has_jacobian())
        };
        let mut members: Vec<Vec<(u32, u32)>> = vec![Vec::new(); row_count];
        for (ix, element) in elements.iter().enumerate() {
            let (rows, count, _) = particles(element);
            for (own, &row) in rows[..count].iter().enumerate() {
                members[row as usize].push((ix as u32, own as u32));
            }
        }
        let mut pattern = Self { offsets: vec![0], incidence_offsets: vec![0], ..Default::default() };
        for (row, members) in members.iter().enumerate() {
            let first = pattern.neighbours.len();
            let mut neighbours: Vec<u32> = members
                .iter()
                .map(|&(element, _)| particles(&elements[element as usize]))
                .filter(|(.., has_jacobian)| *has_jacobian)
                .flat_map(|(rows, count, _)| rows.into_iter().take(count))
                .filter(|&neighbour| neighbour as usize != row)
                .collect();
            neighbours.sort_unstable();
            neighbours.dedup();
            for &(element, own) in members {
                let (rows, count, has_jacobian) = particles(&elements[element as usize]);
                let mut blocks = [None; 3];
                let others = (0..count).filter(|&other| other != own as usize);
                for (block, other) in blocks.iter_mut().zip(others) {
                    if has_jacobian {
                        *block = neighbours.binary_search(&rows[other]).ok().map(|ix| (first + ix) as u32);
                    }
                }
                pattern.incidences.push(ElementIncidence { element, own, blocks });
            }
            pattern.neighbours.extend(neighbours);
            pattern.offsets.push(pattern.neighbours.len() as u32);
            pattern.incidence_offsets.push(pattern.incidences.len() as u32);
        }
        pattern
    }

    /// Incidences of a row.
    pub fn row(&self, row: usize) -> &[ElementIncidence] {
        &self.incidences[self.incidence_offsets[row] as usize..self.incidence_offsets[row + 1] as usize]
    }

    /// Where the blocks of a row are.
    pub fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.offsets[row] as usize..self.offsets[row + 1] as usize
    }
}
