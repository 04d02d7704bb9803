//! Anisotropy of a mesh: stiffness in different directions, relative to the given moduli.

use super::{
    Moduli, Normalisation, Stencil, calibrate,
    hinges::{Hinge, Sheet},
    relax, stencil,
};
use crate::topology::adjacency::{check_sides, sides};
use glam::{DMat3, DVec3};

/// Stiffness of a mesh in different directions, each relative to the modulus of its direction. A long free strip whose stiffness is s
/// deflects 1/s times as much as the beam of its modulus. Calibration aims at s = 1/1.025 = 0.976 in all directions: strips of 4 to 8
/// widths, clamped at an end, then deflect as beams do. These are means over the sheet: a strip of few and very uneven triangles may differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anisotropy {
    /// Smallest and largest energy over all directions with all vertices on a cylinder, over ½ μ κ² area. Free vertices would leave the
    /// cylinder, so that this is not the stiffness of a strip.
    pub cylinder: [f64; 2],
    /// Smallest and largest stiffness of a long free strip over all directions, over μ; between weft and warp, over the best that hinges
    /// can represent.
    pub strip: [f64; 2],
    /// Stiffness of a long free strip along the weft, over μ.
    pub weft: f64,
    /// Stiffness of a long free strip along the warp, over μ.
    pub warp: f64,
}

impl Anisotropy {
    /// What a user should know before relying on the stiffness of this mesh, in one sentence; `None` if strips of calibrated stencils bend
    /// as they should.
    pub fn warning(&self, normalisation: Normalisation) -> Option<String> {
        let Anisotropy { weft, warp, strip: [least, most], .. } = *self;
        let off = [weft, warp].iter().any(|stiffness| (stiffness - 1.0).abs() > OFF);
        if normalisation == Normalisation::Calibrated && off {
            let [along_weft, along_warp] = [weft, warp].map(|stiffness| 100.0 * (1.0 / stiffness - 1.0));
            return Some(format!(
                "the triangles of this mesh are too stretched for its moduli: strips along the weft are expected to have {weft:.2} of \
                 their modulus (deflection {along_weft:+.0} %), along the warp {warp:.2} ({along_warp:+.0} %), in other directions \
                 {least:.2} to {most:.2}; use a grid along weft and warp, or triangles closer to equilateral"
            ));
        }
        (most > UNEVEN * least).then(|| {
            format!(
                "strips of this mesh bend with {least:.2} to {most:.2} of the modulus, depending on the direction, along weft and warp \
                 with {weft:.2} and {warp:.2}; square cells with alternating diagonals bend alike in all directions"
            )
        })
    }
}

/// Largest error of the stiffness along weft and warp that needs no warning.
const OFF: f64 = 0.1;

/// Largest ratio of stiffnesses over all directions that needs no warning.
const UNEVEN: f64 = 1.5;

/// Number of directions evaluated, over half a turn.
const DIRECTIONS: usize = 72;

/// Anisotropy of the stencils of a mesh, with the moduli that they were made with.
pub fn anisotropy(
    positions: &[DVec3],
    triangles: &[[u32; 3]],
    moduli: &Moduli,
    stencils: &[Stencil],
) -> Result<Anisotropy, String> {
    stencil::check(positions, triangles)?;
    let sides = sides(triangles);
    check_sides(&sides)?;
    let sheet = Sheet::new(positions, triangles, &sides, moduli);
    if sheet.pairs.len() != stencils.len() {
        return Err(format!("{} stencils, but the mesh has {} pairs of triangles", stencils.len(), sheet.pairs.len()));
    }
    let g: Vec<f64> = stencils.iter().map(|stencil| 1.0 / stencil.factor).collect();
    let relaxed = relax::misfits(positions.len(), &sheet.pairs, &g);

    // Twice the energy per curvatures and per moments (uu, vv, uv).
    let (mut stiffness, mut compliance) = (DMat3::ZERO, DMat3::ZERO);
    for ((pair, g), [wanted, misfit]) in sheet.pairs.iter().zip(&g).zip(&relaxed) {
        let lambda = pair.stencil.stiffness / g;
        stiffness += lambda * square(pair.per_curvature);
        compliance += lambda * (square(*wanted) - square(*misfit));
    }
    let area: f64 = sheet.areas.iter().sum();
    compliance += border_compliance(&sheet, &compliance);
    let strip = |direction| area / (along(&compliance, direction) * sheet.strip_modulus(direction));
    let (weft, warp) = (strip([1.0, 0.0]), strip([0.0, 1.0]));
    let mut result = Anisotropy { cylinder: [f64::MAX, 0.0], strip: [f64::MAX, 0.0], weft, warp };
    for direction in directions() {
        let cylinder = along(&stiffness, direction) / (area * sheet.modulus(direction));
        for (range, value) in [(&mut result.cylinder, cylinder), (&mut result.strip, strip(direction))] {
            *range = [range[0].min(value), range[1].max(value)];
        }
    }
    Ok(result)
}

/// Compliance of hinges in place of those that borders lack: a border does not soften a strip along it, and across it the
/// replacements make up for what the other hinges lack, as far as bounds allow.
fn border_compliance(sheet: &Sheet, of_pairs: &DMat3) -> DMat3 {
    let area: f64 = sheet.areas.iter().sum();
    let borders = || sheet.hinges.iter().filter(|hinge| !hinge.is_pair());
    let per_g = |hinge: &Hinge| {
        let [u, v] = hinge.normal;
        3.0 * sheet.area(hinge) / hinge.modulus * square([u * u, v * v, 2.0 * u * v])
    };
    let all = borders().map(per_g).fold(DMat3::ZERO, |sum, hinge| sum + hinge);
    let replacement = |hinge: &Hinge| {
        let wanted = calibrate::COMPLIANCE * area / sheet.strip_modulus(hinge.normal);
        let g = (wanted - along(of_pairs, hinge.normal)) / along(&all, hinge.normal);
        per_g(hinge) * g.clamp(calibrate::MEAN / calibrate::BOUND, calibrate::MEAN * calibrate::BOUND)
    };
    borders().map(replacement).fold(DMat3::ZERO, |sum, hinge| sum + hinge)
}

/// Directions evaluated, over half a turn.
fn directions() -> impl Iterator<Item = [f64; 2]> {
    (0..DIRECTIONS).map(|ix| {
        let (sine, cosine) = (std::f64::consts::PI * ix as f64 / DIRECTIONS as f64).sin_cos();
        [cosine, sine]
    })
}

/// Twice the energy per unit curvature or moment along a direction.
fn along(matrix: &DMat3, [u, v]: [f64; 2]) -> f64 {
    let form = DVec3::new(u * u, v * v, u * v);
    form.dot(*matrix * form)
}

/// The outer product v vᵀ.
fn square(v: [f64; 3]) -> DMat3 {
    let v = DVec3::from_array(v);
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}
