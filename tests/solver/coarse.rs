//! The coarse level and the warm start: fewer iterations to the same solution, in every kind of scene.

use crate::common::{backends, gpu, run, w1_material};
use glam::{DVec3, Vec3};
use tenter::{
    Backend, Body, Collider, Integrator, Mass, Material, Mesh, Nonlinear, Options, Outcome, Preconditioner, Scene,
    Simulation, SolverOptions, Vertices,
    internals::{
        body_id,
        reference::{self, CgState, Corrections, Parameters, State},
        topology::Topology,
    },
};

fn solver(preconditioner: Preconditioner, warm_start: bool, tolerance: f64) -> SolverOptions {
    SolverOptions { preconditioner, warm_start, tolerance, max_iterations: 4000, ..Default::default() }
}

fn once(solver: SolverOptions) -> Options {
    Options { solver, nonlinear: Nonlinear::OneLinearisation, ..Default::default() }
}

fn hanging(n: u32, material: Material) -> Scene {
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, n, n), material));
    scene.pin(cloth, Vertices::corners());
    scene
}

/// Iterations and positions after some steps, every one of which converged.
fn simulated(backend: impl Into<Backend>, scene: &Scene, options: Options, steps: usize) -> (u32, Vec<Vec3>) {
    let mut simulation = Simulation::new(backend, scene, options).unwrap();
    run(&mut simulation, steps);
    let positions = simulation.positions().unwrap().to_vec();
    let records = simulation.take_records();
    let ends: Vec<_> = records.iter().map(|record| (record.outcome, record.iterations)).collect();
    assert!(ends.iter().all(|(outcome, _)| *outcome == Outcome::Converged), "{ends:?}");
    (records.iter().map(|record| record.iterations).sum(), positions)
}

fn distance(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn a_coarse_level_takes_a_fraction_of_the_iterations() {
    for (name, material) in [("springs", Material::cotton_springs()), ("membrane", Material::cotton())] {
        let scene = hanging(48, material);
        let count = |preconditioner| simulated(Backend::Cpu, &scene, once(solver(preconditioner, false, 5e-3)), 15).0;
        let (block, two) = (count(Preconditioner::BlockJacobi), count(Preconditioner::TwoLevel));
        assert!(2 * two <= block, "{name}: {two} iterations against {block}");
    }
}

/// Iterations of some steps with block Jacobi, and of each of these steps made once more from its start with two levels.
fn from_the_same_states(scene: &Scene, options: &Options, steps: usize) -> (u32, u32) {
    let simulation = |preconditioner| {
        let solver = SolverOptions { preconditioner, warm_start: false, ..options.solver.clone() };
        Simulation::new(Backend::Cpu, scene, Options { solver, ..options.clone() }).unwrap()
    };
    let (mut block, mut two) = (simulation(Preconditioner::BlockJacobi), simulation(Preconditioner::TwoLevel));
    for _ in 0..steps {
        two.set_positions(block.positions().unwrap()).unwrap();
        two.set_velocities(block.velocities().unwrap()).unwrap();
        block.step().unwrap();
        two.step().unwrap();
    }
    let total = |simulation: &mut Simulation| simulation.take_records().iter().map(|record| record.iterations).sum();
    (total(&mut block), total(&mut two))
}

/// Scenes in which two levels save little or nothing, where the matrix is hardly more than masses, or have cost iterations; see docs/performance.md.
#[test]
fn a_coarse_level_never_takes_more_iterations_from_the_same_state() {
    let light = |mut material: Material, factor: f32| {
        material.mass = match material.mass {
            Mass::Surface(mass) => Mass::Surface(factor * mass),
            other => panic!("{other:?}"),
        };
        material
    };
    let mut tube = Scene::new();
    let body = tube.add(Body::cloth(Mesh::tube(0.1, 0.5, 24, 20), Material::denim()));
    tube.pin(body, Vertices::list((456..480).collect::<Vec<_>>()));
    let scenes = [
        ("ten times softer, 1 ms", hanging(40, light(Material::cotton_springs(), 10.0)), 1e-3, 1.0),
        ("ten times stiffer, 20 ms", hanging(24, light(Material::cotton_springs(), 0.1)), 2e-2, 0.5),
        ("tube, 10 ms", tube, 1e-2, 0.8),
    ];
    for (name, scene, time_step, most) in scenes {
        let solver = SolverOptions { max_iterations: 4000, ..Default::default() };
        let (block, two) = from_the_same_states(&scene, &Options { time_step, solver, ..Default::default() }, 15);
        println!("{name}: {block} iterations, {two} with two levels");
        assert!(f64::from(two) <= most * f64::from(block), "{name}: {two} iterations against {block}");
    }
}

/// Scenes of every kind with options for them: springs, membranes, solids, pins along a line, contacts, ties, rigid bodies, the constant matrix of the IMEX schemes.
fn every_kind() -> Vec<(&'static str, Scene, Options)> {
    let options = || once(solver(Preconditioner::TwoLevel, true, 1e-6));
    let mut scenes = vec![("springs", hanging(24, w1_material()), options())];
    let mut scene = hanging(16, Material::wool());
    scene.bodies[0].velocity = Vec3::new(0.3, 0.0, 0.2);
    scenes.push(("membrane", scene.clone(), options()));
    scenes.push(("membrane, BDF2", scene, Options { integrator: Integrator::Bdf2, ..options() }));

    let mut scene = Scene::new();
    let block = scene.add(Body::solid(Mesh::block(Vec3::new(0.3, 0.3, 0.6), [5, 5, 9]), Material::jelly()));
    scene.pin_sliding(block, Vertices::list((0..20).collect::<Vec<_>>()), tenter::Free::Line(Vec3::X));
    scenes.push(("solid", scene, options()));

    let mut scene = Scene::new();
    scene.add(Body::cloth(Mesh::grid(0.5, 0.5, 20, 20).translated(Vec3::Y * 0.004), Material::cotton_springs()));
    scene.add_collider(Collider::sphere([0.0, -0.2, 0.0], 0.2));
    scenes.push(("contacts", scene.clone(), options()));
    scene.colliders.clear();
    scene.add_collider(Collider::sphere([0.0, -0.2, 0.0], 0.2).dynamic(0.3));
    scenes.push(("rigid body", scene, options()));

    let mut scene = hanging(16, Material::cotton_springs());
    let second = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 16, 16).translated(Vec3::Z), w1_material()));
    let row = |first: u32| Vertices::list((0..16).map(|ix| first + ix).collect::<Vec<_>>());
    scene.tie((body_id(0), row(240)), (second, row(0)));
    scenes.push(("ties", scene, options()));

    let imex = |integrator| Options { integrator, time_step: 1e-3, ..options() };
    scenes.push(("IMEX Euler", hanging(24, w1_material()), imex(Integrator::ImexEuler)));
    scenes.push(("SBDF2", hanging(24, w1_material()), imex(Integrator::Sbdf2)));
    scenes
}

#[test]
fn every_kind_of_scene_has_the_same_solution_with_a_coarse_level() {
    for (name, scene, options) in every_kind() {
        for (on, backend) in backends() {
            let single = on == "gpu" && !matches!(name, "springs" | "membrane" | "contacts" | "ties" | "solid");
            let steps = if single { 3 } else { 5 };
            let budget = tenter::Budget::Full;
            // Below that, rounding in f32 makes directions of negative curvature.
            let (tolerance, bound) = if on == "gpu" { (1e-4, 2e-4) } else { (1e-6, 2e-5) };
            let two = Options {
                solver: SolverOptions { budget, tolerance, max_iterations: 400, ..options.solver.clone() },
                ..options.clone()
            };
            let block =
                SolverOptions { preconditioner: Preconditioner::BlockJacobi, warm_start: false, ..two.solver.clone() };
            let (few, found) = simulated(backend.clone(), &scene, two.clone(), steps);
            let (many, expected) = simulated(backend, &scene, Options { solver: block, ..two }, steps);
            let apart = distance(&found, &expected);
            assert!(apart < bound, "{name} on {on}: {apart} m apart");
            assert!(few <= many + many / 20 + 5, "{name} on {on}: {few} iterations against {many}");
        }
    }
}

#[test]
fn both_backends_take_the_same_iterations() {
    let scene = hanging(32, Material::cotton_springs());
    let options = once(SolverOptions {
        budget: tenter::Budget::Full,
        max_iterations: 300,
        ..solver(Preconditioner::TwoLevel, true, 1e-3)
    });
    let [(gpu, _), (cpu, _)] = backends().map(|(_, backend)| simulated(backend, &scene, options.clone(), 6));
    assert!(gpu.abs_diff(cpu) <= 3, "{gpu} on the GPU, {cpu} on the CPU");
}

#[test]
fn large_scenes_take_a_coarse_level_by_themselves() {
    let has = |scene: &Scene, options: &Options| Topology::build(scene, options).unwrap().aggregates.is_some();
    let (small, large) = (hanging(32, w1_material()), hanging(48, w1_material()));
    assert!(!has(&small, &Options::default()) && has(&large, &Options::default()));
    let fixed = once(solver(Preconditioner::Automatic, true, 0.0));
    assert!(!has(&large, &fixed));
    let mut collides = large.clone();
    collides.add_collider(Collider::plane([0.0, -3.0, 0.0], [0.0, 1.0, 0.0]));
    assert!(!has(&collides, &Options::default()));
    let meets = Scene { contact: Some(tenter::BodyContact::default()), ..large.clone() };
    assert!(!has(&meets, &Options::default()));
    let mut solid = Scene::new();
    solid.add(Body::solid(Mesh::block(Vec3::ONE, [14, 14, 14]), Material::jelly()));
    assert!(!has(&solid, &Options::default()));
    assert!(!has(&large, &Options { integrator: Integrator::Verlet, ..Default::default() }));
    assert!(has(&small, &once(solver(Preconditioner::TwoLevel, true, 1e-3))));
}

#[test]
fn fixed_iterations_start_from_zero() {
    let scene = hanging(12, w1_material());
    for (_, backend) in backends() {
        let options = |warm_start| {
            once(SolverOptions { max_iterations: 7, ..solver(Preconditioner::Automatic, warm_start, 0.0) })
        };
        let end = |options| {
            let mut simulation = Simulation::new(backend.clone(), &scene, options).unwrap();
            run(&mut simulation, 6);
            simulation.positions().unwrap().to_vec()
        };
        assert_eq!(end(options(true)), end(options(false)));
        // The control: with a tolerance the start makes a difference.
        let some = |warm_start| {
            once(SolverOptions { max_iterations: 7, ..solver(Preconditioner::Automatic, warm_start, 1e-9) })
        };
        assert_ne!(end(some(true)), end(some(false)));
    }
}

/// Error of a solution in the norm of the matrix.
fn error(topology: &Topology, state: &State, exact: &[DVec3]) -> f64 {
    let off: Vec<DVec3> = state.solution.iter().zip(exact).map(|(x, y)| *x - *y).collect();
    let row = |row: usize| off[row].dot(reference::solve::matrix_row(topology, state, &off, row));
    (0..off.len()).map(row).sum::<f64>().sqrt()
}

/// A simulation in f64 whose solves end at a true error, not at a residual.
struct Measured {
    topology: Topology,
    parameters: Parameters,
    state: State,
}

impl Measured {
    fn new(scene: &Scene) -> Self {
        let options = once(solver(Preconditioner::BlockJacobi, true, 5e-3));
        let topology = Topology::build(scene, &options).unwrap();
        let parameters = Parameters::new(&options, scene.gravity.as_dvec3());
        Self { state: State::new(&topology, &parameters), topology, parameters }
    }

    /// One step. Returns the iterations of a solve from 0 to its tolerance, and those of a warm start to the same true error.
    fn step(&mut self) -> (u32, u32) {
        let Self { topology, parameters, state } = self;
        let constraints = &topology.constraints;
        reference::integrate::begin(topology, constraints, parameters, state);
        reference::assembly::edges(topology, parameters, 0, state);
        reference::assembly::elements(topology, parameters, 0, state);
        let mut cg = CgState::default();
        reference::solve::precondition(topology, constraints, parameters, state, &mut cg);
        let start = state.clone();
        let solve = |tolerance: f64, most: u32, state: &mut State, cg: &mut CgState| {
            let parameters = Parameters { tolerance, max_iterations: most, ..parameters.clone() };
            let mut corrections = Corrections::default();
            reference::solve::conjugate_gradient(topology, &parameters, &mut corrections, state, cg);
        };
        let (mut exact, mut exact_cg) = (start.clone(), cg);
        solve(1e-10, 5000, &mut exact, &mut exact_cg);
        let (mut cold, mut cold_cg) = (start.clone(), cg);
        solve(5e-3, 5000, &mut cold, &mut cold_cg);
        let mut warm = start;
        reference::solve::warm(constraints, &mut warm, &mut cg);
        *state = exact.clone();
        let goal = error(topology, &cold, &exact.solution);
        while error(topology, &warm, &exact.solution) > goal && !cg.done {
            let next = cg.iteration + 1;
            solve(1e-10, next, &mut warm, &mut cg);
        }
        assert!(reference::integrate::stage(state));
        (cold_cg.iteration, cg.iteration)
    }
}

#[test]
fn a_warm_start_costs_no_more_than_a_twentieth_at_equal_error() {
    let mut swinging = hanging(16, Material::cotton_springs());
    swinging.bodies[0].velocity = Vec3::new(0.0, 0.0, 1.5);
    let mut solid = Scene::new();
    let block = solid.add(Body::solid(Mesh::block(Vec3::new(0.6, 0.2, 0.2), [8, 4, 4]), Material::jelly()));
    solid.pin(block, Vertices::list((0..16).collect::<Vec<_>>()));
    let scenes = [
        ("springs", hanging(24, Material::cotton_springs())),
        ("swinging", swinging),
        ("membrane", hanging(14, Material::cotton())),
        ("solid", solid),
    ];
    for (name, scene) in scenes {
        let mut measured = Measured::new(&scene);
        let steps: Vec<(u32, u32)> = (0..30).map(|_| measured.step()).collect();
        let (cold, warm) = steps.iter().fold((0, 0), |sum, step| (sum.0 + step.0, sum.1 + step.1));
        println!("{name}: {cold} iterations from 0, {warm} from the last step");
        assert!(20 * warm <= 21 * cold, "{name}: {warm} iterations against {cold}");
    }
}

#[test]
fn two_runs_with_a_coarse_level_give_the_same_bits() {
    let scene = hanging(24, Material::cotton());
    let gpu = gpu();
    let bits = |time_step| {
        let options = Options {
            time_step,
            ..Options { solver: solver(Preconditioner::TwoLevel, true, 1e-3), ..Default::default() }
        };
        simulated(&gpu, &scene, options, 6)
    };
    assert_eq!(bits(0.01), bits(0.01));
    assert_ne!(bits(0.01), bits(0.0101));
}
