//! Linear spring: g(l) = k (l - L), g'(l) = k, E(l) = k/2 (l - L)².

use super::law::EdgeLaw;
use crate::topology::EdgeMaterial;

/// The law at a length.
pub fn linear_law(material: &EdgeMaterial, rest_length: f64, length: f64) -> EdgeLaw {
    let stretch = length - rest_length;
    let k = material.stiffness;
    EdgeLaw { tension: k * stretch, slope: k, energy: 0.5 * k * stretch * stretch }
}
