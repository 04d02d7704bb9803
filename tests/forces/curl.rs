//! Flat sheets with a rest curvature: they roll up, out of their plane, to the side that its sign says.

use crate::common::{backends, run};
use glam::Vec3;
use tenter::{Bending, BendingModel, Body, Mass, Material, Mesh, Options, RestShape, Scene, Simulation, Spring};

#[test]
fn a_flat_sheet_with_rest_curvature_rolls_up() {
    // One device for all: its pipelines are compiled once.
    let backends = backends();
    for model in [BendingModel::Linear, BendingModel::LinearPrinted, BendingModel::Dihedral] {
        let mut left = Vec::new();
        for (curvature, (name, backend)) in [3.0, -3.0].into_iter().flat_map(|c| backends.clone().map(|b| (c, b))) {
            // Away from the origin, so that it is flat within rounding only.
            let mesh = Mesh::grid(1.0, 0.2, 21, 5).translated(Vec3::new(0.3, 0.0, 0.1));
            let [a, b, c] = mesh.triangles[0].map(|vertex| mesh.positions[vertex as usize]);
            let normal = (b - a).cross(c - a).normalize();
            let mut material = Material::springs(Mass::Total(0.1), Spring::new(1000.0).damped(0.1));
            material.bending = Some(Bending { model, rest: RestShape::Curvature(curvature), ..Bending::new(1e-2) });
            let mut scene = Scene::new();
            scene.gravity = Vec3::ZERO;
            scene.add(Body::cloth(mesh, material));
            let options = Options { measure: true, ..Default::default() };
            let mut simulation = Simulation::new(backend, &scene, options).unwrap();
            simulation.step().unwrap();
            let v = simulation.velocities().unwrap().to_vec();
            let in_plane = v.iter().map(|v| v.x.abs().max(v.z.abs())).fold(0.0, f32::max);
            let up = v.iter().map(|v| v.y.abs()).fold(0.0, f32::max);
            assert!(up > 0.1 && in_plane < 0.2 * up, "{model:?} {name}: in the plane {in_plane} m/s, across {up} m/s");
            let first = simulation.finish().unwrap().unwrap().measures.unwrap().elastic;
            run(&mut simulation, 60);
            let last = simulation.finish().unwrap().unwrap().measures.unwrap().elastic;
            // Ends against the middle of the middle row.
            let x = simulation.positions().unwrap();
            let risen = 0.5 * (x[42] + x[62]) - x[52];
            let risen = risen.dot(normal) * curvature.signum();
            println!("{model:?} {name} {curvature}: risen {risen:.3} m, elastic {first:.2e} J, then {last:.2e} J");
            assert!(risen > 0.05, "{model:?} {name} {curvature}: {risen}");
            left.push(last / first);
        }
        // Forces as printed have no energy to look at.
        assert!(model == BendingModel::LinearPrinted || left.iter().all(|left| *left < 0.7), "{model:?}: {left:?}");
    }
}
