//! Bending between every two triangles with a common side.

use super::{Collector, at};
use crate::{
    Bending, BendingModel, Body, Error, Normalisation, RestShape,
    forces::{
        curvature::{CurvatureRest, bending_vector, lift},
        dihedral::{self, DihedralRest},
    },
    topology::{
        ElementModel,
        bending::{self, Moduli, Stencil, anisotropy, stencils},
    },
};
use glam::DVec3;
use std::collections::HashSet;

impl Collector<'_> {
    pub(super) fn add_bending(&mut self, body: &Body, bending: &Bending) -> Result<(), Error> {
        let name = "bending";
        let Bending { weft, warp, weft_direction, hardening, viscosity, .. } = *bending;
        for (part, value) in [("weft", weft), ("warp", warp), ("hardening", hardening), ("viscosity", viscosity)] {
            self.check(name, part, value)?;
        }
        if !weft_direction.is_finite() {
            return Err(self.wrong(name, "weft_direction", "must be finite".to_owned()));
        }
        if let RestShape::Curvature(curvature) = bending.rest
            && !curvature.is_finite()
        {
            return Err(self.wrong(name, "rest", format!("must be finite, not {curvature}")));
        }
        if bending.model == BendingModel::Dihedral && hardening != 0.0 {
            return Err(self.wrong(name, "hardening", "is for linear bending only".to_owned()));
        }
        let modulus = 0.5 * (f64::from(weft) + f64::from(warp));
        if modulus == 0.0 {
            if viscosity > 0.0 {
                let message =
                    "needs a modulus above 0: what is viscous is the edges that a modulus makes stiff".to_owned();
                return Err(self.wrong(name, "viscosity", message));
            }
            return Ok(());
        }
        self.require(name, body.mesh.triangles.is_empty(), "triangles")?;
        let positions: Vec<DVec3> = body.mesh.positions.iter().map(|p| p.as_dvec3()).collect();
        let moduli = Moduli { weft: weft.into(), warp: warp.into(), weft_direction: weft_direction.as_dvec3() };
        let normalisation = match bending.normalisation {
            Normalisation::Calibrated => bending::Normalisation::Calibrated,
            Normalisation::Printed => bending::Normalisation::Printed,
        };
        let stencils = stencils(&positions, &body.mesh.triangles, &moduli, normalisation)
            .map_err(|message| Error::scene(self.mesh_field(), message))?;
        if let Some(stencil) = stencils.iter().find(|stencil| !((stencil.stiffness / modulus) as f32).is_finite()) {
            let message = format!("the triangles at vertices {:?} are too small to bend", stencil.vertices);
            return Err(Error::scene(self.mesh_field(), message));
        }
        if log::log_enabled!(log::Level::Warn)
            && let Ok(anisotropy) = anisotropy(&positions, &body.mesh.triangles, &moduli, &stencils)
            && let Some(warning) = anisotropy.warning(normalisation)
        {
            log::warn!("{}.material.bending: {warning}", self.field);
        }
        let linear = bending.model != BendingModel::Dihedral;
        if linear && bending.rest == RestShape::Flat && hardening == 0.0 && viscosity == 0.0 {
            return self.couple(body, name, 0.0, stencils.iter().flat_map(couplings));
        }
        let viscous_time = f64::from(viscosity) / modulus;
        let directed = directed_sides(&body.mesh.triangles);
        let model = match bending.model {
            BendingModel::Linear => ElementModel::Curvature,
            BendingModel::LinearPrinted => ElementModel::CurvaturePrinted,
            BendingModel::Dihedral => ElementModel::Dihedral,
        };
        let material = self.material(name, model, [0.0; 8])?;
        for stencil in &stencils {
            let stencil = &wound(stencil, &directed);
            let corners = stencil.vertices.map(|vertex| at(body, vertex));
            let rest = match bending.model {
                BendingModel::Dihedral => dihedral_rest(stencil, &corners, bending.rest, viscous_time).pack(),
                _ => curvature_rest(stencil, &corners, bending, viscous_time).pack(),
            };
            self.push(name, &stencil.vertices, rest, material)?;
        }
        Ok(())
    }
}

/// ½ λ |Σ α x|² as springs of rest length 0: with Σ α = 0 it is ½ Σ_{a<b} (-λ α_a α_b) |x_a - x_b|².
pub(super) fn couplings(stencil: &Stencil) -> Vec<([u32; 2], f64)> {
    let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let coupling = |(a, b): (usize, usize)| {
        let scalar = -stencil.stiffness * stencil.weights[a] * stencil.weights[b];
        ([stencil.vertices[a], stencil.vertices[b]], scalar)
    };
    pairs.into_iter().map(coupling).collect()
}

/// Every side of every triangle in winding direction, with the opposite corner.
fn directed_sides(triangles: &[[u32; 3]]) -> HashSet<[u32; 3]> {
    triangles.iter().flat_map(|&[a, b, c]| [[a, b, c], [b, c, a], [c, a, b]]).collect()
}

/// The stencil with its common edge in the winding direction of triangle A, so that signed curvature is towards the normals.
fn wound(stencil: &Stencil, directed: &HashSet<[u32; 3]>) -> Stencil {
    let [a, b, c, d] = stencil.vertices;
    if directed.contains(&[c, d, a]) {
        return *stencil;
    }
    let [wa, wb, wc, wd] = stencil.weights;
    Stencil { vertices: [a, b, d, c], weights: [wa, wb, wd, wc], ..*stencil }
}

/// Rest measures of `forces/curvature` and `forces/curvature_printed`.
fn curvature_rest(stencil: &Stencil, corners: &[DVec3; 4], bending: &Bending, viscous_time: f64) -> CurvatureRest {
    let [height_a, height_b] = stencil.heights;
    // Volino (2): γ = 2 r / (h_A h_B)
    let to_curvature = 2.0 / (height_a * height_b);
    let rest_vector = match bending.rest {
        RestShape::Flat => 0.0,
        RestShape::Mesh => {
            let size = bending_vector(&stencil.weights, corners).length();
            size * if lift(&stencil.weights, corners) < 0.0 { -1.0 } else { 1.0 }
        }
        RestShape::Curvature(curvature) => curved_vector(stencil, corners, curvature.into()),
    };
    CurvatureRest {
        weights: stencil.weights,
        stiffness: stencil.stiffness,
        length: rest_vector,
        damping: viscous_time * stencil.stiffness,
        hardening: f64::from(bending.hardening) * to_curvature * to_curvature,
    }
}

/// ⟨R, N⟩ of a pair whose corners lie on a sheet of this curvature in all directions, y = ½ κ |p|². As Σ α = 0 and Σ α p = 0, any
/// origin will do: corner C needs lengths within the triangles only. ½ h_A h_B κ would be too large: the common edge is straight and lies below a sheet that
/// curves along it; diagonals of squares, between four points of a circle, do not bend at all.
fn curved_vector(stencil: &Stencil, [a, b, c, d]: &[DVec3; 4], curvature: f64) -> f64 {
    let [wa, wb, _, wd] = stencil.weights;
    let square = |p: &DVec3| p.distance_squared(*c);
    0.5 * curvature * (wa * square(a) + wb * square(b) + wd * square(d))
}

/// Rest measures of `forces/dihedral`: as stiff as the linear model for small angles, r = θ h_A h_B / (h_A + h_B).
fn dihedral_rest(stencil: &Stencil, corners: &[DVec3; 4], rest: RestShape, viscous_time: f64) -> DihedralRest {
    let [height_a, height_b] = stencil.heights;
    let arm = height_a * height_b / (height_a + height_b);
    let stiffness = stencil.stiffness * arm * arm;
    let angle = match rest {
        RestShape::Flat => 0.0,
        RestShape::Mesh => dihedral::angle(corners).unwrap_or(0.0),
        RestShape::Curvature(curvature) => curved_vector(stencil, corners, curvature.into()) / arm,
    };
    let areas = stencil.heights.map(|height| 0.5 * height * stencil.edge_length);
    DihedralRest { stiffness, angle, damping: viscous_time * stiffness, areas }
}
