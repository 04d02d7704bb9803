//! Scenes for tests: irregular on purpose.

use crate::{
    Air, Area, Bending, BendingModel, Body, Mass, Material, Membrane, Mesh, NeoHookean, RestShape, Scene, Spring,
    Volume, Weave, WeaveBending,
};
use fastrand::Rng;
use glam::Vec3;

/// A triangulated sheet with jittered, randomly numbered vertices, stretched, squeezed and crumpled at random.
pub fn irregular(seed: u64, columns: u32, rows: u32) -> Scene {
    let mut rng = Rng::with_seed(seed);
    let mut signed = move || 2.0 * rng.f32() - 1.0;
    let mut mesh = Mesh::grid(1.0, 1.0, columns, rows);
    mesh.grid = None;
    let cell = 1.0 / columns as f32;
    for position in &mut mesh.positions {
        *position += 0.3 * cell * Vec3::new(signed(), 0.2 * signed(), signed());
    }
    let count = mesh.positions.len();
    let mut numbers: Vec<u32> = (0..count as u32).collect();
    Rng::with_seed(seed + 1).shuffle(&mut numbers);
    let mut shuffled = vec![Vec3::ZERO; count];
    for (old, &new) in numbers.iter().enumerate() {
        shuffled[new as usize] = mesh.positions[old];
    }
    mesh.positions = shuffled;
    for vertex in mesh.triangles.iter_mut().flatten() {
        *vertex = numbers[*vertex as usize];
    }
    let start = mesh
        .positions
        .iter()
        .map(|p| *p * Vec3::new(1.15, 1.0, 0.9) + 0.2 * cell * Vec3::new(signed(), signed(), signed()));
    let start = start.collect();
    let material = Material {
        mass: Mass::Surface(0.2),
        structural: Spring::new(300.0).damped(0.05),
        shear: Spring::default(),
        crossover: Spring::new(20.0).damped(0.01),
        ..Material::loose(Mass::Surface(0.2))
    };
    let mut scene = Scene::new();
    scene.add(Body::cloth(mesh, material).starting_at(start));
    scene
}

/// A block of tetrahedra with springs along all edges, jittered, squeezed and crumpled until some of it is inverted.
pub fn solid(seed: u64) -> Scene {
    let mut rng = Rng::with_seed(seed);
    let mut signed = move || 2.0 * rng.f32() - 1.0;
    let mut mesh = Mesh::block(Vec3::new(0.6, 0.5, 0.4), [6, 5, 5]);
    mesh.positions.iter_mut().for_each(|p| *p += 0.02 * Vec3::new(signed(), signed(), signed()));
    let start = mesh.positions.iter().map(|p| *p * 0.9 + 0.06 * Vec3::new(signed(), signed(), signed())).collect();
    let material = Material {
        structural: Spring::new(50.0).damped(0.02),
        volume: Some(Volume { stiffness: 2.0, damping: 0.01 }),
        ..Material::loose(Mass::Volume(50.0))
    };
    let mut scene = Scene::new();
    scene.add(Body::solid(mesh, material).starting_at(start));
    scene
}

/// The same block as an elastic continuum, viscous, without springs.
pub fn continuum(seed: u64) -> Scene {
    let mut scene = solid(seed);
    let model = NeoHookean { viscous_time: 0.01, ..NeoHookean::new(1000.0, 0.4) };
    for body in &mut scene.bodies {
        body.material = Material { neo_hookean: Some(model), ..Material::loose(Mass::Volume(50.0)) };
    }
    scene
}

/// Velocities of about 1 m/s.
pub fn random_vectors(seed: u64, count: usize) -> Vec<Vec3> {
    let mut rng = Rng::with_seed(seed);
    let mut signed = move || 2.0 * rng.f32() - 1.0;
    (0..count).map(|_| Vec3::new(signed(), signed(), signed())).collect()
}

/// A sheet for every model of elements and couplings, side by side, all jittered and crumpled, in air: nothing of them touches.
pub fn every_model(seed: u64) -> Scene {
    let mut rng = Rng::with_seed(seed);
    let mut signed = move || 2.0 * rng.f32() - 1.0;
    let bending = Bending { weft: 2e-3, warp: 1e-3, viscosity: 1e-5, ..Bending::new(1e-3) };
    let curved = Bending { rest: RestShape::Curvature(0.8), hardening: 0.01, ..bending };
    let weave = Weave {
        weft: Spring::new(200.0).damped(0.1),
        warp: Spring::new(150.0).damped(0.2),
        shear: 60.0,
        contraction: 50.0,
        shear_viscosity: 0.05,
        contraction_viscosity: 0.02,
        bending: WeaveBending::ThinPlate,
        bending_weft: 1e-3,
        bending_warp: 2e-3,
        bending_viscous_time: 0.02,
        ..Default::default()
    };
    let membrane =
        Membrane { viscous_time: 1e-3, weft_direction: Vec3::new(1.0, 0.2, 0.4), ..Membrane::isotropic(200.0, 0.3) };
    type Change = Box<dyn Fn(&mut Material)>;
    let changes: Vec<Change> = vec![
        Box::new(|m| m.area = Some(Area { stiffness: 0.2, damping: 1e-3 })),
        Box::new(move |m| m.membrane = Some(membrane)),
        Box::new(|m| m.shell = Some(Volume { stiffness: 0.05, damping: 1e-4 })),
        Box::new(move |m| m.bending = Some(Bending { viscosity: 0.0, ..bending })),
        Box::new(move |m| m.bending = Some(curved)),
        Box::new(move |m| m.bending = Some(Bending { model: BendingModel::LinearPrinted, ..curved })),
        Box::new(move |m| {
            m.bending =
                Some(Bending { model: BendingModel::Dihedral, hardening: 0.0, rest: RestShape::Mesh, ..bending })
        }),
        Box::new(move |m| m.weave = Some(weave)),
        Box::new(move |m| m.weave = Some(Weave { printed: true, ..weave })),
        Box::new(move |m| m.weave = Some(Weave { bending: WeaveBending::Membrane, ..weave })),
    ];
    let mut scene = Scene::new();
    scene.air = Some(Air::wind(Vec3::new(0.5, 0.2, 1.0)).resisting(0.3));
    for change in changes {
        let mut mesh = Mesh::grid(0.6, 0.5, 7, 6);
        mesh.positions.iter_mut().for_each(|p| *p += 0.02 * Vec3::new(signed(), 0.5 * signed(), signed()));
        let crumple = |p: &Vec3| *p * Vec3::new(1.1, 1.0, 0.95) + 0.03 * Vec3::new(signed(), signed(), signed());
        let start = mesh.positions.iter().map(crumple).collect();
        let mut material = Material::springs(Mass::Surface(0.2), Spring::new(20.0).damped(0.01));
        change(&mut material);
        scene.add(Body::cloth(mesh, material).starting_at(start));
    }
    let mut block = solid(seed);
    scene.bodies.append(&mut block.bodies);
    scene.bodies.extend(continuum(seed + 1).bodies);
    scene
}
