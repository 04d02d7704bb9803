//! How far a mesh resolves the bending of its cloth: bending lengths against cells, and the largest moment that a bending model can hold.
//!
//! A sheet of modulus μ and weight w = ρ g per area has the bending length c = (μ/w)^⅓; it sticks out by about 2 c before it hangs down, which takes a moment of
//! w (2 c)²/2 per width at the edge. Between cells of length l the models have the moments, per width, at a turn of θ
//!
//! linear, thin plate: μ sin θ / l, at most μ/l;    by the angle: μ θ / l, at most π μ/l.
//!
//! A cell that cannot hold the moment of the overhang folds flat: that is so where l > c/2, or l > π c/2 by the angle.

use crate::{BendingModel, Body, Mass, WeaveBending};
use glam::DVec3;

/// Bending of a sheet against the cells of its mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SheetResolution {
    /// Bending length c along weft or warp, whichever is less, m.
    pub bending_length: f64,
    /// Length of a cell, m: the side of a square of two triangles of mean area.
    pub cell: f64,
    /// Largest moment between two cells, N: N·m per metre of width.
    pub most_moment: f64,
    /// Moment of an overhang of two bending lengths, N.
    pub wanted_moment: f64,
    /// Whether the moment grows with the angle up to a flat fold.
    pub by_angle: bool,
}

impl SheetResolution {
    /// Resolution of a body in a gravity, m/s²; `None` for bodies without surface, weight or bending modulus.
    pub fn of(body: &Body, gravity: f64) -> Option<Self> {
        let material = &body.material;
        let bending =
            material.bending.map(|bending| (bending.weft.min(bending.warp), bending.model == BendingModel::Dihedral));
        let plate = material.weave.filter(|weave| weave.bending == WeaveBending::ThinPlate);
        let plate = plate.map(|weave| (weave.bending_weft.min(weave.bending_warp), false));
        let (modulus, by_angle) = bending.or(plate).filter(|(modulus, _)| *modulus > 0.0)?;
        let modulus = f64::from(modulus);
        let (cell, area) = cells(body)?;
        let density = match material.mass {
            Mass::Surface(density) => f64::from(density),
            Mass::Total(mass) => f64::from(mass) / area,
            _ => return None,
        };
        let weight = density * gravity;
        let bending_length = (modulus / weight).cbrt();
        if !(bending_length.is_finite() && bending_length > 0.0) {
            return None;
        }
        let most = if by_angle { std::f64::consts::PI } else { 1.0 };
        Some(Self {
            bending_length,
            cell,
            most_moment: most * modulus / cell,
            wanted_moment: 2.0 * weight * bending_length * bending_length,
            by_angle,
        })
    }

    /// A sentence about cells that are too large for the model of bending, if they are.
    pub fn warning(&self) -> Option<String> {
        let Self { bending_length, cell, most_moment, wanted_moment, by_angle } = *self;
        (most_moment < wanted_moment).then(|| {
            let (length, cell) = (1e3 * bending_length, 1e3 * cell);
            let advice = if by_angle { "" } else { ", or bending.model = \"dihedral\", which holds three times as much" };
            format!(
                "cells of {cell:.2} mm hold {most_moment:.1e} N·m/m of bending at most, but cloth of a bending length of {length:.2} mm needs {wanted_moment:.1e} to stick out by twice that: \
                 it will fold flat; take cells of {:.2} mm or less{advice}",
                cell * most_moment / wanted_moment,
            )
        })
    }
}

/// Side of a square of two triangles of mean area, m, and the area of all triangles, m².
fn cells(body: &Body) -> Option<(f64, f64)> {
    let at = |vertex: u32| body.mesh.positions.get(vertex as usize).map_or(DVec3::ZERO, |p| p.as_dvec3());
    let triangles = body.mesh.triangles.iter().map(|triangle| triangle.map(at));
    let area: f64 = triangles.map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum();
    (area > 0.0).then(|| ((2.0 * area / body.mesh.triangles.len() as f64).sqrt(), area))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bending, Material, Mesh, presets};

    fn resolution(cells: u32, material: Material) -> SheetResolution {
        SheetResolution::of(&Body::cloth(Mesh::grid(1.0, 1.0, cells + 1, cells + 1), material), 9.81).unwrap()
    }

    #[test]
    fn bending_lengths_are_those_of_the_documentation() {
        for (material, millimetres) in [
            (Material::silk(), 11.9),
            (Material::wool(), 17.0),
            (Material::cotton(), 19.2),
            (Material::denim(), 23.4),
            (Material::rubber(), 26.2),
        ] {
            let found = 1e3 * resolution(10, material).bending_length;
            assert!((found - millimetres).abs() < 0.1, "{found}");
        }
    }

    #[test]
    fn warnings_begin_where_moments_end() {
        // Cotton: c = 19 mm.
        assert_eq!(resolution(64, Material::cotton()).warning(), None);
        assert!(resolution(30, Material::cotton()).warning().unwrap().contains("fold flat"));
        let linear = Material { bending: Some(Bending::new(9e-6)), ..Material::cotton() };
        assert!(resolution(64, linear.clone()).warning().unwrap().contains("dihedral"));
        assert_eq!(resolution(128, linear).warning(), None);
        // A weave's thin plate, and a mass of the whole.
        assert!(resolution(10, presets::etzmuss::bend()).bending_length > 0.0);
        let whole = Material { mass: Mass::Total(0.13), ..Material::cotton() };
        assert!((resolution(10, whole).bending_length - 0.0192).abs() < 1e-4);
        let loose = Body::cloth(Mesh::grid(1.0, 1.0, 3, 3), Material::loose(Mass::Surface(1.0)));
        assert_eq!(SheetResolution::of(&loose, 9.81), None);
        assert_eq!(SheetResolution::of(&Body::cloth(Mesh::grid(1.0, 1.0, 3, 3), Material::silk()), 0.0), None);
    }
}
