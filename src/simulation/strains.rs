//! How far the material at each particle is stretched.

use super::Simulation;
use crate::{Error, reference::forces::element::element_strain};

impl Simulation {
    /// The strain at each particle, in the user's order: of the structural edges and the elements there, that which is stretched or
    /// compressed the most, negative if compressed. An edge has l/L - 1, a triangle with an area or membrane model and a tetrahedron
    /// with a volume model the principal strain σ - 1. Zero where there are none. Waits for all steps.
    ///
    /// The largest of their sizes is [`Measures::largest_strain`](crate::Measures), which says what counts.
    pub fn strains(&mut self) -> Result<Vec<f32>, Error> {
        self.finish()?;
        let rows = self.engine.positions()?;
        let mut strains = vec![0.0f64; rows.len()];
        let mut note = |row: u32, strain: f64| {
            let largest = &mut strains[row as usize];
            if strain.abs() > largest.abs() {
                *largest = strain;
            }
        };
        for edge in self.topology.edges.iter().filter(|edge| edge.structural) {
            let [a, b] = edge.ends.map(|end| rows[end as usize]);
            let strain = a.distance(b) / edge.rest_length - 1.0;
            edge.ends.into_iter().for_each(|row| note(row, strain));
        }
        for element in &self.topology.elements {
            let material = &self.topology.element_materials[element.material as usize];
            let strain = element_strain(material, element, &element.particles.map(|row| rows[row as usize]));
            element.particles.into_iter().for_each(|row| note(row, strain));
        }
        Ok(self.topology.row_of.iter().map(|&row| strains[row as usize] as f32).collect())
    }
}
