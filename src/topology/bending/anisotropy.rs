//! Anisotropy of a mesh: stiffness in different directions, relative to the given moduli.

use super::{Moduli, Stencil, calibrate, hinges::Sheet, relax, stencil};
use crate::topology::adjacency::{check_sides, sides};
use glam::{DMat3, DVec3};

/// Smallest and largest stiffness over all directions in the sheet, each relative to the modulus of its direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anisotropy {
    /// Energy with all vertices on a cylinder, over ½ μ κ² area. Free vertices would leave the cylinder, so that this is not the stiffness of a strip.
    pub cylinder: [f64; 2],
    /// Stiffness of a long free strip, over μ; between weft and warp, over the best that hinges can represent. Calibration aims at 1/1.025 = 0.976: strips of 4 to 8
    /// widths, clamped at an end, then deflect as beams do.
    pub strip: [f64; 2],
}

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
    // Borders along a strip do not soften it: missing hinges are replaced.
    for hinge in sheet.hinges.iter().filter(|hinge| !hinge.is_pair()) {
        let [u, v] = hinge.normal;
        compliance += 3.0 * sheet.area(hinge) * calibrate::MEAN / hinge.modulus * square([u * u, v * v, 2.0 * u * v]);
    }
    let area: f64 = sheet.areas.iter().sum();
    let mut result = Anisotropy { cylinder: [f64::MAX, 0.0], strip: [f64::MAX, 0.0] };
    for ix in 0..DIRECTIONS {
        let (v, u) = (std::f64::consts::PI * ix as f64 / DIRECTIONS as f64).sin_cos();
        let form = DVec3::new(u * u, v * v, u * v);
        let cylinder = form.dot(stiffness * form) / (area * sheet.modulus([u, v]));
        let strip = area / (form.dot(compliance * form) * sheet.strip_modulus([u, v]));
        for (range, value) in [(&mut result.cylinder, cylinder), (&mut result.strip, strip)] {
            *range = [range[0].min(value), range[1].max(value)];
        }
    }
    Ok(result)
}

/// The outer product v vᵀ.
fn square(v: [f64; 3]) -> DMat3 {
    let v = DVec3::from_array(v);
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}
