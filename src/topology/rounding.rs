//! Resolution of f32: positions are rounded to ulp(x), to which a stiff edge responds with a force of k · ulp(x). Where that exceeds
//! the particle's weight, equilibria on a GPU are no finer than this noise.

use super::Topology;
use glam::DVec3;

/// Way of a particle in one explicit step at which it runs away, in sizes of the scene. Stable particles stay far below.
const CROSSINGS: f64 = 100.0;
/// Relative rounding of a position: some eight units in the last place of an f32.
const ROUNDING: f64 = 1e-6;

impl Topology {
    /// Largest way of a particle in one explicit step, m; beyond it the particle runs away.
    pub fn reach(&self) -> f64 {
        let size = self.size();
        if size > 0.0 { CROSSINGS * size } else { f64::from(f32::MAX) }
    }

    /// Largest displacement by rounding to f32 in a step, m: some units in the last place of the largest coordinate or of the scene's size.
    pub fn rounding(&self) -> f64 {
        let largest = self.positions.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
        ROUNDING * largest.max(self.size())
    }

    /// Diagonal of the bounding box, or the longest edge, m.
    fn size(&self) -> f64 {
        let low = self.positions.iter().copied().reduce(DVec3::min).unwrap_or_default();
        let high = self.positions.iter().copied().reduce(DVec3::max).unwrap_or_default();
        let longest = self.edges.iter().map(|edge| edge.rest_length).fold(0.0, f64::max);
        (high - low).length().max(longest)
    }

    /// Largest ratio of rounding force to weight of any particle; 0 without gravity.
    pub fn rounding_over_weight(&self, gravity: DVec3) -> f64 {
        let largest = self.positions.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max) as f32;
        let ulp = f64::from(largest.next_up() - largest);
        let mut stiffness = vec![0.0f64; self.particle_count()];
        for edge in &self.edges {
            let material = &self.materials[edge.material as usize];
            let slope = material.slope_at_rest(edge.rest_length);
            for end in edge.ends {
                let known = &mut stiffness[end as usize];
                *known = known.max((edge.weight * slope).abs() + edge.scalar.abs());
            }
        }
        let weight = self.masses.iter().map(|mass| mass * gravity.length());
        let over = stiffness.iter().zip(weight).filter(|(_, weight)| *weight > 0.0).map(|(k, weight)| k * ulp / weight);
        over.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Body, Mass, Material, Mesh, Options, Scene, Spring, topology::Topology};
    use glam::{DVec3, Vec3};

    #[test]
    fn a_stiff_light_chain_drowns_in_rounding() {
        let over = |stiffness: f32, at: f32| {
            let mesh = Mesh::chain(Vec3::new(at, 0.0, 0.0), Vec3::new(at + 1.0, 0.0, 0.0), 3);
            let mut scene = Scene::new();
            scene.add(Body::cloth(mesh, Material::springs(Mass::Total(0.3), Spring::new(stiffness))));
            let topology = Topology::build(&scene, &Options::default()).unwrap();
            topology.rounding_over_weight(DVec3::new(0.0, -10.0, 0.0))
        };
        // A weight of 1 N; coordinates up to 1.5, whose last digit is 2⁻²³.
        assert!((over(1e6, 0.5) - 1e6 * 2f64.powi(-23)).abs() < 1e-6);
        assert!((over(1e6, 1000.5) / over(1e6, 0.5) - 512.0).abs() < 1e-3);
        assert!(over(100.0, 0.5) < 1e-4);
    }
}
