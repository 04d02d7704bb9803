//! Contact between bodies in steps without line search: struts with the constant matrix of the IMEX schemes, a fixed number of passes, and impulses after explicit steps.

use super::{
    collision::{GAPS, Step, stage},
    *,
};
use crate::{Nonlinear, reference::collision::struts};

/// Writes one vec4 per row.
fn write(step: &Step, name: &'static str, values: &[DVec3], w: impl Fn(usize) -> f64) {
    let words: Vec<[f32; 4]> = values.iter().enumerate().map(|(row, v)| upload::vec4(*v, w(row) as f32)).collect();
    step.pair.engine.device.buffers.write(step.pair.engine.gpu(), name, 0, &words).unwrap();
}

fn random(step: &Step, seed: u64, size: f64) -> Vec<DVec3> {
    random_vectors(seed, step.pair.topology.particle_count()).iter().map(|v| size * v.as_dvec3()).collect()
}

/// Forces at the start of a step by the twin, with the constant matrix.
fn twin_assemble(step: &mut Step) {
    let Pair { topology, parameters, state, .. } = &mut step.pair;
    reference::assembly::edges(topology, parameters, 1, state);
    reference::assembly::elements(topology, parameters, 1, state);
    reference::assembly::scalars(topology, &topology.constant_couplings(), parameters, 0, state);
}

/// Forces of contact as pictures show them, of the GPU and of the twin.
fn pressures(step: &mut Step) -> (Vec<DVec3>, Vec<DVec3>) {
    let twin = reference::collision::pressure::pressures(&step.pair.state);
    let lift = |forces: Vec<f64>| forces.into_iter().map(DVec3::splat).collect();
    (lift(wait::drive(TIMEOUT, step.pair.engine.meeting_forces()).unwrap()), lift(twin))
}

#[test]
fn struts_with_a_constant_matrix() {
    for launch in Launch::ALL {
        let mut step = Step::begin_with(launch, Options { integrator: Integrator::ImexEuler, ..Default::default() });
        step.pair.run(|engine, timeline| {
            engine.stages.assembly.encode(timeline, false);
            stage(engine).encode_attach(timeline);
        });
        twin_assemble(&mut step);
        step.twin(|collisions, _, _, state| collisions.attach(state));
        assert!(step.pair.state.struts.active() > 10);
        let (forces, twin) = pressures(&mut step);
        agree_within(5e-3, "forces as pictures show them", &forces, &twin);
        differ("no force", &forces, &vec![DVec3::ZERO; forces.len()]);
        agree_within(GAPS, "residual", &step.pair.vectors("residual"), &step.pair.state.residual);
        agree_within(GAPS, "diagonal", &columns(&step.diagonal()), &columns(&step.pair.state.diagonal));
        step.pair.run(|engine, timeline| engine.stages.solve.encode(timeline, 0, false));
        step.pair.twin_precondition();
        step.pair.run(|engine, timeline| engine.stages.solve.encode_spmv(timeline));
        reference::solve::spmv(&step.pair.topology, &mut step.pair.state);
        agree_within(GAPS, "product", &step.pair.product(), &step.pair.state.w);
        let Pair { topology, state, .. } = &mut step.pair;
        state.struts.begin(Vec::new());
        reference::solve::spmv(topology, state);
        differ("without struts", &step.pair.product(), &step.pair.state.w);
    }
}

#[test]
fn a_pass_of_a_fixed_number() {
    for launch in Launch::ALL {
        let options = Options { nonlinear: Nonlinear::OneLinearisation, ..Default::default() };
        let mut step = Step::begin_with(launch, options);
        step.attach();
        let changes = random(&step, 31, 0.7);
        step.pair.state.solution.clone_from(&changes);
        write(&step, "solution", &changes, |_| 0.0);
        step.pair.run(|engine, timeline| {
            let collision = engine.stages.collision.as_ref();
            engine.touching().unwrap().encode_respond(timeline, 0, 2, collision);
            stage(engine).encode_active(timeline);
        });
        let before = (step.pair.state.residual.clone(), step.pair.state.diagonal.clone());
        let (flips, _) = step.twin(|collisions, constraints, contacts, state| {
            let changed = collisions.revise(constraints, contacts, state);
            collisions.restore(constraints, contacts, state);
            reference::contact::precondition(state);
            changed
        });
        assert!(flips > 50, "{flips}");
        assert_eq!(step.matched().1, 0);
        assert_eq!(step.meeting(9) as usize, step.pair.state.struts.active());
        assert_eq!((step.status().cg.done, step.status().cg.resumed), (0, 1));
        agree_within(GAPS, "residual", &step.pair.vectors("residual"), &step.pair.state.residual);
        differ("the residual before", &step.pair.vectors("residual"), &before.0);
        agree_within(GAPS, "diagonal", &columns(&step.diagonal()), &columns(&step.pair.state.diagonal));
        differ("the diagonal before", &columns(&step.diagonal()), &columns(&before.1));
        agree_within(GAPS, "u", &step.pair.vectors("u"), &step.pair.state.u);
    }
}

#[test]
fn struts_in_forces_beyond_the_stage() {
    for launch in Launch::ALL {
        let options = Options { integrator: Integrator::ImexMidpoint, ..Default::default() };
        let mut step = Step::begin_with(launch, options);
        step.pair.run(|engine, timeline| {
            engine.stages.assembly.encode(timeline, false);
            stage(engine).encode_attach(timeline);
        });
        twin_assemble(&mut step);
        step.twin(|collisions, _, _, state| collisions.attach(state));
        // Another velocity of the stage: struts keep their states.
        let velocities = random(&step, 43, 0.3);
        write(&step, "velocities", &velocities, |row| step.pair.topology.masses[row]);
        write(&step, "residual", &vec![DVec3::ZERO; velocities.len()], |_| 0.0);
        step.set_status(|status| status.cg.newton_done = 1);
        step.pair.run(|engine, timeline| stage(engine).encode_repeat(timeline));
        let state = &mut step.pair.state;
        state.velocities = velocities;
        state.residual.fill(DVec3::ZERO);
        struts::repeat(state);
        let twin = state.residual.clone();
        agree_within(GAPS, "forces of struts", &step.pair.vectors("residual"), &twin);
        let pushed = step.pair.state.struts.active();
        step.pair.state.residual.fill(DVec3::ZERO);
        step.twin(|collisions, _, _, state| collisions.attach(state));
        assert_ne!(step.pair.state.struts.active(), pushed);
        differ("struts that change their states", &step.pair.vectors("residual"), &step.pair.state.residual);
    }
}

/// Moves both sides to the end of an explicit step, with random motion.
fn move_on(step: &mut Step, seed: u64, size: f64) {
    let start = step.pair.topology.positions.clone();
    let ways = random(step, seed, size);
    let end: Vec<DVec3> = start.iter().zip(&ways).map(|(x, way)| *x + *way).collect();
    let velocities = random(step, seed + 1, 0.2);
    let masses = step.pair.topology.masses.clone();
    write(step, "positions", &end, |_| 0.0);
    write(step, "velocities", &velocities, |row| masses[row]);
    let previous: Vec<layout::Previous> = (0..start.len())
        .map(|row| layout::Previous {
            position: upload::vec4(start[row], 0.0),
            velocity: upload::vec4(DVec3::ZERO, masses[row] as f32),
        })
        .chain(std::iter::repeat_n(layout::Previous::default(), start.len()))
        .collect();
    step.pair.engine.device.buffers.write(step.pair.engine.gpu(), "previous", 0, &previous).unwrap();
    let state = &mut step.pair.state;
    state.previous_positions = start;
    state.previous_velocities.fill(DVec3::ZERO);
    state.positions = end;
    state.velocities = velocities;
    state.p.fill(DVec3::ZERO);
}

/// Velocities that an explicit method keeps for its next step.
fn kept(step: &Step) -> Vec<DVec3> {
    let previous = step.pair.read::<layout::Previous>("previous");
    previous[previous.len() / 2..].iter().map(|kept| xyz(&kept.velocity)).collect()
}

fn ways(step: &Step, positions: &[DVec3]) -> Vec<DVec3> {
    positions.iter().zip(&step.pair.topology.positions).map(|(x, start)| *x - *start).collect()
}

#[test]
fn impulses_after_an_explicit_step() {
    for launch in Launch::ALL {
        let options = Options { integrator: Integrator::LeapFrog, ..Default::default() };
        let mut step = Step::new(launch, options);
        move_on(&mut step, 41, 0.004);
        let before = (step.pair.state.positions.clone(), step.pair.state.velocities.clone());
        step.pair.run(|engine, timeline| {
            stage(engine).encode_impulses(timeline, false);
            stage(engine).encode_active(timeline);
        });
        step.twin(|collisions, constraints, contacts, state| collisions.strike(constraints, contacts, state));
        let active = step.pair.state.struts.active();
        assert!(active > 30 && step.meeting(9) as usize == active, "{active} {}", step.meeting(9));
        let state = &step.pair.state;
        let gpu = ways(&step, &step.pair.vectors("positions"));
        agree_within(GAPS, "ways", &gpu, &ways(&step, &state.positions));
        differ("ways without contact", &gpu, &ways(&step, &before.0));
        agree_within(GAPS, "velocities", &step.pair.vectors("velocities"), &state.velocities);
        agree_within(GAPS, "velocities that are kept", &kept(&step), &state.p);
        let pressed = pressures(&mut step);
        agree_within(5e-3, "forces as pictures show them", &pressed.0, &pressed.1);
        differ("no velocity is kept", &kept(&step), &before.1);
    }
}

#[test]
fn rows_that_are_shortened_again_are_slowed_once_the_step_counts() {
    for launch in Launch::ALL {
        let options = Options { integrator: Integrator::LeapFrog, ..Default::default() };
        let mut step = Step::new(launch, options);
        let mut before = Vec::new();
        // The first step is made twice, as a step that fails later is.
        for (number, counts) in [(0, false), (0, true), (1, true)] {
            move_on(&mut step, 41, 0.01);
            let velocities = step.pair.state.velocities.clone();
            step.set_status(|status| status.step = number);
            step.pair.run(|engine, timeline| stage(engine).encode_guard(timeline, 4));
            let guarded = step.twin(|collisions, constraints, contacts, state| {
                collisions.guard(constraints, contacts, &before, state)
            });
            assert!(guarded.truncated > 20 && step.status().met[2] == guarded.truncated, "{}", guarded.truncated);
            if counts {
                before = guarded.shares.iter().map(|share| *share < 1.0).collect();
            }
            agree_within(GAPS, "velocities", &step.pair.vectors("velocities"), &step.pair.state.velocities);
            let slowed = step.pair.state.velocities != velocities;
            assert_eq!(slowed, number == 1, "step {number}");
            let kept_something = kept(&step).iter().any(|kept| *kept != DVec3::ZERO);
            assert_eq!(kept_something, slowed, "step {number}");
        }
        agree_within(GAPS, "velocities that are kept", &kept(&step), &step.pair.state.p);
        differ("no velocity is kept", &kept(&step), &vec![DVec3::ZERO; step.pair.topology.particle_count()]);
    }
}
