//! Strains that are exported and measured.

use crate::common::{backends, run, wavy_cloth};
use glam::Vec3;
use tenter::{
    Area, Backend, Bending, Body, Mass, Material, Membrane, Mesh, NeoHookean, Options, Scene, Simulation, Spring,
    Vertices, Volume, Weave,
};

#[test]
fn strains_are_those_of_the_edges() {
    // A chain whose links are stretched by a tenth and compressed by a fifth; a sheet that only bends has edges without a length.
    let mut scene = Scene::new();
    let material = Material { structural: Spring::new(10.0), ..Material::loose(Mass::Total(1.0)) };
    let start = [0.0, 1.1, 1.9, 2.9].map(|x| Vec3::X * x).to_vec();
    scene.add(Body::chain(Mesh::chain(Vec3::ZERO, Vec3::X * 3.0, 4), material).starting_at(start));
    let bending = Material { bending: Some(Bending::new(0.01)), ..Material::loose(Mass::Total(1.0)) };
    let sheet = Mesh::grid(1.0, 1.0, 3, 3);
    let larger = sheet.positions.iter().map(|p| 2.0 * *p).collect();
    scene.add(Body::cloth(sheet, bending).starting_at(larger));
    for (name, backend) in backends() {
        let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
        assert!(simulation.topology().edges.len() > 3);
        let strains = simulation.strains().unwrap();
        for (found, expected) in strains.iter().zip([0.1, -0.2, -0.2, 0.0]) {
            assert!((found - expected).abs() < 1e-6, "{name}: {strains:?}");
        }
        assert_eq!(strains[4..], [0.0; 9], "{name}");
    }
}

#[test]
fn the_largest_strain_is_the_one_measured() {
    let options = Options { measure: true, ..Default::default() };
    for (name, backend) in backends() {
        let exact = matches!(backend, Backend::Cpu);
        for (scene, tolerance) in [(wavy_cloth(12), 1e-6), (jelly(), 1e-4)] {
            let mut simulation = Simulation::new(backend.clone(), &scene, options.clone()).unwrap();
            for _ in 0..5 {
                run(&mut simulation, 4);
                let measured = simulation.finish().unwrap().unwrap().measures.unwrap().largest_strain;
                let largest = simulation.strains().unwrap().iter().fold(0.0f32, |most, strain| most.max(strain.abs()));
                let error = (f64::from(largest) - measured).abs();
                assert!(
                    measured > 1e-3 && error < if exact { 1e-7 * measured } else { tolerance },
                    "{name}: {largest} {measured}"
                );
            }
        }
    }
}

/// A block of springs and volumes that hangs by an edge.
fn jelly() -> Scene {
    let material = Material {
        structural: Spring::new(40.0),
        volume: Some(Volume { stiffness: 0.5, damping: 0.0 }),
        ..Material::loose(Mass::Total(0.1))
    };
    let mut scene = Scene::new();
    let block = scene.add(Body::solid(Mesh::block(Vec3::new(0.2, 0.1, 0.1), [3, 2, 2]), material));
    scene.pin(block, Vertices::list([0, 1, 2]));
    scene
}

/// What one step measures of a body that starts deformed, without gravity and with a step too short for it to move.
fn strain_of(backend: &Backend, mesh: Mesh, material: Material, map: impl Fn(Vec3) -> Vec3) -> f64 {
    let start = mesh.positions.iter().map(|place| map(*place)).collect();
    let mut scene = Scene { gravity: Vec3::ZERO, ..Scene::new() };
    scene.add(Body::cloth(mesh, material).starting_at(start));
    let options = Options { measure: true, time_step: 1e-6, ..Default::default() };
    let mut simulation = Simulation::new(backend.clone(), &scene, options).unwrap();
    simulation.step().unwrap();
    simulation.finish().unwrap().unwrap().measures.unwrap().largest_strain
}

#[test]
fn largest_strain_is_stretch_and_neither_bending_nor_shear() {
    let loose = Material::loose(Mass::Total(1.0));
    let spring = Spring::new(10.0);
    let springs = Material { structural: spring, shear: spring, crossover: spring, ..loose.clone() };
    let weave = Material {
        weave: Some(Weave { weft: spring, warp: spring, shear: 10.0, ..Default::default() }),
        ..loose.clone()
    };
    let membrane = Material { membrane: Some(Membrane::isotropic(10.0, 0.3)), ..loose.clone() };
    let area = Material { area: Some(Area { stiffness: 0.01, damping: 0.0 }), ..loose.clone() };
    let volume = Material { volume: Some(Volume { stiffness: 0.01, damping: 0.0 }), ..loose.clone() };
    let neo_hookean = Material { neo_hookean: Some(NeoHookean::new(10.0, 0.3)), ..loose.clone() };
    let shell = Material { shell: Some(Volume { stiffness: 0.01, damping: 0.0 }), ..loose.clone() };
    let sheet = Mesh::grid(1.0, 1.0, 5, 5);
    let block = Mesh::block(Vec3::ONE, [2, 2, 2]);
    // At x = 0: lengths along the grid stay, crossovers over the fold do not.
    let folded = |p: Vec3| if p.x > 0.0 { Vec3::new(0.0, p.x, p.z) } else { p };
    // Threads keep their lengths; the diagonals change by more than a fifth.
    let sheared = |p: Vec3| Vec3::new(p.x + 0.6 * p.z, p.y, 0.8 * p.z);
    // F = [[1, 0.6], [0, 0.8]]: σ² = 1 ± 0.6.
    let shear_strain = 1.0 - 0.4f64.sqrt();
    let stretched = |p: Vec3| p * Vec3::new(1.2, 1.0, 0.9);
    for (name, backend) in backends() {
        let check = |what: &str, mesh: &Mesh, material: &Material, map: &dyn Fn(Vec3) -> Vec3, expected: f64| {
            let found = strain_of(&backend, mesh.clone(), material.clone(), map);
            assert!((found - expected).abs() < 2e-5, "{name}, {what}: {found}, not {expected}");
        };
        check("springs, folded", &sheet, &springs, &folded, 0.0);
        check("springs, sheared", &sheet, &springs, &sheared, 0.0);
        check("springs, stretched", &sheet, &springs, &stretched, 0.2);
        check("weave, folded", &sheet, &weave, &folded, 0.0);
        check("weave, sheared", &sheet, &weave, &sheared, 0.0);
        check("weave, stretched", &sheet, &weave, &stretched, 0.2);
        check("membrane, folded", &sheet, &membrane, &folded, 0.0);
        check("membrane, sheared", &sheet, &membrane, &sheared, shear_strain);
        check("membrane, stretched", &sheet, &membrane, &stretched, 0.2);
        check("area, folded", &sheet, &area, &folded, 0.0);
        check("area, sheared", &sheet, &area, &sheared, shear_strain);
        check("area, stretched", &sheet, &area, &stretched, 0.2);
        check("volume, turned", &block, &volume, &|p| Vec3::new(-p.y, p.x, p.z), 0.0);
        check("volume, stretched", &block, &volume, &stretched, 0.2);
        check("volume, inverted", &block, &volume, &|p| p * Vec3::new(1.0, 1.0, -1.0), 2.0);
        check("neo-Hookean, turned", &block, &neo_hookean, &|p| Vec3::new(-p.y, p.x, p.z), 0.0);
        check("neo-Hookean, stretched", &block, &neo_hookean, &stretched, 0.2);
        check("neo-Hookean, inverted", &block, &neo_hookean, &|p| p * Vec3::new(1.0, 1.0, -1.0), 2.0);
        check("shell, stretched", &sheet, &shell, &stretched, 0.0);
        check("crossovers alone", &sheet, &Material { crossover: spring, ..loose.clone() }, &stretched, 0.0);
    }
}
