//! A simulation that was stopped and goes on has the same bits as one that never stopped; and whatever is wrong with a checkpoint is said.

use crate::common::{self, backends, gpu, w1_material, wavy_cloth};
use glam::{DVec3, Vec3};
use tenter::{
    Adaptive, Air, Backend, Body, BodyContact, Collider, ContactOf, Dynamic, Error, Handle, Integrator, KeyFrame,
    Material, Mesh, Motion, NewtonOptions, Nonlinear, Options, PinKey, Plasticity, Pose, Scene, Seam, Side, Simulation,
    Vertices,
    internals::{body_id, pin_id},
};

/// Positions and velocities, reactions and what edges remember, bit by bit.
type State = (Vec<DVec3>, Vec<Vec3>, Vec<DVec3>, Vec<[f32; 4]>, f64);

fn state(simulation: &mut Simulation) -> State {
    (
        simulation.positions_f64().unwrap(),
        simulation.velocities().unwrap().to_vec(),
        simulation.reactions().unwrap(),
        simulation.edge_history().unwrap(),
        simulation.time(),
    )
}

/// Which part of two states differs: all of it would fill pages.
fn same(one: &State, other: &State, what: &str) {
    assert!(one.0 == other.0, "{what}: positions");
    assert!(one.1 == other.1, "{what}: velocities");
    let differ = one.2.iter().zip(&other.2).position(|(one, other)| one != other);
    assert!(differ.is_none(), "{what}: reactions of {differ:?}: {:?}", differ.map(|ix| (one.2[ix], other.2[ix])));
    assert!(one.3 == other.3, "{what}: histories");
    assert!(one.4 == other.4, "{what}: time");
}

/// Steps, stops, goes on in another simulation, and compares with one that was never disturbed, and with the one that was only asked.
fn goes_on(name: &str, scene: &Scene, options: &Options, disturb: impl Fn(&mut Simulation)) {
    for (backend_name, backend) in backends() {
        let what = format!("{name}, {} on the {backend_name}", options.integrator.name());
        let new = || Simulation::new(backend.clone(), scene, options.clone()).unwrap();
        let steps = |simulation: &mut Simulation, count: usize| {
            (0..count).for_each(|_| {
                simulation.step().unwrap();
            });
        };
        let mut whole = new();
        disturb(&mut whole);
        steps(&mut whole, 25);
        let state_of_whole = state(&mut whole);
        // Reading the state may have repeated the last step in shorter ones.
        let (whole, count) = (state_of_whole, whole.steps());

        let mut first = new();
        disturb(&mut first);
        steps(&mut first, 13);
        let checkpoint = first.checkpoint().unwrap();
        assert!(checkpoint == first.checkpoint().unwrap(), "{what}");
        let at_checkpoint = state(&mut first);
        steps(&mut first, 12);
        same(&state(&mut first), &whole, &format!("{what}: asked"));

        let mut second = new();
        // From wherever it is.
        steps(&mut second, 3);
        second.restore(&checkpoint).unwrap();
        same(&state(&mut second), &at_checkpoint, &format!("{what}: restored"));
        steps(&mut second, 12);
        same(&state(&mut second), &whole, &format!("{what}: went on"));
        assert_eq!(second.steps(), count);
    }
}

fn nothing(_: &mut Simulation) {}

#[test]
fn every_integrator_goes_on() {
    for integrator in Integrator::ALL {
        let time_step = if integrator.is_explicit() { 1e-3 } else { 0.01 };
        goes_on("hanging", &wavy_cloth(9), &Options { integrator, time_step, ..Default::default() }, nothing);
    }
}

#[test]
fn newton_and_adaptive_steps_go_on() {
    let newton = Options { nonlinear: Nonlinear::Newton(NewtonOptions::default()), ..Default::default() };
    goes_on("newton", &wavy_cloth(9), &newton, nothing);
    for integrator in [Integrator::Bdf2, Integrator::ImplicitEuler, Integrator::VelocityVerlet] {
        let adaptive = Some(Adaptive { tolerance: 1e-3, ..Default::default() });
        let time_step = if integrator.is_explicit() { 1e-4 } else { 0.01 };
        goes_on(
            "adaptive",
            &wavy_cloth(9),
            &Options { integrator, adaptive, time_step, ..Default::default() },
            nothing,
        );
    }
}

#[test]
fn what_remembers_swings_and_is_led_goes_on() {
    let mut scene = wavy_cloth(9);
    let spring = &mut scene.bodies[0].material.structural;
    *spring = spring.plastic(Plasticity { yield_strain: 1e-4, maximum: 0.3, creep: 30.0 });
    scene.air = Some(Air { wind: Vec3::new(0.3, 0.0, 0.5), steady: 0.4, angular_velocity: 20.0, ..Default::default() });
    let key = |time, y| PinKey { time, offset: Vec3::new(0.0, y, 0.0) };
    scene.lead_pin(pin_id(0), [key(0.05, 0.0), key(0.2, 0.1)]).unwrap();
    // Before the checkpoint, and after it.
    for (vertex, until) in [(80, 0.06), (72, 0.2)] {
        let pin = scene.pin(tenter::internals::body_id(0), Vertices::list([vertex]));
        scene.release_pin_at(pin, until).unwrap();
    }
    let grab = |simulation: &mut Simulation| {
        simulation.grab(40, Handle::default(), Vec3::new(0.0, 0.3, 0.1)).unwrap();
        simulation.push(31, Vec3::new(0.0, 0.01, 0.0)).unwrap();
        simulation.set_gravity(Vec3::new(0.0, -5.0, 1.0)).unwrap();
        simulation.set_wind(Vec3::new(0.5, 0.0, 0.2)).unwrap();
    };
    for integrator in [Integrator::ImplicitEuler, Integrator::Bdf2, Integrator::Sbdf2] {
        goes_on("led", &scene, &Options { integrator, ..Default::default() }, grab);
    }
}

#[test]
fn contacts_and_rigid_bodies_go_on() {
    let mut scene = Scene::new();
    let mesh = Mesh::grid(0.6, 0.6, 13, 13).translated(Vec3::new(0.0, 0.03, 0.0));
    let cloth = scene.add(Body::cloth(mesh, w1_material()).moving(Vec3::new(0.0, -1.0, 0.0)));
    scene.add_collider(Collider::sphere([0.0, -0.2, 0.0], 0.2));
    scene.add_collider(Collider {
        motion: Motion::Dynamic(Dynamic {
            pose: Pose { position: Vec3::new(0.1, 0.2, 0.02), ..Default::default() },
            mass: 0.2,
            velocity: Vec3::new(0.0, -1.5, 0.0),
            angular_velocity: Vec3::new(0.0, 3.0, 1.0),
        }),
        ..Collider::sphere([0.0; 3], 0.06)
    });
    let pose = |time, x| KeyFrame { time, pose: Pose { position: Vec3::new(x, 0.0, -0.35), ..Default::default() } };
    let moving = scene.add_collider(Collider {
        motion: Motion::KeyFrames(vec![pose(0.0, 0.0), pose(0.2, 0.1)]),
        ..Collider::sphere([0.0; 3], 0.05)
    });
    scene.attach(cloth, Vertices::list([0]), moving);
    scene.attach(cloth, Vertices::list([168]), tenter::internals::collider_id(1));
    for integrator in [Integrator::ImplicitEuler, Integrator::Bdf2, Integrator::Sbdf2] {
        goes_on("contacts", &scene, &Options { integrator, ..Default::default() }, nothing);
    }
    // Without what needs to be solved for.
    scene.colliders.remove(1);
    scene.pins.clear();
    for integrator in [Integrator::VelocityVerlet, Integrator::ImplicitMidpoint] {
        let time_step = if integrator.is_explicit() { 2e-3 } else { 0.01 };
        goes_on("contacts", &scene, &Options { integrator, time_step, ..Default::default() }, nothing);
    }
}

#[test]
fn seams_go_on() {
    let mut scene = Scene::new();
    let panel =
        |z: f32| Body::cloth(Mesh::grid(0.3, 0.3, 7, 7).translated(Vec3::new(0.0, 0.0, z)), Material::cotton_springs());
    let (one, other) = (scene.add(panel(0.0)), scene.add(panel(0.31)));
    scene.pin(one, Vertices::Side(Side::Left));
    let side = |first: u32| (0..7).map(|ix| first + ix).collect::<Vec<u32>>();
    scene.sew(Seam { stiffness: 60.0, weightless: true, ..Seam::new((one, side(42)), (other, side(0))) });
    scene.tie((one, Vertices::list([3])), (one, Vertices::list([4])));
    for integrator in [Integrator::ImplicitEuler, Integrator::Bdf2, Integrator::VelocityVerlet] {
        let time_step = if integrator.is_explicit() { 1e-4 } else { 0.01 };
        let options = Options { integrator, time_step, ..Default::default() };
        goes_on("seams", &scene, &options, nothing);
        let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
        common::run(&mut simulation, 13);
        let open = simulation.open_seams();
        let checkpoint = simulation.checkpoint().unwrap();
        simulation.reset().unwrap();
        simulation.restore(&checkpoint).unwrap();
        assert_eq!(simulation.open_seams(), open);
    }
}

#[test]
fn another_scene_or_other_options_are_refused() {
    let gpu = gpu();
    let made = |backend: Backend, scene: &Scene, options: Options| Simulation::new(backend, scene, options).unwrap();
    let mut simulation = made((&gpu).into(), &wavy_cloth(9), Options::default());
    simulation.step().unwrap();
    let checkpoint = simulation.checkpoint().unwrap();
    let refused = |mut other: Simulation, words: &str| match other.restore(&checkpoint) {
        Err(Error::Usage(message)) => assert!(message.contains(words), "{message}"),
        other => panic!("{other:?}"),
    };
    refused(made((&gpu).into(), &wavy_cloth(8), Options::default()), "81 particles, this one 64");
    refused(made(Backend::Cpu, &wavy_cloth(9), Options::default()), "made on the GPU");
    let options = Options { integrator: Integrator::Bdf2, ..Default::default() };
    refused(made((&gpu).into(), &wavy_cloth(9), options), "integrator");
    let mut scene = wavy_cloth(9);
    scene.bodies[0].material.mass = tenter::Mass::Total(0.2);
    refused(made((&gpu).into(), &scene, Options::default()), "masses");
    scene = wavy_cloth(9);
    scene.add_collider(Collider::sphere([0.0, -1.0, 0.0], 0.1));
    refused(made((&gpu).into(), &scene, Options::default()), "colliders");
    // What is only told besides makes no difference.
    let mut measured = made((&gpu).into(), &wavy_cloth(9), Options { measure: true, ..Default::default() });
    measured.restore(&checkpoint).unwrap();
}

#[test]
fn another_contact_between_bodies_is_another_scene() {
    let with = |contact: Option<BodyContact>| {
        let mut scene = wavy_cloth(5);
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 5, 5).translated(Vec3::Y), w1_material()));
        Simulation::new(Backend::Cpu, &Scene { contact, ..scene }, Options::default()).unwrap()
    };
    let usual = BodyContact { thickness: Some(0.01), ..Default::default() };
    let mut simulation = with(Some(usual.clone()));
    simulation.step().unwrap();
    let checkpoint = simulation.checkpoint().unwrap();
    with(Some(usual.clone())).restore(&checkpoint).unwrap();
    let [a, b] = [0, 1].map(body_id);
    let of_a = |own| BodyContact { bodies: vec![own], ..usual.clone() };
    let others = [
        ("none", None),
        ("thickness", Some(BodyContact { thickness: Some(0.02), ..usual.clone() })),
        ("friction", Some(BodyContact { friction: 0.31, ..usual.clone() })),
        ("ignored", Some(BodyContact { ignored: vec![[a, b]], ..usual.clone() })),
        ("a body's thickness", Some(of_a(ContactOf { thickness: Some(0.02), ..ContactOf::new(a) }))),
        ("a body's friction", Some(of_a(ContactOf { friction: Some(0.0), ..ContactOf::new(a) }))),
        ("a body without", Some(of_a(ContactOf { meets: false, ..ContactOf::new(a) }))),
    ];
    for (what, contact) in others {
        match with(contact).restore(&checkpoint) {
            Err(Error::Usage(message)) => assert!(message.contains("contact between bodies differs"), "{message}"),
            other => panic!("{what}: {other:?}"),
        }
    }
    // The same numbers, said another way; and what is no number of a step.
    let same =
        BodyContact { refuse_intersections: true, ..of_a(ContactOf { thickness: Some(0.01), ..ContactOf::new(a) }) };
    with(Some(same)).restore(&checkpoint).unwrap();
}

#[test]
fn checkpoints_of_other_versions_are_refused_by_version() {
    let mut simulation = Simulation::new(Backend::Cpu, &wavy_cloth(5), Options::default()).unwrap();
    simulation.step().unwrap();
    let checkpoint = simulation.checkpoint().unwrap();
    let here = simulation.positions_f64().unwrap();
    let own = u32::from_le_bytes(checkpoint[8..12].try_into().unwrap());
    for version in [0, own - 1, own + 1, u32::MAX] {
        let mut bytes = checkpoint.clone();
        bytes[8..12].copy_from_slice(&version.to_le_bytes());
        let error = simulation.restore(&bytes).unwrap_err();
        let Error::CheckpointVersion { found, expected } = error else { panic!("{error:?}") };
        assert_eq!((found, expected), (version, own));
        let text = error.to_string();
        assert!(text.contains(&format!("format {version};")) && text.contains(&format!("format {own} ")), "{text}");
        assert_eq!(simulation.positions_f64().unwrap(), here);
    }
    simulation.restore(&checkpoint).unwrap();
}

#[test]
fn damage_is_said_and_harms_nothing() {
    let mut simulation = Simulation::new(Backend::Cpu, &wavy_cloth(5), Options::default()).unwrap();
    simulation.step().unwrap();
    let checkpoint = simulation.checkpoint().unwrap();
    let here = simulation.positions_f64().unwrap();
    let mut refuse = |bytes: &[u8], words: &str| match simulation.restore(bytes) {
        Err(Error::Usage(message)) => {
            assert!(message.contains(words), "{message}");
            assert_eq!(simulation.positions_f64().unwrap(), here);
        }
        other => panic!("{words}: {other:?}"),
    };
    refuse(b"", "no checkpoint");
    refuse(b"solid teapot", "no checkpoint");
    for length in 8..checkpoint.len().min(200) {
        refuse(&checkpoint[..length], "c");
    }
    refuse(&checkpoint[..checkpoint.len() - 1], "checksum");
    let changed = |place: usize| {
        let mut bytes = checkpoint.clone();
        bytes[place] ^= 0x40;
        bytes
    };
    for place in [12, 16, 40, checkpoint.len() / 2, checkpoint.len() - 1] {
        refuse(&changed(place), "checksum");
    }
    // With a checksum that is right nothing panics either.
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..3000 {
        let mut bytes = checkpoint.clone();
        for _ in 0..random.usize(1..4) {
            let place = random.usize(16..bytes.len());
            bytes[place] = random.u8(..);
        }
        if random.bool() {
            bytes.truncate(random.usize(16..bytes.len()));
        }
        let sum = crc32fast::hash(&bytes[16..]);
        bytes[12..16].copy_from_slice(&sum.to_le_bytes());
        if simulation.restore(&bytes).is_ok() {
            let _ = simulation.step();
        }
    }
    simulation.restore(&checkpoint).unwrap();
    assert_eq!(simulation.positions_f64().unwrap(), here);
}
