//! What must hold for every model at once, on irregular meshes and in whole steps: momenta, turned worlds, and matrices that are positive
//! definite with the clamp on, whatever the state.

use crate::common::{self, backends, run, statics::*};
use glam::{DVec3, Quat, Vec3};
use tenter::{
    Area, Backend, Bending, BendingModel, Body, Cubic, KelvinVoigt, Mass, Material, Membrane, Mesh, NeoHookean,
    Options, Outcome, Plasticity, RestShape, Scene, Simulation, Spring, SpringLaw, Volume, Weave, WeaveBending,
};

/// A grid with its vertices moved at random, in the plane and a little out of it.
fn uneven(columns: u32, rows: u32, grid: bool) -> Mesh {
    let mut mesh = Mesh::grid(1.0, 0.8, columns, rows);
    let noise = random_vectors(11, mesh.positions.len(), 0.2 / f64::from(columns));
    mesh.positions.iter_mut().zip(noise).for_each(|(p, noise)| *p += noise.as_vec3());
    if !grid {
        mesh.grid = None;
    }
    mesh
}

fn uneven_block() -> Mesh {
    let mut mesh = Mesh::block(Vec3::new(0.5, 0.4, 0.3), [4, 4, 3]);
    let noise = random_vectors(12, mesh.positions.len(), 0.02);
    mesh.positions.iter_mut().zip(noise).for_each(|(p, noise)| *p += noise.as_vec3());
    mesh
}

/// Every model with an energy, each on a mesh for it.
fn models() -> Vec<(&'static str, Mesh, Material)> {
    let loose = || Material::loose(Mass::Total(0.3));
    let spring = |law: SpringLaw| Material {
        crossover: law.into(),
        ..Material::springs(Mass::Total(0.3), Spring::from(law).damped(0.1))
    };
    let bending = |model, rest| Material {
        bending: Some(Bending { model, rest, viscosity: 1e-4, ..Bending::new(0.01) }),
        ..loose()
    };
    let volume = Volume { stiffness: 0.5, damping: 0.01 };
    let tension = Spring::new(100.0).damped(0.1);
    let weave = Weave {
        weft: tension,
        warp: tension,
        shear: 30.0,
        contraction: 40.0,
        shear_viscosity: 0.1,
        contraction_viscosity: 0.05,
        bending: WeaveBending::ThinPlate,
        bending_weft: 0.02,
        bending_warp: 0.01,
        bending_viscous_time: 0.01,
        printed: false,
    };
    let plasticity = Plasticity { yield_strain: 0.01, maximum: 0.5, creep: 10.0 };
    let elements = [KelvinVoigt { stiffness: 50.0, damping: 1.0 }];
    let sheet = || uneven(9, 8, false);
    vec![
        ("linear springs", sheet(), spring(SpringLaw::Linear { stiffness: 100.0 })),
        ("StVK springs", sheet(), spring(SpringLaw::Stvk { stiffness: 100.0 })),
        ("cubic springs", sheet(), spring(SpringLaw::Cubic(Cubic::new(100.0)))),
        ("tension-only springs", sheet(), spring(SpringLaw::TensionOnly { stiffness: 100.0 })),
        ("buckling springs", sheet(), spring(SpringLaw::Buckling { bending_stiffness: 1e-3, compression: 100.0 })),
        ("distance energy", sheet(), spring(SpringLaw::Distance { stiffness: 1.0 })),
        ("plastic springs", sheet(), Material::springs(Mass::Total(0.3), Spring::new(100.0).plastic(plasticity))),
        (
            "viscoelastic springs",
            sheet(),
            Material::springs(Mass::Total(0.3), Spring::new(100.0).viscoelastic(&elements)),
        ),
        ("area", sheet(), Material { area: Some(Area { stiffness: 1.0, damping: 0.01 }), ..loose() }),
        (
            "membrane",
            sheet(),
            Material { membrane: Some(Membrane { viscous_time: 0.01, ..Membrane::isotropic(100.0, 0.3) }), ..loose() },
        ),
        ("linear bending", sheet(), Material { bending: Some(Bending::new(0.01)), ..loose() }),
        ("linear bending, curved", sheet(), bending(BendingModel::Linear, RestShape::Mesh)),
        ("dihedral bending", sheet(), bending(BendingModel::Dihedral, RestShape::Mesh)),
        ("shell of virtual tetrahedra", sheet(), Material { shell: Some(volume), ..loose() }),
        ("volume", uneven_block(), Material { volume: Some(volume), ..loose() }),
        (
            "neo-Hookean",
            uneven_block(),
            Material { neo_hookean: Some(NeoHookean { viscous_time: 0.01, ..NeoHookean::new(300.0, 0.4) }), ..loose() },
        ),
        ("weave", uneven(9, 8, true), Material { weave: Some(weave), ..loose() }),
    ]
}

/// A body crumpled by so much, in free flight.
fn flying(mesh: &Mesh, material: &Material, crumpled: f64) -> Scene {
    let noise = random_vectors(13, mesh.positions.len(), crumpled);
    let start = mesh.positions.iter().zip(noise).map(|(p, noise)| *p + noise.as_vec3()).collect();
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    scene.add(Body::cloth(mesh.clone(), material.clone()).starting_at(start));
    scene
}

#[test]
fn every_energy_keeps_both_momenta_through_the_whole_step() {
    for (backend_name, backend) in backends() {
        // Largest relative error of any model: f32 rounds forces, and the solve is as good as its tolerance.
        let bounds = if backend_name == "gpu" { [2e-4, 1e-6] } else { [1e-7, 1e-7] };
        for (name, mesh, material) in models() {
            let scene = flying(&mesh, &material, 0.04);
            // Over steps of any length linear momentum holds.
            let options = Options {
                nonlinear: tenter::Nonlinear::OneLinearisation,
                time_step: 0.005,
                solver: tight(if backend_name == "gpu" { 1e-6 } else { 1e-12 }),
                ..Default::default()
            };
            let mut simulation = Simulation::new(backend.clone(), &scene, options.clone()).unwrap();
            let velocities: Vec<Vec3> =
                random_vectors(14, mesh.positions.len(), 0.5).iter().map(|v| v.as_vec3()).collect();
            simulation.set_velocities(&velocities).unwrap();
            let masses = masses(simulation.topology());
            let momentum = |velocities: &[Vec3]| {
                velocities.iter().zip(&masses).map(|(v, mass)| *mass * v.as_dvec3()).sum::<DVec3>()
            };
            let size: f64 = velocities.iter().zip(&masses).map(|(v, mass)| mass * f64::from(v.length())).sum();
            run(&mut simulation, 10);
            let linear = momentum(simulation.velocities().unwrap()).distance(momentum(&velocities)) / size;
            // Of a very short step from rest the impulses are the forces'. Implicit Euler brakes or drives rotation over longer ones.
            let mut simulation =
                Simulation::new(backend.clone(), &scene, Options { time_step: 1e-8, ..options }).unwrap();
            simulation.step().unwrap();
            let start: Vec<DVec3> = scene.bodies[0].start_positions().iter().map(|p| p.as_dvec3()).collect();
            let impulses: Vec<DVec3> =
                simulation.velocities().unwrap().iter().zip(&masses).map(|(v, mass)| *mass * v.as_dvec3()).collect();
            let [_, angular] = momentum_errors(&start, &impulses);
            println!("{backend_name}: {name}: linear {linear:.1e} of Σ m|v|, angular {angular:.1e} of Σ|x||p|");
            assert!(linear < bounds[0] && angular < bounds[1], "{backend_name}: {name}: {linear} {angular}");
        }
    }
    // The control: what the thesis prints keeps neither.
    let weave = Weave {
        bending: WeaveBending::ThinPlate,
        bending_weft: 0.02,
        bending_warp: 0.01,
        printed: true,
        ..Default::default()
    };
    let scene =
        flying(&uneven(9, 8, true), &Material { weave: Some(weave), ..Material::loose(Mass::Total(0.3)) }, 0.04);
    let mut simulation =
        Simulation::new(Backend::Cpu, &scene, Options { time_step: 1e-8, ..Default::default() }).unwrap();
    simulation.step().unwrap();
    let masses = masses(simulation.topology());
    let start: Vec<DVec3> = scene.bodies[0].start_positions().iter().map(|p| p.as_dvec3()).collect();
    let impulses: Vec<DVec3> =
        simulation.velocities().unwrap().iter().zip(&masses).map(|(v, mass)| *mass * v.as_dvec3()).collect();
    let errors = momentum_errors(&start, &impulses);
    assert!(errors.iter().all(|error| *error > 1e-3), "{errors:?}");
}

/// Where a crumpled body is after five steps, all of the scene turned by a function, one vertex moved by so much before.
fn moved_on(mesh: &Mesh, material: &Material, turn: &dyn Fn(Vec3) -> Vec3, offset: f32) -> Vec<DVec3> {
    let mut scene = flying(mesh, material, 0.04);
    scene.gravity = turn(Vec3::new(0.3, -9.81, 1.0));
    let body = &mut scene.bodies[0];
    let start = body.start.as_mut().unwrap();
    start[5].x += offset;
    start.iter_mut().chain(&mut body.mesh.positions).for_each(|p| *p = turn(*p));
    body.material.bending.iter_mut().for_each(|model| model.weft_direction = turn(model.weft_direction));
    body.material.membrane.iter_mut().for_each(|model| model.weft_direction = turn(model.weft_direction));
    let options = Options { time_step: 0.005, solver: tight(1e-13), ..Default::default() };
    let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
    run(&mut simulation, 5);
    simulation.positions_f64().unwrap()
}

#[test]
fn a_turned_scene_moves_as_the_scene_turned() {
    // A third of a turn about (1, 1, 1) f32 survives to the bit; any other rounds the scene's positions.
    let third = |p: Vec3| Vec3::new(p.z, p.x, p.y);
    let any = Quat::from_scaled_axis(Vec3::new(0.7, -1.1, 0.4));
    for (name, mesh, material) in models() {
        let plain = moved_on(&mesh, &material, &|p| p, 0.0);
        let by_third: Vec<DVec3> = plain.iter().map(|x| DVec3::new(x.z, x.x, x.y)).collect();
        let distance = common::largest_distance(&by_third, &moved_on(&mesh, &material, &third, 0.0));
        let by_any: Vec<DVec3> = plain.iter().map(|x| any.as_dquat().normalize() * *x).collect();
        let rounded = common::largest_distance(&by_any, &moved_on(&mesh, &material, &|p| any * p, 0.0));
        println!("{name}: {distance:.1e} m, positions rounded {rounded:.1e} m");
        // The fit of bending's factors ends at a tolerance of its own.
        let bound = if material.bending.is_some() { 1e-7 } else { 1e-12 };
        assert!(distance < bound, "{name}: {distance}");
        assert!(rounded < 2e-6, "{name}: {rounded}");
        // The control: a vertex moved by a millimetre is noticed.
        let noticed = common::largest_distance(&by_any, &moved_on(&mesh, &material, &|p| any * p, 1e-3));
        assert!(noticed > 2e-5, "{name}: {noticed}");
    }
}

/// A scene with every model at once, energy-based and printed: a sheet, a woven grid, a solid.
fn everything() -> Scene {
    let mut scene = Scene::new();
    let all = models();
    let sheet = Material {
        structural: Spring::from(SpringLaw::Cubic(Cubic::new(100.0))).damped(0.05),
        crossover: SpringLaw::Buckling { bending_stiffness: 1e-3, compression: 100.0 }.into(),
        area: Some(Area { stiffness: 1.0, damping: 0.01 }),
        shell: Some(Volume { stiffness: 0.1, damping: 0.01 }),
        membrane: Some(Membrane::isotropic(100.0, 0.3)),
        bending: Some(Bending { rest: RestShape::Mesh, hardening: 1e-3, ..Bending::new(0.01) }),
        ..Material::loose(Mass::Total(0.1))
    };
    let folded = Material {
        structural: SpringLaw::Stvk { stiffness: 100.0 }.into(),
        crossover: SpringLaw::TensionOnly { stiffness: 50.0 }.into(),
        bending: Some(Bending { model: BendingModel::Dihedral, ..Bending::new(0.05) }),
        ..Material::loose(Mass::Total(0.1))
    };
    let printed = Material {
        bending: Some(Bending { model: BendingModel::LinearPrinted, rest: RestShape::Mesh, ..Bending::new(0.05) }),
        ..Material::springs(Mass::Total(0.1), SpringLaw::Linear { stiffness: 100.0 }.into())
    };
    let woven = Material { weave: all.last().unwrap().2.weave, ..Material::loose(Mass::Total(0.1)) };
    let projected = Weave { bending: WeaveBending::Membrane, ..woven.weave.unwrap() };
    let projected = Material { weave: Some(projected), ..woven.clone() };
    let solid = Material {
        volume: Some(Volume { stiffness: 1.0, damping: 0.0 }),
        ..Material::springs(Mass::Total(0.1), SpringLaw::Distance { stiffness: 0.5 }.into())
    };
    for (mesh, material) in [
        (uneven(6, 5, false), sheet),
        (uneven(6, 5, false), folded),
        (uneven(6, 5, false), printed),
        (uneven(6, 5, true), woven),
        (uneven(6, 5, true), projected),
        (uneven_block(), solid),
        (
            uneven_block(),
            Material { neo_hookean: Some(NeoHookean::new(300.0, 0.45)), ..Material::loose(Mass::Total(0.1)) },
        ),
    ] {
        scene.add(Body::cloth(mesh, material));
    }
    scene
}

#[test]
fn with_the_clamp_no_state_makes_the_matrix_indefinite() {
    let scene = everything();
    let rest: Vec<Vec3> = scene.bodies.iter().flat_map(|body| body.mesh.positions.clone()).collect();
    for (name, backend) in backends() {
        let outcomes = |clamp: bool, seeds: u64| {
            let nonlinear = tenter::Nonlinear::OneLinearisation;
            let options = Options { time_step: 0.02, clamp, solver: tight(1e-5), nonlinear, ..Default::default() };
            let mut simulation = Simulation::new(backend.clone(), &scene, options).unwrap();
            let mut indefinite = 0;
            for seed in 0..seeds {
                // From a little crumpled to a heap, some of it in one place, some squeezed flat or turned inside out.
                let size = [0.05, 0.2, 1.0][seed as usize % 3];
                let squeeze = [Vec3::ONE, Vec3::new(0.3, 1.0, 1.0), Vec3::splat(-0.5), Vec3::ZERO][seed as usize % 4];
                let noise = random_vectors(seed, rest.len(), size);
                let mut start: Vec<Vec3> =
                    rest.iter().zip(&noise).map(|(p, noise)| *p * squeeze + noise.as_vec3()).collect();
                start[3] = start[2];
                start[7] = start[2];
                let velocities: Vec<Vec3> =
                    random_vectors(seed + 1000, rest.len(), 1.0).iter().map(|v| v.as_vec3()).collect();
                simulation.set_positions(&start).unwrap();
                simulation.set_velocities(&velocities).unwrap();
                simulation.step().unwrap();
                let record = simulation.finish().unwrap().unwrap();
                indefinite += u32::from(record.outcome == Outcome::Indefinite);
            }
            indefinite
        };
        let seeds = 240;
        let (clamped, free) = (outcomes(true, seeds), outcomes(false, 12));
        println!("{name}: indefinite in {clamped} of {seeds} states with the clamp, in {free} of 12 without");
        assert_eq!(clamped, 0, "{name}");
        assert!(free > 6, "{name}: the control: {free}");
    }
}
