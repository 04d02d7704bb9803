//! The table of element models, and the response of an element at one of its particles. The gather evaluates an element once for each of its particles, so that
//! every word has one writer.

#[cfg(test)]
use super::toy_element::{self, ToyElementParameters, ToyElementRest};
use super::{
    area::{self, AreaParameters, AreaRest},
    curvature::{self, CurvatureRest},
    curvature_printed,
    dihedral::{self, DihedralRest},
    membrane::{self, MembraneModuli, MembraneParameters, MembraneRest},
    neo_hookean::{self, NeoHookeanParameters, NeoHookeanRest},
    projected_pair::{self, ProjectedPairRest},
    shear_printed::{self, ShearPrintedRest},
    volume::{self, VolumeParameters, VolumeRest},
    weave_cell::{self, WeaveCellParameters, WeaveCellRest},
};
use glam::{DMat3, DVec3};

/// The model of an element, by its number in `shaders/forces/element.wgsl`.
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
    /// Bending along the bending vector as Volino prints it, (16) to (18).
    CurvaturePrinted = 4,
    /// Bending by the angle between normals.
    Dihedral = 5,
    /// Shear and transverse contraction of a cell of a quadrilateral grid, after Etzmuß.
    WeaveCell = 6,
    /// Shear as Etzmuß prints it, algorithm 2: a force without an energy.
    ShearPrinted = 7,
    /// A linear coupling of two particles projected onto the surface normal, Etzmuß algorithms 3 and 4.
    ProjectedPair = 8,
    /// Stable neo-Hookean tetrahedron, Smith, de Goes and Kim.
    NeoHookean = 9,
    /// The model that follows the recipe of `docs/recipes.md`, in unit tests alone.
    #[cfg(test)]
    Toy = 10,
}

impl ElementModel {
    /// Every model; tests loop over this table.
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
        ElementModel::NeoHookean,
        #[cfg(test)]
        ElementModel::Toy,
    ];

    /// Number of particles of an element.
    pub fn particle_count(self) -> usize {
        match self {
            ElementModel::ProjectedPair => 2,
            ElementModel::Area | ElementModel::Membrane => 3,
            ElementModel::Volume
            | ElementModel::Curvature
            | ElementModel::CurvaturePrinted
            | ElementModel::Dihedral
            | ElementModel::WeaveCell
            | ElementModel::ShearPrinted
            | ElementModel::NeoHookean => 4,
            #[cfg(test)]
            ElementModel::Toy => 3,
        }
    }

    /// Whether the model has a Jacobian. Printed forces have none, and need no blocks.
    pub fn has_jacobian(self) -> bool {
        self != ElementModel::ShearPrinted
    }

    /// Whether the force is the derivative of an energy. Printed forces are not.
    pub fn has_energy(self) -> bool {
        !matches!(self, ElementModel::CurvaturePrinted | ElementModel::ShearPrinted)
    }

    /// Whether the model reads the surface normals of the start of the step.
    pub fn needs_normals(self) -> bool {
        self == ElementModel::ProjectedPair
    }
}

/// Material of elements. The parameters are packed as on the GPU; the struct of the model packs and unpacks them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElementMaterial {
    /// The model that elements of this material follow.
    pub model: ElementModel,
    /// Packed parameters of the model, such as [`AreaParameters`]; words 0 to 3 are `parameters_a` on the GPU, 4 to 7 `parameters_b`.
    pub parameters: [f64; 8],
}

/// A force element of two to four particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Element {
    /// Particles of the element; if the model has fewer than four, the last is repeated.
    pub particles: [u32; 4],
    /// Packed rest measures of the model, such as [`AreaRest`]; words 0 to 3 are `rest_a` on the GPU, 4 to 7 `rest_b`, 8 to 10 `rest_c`.
    pub rest: [f64; 11],
    /// Index into the element materials.
    pub material: u32,
}

impl Element {
    /// Whether the force depends on velocities.
    pub fn is_damped(&self, material: &ElementMaterial) -> bool {
        let (parameters, rest) = (&material.parameters, &self.rest);
        match material.model {
            ElementModel::Area => AreaParameters::unpack(parameters).damping != 0.0,
            ElementModel::Volume => VolumeParameters::unpack(parameters).damping != 0.0,
            ElementModel::Membrane => {
                let MembraneModuli { weft, warp, contraction, shear } =
                    MembraneParameters::unpack(parameters).viscosities;
                [weft, warp, contraction, shear] != [0.0; 4]
            }
            ElementModel::WeaveCell => {
                let cell = WeaveCellParameters::unpack(parameters);
                [cell.shear_damping, cell.contraction_damping] != [0.0; 2]
            }
            ElementModel::Curvature | ElementModel::CurvaturePrinted => CurvatureRest::unpack(rest).damping != 0.0,
            ElementModel::Dihedral => DihedralRest::unpack(rest).damping != 0.0,
            ElementModel::ShearPrinted => ShearPrintedRest::unpack(rest).viscous != 0.0,
            ElementModel::ProjectedPair => ProjectedPairRest::unpack(rest).damping != 0.0,
            ElementModel::NeoHookean => {
                let material = NeoHookeanParameters::unpack(parameters);
                [material.viscous_mu, material.viscous_lambda] != [0.0; 2]
            }
            #[cfg(test)]
            ElementModel::Toy => ToyElementParameters::unpack(parameters).damping != 0.0,
        }
    }
}

/// Positions, velocities and surface normals of an element's particles; if it has fewer than four, the last is repeated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElementState {
    /// Positions, m.
    pub x: [DVec3; 4],
    /// Velocities, m/s.
    pub v: [DVec3; 4],
    /// Unit normals of the surface at the start of the step, for models that need them.
    pub normals: [DVec3; 4],
}

/// Response of an element at its particle i: force and Jacobian.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElementRow {
    /// Elastic and viscous force f_i, N.
    pub force: DVec3,
    /// Jacobians df_i/dx_j, N/m. The block of i itself is not read: it is minus the sum of the others, because of translation invariance.
    pub stiffness: [DMat3; 4],
    /// Jacobians df_i/dv_j, N·s/m. The block of i itself is not read.
    pub damping: [DMat3; 4],
}

impl Default for ElementRow {
    /// A response of zero. It is not derived, because the default of a matrix is the identity.
    fn default() -> Self {
        ElementRow { force: DVec3::ZERO, stiffness: [DMat3::ZERO; 4], damping: [DMat3::ZERO; 4] }
    }
}

/// Response of an element at its particle `own`. With `clamp` the Jacobian is the documented positive semi-definite one.
pub fn element_row(
    material: &ElementMaterial,
    element: &Element,
    state: &ElementState,
    own: usize,
    clamp: bool,
) -> ElementRow {
    let (words, rest) = (&material.parameters, &element.rest);
    match material.model {
        ElementModel::Area => area::row(&AreaParameters::unpack(words), &AreaRest::unpack(rest), state, own, clamp),
        ElementModel::Membrane => {
            membrane::row(&MembraneParameters::unpack(words), &MembraneRest::unpack(rest), state, own, clamp)
        }
        ElementModel::Volume => {
            volume::row(&VolumeParameters::unpack(words), &VolumeRest::unpack(rest), state, own, clamp)
        }
        ElementModel::Curvature => curvature::row(&CurvatureRest::unpack(rest), state, own, clamp),
        ElementModel::CurvaturePrinted => curvature_printed::row(&CurvatureRest::unpack(rest), state, own, clamp),
        ElementModel::Dihedral => dihedral::row(&DihedralRest::unpack(rest), state, own, clamp),
        ElementModel::WeaveCell => {
            weave_cell::row(&WeaveCellParameters::unpack(words), &WeaveCellRest::unpack(rest), state, own, clamp)
        }
        ElementModel::ShearPrinted => shear_printed::row(&ShearPrintedRest::unpack(rest), state, own),
        ElementModel::ProjectedPair => projected_pair::row(&ProjectedPairRest::unpack(rest), state, own, clamp),
        ElementModel::NeoHookean => {
            neo_hookean::row(&NeoHookeanParameters::unpack(words), &NeoHookeanRest::unpack(rest), state, own, clamp)
        }
        #[cfg(test)]
        ElementModel::Toy => {
            toy_element::row(&ToyElementParameters::unpack(words), &ToyElementRest::unpack(rest), state, own)
        }
    }
}

/// Energy of an element, J; 0 for forces without an energy.
pub fn element_energy(material: &ElementMaterial, element: &Element, state: &ElementState) -> f64 {
    let (words, rest) = (&material.parameters, &element.rest);
    match material.model {
        ElementModel::Area => area::energy(&AreaParameters::unpack(words), &AreaRest::unpack(rest), state),
        ElementModel::Membrane => {
            membrane::energy(&MembraneParameters::unpack(words), &MembraneRest::unpack(rest), state)
        }
        ElementModel::Volume => volume::energy(&VolumeParameters::unpack(words), &VolumeRest::unpack(rest), state),
        ElementModel::Curvature => curvature::energy(&CurvatureRest::unpack(rest), state),
        ElementModel::Dihedral => dihedral::energy(&DihedralRest::unpack(rest), state),
        ElementModel::WeaveCell => {
            weave_cell::energy(&WeaveCellParameters::unpack(words), &WeaveCellRest::unpack(rest), state)
        }
        ElementModel::ProjectedPair => projected_pair::energy(&ProjectedPairRest::unpack(rest), state),
        ElementModel::NeoHookean => {
            neo_hookean::energy(&NeoHookeanParameters::unpack(words), &NeoHookeanRest::unpack(rest), state)
        }
        ElementModel::CurvaturePrinted | ElementModel::ShearPrinted => 0.0,
        #[cfg(test)]
        ElementModel::Toy => {
            toy_element::energy(&ToyElementParameters::unpack(words), &ToyElementRest::unpack(rest), state)
        }
    }
}

/// Principal strain σ - 1 of largest magnitude of an element, σ the singular values of its deformation gradient, with its particles at `x`, m. 0 for models
/// whose elements have no rest shape: bending, shells, and cells of a weave, whose edges have the strain.
pub fn element_strain(material: &ElementMaterial, element: &Element, x: &[DVec3; 4]) -> f64 {
    match material.model {
        ElementModel::Area => AreaRest::unpack(&element.rest).shape.strain(x),
        ElementModel::Membrane => MembraneRest::unpack(&element.rest).shape.strain(x),
        ElementModel::Volume => volume::strain(&VolumeRest::unpack(&element.rest), x),
        ElementModel::NeoHookean => neo_hookean::strain(&NeoHookeanRest::unpack(&element.rest), x),
        _ => 0.0,
    }
}

/// A constraint C with energy ½ k C² and damping (Teschner 1 to 3), its Jacobian without the second derivative of C (Gauss–Newton):
/// f_i = -(k C + c Ċ) g_i, df_i/dx_j = -k g_i g_jᵀ, df_i/dv_j = -c g_i g_jᵀ with g = dC/dx.
pub fn constraint_row(
    own: usize,
    stiffness: f64,
    damping: f64,
    constraint: f64,
    gradients: &[DVec3; 4],
    v: &[DVec3; 4],
) -> ElementRow {
    let rate: f64 = gradients.iter().zip(v).map(|(g, v)| g.dot(*v)).sum();
    let mut row =
        ElementRow { force: -(stiffness * constraint + damping * rate) * gradients[own], ..Default::default() };
    for (j, gradient) in gradients.iter().enumerate() {
        let product = outer(gradients[own], *gradient);
        row.stiffness[j] = -stiffness * product;
        row.damping[j] = -damping * product;
    }
    row
}

/// The outer product a bᵀ.
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The matrix of a × ·.
pub fn cross_matrix(a: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, a.z, -a.y), DVec3::new(-a.z, 0.0, a.x), DVec3::new(a.y, -a.x, 0.0))
}

/// The values in their order, padded with zeros to the words of a model.
pub(super) fn padded<const N: usize>(values: &[f64]) -> [f64; N] {
    std::array::from_fn(|ix| values.get(ix).copied().unwrap_or(0.0))
}
