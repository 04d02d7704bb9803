//! The constant couplings of the IMEX schemes (Etzmuß 3.18): every edge as a spring of rest length 0 and a damper without direction.

use super::{EdgeMemory, Topology};
use crate::{forces::law::edge_law, topology::EdgeMaterial};

/// Lengths, over the rest length, at which the slope of a nonlinear law is evaluated.
const WORKING_RANGE: [f64; 5] = [0.8, 0.9, 1.0, 1.1, 1.2];

impl Topology {
    /// (k, d) of every edge.
    pub fn constant_couplings(&self) -> Vec<[f64; 2]> {
        (0..self.edges.len()).map(|edge| self.constant_coupling(edge)).collect()
    }

    /// (k, d) of an edge, N/m and N·s/m. The linear part must carry at least half the largest slope of the law, or the fixed-point loop
    /// does not contract.
    fn constant_coupling(&self, edge: usize) -> [f64; 2] {
        let edge = &self.edges[edge];
        let known = &self.materials[edge.material as usize];
        let material = EdgeMaterial { memory: EdgeMemory::None, ..*known };
        let slope = |ratio: f64| edge_law(&material, edge, &[0.0; 4], ratio * edge.rest_length, 1.0).slope;
        let steepest = WORKING_RANGE.map(slope).into_iter().fold(0.0, f64::max);
        let stiffness = slope(1.0).max(0.5 * steepest) + edge.scalar;
        let damping = edge.weight * (known.damping + known.drag) + edge.scalar * known.scalar_time;
        [stiffness, damping]
    }
}
