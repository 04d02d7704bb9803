//! Surfaces that intersect at the start of a simulation with contact between bodies.

use crate::{
    BodyId, Error, Intersection, Scene,
    reference::collision::crossings,
    topology::{Surface, Topology},
};
use glam::DVec3;
use std::collections::BTreeMap;

/// Finds what intersects at the start. Bodies that do will not meet. An error if the scene refuses that.
pub(super) fn find(scene: &Scene, topology: &mut Topology) -> Result<(), Error> {
    let groups = topology.tied_at_start();
    let Topology { surface: Some(surface), positions, .. } = topology else { return Ok(()) };
    let masters = groups.masters(positions.len());
    let found = crossings(surface, &masters, positions);
    surface.crossed = found.iter().map(|crossing| [crossing.edge, crossing.triangle]).collect();
    let refused = scene.contact.as_ref().is_some_and(|contact| contact.refuse_intersections);
    let list = by_bodies(topology);
    if refused && !list.is_empty() {
        return Err(Error::Intersecting(list));
    }
    if let Some(surface) = &mut topology.surface {
        surface.part(list.iter().map(|found| found.bodies))?;
    }
    Ok(())
}

/// Intersections at the start by pairs of bodies, in ascending order.
pub(super) fn by_bodies(topology: &Topology) -> Vec<Intersection> {
    topology.surface.as_ref().map_or_else(Vec::new, |surface| counted(surface, &surface.crossed))
}

/// Intersections at positions in the order of the particles, by pairs of bodies that meet, in ascending order.
pub(super) fn at_positions(topology: &Topology, masters: &[u32], positions: &[DVec3]) -> Vec<Intersection> {
    let Some(surface) = &topology.surface else { return Vec::new() };
    let rows: Vec<DVec3> = topology.order.iter().map(|&particle| positions[particle as usize]).collect();
    let found: Vec<[u32; 2]> =
        crossings(surface, masters, &rows).iter().map(|crossing| [crossing.edge, crossing.triangle]).collect();
    counted(surface, &found)
}

/// Counts edges and triangles that cross, by pairs of bodies.
fn counted(surface: &Surface, crossed: &[[u32; 2]]) -> Vec<Intersection> {
    let mut counts: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    for &[edge, triangle] in crossed {
        let rows = [surface.edges[edge as usize][0], surface.triangles[triangle as usize][0]];
        let [a, b] = rows.map(|row| surface.bodies[row as usize]);
        *counts.entry([a.min(b), a.max(b)]).or_default() += 1;
    }
    let one = |(bodies, crossings): ([u32; 2], usize)| Intersection {
        bodies: bodies.map(|body| BodyId(body as usize)),
        crossings,
    };
    counts.into_iter().map(one).collect()
}

/// Logs what intersects at the start.
pub(super) fn warn(topology: &Topology) {
    for intersection in by_bodies(topology) {
        log::warn!(
            "contact: at the start {}; they do not meet",
            intersection.text(|body| format!("body[{}]", body.index()))
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Backend, Body, BodyContact, Error, Material, Mesh, Options, PreparedScene, Scene, Simulation, Vertices,
    };
    use glam::{Quat, Vec3};

    /// A level sheet, an upright one that cuts it, and one far away.
    fn cut(contact: BodyContact) -> Scene {
        let mut scene = Scene::new();
        let level = Mesh::grid(1.0, 1.0, 5, 5);
        let upright = Mesh::grid(0.3, 0.3, 4, 4).rotated(Quat::from_rotation_x(1.5)).translated(Vec3::splat(0.013));
        scene.add(Body::cloth(level.clone(), Material::cotton()));
        scene.add(Body::cloth(upright, Material::cotton()));
        scene.add(Body::cloth(level.translated(5.0 * Vec3::Y), Material::cotton()));
        scene.contact = Some(contact);
        scene
    }

    #[test]
    fn bodies_that_intersect_are_listed_or_refused() {
        let options = Options::default();
        let scene = cut(BodyContact::default());
        let prepared = PreparedScene::new(scene.clone(), &options).unwrap();
        let [found] = prepared.intersections()[..] else { panic!("{:?}", prepared.intersections()) };
        assert_eq!(found.bodies.map(|body| body.index()), [0, 1]);
        assert!(found.crossings >= 4, "{found:?}");
        let simulation = Simulation::new(Backend::Cpu, &scene, options.clone()).unwrap();
        assert_eq!(simulation.intersections(), [found]);
        let strict = BodyContact { refuse_intersections: true, ..Default::default() };
        match Simulation::check(&cut(strict.clone()), &options) {
            Err(Error::Intersecting(list)) => assert_eq!(list, [found]),
            other => panic!("{other:?}"),
        }
        // Bodies that do not meet may intersect.
        let [a, b, _] = [0, 1, 2].map(crate::BodyId);
        let apart = BodyContact { ignored: vec![[a, b]], ..strict.clone() };
        assert!(Simulation::check(&cut(apart), &options).is_ok());
        let off = vec![crate::ContactOf { meets: false, ..crate::ContactOf::new(b) }];
        assert!(Simulation::check(&cut(BodyContact { bodies: off, ..strict }), &options).is_ok());
        // Nor is anything looked for without contact.
        assert!(PreparedScene::new(Scene { contact: None, ..scene }, &options).unwrap().intersections().is_empty());
    }

    #[test]
    fn tied_vertices_do_not_intersect() {
        let strict = BodyContact { refuse_intersections: true, ..Default::default() };
        let mut scene = Scene::new();
        scene.contact = Some(strict);
        // Two triangles of different bodies that share a corner.
        let triangle =
            |points: [[f32; 3]; 3]| Mesh::from_triangles(points.map(Vec3::from_array).to_vec(), vec![[0, 1, 2]]);
        let one = scene.add(Body::cloth(triangle([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), Material::cotton()));
        let other = scene.add(Body::cloth(triangle([[0.0; 3], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]), Material::cotton()));
        assert!(Simulation::check(&scene, &Options::default()).is_err());
        scene.tie((one, Vertices::list([0])), (other, Vertices::list([0])));
        Simulation::check(&scene, &Options::default()).unwrap();
    }
}
