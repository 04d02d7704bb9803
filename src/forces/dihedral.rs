//! Bending by the angle between normals: E = ½ k (θ - θ₀)², f_i = -(k (θ - θ₀) + c θ̇) dθ/dx_i. Particles: wings A, B, common edge
//! C, D. θ is 0 when flat and positive when the wings bend towards the normals of triangles A, C, D and B, D, C (as r₀ in
//! [`super::curvature_printed`]), in (-π, π]: past ±π it jumps.
//!
//! Seen along the edge each wing is a point in polar coordinates. With ê the edge's direction, L its length, and of a wing p the
//! height, u the direction from the edge, n the normal, t the foot's place along the edge, ω = (1, -(1 - t), -t) for (wing, C, D)
//! and ψ = (0, -1, 1):
//! dθ/dx_i = Σ_wings ω_i n / p,
//! d²θ/dx_i dx_j = Σ_wings (ω_i ω_j + ψ_i ψ_j p² / 2L²) Q - ω_i ψ_j Kᵀ - ψ_i ω_j K, Q = -(u nᵀ + n uᵀ) / p², K = n êᵀ / pL.
//! Clamped: Gauss–Newton. Where a triangle has no height or the edge no length, there is no angle and no force.
//!
//! A triangle that collapses turns its normal over, and θ jumps. So that the energy does not, E has the factor W = w(A_a²/A_a0²) w(A_b²/A_b0²) of the areas A and the
//! areas A₀ at rest, w(t) = (t/τ)(2 − t/τ) below τ = 1/16, and 1 above: it acts below a quarter of the area. Its gradient counts in the force; the Jacobian, exact too, has W alone.

use super::element::{ElementRow, ElementState, constraint_row, outer, padded};
use glam::{DMat3, DVec3};

/// Rest measures of bending by the angle between normals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DihedralRest {
    /// k, N·m.
    pub stiffness: f64,
    /// θ₀, radians.
    pub angle: f64,
    /// c, N·m·s.
    pub damping: f64,
    /// Areas of the triangles of the wings A and B, m²; 0 for triangles that may collapse without a factor.
    pub areas: [f64; 2],
}

impl DihedralRest {
    /// Packs `rest_a`: k, θ₀, c in x, y, z; `rest_b`: the areas in x, y.
    pub fn pack(self) -> [f64; 11] {
        let [first, second] = self.areas;
        padded(&[self.stiffness, self.angle, self.damping, 0.0, first, second])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[stiffness, angle, damping, _, first, second, ..]: &[f64; 11]) -> Self {
        Self { stiffness, angle, damping, areas: [first, second] }
    }
}

/// Doubled area over the sum of squared sides below which a triangle counts as degenerate.
const THINNEST: f64 = 1e-6;

/// τ: squared part of the area below which a triangle counts as collapsing.
const COLLAPSING: f64 = 1.0 / 16.0;

/// The factor W of collapsing triangles, and its gradients by the four particles.
fn collapse(areas: &[f64; 2], x: &[DVec3; 4]) -> (f64, [DVec3; 4]) {
    let (a, b, e) = (x[0] - x[2], x[1] - x[2], x[3] - x[2]);
    let normals = [e.cross(a), b.cross(e)];
    // (A/A₀)² and the factors w with their slopes.
    let part = |ix: usize| {
        let t = if areas[ix] > 0.0 { normals[ix].length_squared() / (4.0 * areas[ix] * areas[ix]) } else { 1.0 };
        let ratio = t / COLLAPSING;
        if ratio < 1.0 { (ratio * (2.0 - ratio), 2.0 * (1.0 - ratio) / COLLAPSING) } else { (1.0, 0.0) }
    };
    let [(first, first_slope), (second, second_slope)] = [part(0), part(1)];
    let mut gradients = [DVec3::ZERO; 4];
    if first_slope > 0.0 {
        let scale = first_slope * second / (2.0 * areas[0] * areas[0]);
        gradients[0] = scale * normals[0].cross(e);
        gradients[3] += scale * a.cross(normals[0]);
    }
    if second_slope > 0.0 {
        let scale = second_slope * first / (2.0 * areas[1] * areas[1]);
        gradients[1] = scale * e.cross(normals[1]);
        gradients[3] += scale * normals[1].cross(b);
    }
    gradients[2] = -(gradients[0] + gradients[1] + gradients[3]);
    (first * second, gradients)
}

/// One of the two triangles, seen from the common edge.
struct Wing {
    /// Gradient n / p of the angle by the wing, 1/m.
    slope: DVec3,
    normal: DVec3,
    /// Unit direction from the edge to the wing.
    outward: DVec3,
    height: f64,
    /// ω of A, B, C, D; 0 for the other wing.
    weights: [f64; 4],
}

/// Two triangles with a common edge.
struct Hinge {
    angle: f64,
    /// Unit direction ê of the edge.
    edge: DVec3,
    edge_length: f64,
    wings: [Wing; 2],
}

fn hinge(x: &[DVec3; 4]) -> Option<Hinge> {
    let (a, b, e) = (x[0] - x[2], x[1] - x[2], x[3] - x[2]);
    let normals = [e.cross(a), b.cross(e)];
    let edge_square = e.length_squared();
    let thin = |normal: DVec3, side: DVec3| normal.length() <= THINNEST * (edge_square + side.length_squared());
    if thin(normals[0], a) || thin(normals[1], b) {
        return None;
    }
    let edge_length = edge_square.sqrt();
    let edge = e / edge_length;
    // ⟨N_B × N_A, ê⟩ = L ⟨b, N_A⟩, which avoids a difference of products of normals.
    let angle = (edge_length * b.dot(normals[0])).atan2(normals[0].dot(normals[1]));
    let wing = |place: usize, side: DVec3| {
        let normal = normals[place].normalize();
        let height = normals[place].length() / edge_length;
        let foot = side.dot(e) / edge_square;
        let mut weights = [0.0, 0.0, foot - 1.0, -foot];
        weights[place] = 1.0;
        // Both vectors are normal to the edge: one is the other turned by a right angle.
        let outward = if place == 0 { normal.cross(edge) } else { edge.cross(normal) };
        Wing { slope: normal / height, normal, outward, height, weights }
    };
    Some(Hinge { angle, edge, edge_length, wings: [wing(0, a), wing(1, b)] })
}

impl Hinge {
    fn gradient(&self, i: usize) -> DVec3 {
        self.wings[0].weights[i] * self.wings[0].slope + self.wings[1].weights[i] * self.wings[1].slope
    }

    fn second(&self, i: usize, j: usize) -> DMat3 {
        const ALONG: [f64; 4] = [0.0, 0.0, -1.0, 1.0];
        let block = |wing: &Wing| {
            let turned = outer(wing.outward, wing.normal);
            let polar = -(turned + turned.transpose()) / (wing.height * wing.height);
            let sheared = outer(wing.normal, self.edge) / (wing.height * self.edge_length);
            let ratio = wing.height / self.edge_length;
            let (weight, other) = (wing.weights[i], wing.weights[j]);
            (weight * other + ALONG[i] * ALONG[j] * 0.5 * ratio * ratio) * polar
                - (weight * ALONG[j] * sheared.transpose() + ALONG[i] * other * sheared)
        };
        block(&self.wings[0]) + block(&self.wings[1])
    }
}

/// Response of the element at one particle.
pub fn row(rest: &DihedralRest, state: &ElementState, own: usize, clamp: bool) -> ElementRow {
    let Some(hinge) = hinge(&state.x) else { return ElementRow::default() };
    let (weight, slopes) = collapse(&rest.areas, &state.x);
    let (stiffness, damping) = (weight * rest.stiffness, weight * rest.damping);
    let excess = hinge.angle - rest.angle;
    let gradients = [0, 1, 2, 3].map(|i| hinge.gradient(i));
    let mut row = constraint_row(own, stiffness, damping, excess, &gradients, &state.v);
    row.force -= 0.5 * rest.stiffness * excess * excess * slopes[own];
    if !clamp {
        for j in (0..4).filter(|&j| j != own) {
            row.stiffness[j] -= stiffness * excess * hinge.second(own, j);
        }
    }
    row
}

/// Stored energy, J.
pub fn energy(rest: &DihedralRest, state: &ElementState) -> f64 {
    let (weight, _) = collapse(&rest.areas, &state.x);
    hinge(&state.x).map_or(0.0, |hinge| 0.5 * weight * rest.stiffness * (hinge.angle - rest.angle).powi(2))
}

/// θ of four positions, radians, by which rest angles are measured; `None` for degenerate triangles.
pub fn angle(x: &[DVec3; 4]) -> Option<f64> {
    hinge(x).map(|hinge| hinge.angle)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hinge whose wing A passes through the common edge in its own plane, at a height over that at rest.
    fn passing(height: f64) -> [DVec3; 4] {
        [DVec3::new(-height, 0.3, 0.1), DVec3::new(0.4, -0.1, 0.9), -0.5 * DVec3::Y, 0.5 * DVec3::Y]
    }

    fn state(x: [DVec3; 4]) -> ElementState {
        ElementState { x, v: [DVec3::ZERO; 4], normals: [DVec3::ZERO; 4] }
    }

    fn rest(areas: [f64; 2]) -> DihedralRest {
        DihedralRest { stiffness: 2.0, angle: 0.1, damping: 0.0, areas }
    }

    #[test]
    fn the_energy_of_a_triangle_that_turns_over_does_not_jump() {
        let flat =
            |height: f64| [DVec3::new(-height, 0.3, 0.0), DVec3::new(0.7, -0.1, 0.7), -0.5 * DVec3::Y, 0.5 * DVec3::Y];
        let jump = |areas: [f64; 2]| {
            let energies = [1e-5, -1e-5].map(|height| energy(&rest(areas), &state(flat(height))));
            (energies[0] - energies[1]).abs()
        };
        assert!(jump([0.5, 0.5]) < 1e-6, "{}", jump([0.5, 0.5]));
        // The control: without the factor the angle jumps by half a turn.
        assert!(jump([0.0, 0.0]) > 1.0, "{}", jump([0.0, 0.0]));
        // Above a quarter of its area the factor does nothing.
        let [with, without] = [[0.5, 0.5], [0.0, 0.0]].map(|areas| energy(&rest(areas), &state(flat(0.6))));
        assert_eq!(with, without);
    }

    #[test]
    fn forces_of_collapsing_triangles_derive_from_their_energy() {
        for height in [0.02, 0.1, 0.2] {
            let x = passing(height);
            let energy = |x: [DVec3; 4]| energy(&rest([0.5, 0.9]), &state(x));
            for own in 0..4 {
                let force = row(&rest([0.5, 0.9]), &state(x), own, true).force;
                for axis in DVec3::AXES {
                    let moved = [1e-6, -1e-6].map(|step| {
                        let mut x = x;
                        x[own] += step * axis;
                        energy(x)
                    });
                    let slope = (moved[0] - moved[1]) / 2e-6;
                    assert!((force.dot(axis) + slope).abs() < 1e-5 * (1.0 + slope.abs()), "{height} {own}: {slope}");
                }
            }
        }
    }
}
