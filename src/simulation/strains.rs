//! How far the edges at each particle are stretched.

use super::Simulation;
use crate::{Error, topology::Law};

impl Simulation {
    /// Of each particle, in the user's order, the strain l/L - 1 of the edge at it that is stretched or compressed the most; zero
    /// without edges. Couplings without a length of their own do not count. Waits for all steps.
    ///
    /// The largest of their sizes is [`Measures::largest_strain`](crate::Measures).
    pub fn strains(&mut self) -> Result<Vec<f32>, Error> {
        let rows = self.engine.positions();
        self.collect();
        let rows = rows?;
        let mut strains = vec![0.0f64; rows.len()];
        for edge in &self.topology.edges {
            if self.topology.materials[edge.material as usize].law == Law::None {
                continue;
            }
            let [a, b] = edge.ends.map(|end| rows[end as usize]);
            let strain = a.distance(b) / edge.rest_length - 1.0;
            for end in edge.ends {
                let largest = &mut strains[end as usize];
                if strain.abs() > largest.abs() {
                    *largest = strain;
                }
            }
        }
        Ok(self.topology.row_of.iter().map(|&row| strains[row as usize] as f32).collect())
    }
}
