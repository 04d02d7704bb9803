//! The line search and the energy audit of safe steps against their twins.

use super::*;
use crate::{
    Integrator, Nonlinear, SafeOptions,
    reference::{audit, search},
};

/// Number of iterations of the solve before the search: so few that both sides take the same number.
const ITERATIONS: u32 = 30;

/// Results of the kernels of search and audit: name, GPU, f64.
type Answers = Vec<(&'static str, Vec<DVec3>, Vec<DVec3>)>;

/// The first linearisation and its solve, the line search along it, and the audit at its end. `change` may give the twin another topology.
fn searched(launch: Launch, scene: &Scene, change: impl Fn(&mut Topology)) -> Answers {
    let solver = SolverOptions { max_iterations: ITERATIONS, ..many() };
    let nonlinear = Nonlinear::Safe(SafeOptions { tolerance: 1e-9, ..Default::default() });
    let options = Options { solver, nonlinear, ..Options::default() };
    let mut pair = pair_as(scene, launch, 31, options, |_| {});
    pair.assemble();
    pair.run(|engine, timeline| {
        engine.stages.solve.encode_start(timeline, false);
        let search = engine.stages.search.as_ref().unwrap();
        search.encode_scale(timeline);
        engine.stages.solve.encode_loop(timeline, ITERATIONS + 1);
        search.encode_pass(timeline, false, None);
    });
    pair.twin_solve();
    let kinetic = f64::from(pair.read::<layout::Status>("status")[0].search.kinetic);
    let mut answers = vec![("solution", pair.solution(), pair.state.solution.clone())];
    pair.run(|engine, timeline| engine.stages.search.as_ref().unwrap().encode_search(timeline, false, None, |_| {}));

    let mut topology = (*pair.topology).clone();
    change(&mut topology);
    let Pair { parameters, state, .. } = &mut pair;
    parameters.rounding = topology.rounding();
    let scale = audit::scale(&topology, parameters, &[], state);
    search::aim(&topology.constraints, true, state);
    let products = reference::solve::spmv(&topology, state);
    let weights = search::weigh(&topology, parameters, state, 1.0);
    answers.push(("scale", vec![DVec3::splat(kinetic)], vec![DVec3::splat(scale)]));
    let rows = pair.read::<layout::SearchRow>("search");
    let of = |vector: fn(&layout::SearchRow) -> &[f32; 4]| rows.iter().map(|row| xyz(vector(row))).collect();
    answers.push(("start", of(|row| &row.start_position), pair.state.search_start.positions.clone()));
    answers.push(("start velocity", of(|row| &row.start_velocity), pair.state.search_start.velocities.clone()));
    answers.push(("end", of(|row| &row.end_position), pair.state.search_end.positions.clone()));
    answers.push(("end velocity", of(|row| &row.end_velocity), pair.state.search_end.velocities.clone()));
    let sum = |ix: usize| pair.read::<[f32; 4]>("weights").iter().map(|sums| f64::from(sums[ix])).sum::<f64>();
    let ours = [weights.beyond, weights.unmodelled, weights.change, weights.elastic];
    for (ix, name) in ["beyond", "unmodelled", "change", "elastic"].into_iter().enumerate() {
        answers.push((name, vec![DVec3::splat(sum(ix))], vec![DVec3::splat(ours[ix])]));
    }
    let partials = pair.read::<[f32; 2]>("partials")[layout::PARTIALS_HEADER as usize / 8..].to_vec();
    let product = |ix: usize| {
        let count = pair.engine.device.params.partial_count as usize;
        partials[..count].iter().map(|sums| f64::from(sums[ix])).sum::<f64>()
    };
    // r·d and d·Ad; the solve has left almost nothing of r.
    let ours = DVec3::new(products.0, products.1, 0.0);
    answers.push(("products", vec![DVec3::new(product(0), product(1), 0.0)], vec![ours]));

    // The audit runs at the end of the search.
    search::take(&mut pair.state, 1.0);
    let end = layout::SearchState { mode: 2, ..pair.read::<layout::Status>("status")[0].search };
    let offset = std::mem::offset_of!(layout::Status, search) as u64;
    let ends: Vec<_> = rows.iter().map(|row| row.end_velocity).collect();
    let write = |name, offset, bytes: &[u8]| {
        pair.engine.device.gpu.queue().write_buffer(pair.engine.device.buffers.named(name).unwrap(), offset, bytes);
    };
    write("status", offset, bytemuck::bytes_of(&end));
    write("velocities", 0, bytemuck::cast_slice(&ends));
    pair.run(|engine, timeline| engine.stages.search.as_ref().unwrap().encode_audit(timeline, false));
    let rise: f64 = pair.read::<[f32; 4]>("row_sums").iter().map(|sums| f64::from(sums[0])).sum();
    let constraints = &topology.constraints;
    let outside = audit::Outside { impulses: &[], constraints, contacts: &[], loads: &[], air: false };
    let groups = topology::TieGroups::default();
    let ours = audit::rows(&topology, &pair.parameters, &outside, &groups, &pair.state);
    answers.push(("audit", vec![DVec3::splat(rise)], vec![DVec3::splat(ours)]));
    answers
}

/// Tolerance of f32, relative to the largest value: differences of energies and sums that cancel lose more digits.
fn tolerance(what: &str) -> f64 {
    match what {
        "scale" | "elastic" | "products" => 1e-5,
        "start" | "end" => 1e-6,
        "beyond" | "unmodelled" | "change" | "audit" => 2e-3,
        _ => 5e-4,
    }
}

#[test]
fn a_search_and_its_audit() {
    for launch in Launch::ALL {
        for (name, scene) in [("irregular", irregular(31, 13, 11)), ("every model", every_model(31))] {
            for (what, gpu, twin) in searched(launch, &scene, |_| {}) {
                agree_within(tolerance(what), &format!("{name}, {what}"), &gpu, &twin);
            }
        }
    }
}

#[test]
fn a_search_made_wrong_is_noticed() {
    let scene = irregular(31, 13, 11);
    let off = |change: fn(&mut Topology)| -> Vec<&'static str> {
        let answers = searched(Launch::Software, &scene, change);
        let off = answers.iter().filter(|(what, gpu, twin)| error(gpu, twin) > 2.0 * tolerance(what));
        off.map(|(what, ..)| *what).collect()
    };
    let stiffer = off(|topology| topology.edges.iter_mut().for_each(|edge| edge.weight *= 1.02));
    assert!(["beyond", "unmodelled", "change", "elastic"].iter().all(|what| stiffer.contains(what)), "{stiffer:?}");
    let heavier = off(|topology| topology.masses.iter_mut().for_each(|mass| *mass *= 1.02));
    assert!(["scale", "audit"].iter().all(|what| heavier.contains(what)), "{heavier:?}");
    let pinned = off(|topology| topology.constraints.truncate(1));
    assert!(["start", "start velocity", "audit"].iter().all(|what| pinned.contains(what)), "{pinned:?}");
}

/// Elastic energies of a step without line search, and its audit.
#[test]
fn a_step_looked_back_at() {
    for launch in Launch::ALL {
        for integrator in [Integrator::ImexEuler, Integrator::ImexMidpoint] {
            let options = Options { integrator, time_step: 2e-3, solver: many(), ..Options::default() };
            let mut pair = pair_as(&irregular(32, 13, 11), launch, 32, options, |_| {});
            pair.begin();
            pair.run(|engine, timeline| {
                engine.stages.integrate.encode(timeline);
                engine.stages.afterwards.as_ref().unwrap().encode(timeline, false);
            });
            // Both sides look back from the state of the GPU, without a solve: any state suits the energies.
            pair.state.positions = pair.vectors("positions");
            let weights = pair.read::<[f32; 4]>("weights");
            let sum = |ix: usize| weights.iter().map(|sums| f64::from(sums[ix])).sum::<f64>();
            let Pair { topology, parameters, state, .. } = &mut pair;
            let ours = search::look_back(topology, parameters, state);
            let answers = [("change", -sum(2), ours.change), ("elastic", sum(2) + sum(3), ours.start)];
            for (what, gpu, twin) in answers {
                agree_within(tolerance(what), what, &[DVec3::splat(gpu)], &[DVec3::splat(twin)]);
            }
        }
    }
}
