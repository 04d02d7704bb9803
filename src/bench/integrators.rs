//! Integrators on the same work: the hanging cloth of W1 and the cube of tetrahedra of W2, each with a stable step.

use super::workload::{Workload, hanging_cloth};
use crate::{
    Area, Body, Integrator, Mass, Material, Mesh, Nonlinear, Options, Scene, SolverOptions, Spring, Vertices, Volume,
};
use glam::Vec3;

/// W2: a cube of 11³ particles on 1 m, 6930 springs of 50 N/m, 5000 tetrahedra with 0.25 N·m of volume energy, 1 kg, bottom
/// pinned, explicit Verlet with h = 0.5 ms.
pub fn tetrahedral_cube() -> Workload {
    Workload {
        name: "w2".to_owned(),
        about: "cube of 5000 tetrahedra, explicit Verlet",
        scene: cube(),
        options: Options {
            integrator: Integrator::Verlet,
            time_step: 5e-4,
            nonlinear: Nonlinear::OneLinearisation,
            ..Default::default()
        },
        large: false,
    }
}

/// Teschner's table 1, by the number of forces. Blocks of tetrahedra have exactly his numbers of points, distances and volumes,
/// from (8, 18, 5) to (20402, 90801, 50000). Sheets replace face, cloth and Santa, with as many distances and areas, and within 4
/// % of their virtual tetrahedra. The time of a step should grow with the number of forces.
pub fn teschner() -> Vec<Workload> {
    let workload = |mesh: Mesh, material: Material| {
        let points = mesh.positions.len();
        let mut workload = tetrahedral_cube();
        workload.scene = Scene::new();
        workload.scene.add(Body::cloth(mesh, Material { mass: Mass::Total(points as f32 / 1331.0), ..material }));
        workload.name = format!("t1-{points}");
        workload.about = "Teschner's table 1, explicit Verlet";
        workload
    };
    let side = |count: u32| 0.1 * (count - 1) as f32;
    let block = |counts: [u32; 3]| {
        let mesh = Mesh::block(Vec3::from_array(counts.map(side)), counts);
        workload(mesh, tetrahedral_cube().scene.bodies[0].material.clone())
    };
    let sheet = |columns: u32, rows: u32| {
        // Springs along the sides of triangles and across each pair of them. No two are the same if all diagonals run one way.
        let cells = (1..rows).flat_map(|row| (1..columns).map(move |column| row * columns + column));
        let triangles = cells.flat_map(|d| [[d - columns - 1, d - 1, d], [d - columns - 1, d, d - columns]]).collect();
        let mesh = Mesh { grid: None, triangles, ..Mesh::grid(side(columns), side(rows), columns, rows) };
        let energy = 0.25;
        let material = Material {
            structural: Spring::new(50.0),
            crossover: Spring::new(50.0),
            area: Some(Area { stiffness: energy, damping: 0.0 }),
            shell: Some(Volume { stiffness: energy, damping: 0.0 }),
            ..Material::loose(Mass::Total(1.0))
        };
        workload(mesh, material)
    };
    vec![
        block([2, 2, 2]),
        block([11, 11, 2]),
        sheet(20, 24),
        sheet(12, 84),
        block([11, 11, 11]),
        sheet(26, 51),
        block([101, 101, 2]),
    ]
}

/// Integrators in the benchmark: one of each kind of work, at 20 iterations for implicit ones.
pub fn rows() -> Vec<Workload> {
    let chosen = ["bdf2", "implicit-midpoint", "imex-euler", "sbdf2", "verlet", "rk4"];
    let row = |integrator: Integrator| {
        let w1 = hanging_cloth(64);
        let time_step = if integrator.is_explicit() { 1e-4 } else { w1.options.time_step };
        Workload {
            name: format!("step-{}", integrator.name()),
            about: "w1-64 with another integrator",
            options: Options { integrator, time_step, ..w1.options },
            ..w1
        }
    };
    Integrator::ALL.into_iter().filter(|integrator| chosen.contains(&integrator.name())).map(row).collect()
}

/// Scene of W2.
pub fn cube() -> Scene {
    let material = Material {
        structural: Spring::new(50.0),
        volume: Some(Volume { stiffness: 0.25, damping: 0.0 }),
        ..Material::loose(Mass::Total(1.0))
    };
    let mut scene = Scene::new();
    let cube = scene.add(Body::solid(Mesh::block(Vec3::ONE, [11, 11, 11]), material));
    scene.pin(cube, Vertices::Box { low: Vec3::splat(-1.0), high: Vec3::new(1.0, -0.499, 1.0) });
    scene
}

/// Options for a comparison: the integrator, its step, and one linearisation with a tight tolerance.
pub fn compared(integrator: Integrator, time_step: f64) -> Options {
    let solver = SolverOptions { tolerance: 1e-3, max_iterations: 500, ..Default::default() };
    Options { integrator, time_step, solver, nonlinear: Nonlinear::OneLinearisation, ..Default::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{ElementModel, Topology};

    #[test]
    fn table_1_has_its_numbers_of_forces() {
        let published = [
            (18, 0, 5),
            (981, 0, 500),
            (2622, 874, 1277),
            (5478, 1826, 2739),
            (6930, 0, 5000),
            (7500, 2500, 3700),
            (90801, 0, 50000),
        ];
        let workloads = teschner();
        assert_eq!(workloads.len(), published.len());
        for (workload, (distances, areas, volumes)) in workloads.iter().zip(published) {
            let topology = Topology::build(&workload.scene, &workload.options).unwrap();
            let count = |model| {
                let of = |ix: u32| topology.element_materials[ix as usize].model == model;
                topology.elements.iter().filter(|element| of(element.material)).count()
            };
            assert_eq!((topology.edges.len(), count(ElementModel::Area)), (distances, areas), "{}", workload.name);
            let ours = count(ElementModel::Volume) as f64;
            let off = (ours / f64::from(volumes) - 1.0).abs();
            assert!(if areas == 0 { off == 0.0 } else { off < 0.04 }, "{}: {ours}", workload.name);
        }
    }
}
