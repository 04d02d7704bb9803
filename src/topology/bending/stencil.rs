//! Weights and printed stiffness of two triangles with a common edge (Volino 4–6, 10, 15), from the pair unfolded flat:
//!
//! α_A = h_B/(h_A + h_B), α_B = h_A/(h_A + h_B), α_D = −s, α_C = s − 1, λ = 2/3 (h_A + h_B)/(h_A h_B)² l μ
//!
//! where the line AB meets the line CD at C + s (D − C). Outside the edge s < 0 or s > 1: the weights keep their signs, as the areas in
//! (5) must, because pairs that are not convex would otherwise bend by themselves.

use super::{Moduli, Stencil};
use crate::topology::adjacency::Side;
use glam::DVec3;

/// Twice the area over the square of the longest edge below which a triangle is degenerate.
const FLAT: f64 = 1e-12;

/// Checks that every triangle has finite corners in range and an area.
pub fn check(positions: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), String> {
    for (ix, triangle) in triangles.iter().enumerate() {
        if triangle.iter().any(|&v| v as usize >= positions.len()) {
            return Err(format!("triangle {ix} names a vertex that is out of range: there are {}", positions.len()));
        }
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        if !(a.is_finite() && b.is_finite() && c.is_finite()) {
            return Err(format!("triangle {ix} has a vertex that is not finite"));
        }
        let longest = (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
        let normal = (b - a).cross(c - a).length();
        if !(longest.is_normal() && normal > FLAT * longest) {
            let [a, b, c] = *triangle;
            return Err(format!("triangle {ix} (vertices {a}, {b}, {c}) has no area: it cannot bend"));
        }
    }
    Ok(())
}

/// Any unit vector at right angles to a unit vector.
pub fn any_across(normal: DVec3) -> DVec3 {
    let axis = if normal.x.abs() < 0.6 { DVec3::X } else { DVec3::Y };
    (axis - normal * normal.dot(axis)).normalize()
}

/// A direction projected into the plane of a unit normal; any in the plane if it is normal to it.
pub fn in_plane(direction: DVec3, normal: DVec3) -> DVec3 {
    let direction = direction.normalize_or_zero();
    let projected = direction - normal * normal.dot(direction);
    if projected.length_squared() > 1e-12 { projected.normalize() } else { any_across(normal) }
}

/// Two triangles unfolded flat about their common edge: C at the origin, D up the axis, A and B at either side.
pub struct Unfolded {
    /// Length of the common edge |D − C|, m.
    pub edge_length: f64,
    /// Heights h_A, h_B of the triangles, m.
    pub heights: [f64; 2],
    /// Feet of the heights of A and B along the edge, from C, m.
    pub feet: [f64; 2],
    /// Unit vector along the edge.
    pub along: DVec3,
    /// Unit vector across the edge from A to B, in the plane that halves the fold.
    pub across: DVec3,
    /// Direction of the weft, in the plane of `along` and `across`.
    pub weft: DVec3,
    /// Modulus of the edge by (15), N·m.
    pub modulus: f64,
}

impl Unfolded {
    /// Unfolds two sides of one edge.
    pub fn new(positions: &[DVec3], first: &Side, second: &Side, moduli: &Moduli) -> Self {
        let [c, d] = first.ends.map(|v| positions[v as usize]);
        let edge_length = (d - c).length();
        let along = (d - c) / edge_length;
        let arms = [first, second].map(|side| positions[side.apex as usize] - c);
        let feet = arms.map(|arm| arm.dot(along));
        let wings = [arms[0] - along * feet[0], arms[1] - along * feet[1]];
        let heights = wings.map(DVec3::length);
        // A pair folded onto itself takes the plane of one triangle.
        let across = wings[1] / heights[1] - wings[0] / heights[0];
        let across = if across.length_squared() > 1e-12 { across.normalize() } else { wings[1] / heights[1] };
        let weft = in_plane(moduli.weft_direction, along.cross(across));
        let cosine_squared = weft.dot(along).powi(2).min(1.0);
        let modulus = moduli.weft * (1.0 - cosine_squared) + moduli.warp * cosine_squared;
        Unfolded { edge_length, heights, feet, along, across, weft, modulus }
    }

    /// The stencil, with the printed stiffness.
    pub fn stencil(&self, first: &Side, second: &Side) -> Stencil {
        let [h_a, h_b] = self.heights;
        let (alpha_a, alpha_b) = (h_b / (h_a + h_b), h_a / (h_a + h_b));
        let crossing = (alpha_a * self.feet[0] + alpha_b * self.feet[1]) / self.edge_length;
        Stencil {
            vertices: [first.apex, second.apex, first.ends[0], first.ends[1]],
            weights: [alpha_a, alpha_b, crossing - 1.0, -crossing],
            stiffness: 2.0 / 3.0 * (h_a + h_b) / (h_a * h_b).powi(2) * self.edge_length * self.modulus,
            heights: self.heights,
            edge_length: self.edge_length,
            factor: 1.0,
        }
    }
}
