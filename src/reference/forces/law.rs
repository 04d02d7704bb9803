//! The table of edge models: each is one scalar law.

use super::linear::linear_law;
use crate::topology::{Edge, EdgeMaterial, Law};

/// Tension g(l), positive when it pulls, its slope g'(l) and energy E(l), with g = E'.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeLaw {
    /// g, N
    pub tension: f64,
    /// g', N/m
    pub slope: f64,
    /// E, J
    pub energy: f64,
}

/// The law of an edge at a length.
pub fn edge_law(material: &EdgeMaterial, edge: &Edge, length: f64) -> EdgeLaw {
    let law = match material.law {
        Law::Linear => linear_law(material, edge.rest_length, length),
    };
    EdgeLaw { tension: edge.weight * law.tension, slope: edge.weight * law.slope, energy: edge.weight * law.energy }
}
