//! The linear solve: the true residual b - A x, recomputed in f64, and what the solve says about itself.

use crate::common::{self, gpu, wavy_cloth};
use glam::{DVec3, Vec3};
use tenter::{
    Body, Budget, Mass, Material, Mesh, Nonlinear, Options, Outcome, Preconditioner, Scene, Simulation, SolverOptions,
    Spring, Variant, Vertices,
    internals::{
        body_id,
        reference::{self, CgState, Parameters, State},
        topology::Topology,
    },
};

struct TrueResidual {
    /// √(rᵀQr) / √(bᵀQb)
    relative: f64,
    /// 4 ε ‖A‖ ‖x‖ / ‖b‖ in f32
    floor: f64,
    record: tenter::StepRecord,
}

/// One linear solve a step: that is what is looked at here.
fn once() -> Options {
    Options { nonlinear: Nonlinear::OneLinearisation, ..Default::default() }
}

/// One step on the GPU from rest, and its residual in f64.
fn true_residual(scene: &Scene, options: &Options) -> TrueResidual {
    let mut simulation = Simulation::new(&gpu(), scene, options.clone()).unwrap();
    simulation.step().unwrap();
    let record = simulation.finish().unwrap().unwrap();
    // From rest the new velocity is the solution itself, without rounding.
    let velocities = simulation.velocities().unwrap().to_vec();
    let topology = simulation.topology();
    let x: Vec<DVec3> = topology.order.iter().map(|&particle| velocities[particle as usize].as_dvec3()).collect();

    let parameters = Parameters::new(options, scene.gravity.as_dvec3());
    let mut state = State::new(topology, &parameters);
    let mut cg = CgState::default();
    reference::integrate::begin(topology, &topology.constraints, &parameters, &mut state);
    reference::assembly::edges(topology, &parameters, 0, &mut state);
    let diagonal = state.diagonal.clone();
    reference::solve::precondition(topology, &topology.constraints, &parameters, &mut state, &mut cg);
    let norm =
        |r: &[DVec3]| -> f64 { r.iter().zip(&state.preconditioner).map(|(r, q)| r.dot(*q * *r)).sum::<f64>().sqrt() };
    let residual: Vec<DVec3> =
        (0..x.len()).map(|row| state.residual[row] - reference::solve::matrix_row(topology, &state, &x, row)).collect();
    let length = |v: &[DVec3]| v.iter().map(|v| v.length_squared()).sum::<f64>().sqrt();
    // Gershgorin: no row sums to more than twice its diagonal block.
    let matrix =
        diagonal.iter().map(|d| d.x_axis.length() + d.y_axis.length() + d.z_axis.length()).fold(0.0, f64::max) * 2.0;
    let floor = 4.0 * f64::from(f32::EPSILON) * matrix * length(&x) / length(&state.residual);
    TrueResidual { relative: norm(&residual) / norm(&state.residual), floor, record }
}

#[test]
fn the_true_residual_meets_the_tolerance() {
    for (n, variant) in [(16, Variant::Single), (16, Variant::Many { workgroups: 4 }), (40, Variant::Automatic)] {
        for preconditioner in [Preconditioner::BlockJacobi, Preconditioner::Jacobi, Preconditioner::TwoLevel] {
            for tolerance in [1e-2, 1e-4, 1e-6] {
                let solver = SolverOptions {
                    tolerance,
                    max_iterations: 1000,
                    preconditioner,
                    budget: Budget::Full,
                    variant,
                    predictor: true,
                    warm_start: true,
                };
                let options = Options { solver, ..once() };
                let found = true_residual(&wavy_cloth(n), &options);
                assert_eq!(found.record.outcome, Outcome::Converged);
                assert!(found.record.residual <= tolerance);
                let bound = (1.05 * tolerance).max(found.floor);
                assert!(
                    found.relative <= bound,
                    "n {n} {variant:?} {preconditioner:?} {tolerance:.0e}: {:.2e} above {bound:.2e}",
                    found.relative
                );
                // The control: it did not converge by accident far below.
                assert!(tolerance < 1e-3 || found.relative > 1e-3 * tolerance);
            }
        }
    }
}

#[test]
fn an_unconverged_solve_says_so() {
    let solver = SolverOptions { tolerance: 1e-6, max_iterations: 3, ..Default::default() };
    let found = true_residual(&wavy_cloth(40), &Options { solver, ..once() });
    assert_eq!(found.record.outcome, Outcome::IterationLimit);
    assert_eq!(found.record.iterations, 3);
    assert!(found.relative > 1e-3);
}

#[test]
fn zero_tolerance_does_every_iteration() {
    for variant in [Variant::Single, Variant::Many { workgroups: 2 }] {
        let solver = SolverOptions { tolerance: 0.0, max_iterations: 20, variant, ..Default::default() };
        let mut simulation = Simulation::new(&gpu(), &wavy_cloth(12), Options { solver, ..once() }).unwrap();
        for _ in 0..5 {
            simulation.step().unwrap();
        }
        simulation.finish().unwrap();
        let counts: Vec<u32> = simulation.take_records().iter().map(|record| record.iterations).collect();
        assert_eq!(counts, [20; 5]);
    }
}

#[test]
fn block_jacobi_needs_no_more_iterations_than_jacobi() {
    let iterations = |preconditioner| {
        let solver = SolverOptions { tolerance: 1e-5, max_iterations: 1000, preconditioner, ..Default::default() };
        true_residual(&wavy_cloth(32), &Options { solver, ..once() }).record.iterations
    };
    let (block, scalar) = (iterations(Preconditioner::BlockJacobi), iterations(Preconditioner::Jacobi));
    assert!(block <= scalar, "{block} against {scalar}");
}

#[test]
fn pinned_particles_keep_their_bits() {
    let mut scene = wavy_cloth(20);
    scene.pin(body_id(0), Vertices::list([137u32, 205, 390]));
    let mut simulation = Simulation::new(&gpu(), &scene, Options::default()).unwrap();
    let before = simulation.positions().unwrap().to_vec();
    common::run(&mut simulation, 60);
    let after = simulation.positions().unwrap().to_vec();
    for pinned in [0, 19, 137, 205, 390] {
        assert_eq!(before[pinned], after[pinned], "particle {pinned}");
        assert_eq!(simulation.velocities().unwrap()[pinned], Vec3::ZERO);
    }
    assert_ne!(before[138], after[138]);
}

/// A straight chain squeezed to half its length: without the clamp its matrix is indefinite.
fn squeezed_chain() -> Scene {
    let mesh = Mesh::chain(Vec3::ZERO, Vec3::X, 20);
    let start = mesh.positions.iter().map(|p| *p * 0.5).collect();
    let material = Material::springs(Mass::Total(0.01), Spring::new(1000.0));
    let mut scene = Scene::new();
    let chain = scene.add(Body::chain(mesh, material).starting_at(start));
    scene.pin(chain, Vertices::list([0u32, 19]));
    scene
}

#[test]
fn an_indefinite_direction_is_reported_with_its_iteration() {
    for variant in [Variant::Single, Variant::Many { workgroups: 1 }] {
        for (clamp, expected) in [(true, Outcome::Converged), (false, Outcome::Indefinite)] {
            let solver = SolverOptions { variant, ..Default::default() };
            let options = Options { clamp, solver, ..once() };
            let mut simulation = Simulation::new(&gpu(), &squeezed_chain(), options.clone()).unwrap();
            simulation.step().unwrap();
            let record = simulation.finish().unwrap().unwrap();
            let mut twin = Simulation::new(tenter::Backend::Cpu, &squeezed_chain(), options).unwrap();
            let twin = twin.step().unwrap().unwrap();
            assert_eq!((record.outcome, twin.outcome), (expected, expected));
            if expected == Outcome::Indefinite {
                assert_eq!(record.iterations, twin.iterations);
            }
            assert!(simulation.positions().unwrap().iter().all(|p| p.is_finite()));
        }
    }
}

#[test]
fn newton_does_not_take_an_indefinite_matrix_for_converged() {
    // Positions far apart in the first solve, squeezed in the second: without the clamp one of them is indefinite.
    let nonlinear = Nonlinear::Newton(tenter::NewtonOptions { tolerance: 1e-6, max_linearisations: 4 });
    let options = Options { clamp: false, nonlinear, ..Default::default() };
    for backend in [tenter::Backend::from(&gpu()), tenter::Backend::Cpu] {
        let mut simulation = Simulation::new(backend, &squeezed_chain(), options.clone()).unwrap();
        simulation.step().unwrap();
        let record = simulation.finish().unwrap().unwrap();
        assert!(record.residual.is_finite());
        assert!(record.outcome == Outcome::Indefinite || !record.newton_converged, "{record:?}");
    }
}

#[test]
fn the_budget_follows_the_count_of_the_step_before_the_last() {
    let mut counts = Vec::new();
    for budget in [Budget::Adaptive, Budget::Full] {
        let variant = Variant::Many { workgroups: 2 };
        let solver = SolverOptions { budget, variant, warm_start: false, ..Default::default() };
        let mut simulation = Simulation::new(&gpu(), &wavy_cloth(16), Options { solver, ..once() }).unwrap();
        let mut dispatches = Vec::new();
        for _ in 0..6 {
            simulation.step().unwrap();
            dispatches.push(simulation.costs().dispatches);
        }
        simulation.finish().unwrap();
        let records = simulation.take_records();
        for (ix, &dispatches) in dispatches.iter().enumerate() {
            let last = ix.checked_sub(2).map(|ix| records[ix].iterations);
            let expected = match (budget, last) {
                (Budget::Adaptive, Some(last)) => 200.min(2 * last + 16),
                _ => 200,
            };
            assert_eq!(dispatches, 2 * expected + 5, "step {ix}");
        }
        counts.push(records.iter().map(|record| record.iterations).collect::<Vec<_>>());
    }
    assert_eq!(counts[0], counts[1], "the budget must not change a solve that fits into it");
}

#[test]
fn topology_is_reachable_for_hosts() {
    let topology = Topology::build(&wavy_cloth(4), &Options::default()).unwrap();
    assert_eq!(topology.particle_count(), 16);
    assert_eq!(topology.pattern.incidences.len(), 2 * topology.edges.len());
}
