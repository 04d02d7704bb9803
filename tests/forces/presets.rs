//! Every preset holds its own weight on both backends, at the step its paper used or the default one.

use crate::common::{backends, run};
use glam::{Quat, Vec3};
use std::f32::consts::FRAC_PI_2;
use tenter::{Backend, Body, Mass, Material, Mesh, Options, Scene, Side, Simulation, Vertices, presets};

/// Time under load, s: what does not hold together has fallen far beyond any strain allowed here.
const DURATION: f64 = 0.2;

/// Steps at least.
const STEPS: usize = 20;

/// Published steps, s: Teschner, tables 2 and 6.
fn time_step(name: &str) -> f64 {
    match name {
        "teschner-snakes" => 4.0e-3,
        "teschner-pitbull" => 2.7e-3,
        "teschner-cows" => 7.1e-3,
        "teschner-cloth" => 2.6e-3,
        "teschner-face" => 2.9e-3,
        "teschner-dragon" => 1.7e-3,
        "teschner-cubes" => 3.1e-3,
        _ => Options::default().time_step,
    }
}

/// A cloth held by its far corners, or a block by its top.
fn scene(name: &str, material: Material) -> Scene {
    let solid = material.volume.is_some() || material.neo_hookean.is_some() || name == "vogiannou-solid";
    let mut scene = Scene::new();
    if solid {
        let (size, count) = match name {
            "jelly" => (0.1, 6),
            "vogiannou-solid" => (0.16, 9),
            _ => (0.2, 6),
        };
        let block = scene.add(Body::solid(Mesh::block(Vec3::splat(size), [count; 3]), material));
        let top = Vertices::Box { low: Vec3::new(-1.0, 0.49 * size, -1.0), high: Vec3::ONE };
        scene.pin(block, top);
    } else {
        let size = if name.starts_with("vogiannou") { 0.22 } else { 1.0 };
        let cloth = scene.add(Body::cloth(Mesh::grid(size, size, 12, 12), material));
        scene.pin(cloth, Vertices::corners());
    }
    scene
}

/// Largest strain along threads, or along the edges of tetrahedra.
fn largest_strain(mesh: &Mesh, positions: &[Vec3]) -> f32 {
    let mut pairs = Vec::new();
    if let Some(grid) = mesh.grid {
        for ix in 0..grid.columns * grid.rows {
            pairs.extend((ix % grid.columns + 1 < grid.columns).then_some([ix, ix + 1]));
            pairs.extend((ix + grid.columns < grid.columns * grid.rows).then_some([ix, ix + grid.columns]));
        }
    }
    for &[a, b, c, d] in &mesh.tetrahedra {
        pairs.extend([[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]]);
    }
    let length = |at: &[Vec3], [a, b]: [u32; 2]| at[a as usize].distance(at[b as usize]);
    let strain = |&pair: &[u32; 2]| (length(positions, pair) / length(&mesh.positions, pair) - 1.0).abs();
    pairs.iter().map(strain).fold(0.0, f32::max)
}

fn volume(mesh: &Mesh, positions: &[Vec3]) -> f32 {
    let at = |ix: u32| positions[ix as usize];
    let of = |&[a, b, c, d]: &[u32; 4]| (at(b) - at(a)).dot((at(c) - at(a)).cross(at(d) - at(a))) / 6.0;
    mesh.tetrahedra.iter().map(of).sum()
}

/// State of a preset after a while, on each backend.
fn states(name: &str, material: &Material) -> Vec<(String, Mesh, Vec<Vec3>)> {
    let scene = scene(name, material.clone());
    let options = Options { time_step: time_step(name), ..Default::default() };
    let steps = STEPS.max((DURATION / options.time_step).ceil() as usize);
    let simulate = |(backend_name, backend): (_, _)| {
        let backend: tenter::Backend = backend;
        let mut simulation = Simulation::new(backend, &scene, options.clone()).unwrap();
        run(&mut simulation, steps);
        (format!("{name} on {backend_name}"), scene.bodies[0].mesh.clone(), simulation.positions().unwrap().to_vec())
    };
    backends().into_iter().map(simulate).collect()
}

#[test]
fn every_preset_holds_its_own_weight() {
    for (name, about, make) in presets::ALL {
        assert!(!about.is_empty());
        // What melts is to stretch, but not to lose volume.
        let most = if *name == "teschner-dragon" { 3.0 } else { 0.3 };
        for (which, mesh, positions) in states(name, &make()) {
            assert!(positions.iter().all(|position| position.is_finite()), "{which}");
            let strain = largest_strain(&mesh, &positions);
            assert!(strain < most, "{which}: {strain}");
            let moved = positions.iter().zip(&mesh.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            println!("{which}: strain {strain:.4}, moved {moved:.4} m");
            // Solids hang still, and Vogiannou's cloths are held back by their Jacobian, as the presets say.
            let slow = mesh.grid.is_none() || name.starts_with("vogiannou");
            let least = if slow { 1e-5 } else { 0.05 };
            assert!(moved > least, "{which}: moves by {moved} m only");
            if !mesh.tetrahedra.is_empty() {
                let kept = volume(&mesh, &positions) / volume(&mesh, &mesh.positions);
                assert!((kept - 1.0).abs() < 0.1, "{which}: {kept} of the volume");
            }
        }
    }
}

/// A square metre that hangs by its upper edge, at two resolutions: membranes stretch by no more than 2 % under their own weight, and equally.
#[test]
fn a_metre_of_fabric_hardly_stretches_under_its_own_weight() {
    for (name, _, make) in presets::ALL.iter().filter(|(_, _, make)| make().membrane.is_some()) {
        let hang = |n: u32| {
            let mesh = Mesh::grid(1.0, 1.0, n, n).rotated(Quat::from_rotation_x(FRAC_PI_2));
            let mut scene = Scene::new();
            let cloth = scene.add(Body::cloth(mesh, make()));
            scene.pin(cloth, Vertices::Side(Side::Far));
            let mut simulation =
                Simulation::new(Backend::Cpu, &scene, Options { time_step: 0.02, ..Default::default() }).unwrap();
            run(&mut simulation, 60);
            let lowest = simulation.positions().unwrap().iter().map(|p| p.y).fold(0.0, f32::min);
            (simulation.strains().unwrap().into_iter().fold(0.0, |most: f32, strain| most.max(strain.abs())), lowest)
        };
        let [(coarse, low), (fine, lower)] = [9, 17].map(hang);
        println!("{name}: {:.3} and {:.3} %; lower edge at {low:.4} and {lower:.4} m", 100.0 * coarse, 100.0 * fine);
        assert!(coarse < 0.02 && fine < 0.02, "{name}: {coarse}, {fine}");
        // Half the weight over the modulus, on average.
        assert!((low - lower).abs() < 5e-4 && lower < -0.5005, "{name}: {low}, {lower}");
    }
}

#[test]
fn nothing_holds_its_own_weight_without_forces() {
    for (name, mass) in [("loose", Mass::Surface(0.1)), ("jelly", Mass::Volume(1000.0))] {
        let volume = (name == "jelly").then_some(tenter::Volume { stiffness: 0.0, damping: 0.0 });
        for (which, mesh, positions) in states(name, &Material { volume, ..Material::loose(mass) }) {
            let strain = largest_strain(&mesh, &positions);
            assert!(strain > 1.0, "{which}: {strain}");
        }
    }
}

#[test]
fn every_preset_is_listed_where_people_look() {
    let documentation = include_str!("../../src/scene/presets/mod.rs");
    for (name, about, _) in presets::ALL {
        assert!(documentation.contains(&format!("//! | `{name}` | {about} |")), "{name}");
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<_> = presets::ALL.iter().map(|preset| preset.0).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), presets::ALL.len());
}
