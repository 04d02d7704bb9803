//! Conjugate gradients against their twin.

use super::*;

#[test]
fn precondition() {
    for launch in Launch::ALL {
        for preconditioner in [Preconditioner::BlockJacobi, Preconditioner::Jacobi] {
            let solver = SolverOptions { preconditioner, ..many() };
            let mut pair = pair(launch, 5, Options { solver, ..Default::default() });
            pair.precondition();
            let q: Vec<DMat3> = pair.read::<layout::SymmetricBlock>("preconditioner").iter().map(symmetric).collect();
            agree("Q", &columns(&q), &columns(&pair.state.preconditioner));
            agree("u", &pair.vectors("u"), &pair.state.u);
            let wrong: Vec<DMat3> = pair.state.preconditioner.iter().map(|q| *q * 1.001).collect();
            differ("Q of another matrix", &columns(&q), &columns(&wrong));
            // A pinned particle is filtered to the bit.
            assert_eq!(q[3], DMat3::ZERO);
            assert_eq!(pair.vectors("u")[40], DVec3::ZERO);
        }
    }
}

#[test]
fn spmv() {
    for launch in Launch::ALL {
        let mut pair = pair(launch, 6, Options { solver: many(), ..Default::default() });
        pair.precondition();
        pair.run(|engine, timeline| engine.stages.solve.encode_spmv(timeline));
        let (gamma, delta) = reference::solve::spmv(&pair.topology, &mut pair.state);
        agree("w", &pair.product(), &pair.state.w);
        let words = pair.read::<f32>("partials");
        let sums = words[layout::PARTIALS_HEADER as usize / 4..].chunks(2);
        let total = sums.fold(DVec3::ZERO, |sum, part| sum + DVec3::new(f64::from(part[0]), f64::from(part[1]), 0.0));
        agree("γ and δ", &[total], &[DVec3::new(gamma, delta, 0.0)]);

        pair.state.values[17].a *= 1.5;
        reference::solve::spmv(&pair.topology, &mut pair.state);
        differ("one block off", &pair.product(), &pair.state.w);
        differ("γ off", &[total], &[DVec3::new(gamma * 1.001, delta, 0.0)]);
    }
}

#[test]
fn update() {
    for launch in Launch::ALL {
        let mut pair = pair(launch, 7, Options { solver: many(), ..Default::default() });
        pair.assemble();
        pair.run(|engine, timeline| engine.stages.solve.encode(timeline, 3, false));
        pair.parameters.max_iterations = 3;
        pair.twin_solve();
        let direction = pair.read::<layout::Direction>("direction");
        let (p, s): (Vec<_>, Vec<_>) = direction.iter().map(|d| (xyz(&d.p), xyz(&d.s))).unzip();
        for (what, gpu, twin) in [
            ("p", p, &pair.state.p),
            ("s", s, &pair.state.s),
            ("x", pair.solution(), &pair.state.solution),
            ("r", pair.vectors("residual"), &pair.state.residual),
            ("u", pair.vectors("u"), &pair.state.u),
        ] {
            agree(what, &gpu, twin);
        }
        let status = pair.read::<layout::Status>("status")[0];
        assert_eq!(status.cg.iteration, 3);
        assert!((f64::from(status.cg.alpha) / pair.cg.alpha - 1.0).abs() < TOLERANCE);

        reference::solve::update(&mut pair.state, pair.cg.alpha, 0.0);
        differ("an iteration more", &pair.solution(), &pair.state.solution);
    }
}

#[test]
fn single_workgroup() {
    for launch in Launch::ALL {
        // Plane and line constraints are filtered only to rounding: their impulse keeps rᵀQr above some 1e-11 of its start.
        let solver = |variant| SolverOptions { variant, tolerance: 1e-5, ..Default::default() };
        let solve = |variant| {
            let mut pair = pair(launch, 8, Options { solver: solver(variant), ..Default::default() });
            pair.assemble();
            pair.run(|engine, timeline| engine.stages.solve.encode(timeline, 200, false));
            pair.twin_solve();
            let status = pair.read::<layout::Status>("status")[0];
            assert_eq!(status.cg.outcome, layout::outcome::CONVERGED);
            (pair.solution(), pair.state.solution, status.cg.iteration, pair.cg.iteration)
        };
        let (single, twin, iterations, twin_iterations) = solve(Variant::Single);
        let (spread, ..) = solve(Variant::Many { workgroups: 3 });
        // The accuracy of a solution depends on the condition of the matrix.
        agree_within(1e-4, "single", &single, &twin);
        agree_within(1e-4, "many", &spread, &twin);
        assert!(iterations.abs_diff(twin_iterations) <= 2, "{iterations} iterations, {twin_iterations} in f64");
        differ("a solution of another size", &single, &twin.iter().map(|x| *x * 1.001).collect::<Vec<_>>());
    }
}

#[test]
fn a_solve_does_not_see_the_one_before_it() {
    for launch in Launch::ALL {
        for variant in [Variant::Many { workgroups: 2 }, Variant::Single] {
            // Solutions after three iterations, and with a tolerance met before the first; `left` fills the buffers beforehand.
            let solve = |tolerance: f64, left: f32| {
                let solver = SolverOptions { variant, tolerance, max_iterations: 3, ..Default::default() };
                let mut pair = pair(launch, 9, Options { solver, ..Default::default() });
                pair.assemble();
                let (rows, gpu) = (pair.topology.particle_count(), pair.engine.gpu());
                let left = vec![[left; 4]; 2 * rows];
                pair.engine.device.buffers.write(gpu, "solution", 0, &left).unwrap();
                pair.engine.device.buffers.write(gpu, "direction", 0, &left).unwrap();
                pair.run(|engine, timeline| engine.stages.solve.encode(timeline, 3, false));
                pair.twin_solve();
                let iterations = pair.read::<layout::Status>("status")[0].cg.iteration;
                (pair.solution(), pair.vectors("direction"), pair.state.solution, iterations)
            };
            let (solution, _, twin, iterations) = solve(1e-6, f32::NAN);
            assert_eq!(iterations, 3);
            agree("three iterations", &solution, &twin);
            differ("none", &vec![DVec3::ZERO; twin.len()], &twin);
            let (solution, direction, _, iterations) = solve(2.0, 7.0);
            assert_eq!(iterations, 0);
            assert!(solution.iter().chain(&direction).all(|vector| *vector == DVec3::ZERO));
        }
    }
}
