//! What the edge models do to a body: published curves, permanent set, creep and relaxation, memory that survives a restart.

use crate::common::{self, backends, gpu};
use glam::{DMat3, DVec3, Vec3};
use tenter::{
    Backend, Body, Budget, Cubic, Error, KelvinVoigt, Mass, Material, Mesh, Options, Plasticity, Scene, Simulation,
    SolverOptions, Spring, SpringLaw, Vertices,
    internals::{
        forces::{cubic::CubicParameters, law::edge_law},
        pin_id,
        reference::{Parameters, State, assembly},
        topology::{Edge, EdgeMaterial, Topology},
    },
};

fn tight() -> SolverOptions {
    SolverOptions { tolerance: 1e-6, max_iterations: 500, budget: Budget::Full, ..Default::default() }
}

/// A straight chain along x, its first vertex held.
fn chain(length: f32, count: u32, mass: f32, spring: Spring) -> Scene {
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    let mesh = Mesh::chain(Vec3::ZERO, Vec3::X * length, count);
    let body = scene.add(Body::chain(mesh, Material::springs(Mass::Total(mass), spring)));
    scene.pin(body, Vertices::list([0u32]));
    scene
}

/// The material and edge that the scene's first spring becomes.
fn compiled(law: SpringLaw, rest_length: f32) -> (EdgeMaterial, Edge) {
    let topology = Topology::build(&chain(rest_length, 2, 1.0, law.into()), &Options::default()).unwrap();
    (topology.materials[0], topology.edges[0])
}

/// g and g' of a law at l/L, for L = 1.
fn curve(law: SpringLaw) -> impl Fn(f64) -> (f64, f64) {
    let (material, edge) = compiled(law, 1.0);
    move |ratio| {
        let law = edge_law(&material, &edge, &[0.0; 4], ratio, 0.01);
        (law.tension, law.slope)
    }
}

#[test]
fn v1_curves_of_spring_stvk_and_cubic() {
    // Vogiannou, figures 1 and 2: L = K = 1, a₁ = 1.1, a₂ = 0.9, K₂ = 2K, K₁ = 2, 4, 6 K.
    let spring = curve(SpringLaw::Linear { stiffness: 1.0 });
    let stvk = curve(SpringLaw::Stvk { stiffness: 1.0 });
    for ratio in [0.7, 0.9, 1.0, 1.1, 1.5] {
        let (tension, slope) = stvk(ratio);
        assert!((tension - 0.5 * (ratio.powi(3) - ratio)).abs() < 1e-12, "(1) at {ratio}");
        assert!((slope - 0.5 * (3.0 * ratio * ratio - 1.0)).abs() < 1e-12);
    }
    assert!(stvk(1.1).1 > 1.3 && stvk(0.9).1 < 0.72, "StVK stiffens when drawn and softens when pressed");
    assert!(stvk(0.5).1 < 0.0, "and gives way");
    let mut before: Option<f64> = None;
    for k_1 in [2.0, 4.0, 6.0] {
        let parameters = Cubic { stretched: k_1, compressed: 2.0, jacobian_damping: 1.0, ..Cubic::new(1.0) };
        let cubic = curve(SpringLaw::Cubic(parameters));
        let (a_1, a_2) = (f64::from(1.1f32), f64::from(0.9f32));
        for (ratio, slope) in [(1.0, 1.0), (a_1, f64::from(k_1)), (a_2, 2.0)] {
            assert!((cubic(ratio).1 - slope).abs() < 1e-9, "g'({ratio}) = {}", cubic(ratio).1);
        }
        assert_eq!(cubic(1.0).0, 0.0);
        for ratio in [0.6, 0.8, 1.2, 1.4] {
            let (force, linear) = (cubic(ratio).0, spring(ratio).0);
            assert!(force / linear > 1.5, "stiffer than the spring both ways: {ratio}: {force} {linear}");
        }
        for ratio in [0.9, 0.95, 0.99, 1.01, 1.05, 1.1] {
            assert!(cubic(ratio).1 > 0.65, "never much softer than at rest: {ratio}: {}", cubic(ratio).1);
        }
        let stretched = cubic(1.2).0;
        assert!(before.is_none_or(|before| stretched > before), "more with K₁");
        before = Some(stretched);
    }
}

#[test]
fn coefficients_and_constraints_give_the_same_cubic_at_any_rest_length() {
    for rest_length in [0.02f32, 1.0, 3.0] {
        let parameters = Cubic { jacobian_damping: 0.9, ..Cubic::new(1000.0) };
        let (by_constraints, edge) = compiled(SpringLaw::Cubic(parameters), rest_length);
        // Vogiannou (8) for this L, by hand: the polynomial in l itself.
        let CubicParameters { c1: c_1, c2: c_2, c3: c_3, .. } = CubicParameters::unpack(&by_constraints.law_parameters);
        let l = f64::from(rest_length);
        let (a, b) = (c_3 / (l * l), (c_2 - 3.0 * c_3) / l);
        let (c, d) = (c_1 - 2.0 * c_2 + 3.0 * c_3, (c_2 - c_1 - c_3) * l);
        let [a, b, c, d] = [a, b, c, d].map(|value| value as f32);
        let law = SpringLaw::CubicCoefficients { a, b, c, d, jacobian_damping: 0.9 };
        let (by_coefficients, _) = compiled(law, rest_length);
        for ratio in [0.7, 0.9, 1.0, 1.1, 1.5] {
            let at = |material| edge_law(material, &edge, &[0.0; 4], ratio * l, 0.01);
            let (one, other) = (at(&by_constraints), at(&by_coefficients));
            let size = 1000.0 * l;
            assert!((one.tension - other.tension).abs() < 1e-4 * size, "{rest_length} {ratio}: {one:?} {other:?}");
            assert!((one.jacobian_tension - other.jacobian_tension).abs() < 1e-4 * size);
            assert!((one.slope - other.slope).abs() < 1e-4 * one.slope);
            assert!(ratio == 1.0 || (one.tension - one.jacobian_tension).abs() > 1e-3 * size, "η does something");
        }
    }
}

/// Where the end of a chain of 1 m comes to rest after being drawn along x by its weight for a second.
fn drawn_and_released(backend: Backend, spring: Spring) -> (f64, f64) {
    let scene = chain(1.0, 11, 1.1, spring);
    let options = Options { time_step: 0.01, solver: tight(), ..Default::default() };
    let mut simulation = Simulation::new(backend, &scene, options).unwrap();
    let end = |simulation: &mut Simulation| simulation.positions_f64().unwrap()[10].x;
    simulation.set_gravity(Vec3::X * 40.0).unwrap();
    (0..100).for_each(|_| _ = simulation.step().unwrap());
    let drawn = end(&mut simulation);
    simulation.set_gravity(Vec3::ZERO).unwrap();
    (0..600).for_each(|_| _ = simulation.step().unwrap());
    simulation.finish().unwrap();
    (drawn, end(&mut simulation))
}

#[test]
fn a_bar_pulled_beyond_yield_stays_longer_and_its_elastic_twin_recovers() {
    // Slower than it swings, or it would flow back on the rebound.
    let elastic = Spring::new(2000.0).damped(200.0).dragged(5.0);
    let plasticity = Plasticity { yield_strain: 0.005, maximum: 0.1, creep: 20.0 };
    let mut sets = Vec::new();
    for (name, backend) in backends() {
        let (drawn, rest) = drawn_and_released(backend.clone(), elastic);
        assert!(drawn > 1.08 && (rest - 1.0).abs() < 1e-4, "{name}: {drawn} {rest}");
        let (drawn, rest) = drawn_and_released(backend.clone(), elastic.plastic(plasticity));
        println!("{name}: drawn to {drawn:.4} m, left at {rest:.4} m");
        assert!(rest > 1.05 && rest <= 1.1001, "{name}: {drawn} {rest}");
        assert!(rest < drawn - 0.005, "{name}: the elastic part comes back: {drawn} {rest}");
        sets.push(rest);
        // Below yield nothing stays, and never more than the most.
        let stiff = Plasticity { yield_strain: 0.5, ..plasticity };
        let (_, rest) = drawn_and_released(backend.clone(), elastic.plastic(stiff));
        assert!((rest - 1.0).abs() < 1e-4, "{name}: {rest}");
        let little = Plasticity { maximum: 0.02, ..plasticity };
        let (_, rest) = drawn_and_released(backend, elastic.plastic(little));
        assert!((rest - 1.02).abs() < 5e-3 && rest < 1.0201, "{name}: {rest}");
    }
    assert!((sets[0] - sets[1]).abs() < 1e-3, "{sets:?}");
}

#[test]
fn every_law_can_be_plastic() {
    let plasticity = Plasticity { yield_strain: 0.005, maximum: 0.1, creep: 20.0 };
    for law in [
        SpringLaw::Stvk { stiffness: 2000.0 },
        SpringLaw::Cubic(Cubic { stretched: 4000.0, ..Cubic::new(2000.0) }),
        SpringLaw::TensionOnly { stiffness: 2000.0 },
        SpringLaw::Distance { stiffness: 20.0 },
    ] {
        let damping = if matches!(law, SpringLaw::Distance { .. }) { 2.0 } else { 200.0 };
        let spring = Spring::from(law).damped(damping).plastic(plasticity);
        let (drawn, rest) = drawn_and_released(Backend::Cpu, spring);
        assert!(rest > 1.02 && rest < drawn, "{law:?}: {drawn} {rest}");
    }
}

/// Two particles held 1 m apart, k₀ = 100 N/m, drawn to 1.5 m in the first step: the force over time.
fn relaxation(backend: Backend, elements: &[KelvinVoigt], time_step: f64, steps: usize) -> Vec<f64> {
    let mut scene = chain(1.0, 2, 1.0, Spring::new(100.0).viscoelastic(elements));
    scene.pin(tenter::internals::body_id(0), Vertices::list([1u32]));
    let options = Options { time_step, solver: tight(), ..Default::default() };
    let mut simulation = Simulation::new(backend, &scene, options).unwrap();
    simulation.move_pin(pin_id(1), Vec3::X * 1.5).unwrap();
    simulation.step().unwrap();
    (0..steps)
        .map(|_| {
            simulation.step().unwrap();
            -simulation.reactions().unwrap()[0].x
        })
        .collect()
}

#[test]
fn a_drawn_series_relaxes_as_the_analytic_one() {
    // σ(t) = k₀ e (k₁ + k₀ exp(-(k₀ + k₁) t / d₁)) / (k₀ + k₁)
    let (k_0, k_1, d_1) = (100.0, 50.0, 30.0);
    let exact = |t: f64| k_0 * 0.5 * (k_1 + k_0 * (-(k_0 + k_1) * t / d_1).exp()) / (k_0 + k_1);
    let element = KelvinVoigt { stiffness: 50.0, damping: 30.0 };
    for (name, backend) in backends() {
        let error = |time_step: f64| {
            let forces = relaxation(backend.clone(), &[element], time_step, (0.4 / time_step) as usize);
            // The step in which it is drawn counts as time: implicit Euler draws it at its start.
            let at = |(ix, force): (usize, &f64)| (force - exact(time_step * (ix + 1) as f64)).abs();
            forces.iter().enumerate().map(at).fold(0.0, f64::max) / exact(0.0)
        };
        let errors = [error(0.02), error(0.01), error(0.005)];
        println!("{name}: {errors:.4?}");
        assert!(errors[2] < 0.02, "{name}: {errors:?}");
        // Implicit Euler: order one.
        assert!(errors[0] / errors[1] > 1.6 && errors[1] / errors[2] > 1.7, "{name}: {errors:?}");
        // The control: a spring without elements does not relax.
        let stiff = KelvinVoigt { stiffness: 1e9, damping: 0.0 };
        let forces = relaxation(backend, &[stiff], 0.01, 40);
        assert!((forces[39] / 50.0 - 1.0).abs() < 1e-4, "{name}: {}", forces[39]);
    }
}

#[test]
fn a_loaded_series_creeps_as_the_analytic_one() {
    // ε(t) = σ (1/k₀ + Σ (1 - exp(-t/τ_j))/k_j): 1 kg on 1 m, quick to settle against τ = 0.2, 1 and 3 s.
    let elements = [(500.0, 100.0), (800.0, 800.0), (1000.0, 3000.0)];
    let series = elements.map(|(stiffness, damping)| KelvinVoigt { stiffness, damping });
    for (name, backend) in backends() {
        let scene = chain(1.0, 2, 2.0, Spring::new(10_000.0).viscoelastic(&series));
        let options = Options { time_step: 0.01, solver: tight(), ..Default::default() };
        let mut simulation = Simulation::new(backend, &scene, options).unwrap();
        simulation.set_gravity(Vec3::X * 10.0).unwrap();
        let mut last = 0.0;
        for second in 1..=4 {
            (0..100).for_each(|_| _ = simulation.step().unwrap());
            let t = f64::from(second);
            let creep = |(k, d): (f32, f32)| (1.0 - (-t * f64::from(k / d)).exp()) / f64::from(k);
            let exact = 10.0 * (1e-4 + elements.iter().map(|&element| creep(element)).sum::<f64>());
            let strain = simulation.positions_f64().unwrap()[1].x - 1.0;
            println!("{name}: {t} s: {strain:.5} against {exact:.5}");
            assert!((strain / exact - 1.0).abs() < 0.005, "{name}: {t} s: {strain} against {exact}");
            assert!(strain > last);
            last = strain;
        }
    }
}

/// A cloth that bends, flows and creeps.
fn remembering_cloth() -> Scene {
    let mut scene = common::wavy_cloth(12);
    let plasticity = Plasticity { yield_strain: 0.001, maximum: 0.5, creep: 10.0 };
    let elements = [KelvinVoigt { stiffness: 5.0, damping: 0.2 }, KelvinVoigt { stiffness: 3.0, damping: 1.0 }];
    let material = &mut scene.bodies[0].material;
    material.structural = Spring::from(SpringLaw::Cubic(Cubic::new(100.0))).damped(0.05).plastic(plasticity);
    material.shear = Spring::from(SpringLaw::TensionOnly { stiffness: 50.0 }).dragged(0.01);
    material.crossover = Spring::new(5.0).viscoelastic(&elements);
    scene
}

#[test]
fn a_restored_state_goes_on_as_if_nothing_had_happened() {
    let scene = remembering_cloth();
    let options = Options {
        solver: SolverOptions { budget: Budget::Full, warm_start: false, ..Default::default() },
        ..Default::default()
    };
    // A warm start would follow the velocity change of the last step, which positions and velocities do not tell.
    for (name, backend) in backends() {
        let start = || Simulation::new(backend.clone(), &scene, options.clone()).unwrap();
        let run = |simulation: &mut Simulation| (0..15).for_each(|_| _ = simulation.step().unwrap());
        let mut whole = start();
        run(&mut whole);
        let (positions, velocities) = (whole.positions().unwrap().to_vec(), whole.velocities().unwrap().to_vec());
        let history = whole.edge_history().unwrap();
        assert_eq!(history.len(), whole.topology().edges.len());
        assert!(history.iter().filter(|edge| edge[0] != 0.0).count() > 100, "{name}: little to remember");
        run(&mut whole);
        let expected = whole.positions().unwrap().to_vec();

        let restored = |history: Option<&[[f32; 4]]>| {
            let mut simulation = start();
            simulation.set_positions(&positions).unwrap();
            simulation.set_velocities(&velocities).unwrap();
            if let Some(history) = history {
                simulation.set_edge_history(history).unwrap();
                assert_eq!(simulation.edge_history().unwrap(), history);
            }
            run(&mut simulation);
            simulation.positions().unwrap().to_vec()
        };
        let distance = |found: &[Vec3]| found.iter().zip(&expected).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        let found = restored(Some(&history));
        if name == "gpu" {
            assert!(found == expected, "not the same bits");
        } else {
            // f64 inside, f32 in the interface.
            assert!(distance(&found) < 1e-5, "{}", distance(&found));
        }
        let forgetful = distance(&restored(None));
        assert!(forgetful > 1e-4, "{name}: the control: without it {forgetful}");

        whole.reset().unwrap();
        assert!(whole.edge_history().unwrap().iter().all(|edge| *edge == [0.0; 4]), "{name}");
    }
}

#[test]
fn a_failed_step_changes_no_history() {
    // On the GPU; lengths that the CPU cannot square are tested beside its engine.
    let mut simulation = Simulation::new(&gpu(), &remembering_cloth(), Options::default()).unwrap();
    (0..5).for_each(|_| _ = simulation.step().unwrap());
    let history = simulation.edge_history().unwrap();
    let positions = simulation.positions().unwrap().to_vec();
    simulation.set_gravity(Vec3::splat(-3e38)).unwrap();
    // Two more are on their way by the time the failure is known.
    let failed = (0..5).find_map(|_| simulation.step().err());
    assert!(matches!(failed, Some(Error::NonFinite { step: 5, .. })), "{failed:?}");
    assert_eq!(simulation.edge_history().unwrap(), history);
    assert_eq!(simulation.positions().unwrap(), positions);
    simulation.set_gravity(tenter::STANDARD_GRAVITY).unwrap();
    simulation.step().unwrap();
    assert_ne!(simulation.edge_history().unwrap(), history);
}

#[test]
fn misused_histories_are_errors() {
    let mut simulation = Simulation::new(Backend::Cpu, &remembering_cloth(), Options::default()).unwrap();
    let count = simulation.topology().edges.len();
    assert!(matches!(simulation.set_edge_history(&[[0.0; 4]]), Err(Error::Usage(_))));
    assert!(matches!(simulation.set_edge_history(&vec![[f32::NAN; 4]; count]), Err(Error::Usage(_))));
    // Without memory there is nothing but zeros.
    for (_, backend) in backends() {
        let mut plain = Simulation::new(backend, &common::wavy_cloth(5), Options::default()).unwrap();
        plain.step().unwrap();
        assert!(plain.edge_history().unwrap().iter().all(|edge| *edge == [0.0; 4]));
    }
}

#[test]
fn drag_brakes_rotation_and_damping_does_not() {
    let spin = |spring: Spring| {
        let mut scene = Scene::new();
        scene.gravity = Vec3::ZERO;
        let mesh = Mesh::chain(-Vec3::X, Vec3::X, 2);
        scene.add(Body::chain(mesh, Material::springs(Mass::Total(2.0), spring)));
        // Slow and finely resolved: implicit Euler brakes rotation by itself.
        let options = Options { time_step: 0.001, solver: tight(), ..Default::default() };
        let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
        simulation.set_velocities(&[Vec3::Y * -0.1, Vec3::Y * 0.1]).unwrap();
        (0..1000).for_each(|_| _ = simulation.step().unwrap());
        simulation.velocities().unwrap()[1].length() / 0.1
    };
    // m v' = -2 c v: after a second exp(-2 c/m).
    let damped = spin(Spring::new(100.0).damped(0.3));
    let dragged = spin(Spring::new(100.0).dragged(0.3));
    assert!(damped > 0.97, "{damped}");
    assert!((dragged / (-0.6f32).exp() - 1.0).abs() < 0.03, "{dragged}");
}

#[test]
fn tension_only_folds_and_buckling_pushes_back_gently() {
    // Two particles pressed together: nothing, or at most the arc's force.
    let push = |law: SpringLaw, ratio: f64| {
        let (material, edge) = compiled(law, 1.0);
        edge_law(&material, &edge, &[0.0; 4], ratio, 0.01).tension
    };
    assert_eq!(push(SpringLaw::TensionOnly { stiffness: 100.0 }, 0.5), 0.0);
    assert_eq!(push(SpringLaw::TensionOnly { stiffness: 100.0 }, 1.5), 50.0);
    let buckling = SpringLaw::Buckling { bending_stiffness: 0.1, compression: 100.0 };
    assert_eq!(push(buckling, 1.5), 0.0);
    assert!((push(buckling, 0.999) + 0.1).abs() < 1e-6, "c_b (l - L) near rest: {}", push(buckling, 0.999));
    // The plateau: beyond the bend the force changes little, from 12 k_b/L² to 4 π² k_b/L².
    assert!((push(buckling, 0.9) + 0.1 * 12.0).abs() < 0.1, "{}", push(buckling, 0.9));
    let folded = -0.1 * 4.0 * std::f64::consts::PI.powi(2);
    assert!((push(buckling, 0.0) / folded - 1.0).abs() < 1e-5);
}

#[test]
fn bodies_with_every_law_stay_finite_from_a_collapsed_start() {
    let laws = [
        SpringLaw::Linear { stiffness: 100.0 },
        SpringLaw::Stvk { stiffness: 100.0 },
        SpringLaw::Cubic(Cubic::new(100.0)),
        SpringLaw::CubicCoefficients { a: 1e3, b: 100.0, c: 50.0, d: -1.0, jacobian_damping: 0.99 },
        SpringLaw::TensionOnly { stiffness: 100.0 },
        SpringLaw::Buckling { bending_stiffness: 1e-3, compression: 100.0 },
        SpringLaw::Distance { stiffness: 1.0 },
    ];
    let plasticity = Plasticity { yield_strain: 0.01, maximum: 2.0, creep: 10.0 };
    for (name, backend) in backends() {
        for law in laws {
            for spring in [Spring::from(law).damped(0.1), Spring::from(law).dragged(0.1).plastic(plasticity)] {
                let mut scene = chain(1.0, 8, 0.5, spring);
                // Some in one place, some nearly, some far apart.
                let start = [0.0, 0.0, 0.0, 1e-9, 1e-4, 1e-4, 2.0, 2.0].map(|x| Vec3::new(x, 0.0, 0.0));
                scene.bodies[0].start = Some(start.to_vec());
                let options = Options { measure: true, ..Default::default() };
                let mut simulation = Simulation::new(backend.clone(), &scene, options).unwrap();
                for _ in 0..20 {
                    simulation.step().unwrap_or_else(|error| panic!("{name} {law:?}: {error}"));
                }
                let record = simulation.finish().unwrap().unwrap();
                assert!(record.measures.unwrap().total_energy().is_finite(), "{name} {law:?}");
                let finite = |p: &DVec3| p.is_finite();
                assert!(simulation.positions_f64().unwrap().iter().all(finite), "{name} {law:?}");
                assert!(simulation.edge_history().unwrap().iter().flatten().all(|value| value.is_finite()));
            }
        }
    }
}

/// A crumpled sheet of one kind of spring with random velocities, its edges given scalars and a history: forces by particle.
fn forces(spring: Spring, turn: DMat3, shift: DVec3) -> (Vec<DVec3>, Vec<DVec3>) {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut random = |size: f64| size * DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5);
    let mut scene = Scene::new();
    let material = Material { shear: spring, ..Material::springs(Mass::Total(0.1), spring) };
    scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 9, 9), material));
    let mut topology = Topology::build(&scene, &Options::default()).unwrap();
    for (ix, edge) in topology.edges.iter_mut().enumerate() {
        edge.scalar = [3.0, -2.0, 0.0][ix % 3];
    }
    let parameters = Parameters::new(&Options { time_step: 1.0, ..Default::default() }, DVec3::ZERO);
    let mut state = State::new(&topology, &parameters);
    for position in &mut state.positions {
        *position = turn * (*position + random(0.1)) + shift;
    }
    state.velocities.iter_mut().for_each(|v| *v = turn * random(1.0));
    if topology.has_memory() {
        state.history.iter_mut().enumerate().for_each(|(ix, edge)| edge[0] = 0.01 * (ix % 7) as f64);
    }
    // In a later linearisation the residual is h f.
    assembly::edges(&topology, &parameters, 1, &mut state);
    (state.positions, state.residual)
}

#[test]
fn every_law_keeps_both_momenta_and_turns_with_the_body() {
    let plasticity = Plasticity { yield_strain: 0.01, maximum: 2.0, creep: 10.0 };
    let turn = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), 1.1);
    for law in [
        SpringLaw::Linear { stiffness: 100.0 },
        SpringLaw::Stvk { stiffness: 100.0 },
        SpringLaw::Cubic(Cubic::new(100.0)),
        SpringLaw::CubicCoefficients { a: 1e3, b: 100.0, c: 50.0, d: -1.0, jacobian_damping: 0.99 },
        SpringLaw::TensionOnly { stiffness: 100.0 },
        SpringLaw::Buckling { bending_stiffness: 1e-3, compression: 100.0 },
        SpringLaw::Distance { stiffness: 1.0 },
    ] {
        let spring = Spring::from(law).damped(0.1);
        for (spring, dragged) in [(spring, false), (spring.plastic(plasticity), false), (spring.dragged(0.5), true)] {
            let (positions, forces_here) = forces(spring, DMat3::IDENTITY, DVec3::ZERO);
            let size: f64 = forces_here.iter().map(|f| f.length()).sum();
            let force: DVec3 = forces_here.iter().sum();
            let torque: DVec3 = forces_here.iter().zip(&positions).map(|(f, x)| x.cross(*f)).sum();
            assert!(force.length() < 1e-12 * size, "{law:?}: {force}");
            // Drag does not act along the edge, and says so: it is the control.
            assert_eq!(torque.length() < 1e-12 * size, !dragged, "{law:?}: {torque}");

            let (_, turned) = forces(spring, turn, DVec3::new(0.3, -0.2, 0.7));
            let worst = turned.iter().zip(&forces_here).map(|(a, b)| a.distance(turn * *b)).fold(0.0, f64::max);
            assert!(worst < 1e-11 * size, "{law:?}: {worst} of {size}");
        }
    }
}
