//! The edges of a mesh as hinges, in the frame of weft and warp, for calibration and anisotropy.

use super::quartic::{self, Quartic};
use super::stencil::{self, Unfolded};
use super::{Moduli, Stencil, orient};
use crate::topology::adjacency::{Side, pairs};
use glam::DVec3;

/// Two sides of an edge, or the only side of a border edge. A border hinge carries no moment; it stands for the hinge of a continued
/// sheet, so that triangles at a border have three hinges like all others.
pub struct Hinge {
    /// Triangles of the hinge; the second is `u32::MAX` at a border.
    pub triangles: [u32; 2],
    /// Normal n of the edge in the sheet: weft and warp component.
    pub normal: [f64; 2],
    /// Length of the edge, m.
    pub length: f64,
    /// Modulus μ of the edge, relative to the larger of the two moduli.
    pub modulus: f64,
    /// Share of the moment, below 1 where more than two triangles meet and several pairs share it.
    pub share: f64,
}

impl Hinge {
    /// Whether the hinge is one of `Sheet::pairs`.
    pub fn is_pair(&self) -> bool {
        self.triangles[1] != u32::MAX
    }

    /// Compliance that the hinge adds to each of its triangles, per g: 3 (n·d)⁴/μ.
    pub fn compliance(&self) -> Quartic {
        let [u, v] = self.normal;
        let scale = 3.0 / self.modulus * self.share * self.share;
        quartic::square([u * u, v * v, 2.0 * u * v]).map(|c| scale * c)
    }
}

/// Stencil and responses of a hinge between two triangles.
pub struct Pair {
    /// Stencil with the printed stiffness of the relative modulus.
    pub stencil: Stencil,
    /// R per unit of the curvatures κ_uu, κ_vv, κ_uv: from Σ α p pᵀ of the pair unfolded.
    pub per_curvature: [f64; 3],
    /// t/λ per unit of the moments m_uu, m_vv, m_uv and per g: ³⁄₂ h_A h_B n nᵀ/μ.
    pub per_moment: [f64; 3],
}

/// Smallest mixed compliance S_uuvv, over the geometric mean of those along weft and warp; equal moduli have a third.
const MIXED_FLOOR: f64 = 1.0 / 12.0;

/// A mesh as hinges.
pub struct Sheet {
    /// Areas of the triangles, m².
    pub areas: Vec<f64>,
    /// Hinges, sorted by edge.
    pub hinges: Vec<Hinge>,
    /// Hinges between two triangles, in the order of the stencils.
    pub pairs: Vec<Pair>,
    /// Moduli relative to the larger one.
    pub moduli: Moduli,
}

impl Sheet {
    /// Hinges of a mesh that `stencil::check` has passed.
    pub fn new(positions: &[DVec3], triangles: &[[u32; 3]], sides: &[Side], moduli: &Moduli) -> Self {
        let mut sheet = Sheet {
            areas: triangles.iter().map(|triangle| normal(positions, triangle).length() / 2.0).collect(),
            hinges: Vec::with_capacity(2 * triangles.len()),
            pairs: Vec::with_capacity(2 * triangles.len()),
            moduli: relative(moduli),
        };
        let reversed = orient::reversed(triangles.len(), sides);
        for fan in sides.chunk_by(|a, b| a.ends == b.ends) {
            if let [only, others @ ..] = fan
                && others.iter().all(|other| other.apex == only.apex)
            {
                let normal = normal(positions, &triangles[only.triangle as usize]).normalize();
                sheet.add_border(positions, only, if reversed[only.triangle as usize] { -normal } else { normal });
            }
            for (first, second) in pairs(fan) {
                let share = 1.0 / (fan.len() - 1) as f64;
                sheet.add_pair(positions, [first, second], share, reversed[first.triangle as usize]);
            }
        }
        sheet
    }

    /// Area of the triangles of a hinge, m².
    pub fn area(&self, hinge: &Hinge) -> f64 {
        hinge.triangles.iter().filter_map(|&triangle| self.areas.get(triangle as usize)).sum()
    }

    /// Modulus that a free strip along a direction should have: those given along weft and warp, and that of (15) at 45°, as far as
    /// hinges can represent it. They cannot where the moduli differ much: compliances add up n⊗n⊗n⊗n, whose mixed part is never negative, so
    /// it has a floor here.
    pub fn strip_modulus(&self, direction: [f64; 2]) -> f64 {
        1.0 / quartic::value(&self.strip_compliance(), direction)
    }

    /// 1/`strip_modulus` of all directions.
    pub fn strip_compliance(&self) -> Quartic {
        let Moduli { weft, warp, .. } = self.moduli;
        let mixed = 2.0 / 3.0 * (2.0 / (weft + warp) - 0.25 / weft - 0.25 / warp);
        let mixed = mixed.max(MIXED_FLOOR / (weft * warp).sqrt());
        [1.0 / weft, 0.0, 6.0 * mixed, 0.0, 1.0 / warp]
    }

    /// Modulus μ(d) of curvature along a direction, by (15).
    pub fn modulus(&self, [u, v]: [f64; 2]) -> f64 {
        self.moduli.weft * u * u + self.moduli.warp * v * v
    }

    fn add_border(&mut self, positions: &[DVec3], side: &Side, normal: DVec3) {
        let weft = stencil::in_plane(self.moduli.weft_direction, normal);
        let [c, d] = side.ends.map(|v| positions[v as usize]);
        let across = normal.cross(d - c).normalize();
        let normal = [across.dot(weft), across.dot(normal.cross(weft))];
        let (length, modulus) = ((d - c).length(), self.modulus(normal));
        self.hinges.push(Hinge { triangles: [side.triangle, u32::MAX], normal, length, modulus, share: 1.0 });
    }

    fn add_pair(&mut self, positions: &[DVec3], sides: [&Side; 2], share: f64, reversed: bool) {
        let flat = Unfolded::new(positions, sides[0], sides[1], &self.moduli);
        let outward = flat.across.cross(flat.along);
        let warp = if sides[0].forward != reversed { outward } else { -outward }.cross(flat.weft);
        // Across and along the edge in components of weft and warp.
        let n = [flat.across.dot(flat.weft), flat.across.dot(warp)];
        let b = [flat.along.dot(flat.weft), flat.along.dot(warp)];
        let stencil = flat.stencil(sides[0], sides[1]);
        // Σ α p pᵀ = α_A α_B AB ABᵀ − α_C α_D CD CDᵀ, as AB and CD meet where R is measured.
        let [alpha_a, alpha_b, alpha_c, alpha_d] = stencil.weights;
        let (wide, shift) = (flat.heights[0] + flat.heights[1], flat.feet[1] - flat.feet[0]);
        let span = [wide * n[0] + shift * b[0], wide * n[1] + shift * b[1]];
        let edge = [flat.edge_length * b[0], flat.edge_length * b[1]];
        let second = |i: usize, j: usize| alpha_a * alpha_b * span[i] * span[j] - alpha_c * alpha_d * edge[i] * edge[j];
        let scale = 1.5 * flat.heights[0] * flat.heights[1] / flat.modulus * share;
        self.pairs.push(Pair {
            stencil,
            per_curvature: [0.5 * second(0, 0), 0.5 * second(1, 1), second(0, 1)],
            per_moment: [n[0] * n[0], n[1] * n[1], 2.0 * n[0] * n[1]].map(|value| scale * value),
        });
        let triangles = sides.map(|side| side.triangle);
        self.hinges.push(Hinge { triangles, normal: n, length: flat.edge_length, modulus: flat.modulus, share });
    }
}

/// Moduli relative to the larger one, each large enough for its edges to count.
fn relative(moduli: &Moduli) -> Moduli {
    let largest = moduli.weft.max(moduli.warp);
    let scaled = |modulus: f64| if largest > 0.0 { (modulus / largest).max(1e-3) } else { 1.0 };
    Moduli { weft: scaled(moduli.weft), warp: scaled(moduli.warp), weft_direction: moduli.weft_direction }
}

fn normal(positions: &[DVec3], triangle: &[u32; 3]) -> DVec3 {
    let [a, b, c] = triangle.map(|v| positions[v as usize]);
    (b - a).cross(c - a)
}
