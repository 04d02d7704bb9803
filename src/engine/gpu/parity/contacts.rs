//! Contacts and rigid bodies: each of their kernels against its twin, through a whole solve with two contact passes.

use super::*;
use crate::{
    Collider,
    reference::{Corrections, contact},
    topology::{Constraint, Contact, ContactState, Contacts, Rigid, RigidContact, rigid::six},
};

/// Tolerance of f32, relative to the largest value: one for values computed once, one for results of solves to 1e-4 of their start.
fn tolerance(what: &str) -> f64 {
    if what == "anchor" || what.ends_with("first") { 1e-5 } else { 5e-3 }
}

const ITERATIONS: u32 = 120;

/// Contacts of all kinds: sticking, sliding on one to three surfaces, released; on the world and on a body.
fn touches(topology: &Topology) -> Contacts {
    let directions = random_vectors(17, 400);
    let unit = |ix: usize| directions[ix].as_dvec3().normalize_or(DVec3::Y);
    let mut contacts = Contacts::default();
    for ix in 0..40usize {
        let row = 5 + 3 * ix as u32;
        if topology.constraints.iter().any(|constraint| constraint.row == row) {
            continue;
        }
        let count = ix % 3 + 1;
        let mut contact = Contact { surface_velocity: 0.2 * unit(300 + ix), ..Contact::default() };
        for normal in 0..count {
            // Normals differ by some degrees at least, as contact tests find them.
            let axis = [DVec3::X, DVec3::Y, DVec3::Z][(ix + normal) % 3];
            contact.normals[normal] = (axis + 0.4 * unit(3 * ix + normal)).normalize();
            // Every other contact has a large friction coefficient and hardly slides.
            contact.coefficients[normal] = 0.1 * normal as f64 + if ix % 2 == 0 { 20.0 } else { 0.2 };
            contact.holding[normal] = true;
        }
        contact.state = match (ix % 7, count) {
            (6, _) => ContactState::Free,
            (_, 1) => ContactState::Sticks,
            _ => ContactState::Slides,
        };
        contact.led = 1e-3 * unit(200 + ix);
        if ix >= 24 {
            contact.body = Some(0);
            contact.arm = 0.3 * unit(100 + ix);
        }
        let free = match contact.state {
            ContactState::Sticks => DMat3::ZERO,
            ContactState::Free => DMat3::IDENTITY,
            _ => contact.sliding(),
        };
        let target = topology.positions[row as usize] + 0.004 * unit(150 + ix);
        contacts.constraints.push(Constraint { row, target, free, forget: contact.normals[0] });
        contacts.contacts.push(contact);
    }
    let first = contacts.contacts.iter().position(|contact| contact.body.is_some()).unwrap();
    let mut own = [[0.0; 6]; 6];
    (0..6).for_each(|ix| own[ix][ix] = if ix < 3 { 0.4 } else { 0.002 });
    let mut rigid = Rigid::new(own, six(DVec3::new(0.01, -0.04, 0.02), DVec3::new(1e-3, 2e-3, 0.0)), [0.1; 6]);
    rigid.constraints = first..contacts.constraints.len();
    for (ix, state) in [ContactState::Sticks, ContactState::Sticks, ContactState::Slides].into_iter().enumerate() {
        rigid.touch(RigidContact {
            arm: 0.1 * unit(260 + ix),
            normal: unit(270 + ix),
            wanted: 0.1 * unit(280 + ix),
            stiffness: 20.0,
            coefficient: 0.3,
            state,
            friction: DVec3::ZERO,
        });
    }
    contacts.rigids.push(rigid);
    contacts
}

/// The f64 side.
struct Twin {
    constraints: Vec<Constraint>,
    contacts: Vec<Contact>,
    rigids: Vec<Rigid>,
    pins: usize,
}

impl Twin {
    fn new(topology: &Topology, touched: Contacts) -> Self {
        let pins = topology.constraints.len();
        let constraints = topology.constraints.iter().chain(&touched.constraints).copied().collect();
        let contacts = vec![Contact::default(); pins].into_iter().chain(touched.contacts).collect();
        Self { constraints, contacts, rigids: touched.rigids, pins }
    }

    fn go_on(&mut self, pair: &mut Pair) {
        let groups = topology::TieGroups::default();
        let (constraints, contacts) = (&self.constraints[self.pins..], &self.contacts[self.pins..]);
        let mut corrections = Corrections::new(&groups, &mut self.rigids, constraints, contacts, None);
        let Pair { topology, parameters, state, cg, .. } = pair;
        reference::solve::conjugate_gradient(topology, parameters, &mut corrections, state, cg);
    }

    fn begin(&mut self, pair: &mut Pair) {
        let Pair { topology, parameters, state, cg, .. } = pair;
        reference::integrate::begin(topology, &self.constraints, parameters, state);
        reference::assembly::edges(topology, parameters, 0, state);
        contact::keep(&self.constraints, &mut self.contacts, state);
        reference::solve::precondition(topology, &self.constraints, parameters, state, cg);
    }
}

/// Name of a fault, and the change that introduces it.
type Spoil = (&'static str, fn(&mut Contacts));

/// Results of both sides after each part: name, GPU, f64.
type Answers = Vec<(&'static str, Vec<DVec3>, Vec<DVec3>)>;

/// A solve with contact passes on both sides; `spoil` changes the contacts of the twin.
fn solve(launch: Launch, spoil: impl Fn(&mut Contacts)) -> Answers {
    let mut scene = irregular(5, 13, 11);
    scene.add_collider(Collider::sphere([0.0, -9.0, 0.0], 0.5).dynamic(0.4));
    let solver = SolverOptions { tolerance: 1e-4, max_iterations: ITERATIONS, ..many() };
    let mut pair = pair_of(&scene, launch, 5, Options { solver, ..Options::default() }, |_| {});
    let mut touched = touches(&pair.topology);
    pair.engine.set_contacts(&touched).unwrap();
    spoil(&mut touched);
    let mut twin = Twin::new(&pair.topology.clone(), touched);

    let mut answers = Answers::new();
    pair.run(|engine, timeline| {
        engine.stages.integrate.encode_start(timeline, 0);
        engine.stages.assembly.encode(timeline, false);
        engine.touching().unwrap().encode_keep(timeline);
        engine.stages.solve.encode(timeline, 0, false);
    });
    twin.begin(&mut pair);
    // Corrections run at the start of the iterations.
    pair.parameters.max_iterations = 0;
    twin.go_on(&mut pair);
    pair.parameters.max_iterations = ITERATIONS;
    answers.push(("u at first", pair.vectors("u"), pair.state.u.clone()));
    answers.push(("residual at first", pair.vectors("residual"), pair.state.residual.clone()));

    pair.run(|engine, timeline| engine.stages.solve.encode_loop(timeline, ITERATIONS));
    twin.go_on(&mut pair);
    answers.push(("solution", pair.solution(), pair.state.solution.clone()));
    answers.push(("body", body(&pair), halves(&twin.rigids[0].change())));
    for (states, frictions, solution, bodies) in
        [("states", "friction", "solution again", "body again"), ("states 2", "friction 2", "solution 2", "body 2")]
    {
        pair.run(|engine, timeline| engine.touching().unwrap().encode_respond(timeline, 0, 2, None));
        {
            let Pair { topology, parameters, state, cg, .. } = &mut pair;
            contact::respond(false, &mut twin.constraints, &mut twin.contacts, parameters, state, cg);
            let groups = topology::TieGroups::default();
            contact::engage(topology, &twin.constraints, &mut twin.contacts, &groups, state);
        }
        let gpu = pair.read::<layout::Contact>("contacts");
        let gpu = &gpu[twin.pins..twin.contacts.len()];
        let ours = &twin.contacts[twin.pins..];
        let state = |state: u32, holding: u32| DVec3::new(f64::from(state), f64::from(holding), 1.0);
        let bits = |contact: &Contact| (0..3).map(|ix| u32::from(contact.holding[ix]) << ix).sum();
        let states_gpu = gpu.iter().map(|contact| state(contact.state, contact.holding)).collect();
        answers.push((states, states_gpu, ours.iter().map(|c| state(c.state as u32, bits(c))).collect()));
        let frictions_gpu = gpu.iter().map(|contact| xyz(&contact.friction)).collect();
        answers.push((frictions, frictions_gpu, ours.iter().map(|contact| contact.friction).collect()));
        pair.run(|engine, timeline| engine.stages.solve.encode_resumed(timeline, ITERATIONS));
        twin.go_on(&mut pair);
        answers.push((solution, pair.solution(), pair.state.solution.clone()));
        answers.push((bodies, body(&pair), halves(&twin.rigids[0].change())));
    }
    pair.run(|engine, timeline| engine.touching().unwrap().encode_settle(timeline));
    let impulses = {
        let Pair { topology, state, cg, .. } = &mut pair;
        let groups = topology::TieGroups::default();
        contact::settle(&twin.constraints, &mut twin.contacts, &topology.masses, &groups, state, cg)
    };
    answers.push(("impulses", pair.vectors("impulses")[..impulses.len()].to_vec(), impulses));
    let anchor: Vec<DVec3> = pair.read::<layout::Previous>("anchor").iter().map(|row| xyz(&row.position)).collect();
    answers.push(("anchor", anchor, pair.state.anchor_positions.clone()));
    answers
}

fn body(pair: &Pair) -> Vec<DVec3> {
    let body = pair.read::<layout::Rigid>("rigids")[0];
    halves(&std::array::from_fn(|ix| f64::from(body.total[ix]) + f64::from(body.x[ix])))
}

fn halves(v: &[f64; 6]) -> Vec<DVec3> {
    vec![DVec3::new(v[0], v[1], v[2]), DVec3::new(v[3], v[4], v[5])]
}

#[test]
fn contacts_and_a_rigid_body_through_a_solve() {
    for launch in [Launch::Hardware, Launch::Software] {
        let answers = solve(launch, |_| {});
        for (what, gpu, twin) in &answers {
            agree_within(tolerance(what), what, gpu, twin);
        }
        // Every state of a contact occurs.
        let states: Vec<f64> =
            answers.iter().find(|(what, ..)| *what == "states 2").unwrap().2.iter().map(|v| v.x).collect();
        assert!([1.0, 2.0, 3.0].iter().all(|state| states.contains(state)), "{states:?}");
    }
}

#[test]
fn contacts_made_wrong_are_noticed() {
    let off = |(what, gpu, twin): &(&'static str, Vec<DVec3>, Vec<DVec3>)| error(gpu, twin) > 3.0 * tolerance(what);
    let spoilt: [Spoil; 5] = [
        ("normal", |touched| touched.contacts[0].normals[0] = -touched.contacts[0].normals[0]),
        ("friction", |touched| touched.contacts.iter_mut().for_each(|contact| contact.coefficients[0] += 0.05)),
        ("arm", |touched| touched.contacts.iter_mut().for_each(|contact| contact.arm *= 1.2)),
        ("mass", |touched| touched.rigids[0].own[0][0] += 10.0),
        ("led", |touched| touched.contacts.iter_mut().for_each(|contact| contact.led = DVec3::ZERO)),
    ];
    for (what, spoil) in spoilt {
        assert!(solve(Launch::Software, spoil).iter().any(off), "{what}");
    }
}
