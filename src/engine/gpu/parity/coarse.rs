//! The coarse level and the warm start against their twins.

use super::*;
use crate::{
    reference::{Corrections, coarse::Coarse},
    topology::Aggregates,
};

/// An irregular sheet with elements, or a solid, with a coarse level, assembled and preconditioned on both sides.
fn coarse_pair(launch: Launch, scene: &Scene, integrator: Integrator) -> Pair {
    let solver = SolverOptions { preconditioner: Preconditioner::TwoLevel, tolerance: 1e-9, ..many() };
    let options = Options { solver, integrator, ..Options::default() };
    let mut pair = pair_of(scene, launch, 41, options, |_| {});
    pair.begin();
    pair.run(|engine, timeline| {
        engine.stages.assembly.encode(timeline, false);
        engine.stages.solve.encode(timeline, 0, false);
    });
    let Pair { topology, parameters, state, .. } = &mut pair;
    let imex = u32::from(integrator.is_imex());
    reference::assembly::edges(topology, parameters, imex, state);
    reference::assembly::elements(topology, parameters, imex, state);
    if integrator.is_imex() {
        reference::assembly::scalars(topology, &topology.constant_couplings(), parameters, 0, state);
    }
    pair.twin_precondition();
    pair
}

fn aggregates(pair: &Pair) -> &Aggregates {
    pair.topology.aggregates.as_ref().unwrap()
}

/// E⁻¹ - F⁻¹ of the GPU, as rows of three words.
fn inverse_of_gpu(pair: &Pair) -> Vec<DVec3> {
    let (unknowns, padded) = (aggregates(pair).unknowns(), aggregates(pair).padded());
    let words = pair.read::<f32>("coarse_matrix");
    let row = |ix: usize| {
        words[ix * padded..ix * padded + unknowns].chunks(3).map(|w| -DVec3::from([w[0], w[1], w[2]].map(f64::from)))
    };
    (0..unknowns).flat_map(row).collect()
}

fn inverse_of_twin(coarse: &Coarse) -> Vec<DVec3> {
    coarse.inverse().iter().flat_map(|row| row.chunks(3).map(DVec3::from_slice)).collect()
}

/// A flat sheet, a crumpled one with the constant matrix, and a solid, all with constraints of every kind; with the functions of their aggregates.
fn cases() -> [(Scene, Integrator, usize); 3] {
    let mut flat = irregular(41, 23, 19);
    flat.bodies.iter_mut().flat_map(|body| &mut body.mesh.positions).for_each(|position| position.y = 0.0);
    [
        (flat, Integrator::ImplicitEuler, 3),
        (irregular(41, 23, 19), Integrator::ImexEuler, 4),
        (solid(42), Integrator::ImplicitEuler, 4),
    ]
}

#[test]
fn the_coarse_matrix_and_its_correction() {
    for launch in Launch::ALL {
        for (scene, integrator, functions) in cases() {
            let pair = coarse_pair(launch, &scene, integrator);
            let Pair { topology, state, .. } = &pair;
            let known = aggregates(&pair);
            assert!(known.count >= 8 && known.functions == functions);
            let coarse = Coarse::build(topology, known, &topology.constraints, state);
            let inverse = inverse_of_gpu(&pair);
            // The inverse has the condition of the matrix in its error.
            agree_within(2e-3, "E⁻¹ - F⁻¹", &inverse, &inverse_of_twin(&coarse));
            let unfiltered = Coarse::build(topology, known, &[], state);
            let wrong = inverse_of_twin(&unfiltered);
            assert!(error(&inverse, &wrong) > 4e-3, "an unfiltered coarse matrix passes");

            let corrected = |mut coarse: Coarse| {
                let mut u = state.u.clone();
                coarse.act(known, &state.residual, &mut u);
                u
            };
            let u = pair.vectors("u");
            agree_within(1e-3, "u", &u, &corrected(coarse));
            assert!(error(&u, &state.u) > 2e-3, "u without the coarse level passes");
            assert!(error(&u, &corrected(unfiltered)) > 2e-3, "u of an unfiltered coarse matrix passes");

            // γ leaves the coarse level out.
            let first = {
                let params = &pair.engine.device.params;
                (params.partial_count * (params.chunk_count + 1) + params.rigid_count) as usize
            };
            let partials = pair.read::<[f32; 2]>("partials")[layout::PARTIALS_HEADER as usize / 8..].to_vec();
            let gamma: f64 = partials[first..=first + known.count].iter().map(|sums| f64::from(sums[0])).sum();
            let ours: f64 = state.residual.iter().zip(&state.u).map(|(r, u)| r.dot(*u)).sum();
            assert!((gamma / ours - 1.0).abs() < 1e-4, "γ {gamma:e}, in f64 {ours:e}");
        }
    }
}

/// Scenes with corrections have no warm start today; `solve/corrects` and its twin respect one all the same.
#[test]
fn corrections_leave_a_given_direction() {
    for launch in Launch::ALL {
        let [(scene, integrator, _), ..] = cases();
        let mut pair = coarse_pair(launch, &scene, integrator);
        let corrected = |fresh: u32| {
            let at = std::mem::offset_of!(layout::Status, cg) + std::mem::offset_of!(layout::CgState, fresh);
            pair.engine.device.buffers.write(pair.engine.gpu(), "status", at / 4, &[fresh]).unwrap();
            let before = pair.vectors("u");
            pair.run(|engine, timeline| engine.stages.solve.encode_corrections(timeline));
            error(&pair.vectors("u"), &before)
        };
        // The constants of `shaders/shared/status.wgsl`: given directions, and the control, a search that goes on.
        let [going_on, given] = ["FRESH_NOT", "FRESH_WARM"].map(|name| {
            let text = include_str!("../../../../shaders/shared/status.wgsl");
            let line = text.lines().find(|line| line.starts_with(&format!("const {name}: u32 = "))).unwrap();
            line.rsplit(['=', ' ']).next().unwrap().trim_end_matches("u;").parse::<u32>().unwrap()
        });
        assert_eq!(corrected(given), 0.0);
        assert!(corrected(going_on) > 1e-3);

        let Pair { topology, state, cg, .. } = &mut pair;
        let known = topology.aggregates.as_ref().unwrap();
        state.coarse = Coarse::build(topology, known, &topology.constraints, state);
        let (groups, before) = (topology::TieGroups::default(), state.u.clone());
        let mut act = |fresh| {
            cg.fresh = fresh;
            Corrections::new(&groups, &mut [], &[], &[], Some(known)).act(state, cg);
            state.u == before
        };
        assert!(act(reference::Fresh::Warm) && !act(reference::Fresh::Not));
    }
}

#[test]
fn two_level_solves() {
    for launch in Launch::ALL {
        for (scene, integrator, _) in cases().into_iter().filter(|(_, integrator, _)| !integrator.is_imex()) {
            let iterations = 8;
            let mut pair = coarse_pair(launch, &scene, integrator);
            pair.run(|engine, timeline| engine.stages.solve.encode_loop(timeline, iterations));
            let Pair { topology, parameters, state, cg, .. } = &mut pair;
            parameters.max_iterations = iterations;
            let known = topology.aggregates.as_ref().unwrap();
            state.coarse = Coarse::build(topology, known, &topology.constraints, state);
            let (groups, mut rigids) = (topology::TieGroups::default(), []);
            let mut corrections = Corrections::new(&groups, &mut rigids, &[], &[], Some(known));
            reference::solve::conjugate_gradient(topology, parameters, &mut corrections, state, cg);
            let status = pair.read::<layout::Status>("status")[0];
            assert_eq!(status.cg.iteration, iterations);
            agree_within(5e-3, "x", &pair.solution(), &pair.state.solution);
            assert!((f64::from(status.cg.gamma) / pair.cg.gamma - 1.0).abs() < 0.05);
            // Control: block Jacobi is elsewhere after as many iterations.
            pair.twin_solve();
            assert!(error(&pair.solution(), &pair.state.solution) > 1e-2, "block Jacobi passes");
        }
    }
}

#[test]
fn warm_start() {
    for launch in Launch::ALL {
        for variant in [Variant::Many { workgroups: 2 }, Variant::Single] {
            let solver = SolverOptions { tolerance: 1e-9, max_iterations: 4, variant, ..many() };
            let mut pair = pair(launch, 43, Options { solver, ..Default::default() });
            pair.change_last_velocities(44);
            pair.assemble();
            pair.run(|engine, timeline| engine.stages.solve.encode(timeline, 4, true));
            pair.twin_precondition();
            let Pair { topology, parameters, state, cg, .. } = &mut pair;
            let cold = state.clone();
            parameters.max_iterations = 4;
            reference::solve::warm(&topology.constraints, state, cg);
            reference::solve::conjugate_gradient(topology, parameters, &mut Corrections::default(), state, cg);
            let status = pair.read::<layout::Status>("status")[0];
            assert_eq!(status.cg.iteration, 4);
            assert!((f64::from(status.cg.reference) / pair.cg.reference - 1.0).abs() < 1e-4);
            agree_within(1e-4, "x", &pair.solution(), &pair.state.solution);
            let warm = pair.state.solution.clone();
            pair.state = cold;
            pair.twin_solve();
            differ("a solve from 0", &pair.solution(), &pair.state.solution);
            differ("a solve from 0, in f64", &warm, &pair.state.solution);
        }
    }
}
