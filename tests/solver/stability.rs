//! Stability of integrators: how large a step explicit methods survive, energy that stays bounded, stiff modes that decay or ring.

use crate::common::{backends, run};
use crate::integrators::{exact, net};
use tenter::{
    Backend, Body, Error, Handle, Integrator, Mass, Material, Mesh, Options, Scene, Simulation, Spring, glam::Vec3,
};

#[test]
fn explicit_methods_stop_where_linear_theory_says() {
    // A pair of particles, ω = √(2k/m); without damping Verlet and its kin are stable to h ω = 2, RK4 to 2√2.
    let (stiffness, mass) = (200.0f32, 0.1f32);
    let omega = f64::from(2.0 * stiffness / mass).sqrt();
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    let mesh = Mesh::chain(Vec3::ZERO, Vec3::X, 2);
    let start = vec![Vec3::ZERO, Vec3::new(1.01, 0.0, 0.0)];
    let material = Material::springs(Mass::Total(2.0 * mass), Spring::new(stiffness));
    scene.add(Body::chain(mesh, material).starting_at(start));
    for (name, backend) in backends() {
        for (integrator, limit) in [
            (Integrator::SymplecticEuler, 2.0),
            (Integrator::Verlet, 2.0),
            (Integrator::VelocityVerlet, 2.0),
            (Integrator::LeapFrog, 2.0),
            (Integrator::Beeman, 2.0),
            (Integrator::Rk4, 2.0 * 2f64.sqrt()),
        ] {
            let outcome = |part: f64| {
                let options = Options { integrator, time_step: part * limit / omega, ..Default::default() };
                let mut simulation = Simulation::new(backend.clone(), &scene, options).unwrap();
                let result =
                    (0..2000).try_for_each(|_| simulation.step().map(|_| ())).and_then(|()| simulation.finish());
                let positions = simulation.positions().unwrap().to_vec();
                assert!(positions.iter().all(|p| p.is_finite()), "{name}, {integrator:?}: the last good state is lost");
                (result, positions)
            };
            let (result, positions) = outcome(0.95);
            assert!(result.is_ok(), "{name}, {integrator:?}: {result:?}");
            assert!((positions[1] - positions[0]).length() < 1.2, "{name}, {integrator:?}: {positions:?}");
            // Beyond it a spring of two ends may still catch itself for a while; RK4 more so.
            match outcome(if integrator == Integrator::Rk4 { 1.4 } else { 1.05 }).0 {
                Err(Error::Unstable { .. }) => {}
                other => panic!("{name}, {integrator:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn explicit_methods_stop_where_drag_gets_too_strong() {
    // v' = -c v: on the real axis stability ends at h c = 2 for Euler and both methods of second order, 2.785 for RK4. Methods that see
    // a velocity which is extrapolated end earlier: roots of z² + (3s/2 - 1) z - s/2 for velocity Verlet, s = h c, and z = -1 at s = 3/5
    // for Beeman.
    const DRAG: f64 = 500.0;
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    scene.add(Body::particles([Vec3::ZERO, Vec3::X], 2.0).moving(Vec3::Y));
    for (name, backend) in backends() {
        for (integrator, limit) in [
            (Integrator::ExplicitEuler, 2.0),
            (Integrator::SymplecticEuler, 2.0),
            (Integrator::Heun, 2.0),
            (Integrator::Rk2, 2.0),
            (Integrator::Rk4, 2.785),
            (Integrator::LeapFrog, 2.0),
            (Integrator::Verlet, 2.0),
            (Integrator::VelocityVerlet, 1.0),
            (Integrator::Beeman, 0.6),
        ] {
            let outcome = |part: f64| {
                let options = Options { integrator, time_step: part * limit / DRAG, ..Default::default() };
                let mut simulation = Simulation::new(backend.clone(), &scene, options).unwrap();
                simulation.grab(0, Handle { stiffness: 0.0, damping: DRAG as f32 }, Vec3::ZERO).unwrap();
                let result = simulation.step_many(600).and_then(|_| simulation.finish());
                (result, simulation.velocities().unwrap()[0].length())
            };
            let (result, speed) = outcome(0.95);
            assert!(result.is_ok() && speed < 0.1, "{name}, {integrator:?}: {result:?}, {speed} m/s");
            let (result, speed) = outcome(1.05);
            assert!(matches!(result, Err(Error::Unstable { .. })), "{name}, {integrator:?}: {result:?}");
            assert!(speed.is_finite(), "{name}, {integrator:?}: the last good state is lost");
        }
    }
}

#[test]
fn symplectic_methods_keep_energy_bounded() {
    let energy = |integrator: Integrator, time_step: f64, steps: usize| {
        let options = Options { measure: true, ..exact(integrator, time_step, false) };
        let mut simulation = Simulation::new(Backend::Cpu, &net(0.0, 0.0), options).unwrap();
        run(&mut simulation, steps);
        let energies: Vec<f64> = simulation.take_records().iter().map(|r| r.measures.unwrap().total_energy()).collect();
        let tail = &energies[energies.len() - 1000..];
        (energies[0], tail.iter().sum::<f64>() / tail.len() as f64)
    };
    for integrator in [
        Integrator::SymplecticEuler,
        Integrator::Verlet,
        Integrator::VelocityVerlet,
        Integrator::LeapFrog,
        Integrator::Beeman,
    ] {
        let (first, last) = energy(integrator, 0.001, 100_000);
        println!("{integrator:?}: {first:.4} J at first, {last:.4} J after 100 000 steps");
        assert!((last - first).abs() < 0.05 * first.abs().max(0.1), "{integrator:?}: {first} J, then {last} J");
    }
    // The controls: explicit Euler gains, implicit Euler loses, and faster than BDF2 (E6).
    let (first, gained) = energy(Integrator::ExplicitEuler, 0.0005, 2000);
    assert!(gained > first + 0.01, "{first} J, then {gained} J");
    let lost = |integrator| {
        let (first, last) = energy(integrator, 0.002, 1500);
        first - last
    };
    let (euler, bdf2) = (lost(Integrator::ImplicitEuler), lost(Integrator::Bdf2));
    println!("lost: implicit Euler {euler:.4} J, BDF2 {bdf2:.4} J");
    assert!(euler > 2.0 * bdf2 && bdf2 > 0.0);
}

/// How far the velocity of a particle on a stiff, overdamped spring is from where the spring alone would have it, step by step. Half way
/// the spring is put elsewhere.
fn stiff_decay(integrator: Integrator) -> Vec<f64> {
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    scene.add(Body::particles([Vec3::X], 1.0));
    let options = Options { time_step: 0.1, ..exact(integrator, 0.1, false) };
    let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
    // x″ = -c x′ - k (x - x̄): λ ≈ -c, -10⁴ steps, and -1.
    let handle = Handle { stiffness: 1e5, damping: 1e5 };
    let mut off = Vec::new();
    for step in 0..60 {
        let target = if step < 30 { Vec3::ZERO } else { Vec3::X };
        simulation.grab(0, handle, target).unwrap();
        simulation.step().unwrap();
        let x = simulation.positions_f64().unwrap()[0] - target.as_dvec3();
        let v = simulation.velocities().unwrap()[0].as_dvec3();
        off.push(v.x + x.x);
    }
    off
}

#[test]
fn stiff_modes_decay_or_ring() {
    for integrator in [Integrator::ImplicitEuler, Integrator::Bdf2, Integrator::Theta(1.0)] {
        let off = stiff_decay(integrator);
        println!("{integrator:?}: {:.1e} after 5 steps, {:.1e} five after the jump", off[4], off[34]);
        assert!(off[4].abs() < 0.1 && off[34].abs() < 0.1, "{integrator:?}: {off:?}");
        // What is left is the error of the slow mode: no alternation.
        assert!(off[35..60].windows(2).all(|pair| pair[0] * pair[1] > 0.0), "{integrator:?}: {off:?}");
    }
    for integrator in [Integrator::ImplicitMidpoint, Integrator::Theta(0.5)] {
        let off = stiff_decay(integrator);
        println!("{integrator:?}: {:.3} and {:.3} after 29 and 30 steps", off[28], off[29]);
        assert!(off[..30].windows(2).all(|pair| pair[0] * pair[1] < 0.0), "{integrator:?}: {off:?}");
        assert!(off[..30].iter().all(|off| off.abs() > 0.95), "{integrator:?}: {off:?}");
    }
    // In between it rings, and dies away by (1 - θ)/θ a step.
    let off = stiff_decay(Integrator::Theta(0.75));
    assert!(off[..6].windows(2).all(|pair| pair[0] * pair[1] < 0.0), "{off:?}");
    assert!((off[4] / off[3] + 1.0 / 3.0).abs() < 0.1, "{off:?}");
}
