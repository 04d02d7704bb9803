//! Solids of the neo-Hookean model: their moduli do not depend on the mesh, and what is inverted or crushed recovers.

use crate::{
    common::{backends, safe_to, statics::*},
    element_cases::{self, Case, Matrix, eigenvalues},
};
use glam::{DMat3, DQuat, DVec3, Vec3};
use std::{fmt::Write, fs};
use tenter::{
    Backend, Body, Free, Mass, Material, Mesh, NeoHookean, Options, Scene, Simulation, SpringLaw, Vertices, Volume,
    internals::forces::{
        ElementModel,
        neo_hookean::{NeoHookeanParameters, largest_stretch},
    },
    io::{MeshFile, MeshOptions},
};

/// What the rustdoc of [`Material::jelly`] says of its modulus, Pa, and of Poisson's ratio.
const JELLY: (f64, f64) = (1e4, 0.45);

/// A solid by Teschner's energies, which make some 10 kPa of cells of 2 cm.
fn teschner() -> Material {
    Material {
        structural: SpringLaw::Distance { stiffness: 0.02 }.into(),
        volume: Some(Volume { stiffness: 0.1, damping: 0.0 }),
        ..Material::loose(Mass::Volume(1000.0))
    }
}

/// Cells of a bar along x, y and z.
const CELLS: [u32; 3] = [3, 6, 3];

/// A bar along y with cells of a length, m.
fn bar(cell: f32) -> Mesh {
    let [x, y, z] = CELLS;
    Mesh::block(cell * Vec3::new(x as f32, y as f32, z as f32), [x + 1, y + 1, z + 1])
}

/// The bar with its inner vertices moved at random, its tetrahedra in either orientation, written to a Gmsh file and read.
fn from_file(cell: f32) -> Mesh {
    let mut mesh = bar(cell);
    let half = 0.5 * cell * Vec3::new(CELLS[0] as f32, CELLS[1] as f32, CELLS[2] as f32);
    let noise = random_vectors(3, mesh.positions.len(), 0.25 * f64::from(cell));
    for (p, noise) in mesh.positions.iter_mut().zip(noise) {
        if (p.abs() - half).max_element() < -1e-3 * cell {
            *p += noise.as_vec3();
        }
    }
    let mut text = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", mesh.positions.len());
    for (ix, p) in mesh.positions.iter().enumerate() {
        writeln!(text, "{} {} {} {}", ix + 1, p.x, p.y, p.z).unwrap();
    }
    write!(text, "$EndNodes\n$Elements\n{}\n", mesh.tetrahedra.len()).unwrap();
    for (ix, &[a, b, c, d]) in mesh.tetrahedra.iter().enumerate() {
        let [c, d] = if ix % 3 == 0 { [d, c] } else { [c, d] };
        writeln!(text, "{} 4 2 0 1 {} {} {} {}", ix + 1, a + 1, b + 1, c + 1, d + 1).unwrap();
    }
    text += "$EndElements\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bar.msh");
    fs::write(&path, text).unwrap();
    let read = MeshFile::read(&path, &MeshOptions::default()).unwrap().mesh;
    assert_eq!((read.positions.len(), read.tetrahedra.len()), (mesh.positions.len(), mesh.tetrahedra.len()));
    read
}

/// Young's modulus, Pa, and Poisson's ratio of a bar under tension, at a strain of about a thousandth. One end is held along y only, in a corner
/// and along an edge against rigid motions; loads at the other end are those of an even stress.
fn measured(mesh: &Mesh, material: &Material) -> (f64, f64) {
    let (low, high) =
        mesh.positions.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
    let size = high - low;
    let near = 1e-3 * size.x;
    let at = |y: f32| -> Vec<u32> {
        (0..mesh.positions.len() as u32).filter(|&ix| (mesh.positions[ix as usize].y - y).abs() < near).collect()
    };
    let (bottom, top) = (at(low.y), at(high.y));
    let vertex = |corner: Vec3| {
        let of = |ix: &u32| mesh.positions[*ix as usize].distance(corner);
        *bottom.iter().min_by(|a, b| of(a).total_cmp(&of(b))).unwrap()
    };
    let (fixed, guided) = (vertex(low), vertex(Vec3::new(high.x, low.y, low.z)));
    let mut scene = Scene { gravity: Vec3::ZERO, ..Scene::new() };
    let body = scene.add(Body::solid(mesh.clone(), material.clone()));
    scene.pin(body, Vertices::list([fixed]));
    scene.pin_sliding(body, Vertices::list([guided]), Free::Line(Vec3::X));
    let others: Vec<u32> = bottom.iter().copied().filter(|ix| *ix != fixed && *ix != guided).collect();
    scene.pin_sliding(body, Vertices::list(others), Free::Plane(Vec3::Y));
    let stress = 1e-3 * JELLY.0;
    for &ix in &top {
        let around = mesh.triangles.iter().filter(|triangle| triangle.contains(&ix));
        let on_top = around.filter(|triangle| triangle.iter().all(|vertex| top.contains(vertex)));
        let corner = |ix: u32| mesh.positions[ix as usize].as_dvec3();
        let area: f64 =
            on_top.map(|&[a, b, c]| 0.5 * (corner(b) - corner(a)).cross(corner(c) - corner(a)).length()).sum();
        scene.push(body, Vertices::list([ix]), Vec3::Y * (stress * area / 3.0) as f32);
    }
    let x = rest_state(&scene, 100.0, 200, 1e-12);
    let moved = |axis: Vec3, limit: f32| -> f64 {
        let on_face = mesh.positions.iter().zip(&x).filter(|(p, _)| (p.dot(axis) - limit).abs() < near);
        let moved: Vec<f64> = on_face.map(|(p, x)| (*x - p.as_dvec3()).dot(axis.as_dvec3())).collect();
        moved.iter().sum::<f64>() / moved.len() as f64
    };
    let along = (moved(Vec3::Y, high.y) - moved(Vec3::Y, low.y)) / f64::from(size.y);
    let across = (moved(Vec3::X, high.x) - moved(Vec3::X, low.x)) / f64::from(size.x);
    (stress / along, -across / along)
}

#[test]
fn moduli_are_those_of_the_preset_at_any_resolution() {
    for cell in [0.01, 0.02, 0.05] {
        // The surface of a box of one cell.
        let outline = Mesh::block(cell * Vec3::new(CELLS[0] as f32, CELLS[1] as f32, CELLS[2] as f32), [2; 3]);
        let filled = Mesh::filled(&outline, cell).unwrap();
        for (origin, mesh) in [("generated", bar(cell)), ("filled", filled), ("from a file", from_file(cell))] {
            let (young, poisson) = measured(&mesh, &Material::jelly());
            println!("{origin}, cells of {cell} m: {young:.0} Pa, Poisson's ratio {poisson:.4}");
            assert!((young / JELLY.0 - 1.0).abs() < 0.01, "{origin}, {cell} m: {young} Pa");
            assert!((poisson - JELLY.1).abs() < 0.005, "{origin}, {cell} m: {poisson}");
        }
        let (young, poisson) = measured(&bar(cell), &teschner());
        println!("by Teschner's energies, cells of {cell} m: {young:.0} Pa, Poisson's ratio {poisson:.4}");
        // The control: they have another modulus at every resolution.
        let scale = (0.02 / f64::from(cell)).powi(3);
        assert!((young / JELLY.0 / scale - 1.0).abs() < 0.5, "{young}");
        assert_eq!((young / JELLY.0 - 1.0).abs() < 0.3, cell == 0.02, "{young}");
    }
}

/// Deformation gradients of all tetrahedra.
fn gradients(mesh: &Mesh, x: &[DVec3]) -> Vec<DMat3> {
    let edges = |x: [DVec3; 4]| DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let of = |tetrahedron: &[u32; 4]| {
        let rest = edges(tetrahedron.map(|ix| mesh.positions[ix as usize].as_dvec3()));
        edges(tetrahedron.map(|ix| x[ix as usize])) * rest.inverse()
    };
    mesh.tetrahedra.iter().map(of).collect()
}

fn inverted(mesh: &Mesh, x: &[DVec3]) -> usize {
    gradients(mesh, x).iter().filter(|f| f.determinant() < 0.0).count()
}

/// Largest entry of the Green strain of any tetrahedron.
fn green(mesh: &Mesh, x: &[DVec3]) -> f64 {
    let of = |f: &DMat3| (f.transpose() * *f - DMat3::IDENTITY).to_cols_array();
    gradients(mesh, x).iter().flat_map(of).fold(0.0, |most, entry| most.max(0.5 * entry.abs()))
}

/// What happened to a solid that started deformed.
struct Recovery {
    /// Tetrahedra inverted at the start and at the end.
    inverted: [usize; 2],
    /// Largest Green strain at the end.
    strain: f64,
    /// Largest rise of kinetic and elastic energy in a step, over the energy at the start.
    rise: f64,
    /// Largest |Σ m v| over the largest Σ m |v| of any step.
    momentum: f64,
}

/// Lets a free solid go from a deformed start, for two seconds.
fn recovery(backend: &Backend, mesh: &Mesh, start: &[Vec3], material: &Material) -> Recovery {
    let mut scene = Scene { gravity: Vec3::ZERO, ..Scene::new() };
    scene.add(Body::solid(mesh.clone(), material.clone()).starting_at(start.to_vec()));
    let options = Options { time_step: 0.005, measure: true, nonlinear: safe_to(1e-4), ..Default::default() };
    let mut simulation = Simulation::new(backend.clone(), &scene, options).unwrap();
    let masses = masses(simulation.topology());
    let (mut first, mut before, mut rise) = (None, f64::INFINITY, 0.0f64);
    let (mut total, mut size) = (0.0f64, 0.0f64);
    for _ in 0..400 {
        simulation.step().unwrap();
        let measures = simulation.finish().unwrap().unwrap().measures.unwrap();
        let energy = measures.kinetic + measures.elastic;
        let scale = *first.get_or_insert(energy);
        rise = rise.max((energy - before) / scale);
        before = energy;
        let impulses: Vec<DVec3> =
            simulation.velocities().unwrap().iter().zip(&masses).map(|(v, mass)| *mass * v.as_dvec3()).collect();
        size = size.max(impulses.iter().map(|p| p.length()).sum());
        total = total.max(impulses.iter().sum::<DVec3>().length());
    }
    let x = simulation.positions_f64().unwrap();
    let start: Vec<DVec3> = start.iter().map(|p| p.as_dvec3()).collect();
    Recovery {
        inverted: [inverted(mesh, &start), inverted(mesh, &x)],
        strain: green(mesh, &x),
        rise,
        momentum: total / size,
    }
}

#[test]
fn crushed_and_inverted_solids_recover() {
    let mesh = Mesh::block(Vec3::new(0.12, 0.09, 0.09), [5, 4, 4]);
    let start = |seed: u64, change: &dyn Fn(Vec3, Vec3) -> Vec3| -> Vec<Vec3> {
        let noise = random_vectors(seed, mesh.positions.len(), 1.0);
        mesh.positions.iter().zip(&noise).map(|(p, noise)| change(*p, noise.as_vec3())).collect()
    };
    // Cells of 3 cm.
    let pushed = |seed: u64| ("pushed through each other", start(seed, &|p, noise| p + 0.025 * noise));
    let starts = [
        pushed(8),
        pushed(9),
        pushed(10),
        ("flattened", start(8, &|p, _| p * Vec3::new(1.0, 0.0, 1.0))),
        ("nearly a point", start(8, &|p, noise| 1e-3 * (p + 0.004 * noise))),
        ("inside out", start(8, &|p, noise| p * Vec3::new(-1.0, 1.0, 1.0) + 0.004 * noise)),
    ];
    let model = NeoHookean { viscous_time: 0.02, ..NeoHookean::new(1e4, 0.45) };
    let solid = Material { neo_hookean: Some(model), ..Material::loose(Mass::Volume(1000.0)) };
    for (backend_name, backend) in backends() {
        for (name, start) in &starts {
            let Recovery { inverted, strain, rise, momentum } = recovery(&backend, &mesh, start, &solid);
            let what = format!(
                "{backend_name}, {name}: {inverted:?} of {} inverted, strain {strain:.1e}, energy rises by {rise:.1e}, momentum {momentum:.1e}",
                mesh.tetrahedra.len()
            );
            println!("{what}");
            assert!(inverted[1] == 0 && rise < 1e-5 && momentum < 3e-3, "{what}");
            // A whole solid inside out has no inverted tetrahedron left, but may end wound about itself.
            assert!(strain < 2e-3 || *name == "inside out", "{what}");
        }
    }
    // The control: by distances and volumes, what was a point ends in a tangle.
    let Recovery { strain, .. } = recovery(&Backend::Cpu, &mesh, &starts[4].1, &teschner());
    println!("{}, by Teschner's energies: strain {strain:.1e}", starts[4].0);
    assert!(strain > 0.5, "{strain}");
}

/// Least eigenvalue of a matrix, each row and column divided by the root of its diagonal entry.
fn least_scaled(matrix: &Matrix) -> f64 {
    let scale: Vec<f64> = (0..matrix.len()).map(|ix| matrix[ix][ix].abs().sqrt().max(f64::MIN_POSITIVE)).collect();
    let scaled = matrix
        .iter()
        .zip(&scale)
        .map(|(row, own)| row.iter().zip(&scale).map(|(value, other)| value / own / other).collect());
    eigenvalues(&scaled.collect()).into_iter().fold(f64::INFINITY, f64::min)
}

/// Elements with stretches near rest, flattened, inverted, and of any size, and their deformation gradients, for Poisson's ratios of 0 to 0.495.
fn stretched(count: usize) -> Vec<(Case, DMat3)> {
    let mut rng = fastrand::Rng::with_seed(40);
    let mut some = |round: usize| {
        let mut case = Case::random(ElementModel::NeoHookean, 0.0, &mut rng);
        case.material.parameters = NeoHookeanParameters::new(1.0, 0.495 * rng.f64(), 0.0).pack();
        let mut stretch = || match round % 4 {
            0 => 0.8 + 0.4 * rng.f64(),
            1 => 3.0 * rng.f64() - 1.0,
            2 => 10f64.powf(2.0 * rng.f64() - 1.0),
            _ => 10f64.powf(3.0 * rng.f64() - 2.0) * if rng.bool() { 1.0 } else { -1.0 },
        };
        let stretches = DMat3::from_diagonal(DVec3::new(stretch(), stretch(), stretch()));
        let mut turn = || DMat3::from_quat(DQuat::from_scaled_axis(6.0 * element_cases::random(&mut rng)));
        let f = turn() * stretches * turn();
        case.state.x = case.state.x.map(|x| f * x);
        (case, f)
    };
    (0..count).map(&mut some).collect()
}

#[test]
fn the_clamp_keeps_every_stretch_definite() {
    let (mut least, mut indefinite) = (0.0f64, 0);
    for (case, f) in stretched(2000) {
        let found = least_scaled(&case.assembled(true, |row| row.stiffness));
        least = least.min(found);
        assert!(found > -1e-7, "{f}: {found:.1e}");
        indefinite += u32::from(least_scaled(&case.assembled(false, |row| row.stiffness)) < -1e-3);
    }
    println!("least eigenvalue {least:.1e}; {indefinite} of 2000 indefinite without the clamp");
    assert!(indefinite > 1000, "the control: {indefinite}");
}

/// The second derivative of the energy by the principal stretches, a I + β σσᵀ + λ ggᵀ + c d²J/dσ², g = dJ/dσ, with |c| so many times a/s at most.
fn by_stretches(stretches: DVec3, parameters: &NeoHookeanParameters, share: f64) -> Matrix {
    let NeoHookeanParameters { mu, lambda, .. } = *parameters;
    let [x, y, z] = stretches.to_array();
    let squared = stretches.length_squared();
    let (a, beta) = (mu * squared / (squared + 1.0), 2.0 * mu / (squared + 1.0).powi(2));
    let bound = share * a / largest_stretch(&DMat3::from_diagonal(stretches));
    let c = (lambda * (x * y * z - 1.0) - 0.75 * mu).clamp(-bound, bound);
    let g = [y * z, x * z, x * y];
    let entry = |i: usize, j: usize| {
        let second = if i == j { a } else { c * stretches[3 - i - j] };
        second + beta * stretches[i] * stretches[j] + lambda * g[i] * g[j]
    };
    (0..3).map(|i| (0..3).map(|j| entry(i, j)).collect()).collect()
}

#[test]
fn the_rank_one_terms_hold_what_the_clamp_leaves() {
    let mut rng = fastrand::Rng::with_seed(41);
    let [mut within, mut beyond] = [0.0f64; 2];
    for round in 0..100_000 {
        let parameters = NeoHookeanParameters::new(1.0, 0.495 * rng.f64(), 0.0);
        let size = 10f64.powf(3.0 * rng.f64() - 2.0);
        let mut stretch = || match round % 3 {
            0 => size * (2.0 * rng.f64() - 1.0),
            1 => size * (0.8 + 0.4 * rng.f64()),
            _ => 3.0 * rng.f64() - 1.0,
        };
        let stretches = DVec3::new(stretch(), stretch(), stretch());
        within = within.min(least_scaled(&by_stretches(stretches, &parameters, 1.0)));
        beyond = beyond.min(least_scaled(&by_stretches(stretches, &parameters, 2.5)));
    }
    println!("least eigenvalue with |c| at most a/s {within:.1e}, with 2.5 times that {beyond:.1e}");
    assert!(within > -1e-12 && beyond < -1e-3, "{within} {beyond}");
}

#[test]
fn at_rest_the_clamp_changes_nothing_and_rotations_are_free() {
    let mut rng = fastrand::Rng::with_seed(42);
    for _ in 0..50 {
        let mut case = Case::random(ElementModel::NeoHookean, 0.0, &mut rng);
        let turn = DQuat::from_scaled_axis(6.0 * element_cases::random(&mut rng));
        case.state.x = case.state.x.map(|x| turn * x);
        let exact = case.assembled(false, |row| row.stiffness);
        let clamped = case.assembled(true, |row| row.stiffness);
        let size = element_cases::largest(&exact);
        assert!(element_cases::difference(&exact, &clamped) < 1e-9 * size);
        let axis = element_cases::random(&mut rng);
        let spin: Vec<f64> = case.state.x.iter().flat_map(|x| axis.cross(*x).to_array()).collect();
        let resistance = |matrix: &Matrix| {
            let row = |row: &Vec<f64>| row.iter().zip(&spin).map(|(k, v)| k * v).sum::<f64>().abs();
            matrix.iter().map(row).fold(0.0, f64::max)
        };
        assert!(resistance(&clamped) < 1e-9 * size, "{}", resistance(&clamped) / size);
        // The control: squeezed by a tenth it resists.
        case.state.x = case.state.x.map(|x| 0.9 * x);
        assert!(resistance(&case.assembled(true, |row| row.stiffness)) > 1e-3 * size);
    }
}
