//! Strain of the material at each particle.

use super::Simulation;
use crate::reference::forces::element::element_strain;
use glam::DVec3;

impl Simulation {
    /// Strains by particle, from positions by row.
    pub(super) fn strains_of(&self, rows: &[DVec3]) -> Vec<f32> {
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
        self.topology.row_of.iter().map(|&row| strains[row as usize] as f32).collect()
    }
}
