//! Particles that start inside a collider: a warning names them, and steps push them out.

use super::World;
use crate::topology::Topology;
use glam::DMat3;

/// Depth above which a particle is inside, m; it allows for rounding in files.
const INSIDE: f64 = 1e-6;

/// Particles that start inside a collider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::simulation) struct StartInside {
    pub collider: usize,
    /// Number of particles.
    pub count: usize,
    /// Largest depth, m.
    pub deepest: f64,
}

impl World {
    /// Warns about colliders with particles inside at the start.
    pub fn warn_of_starts_inside(&self, topology: &Topology) {
        for StartInside { collider, count, deepest } in self.starts_inside(topology) {
            let particles = if count == 1 { "particle starts" } else { "particles start" };
            log::warn!(
                "collider[{collider}]: {count} {particles} inside, up to {deepest:.2e} m deep: they are pushed out, no faster than a fall over that depth"
            );
        }
    }

    /// Colliders with particles inside at the start, except particles that are pinned there or attached to the collider.
    fn starts_inside(&self, topology: &Topology) -> Vec<StartInside> {
        let mut held = vec![false; topology.particle_count()];
        topology.constraints.iter().filter(|pin| pin.free == DMat3::ZERO).for_each(|pin| held[pin.row as usize] = true);
        topology.carried.iter().for_each(|carried| held[carried.row as usize] = true);
        let free = || topology.positions.iter().zip(&held).filter(|(_, held)| !**held).map(|(x, _)| *x);
        let within = |(collider, (form, place)): (usize, (&super::Form, &super::ColliderPoses))| {
            let depths = free().map(|x| -form.depth(place.now.to_local(x))).filter(|depth| *depth > INSIDE);
            let (count, deepest) = depths.fold((0, 0.0), |(count, deepest), depth| (count + 1, depth.max(deepest)));
            (count > 0).then_some(StartInside { collider, count, deepest })
        };
        self.forms.iter().zip(&self.places).enumerate().filter_map(within).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Collider, Integrator, Options, Scene, Vertices};
    use glam::Vec3;

    fn starts_inside(scene: &Scene) -> Vec<StartInside> {
        let topology = Topology::build(scene, &Options::default()).unwrap();
        World::new(scene, &topology, Integrator::ImplicitEuler, true).starts_inside(&topology)
    }

    #[test]
    fn particles_inside_a_collider_are_counted_but_for_those_that_are_held() {
        let mut scene = Scene::new();
        scene.add_collider(Collider::plane([0.0, -1.0, 0.0], Vec3::Y));
        scene.add_collider(Collider::sphere(Vec3::ZERO, 0.5));
        let points = [[0.0, 0.1, 0.0], [0.0, 0.3, 0.0], [0.0, 0.6, 0.0]].map(Vec3::from).to_vec();
        let body = scene.add(Body::particles(points, 1.0));
        let found = starts_inside(&scene);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].collider, found[0].count), (1, 2));
        assert!((found[0].deepest - 0.4).abs() < 1e-6, "{found:?}");
        scene.pin(body, Vertices::list([0]));
        assert!((starts_inside(&scene)[0].deepest - 0.2).abs() < 1e-6);
        scene.pin(body, Vertices::list([1]));
        assert_eq!(starts_inside(&scene), []);
    }
}
