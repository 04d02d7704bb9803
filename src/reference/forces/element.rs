//! What an element does to one of its particles, for every model alike. The gather asks once from each particle, so that every
//! word has one writer.

use super::{
    area, curvature, curvature_printed, dihedral, membrane, projected_pair, shear_printed, volume, weave_cell,
};
use crate::topology::{Element, ElementMaterial, ElementModel};
use glam::{DMat3, DVec3};

/// Positions, velocities and surface normals of an element's particles; those it does not have repeat the last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElementState {
    /// m
    pub x: [DVec3; 4],
    /// m/s
    pub v: [DVec3; 4],
    /// Unit normals of the surface at the start of the step; only where the model needs them.
    pub normals: [DVec3; 4],
}

/// What an element does to its particle i.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElementRow {
    /// f_i, elastic and viscous, N
    pub force: DVec3,
    /// df_i/dx_j, N/m. That of i itself is not read: it is minus the sum of the others, because translations cost nothing.
    pub stiffness: [DMat3; 4],
    /// df_i/dv_j, N·s/m, likewise.
    pub damping: [DMat3; 4],
}

impl Default for ElementRow {
    /// Nothing at all. Not derived: the default of a matrix is the identity.
    fn default() -> Self {
        ElementRow { force: DVec3::ZERO, stiffness: [DMat3::ZERO; 4], damping: [DMat3::ZERO; 4] }
    }
}

/// Response of an element, seen from its particle `own`. With `clamp` the Jacobian is the documented positive semi-definite one.
pub fn element_row(
    material: &ElementMaterial,
    element: &Element,
    state: &ElementState,
    own: usize,
    clamp: bool,
) -> ElementRow {
    match material.model {
        ElementModel::Area => area::row(material, element, state, own, clamp),
        ElementModel::Membrane => membrane::row(material, element, state, own, clamp),
        ElementModel::Volume => volume::row(material, element, state, own, clamp),
        ElementModel::Curvature => curvature::row(material, element, state, own, clamp),
        ElementModel::CurvaturePrinted => curvature_printed::row(material, element, state, own, clamp),
        ElementModel::Dihedral => dihedral::row(material, element, state, own, clamp),
        ElementModel::WeaveCell => weave_cell::row(material, element, state, own, clamp),
        ElementModel::ShearPrinted => shear_printed::row(material, element, state, own, clamp),
        ElementModel::ProjectedPair => projected_pair::row(material, element, state, own, clamp),
    }
}

/// Energy of an element, J; 0 for forces that have none.
pub fn element_energy(material: &ElementMaterial, element: &Element, state: &ElementState) -> f64 {
    match material.model {
        ElementModel::Area => area::energy(material, element, state),
        ElementModel::Membrane => membrane::energy(material, element, state),
        ElementModel::Volume => volume::energy(material, element, state),
        ElementModel::Curvature => curvature::energy(material, element, state),
        ElementModel::Dihedral => dihedral::energy(material, element, state),
        ElementModel::WeaveCell => weave_cell::energy(material, element, state),
        ElementModel::ProjectedPair => projected_pair::energy(material, element, state),
        ElementModel::CurvaturePrinted | ElementModel::ShearPrinted => 0.0,
    }
}

/// Principal strain σ - 1 of an element that is largest in size, σ the singular values of its deformation gradient, with its particles
/// at `x`, m; 0 for models whose elements have no shape at rest: bending, shells, cells of a weave, whose edges have a length.
pub fn element_strain(material: &ElementMaterial, element: &Element, x: &[DVec3; 4]) -> f64 {
    match material.model {
        ElementModel::Area => area::strain(element, x),
        ElementModel::Membrane => membrane::strain(element, x),
        ElementModel::Volume => volume::strain(element, x),
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

/// a bᵀ
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The matrix of a × ·
pub fn cross_matrix(a: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, a.z, -a.y), DVec3::new(-a.z, 0.0, a.x), DVec3::new(a.y, -a.x, 0.0))
}
