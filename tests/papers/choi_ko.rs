//! Published result of Choi and Ko 2002, as in Jiao 4.5: a strip compressed end to end buckles into an arc, and the force stays
//! about what it was when it buckled.

use crate::common::{backends, statics::tight};
use glam::{DVec3, Vec3};
use std::f64::consts::PI;
use tenter::{
    Backend, Body, Budget, Free, Integrator, Mass, Material, Mesh, Options, Scene, Side, Simulation, SolverOptions,
    Spring, SpringLaw, Vertices,
};

const COLUMNS: u32 = 21;
const ROWS: u32 = 3;
/// k_b, N·m²
const BENDING: f32 = 1e-4;

/// A strip of 1 m, its ends hinged, between smooth walls that keep it from going sideways, led together: the force at each
/// shortening (m), N, and the shape at the last.
fn compressed(
    backend: Backend,
    [structural, crossover]: [Spring; 2],
    bump: f32,
    shortenings: &[f64],
) -> (Vec<f64>, Vec<DVec3>) {
    let mesh = Mesh::grid(1.0, 0.1, COLUMNS, ROWS);
    let start = mesh.positions.iter().map(|p| *p + Vec3::Y * bump * (std::f32::consts::PI * p.x).cos());
    let material = Material { crossover, ..Material::springs(Mass::Total(0.002), structural) };
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    let body = scene.add(Body::cloth(mesh.clone(), material).starting_at(start.collect()));
    scene.pin(body, Vertices::Side(Side::Left));
    let between: Vec<u32> = (0..COLUMNS * ROWS).filter(|v| (1..COLUMNS - 1).contains(&(v % COLUMNS))).collect();
    scene.pin_sliding(body, Vertices::list(between), Free::Plane(Vec3::Z));
    let right = scene.pin(body, Vertices::Side(Side::Right));
    let held = Vertices::Side(Side::Right).select(&mesh).unwrap();
    let solver = SolverOptions { budget: Budget::Adaptive, ..tight(1e-6) };
    let options = Options { time_step: 0.02, solver, ..Default::default() };
    let mut simulation = Simulation::new(backend, &scene, options).unwrap();
    let mut now = 0.0;
    let mut forces = Vec::new();
    for &shortening in shortenings {
        // Half of the time led there, half of it left alone.
        for step in 1..=400 {
            let to = now + (f64::from(step) / 200.0).min(1.0) * (shortening - now);
            simulation.move_pin(right, Vec3::X * (0.5 - to as f32)).unwrap();
            simulation.step().unwrap();
        }
        now = shortening;
        let reactions = simulation.reactions().unwrap();
        forces.push(-held.iter().map(|&v| reactions[v as usize].x).sum::<f64>());
    }
    (forces, simulation.positions_f64().unwrap())
}

/// Type 1 along the edges, stiff enough that they do not give way instead of type 2; damped, so that it comes to rest.
fn choi_ko() -> [Spring; 2] {
    let tension = SpringLaw::TensionOnly { stiffness: 1e4 };
    let buckling = SpringLaw::Buckling { bending_stiffness: BENDING, compression: 1e4 };
    [Spring::from(tension).damped(20.0).dragged(0.01), buckling.into()]
}

fn linear() -> [Spring; 2] {
    let spring = Spring::new(1000.0);
    [spring.damped(20.0).dragged(0.01), spring]
}

/// Fibres of 2 L₀ at every L₀: twice k_b a row; Euler's load of a column hinged at both ends.
fn critical_load() -> f64 {
    PI * PI * 2.0 * f64::from(BENDING) * f64::from(ROWS)
}

#[test]
fn j2_a_strip_buckles_into_an_arc_and_its_force_levels_off() {
    let shortenings = [0.01, 0.02, 0.04, 0.08, 0.16, 0.24, 0.32, 0.4];
    let (forces, arc) = compressed(Backend::Cpu, choi_ko(), 0.01, &shortenings);
    let (straight, _) = compressed(Backend::Cpu, choi_ko(), 0.0, &shortenings);
    let (control, _) = compressed(Backend::Cpu, linear(), 0.0, &shortenings);
    let (bent, _) = compressed(Backend::Cpu, linear(), 0.01, &shortenings);
    println!("Euler's load {:.5} N", critical_load());
    for (ix, shortening) in shortenings.iter().enumerate() {
        println!(
            "shortened by {shortening} m: buckled {:.5} N, kept straight {:.3} N; linear springs straight {:.2} N, buckled {:.5} N",
            forces[ix], straight[ix], control[ix], bent[ix]
        );
    }
    // Past 8 % the force is Euler's load within a quarter, growing no faster than a bent rod's, by about half the shortening.
    assert!(forces[3..].iter().all(|force| (force / critical_load() - 1.0).abs() < 0.3), "{forces:?}");
    assert!(forces.windows(2).all(|pair| pair[1] > pair[0]), "{forces:?}");
    assert!(forces[7] < 1.35 * forces[3], "levels off: {forces:?}");
    // Kept straight it does not blow up either: from 12 k_b/L² a fibre on, at most 4 π² k_b/L².
    let most = 2.0 * f64::from(ROWS) * 4.0 * PI * PI * f64::from(BENDING) / 0.01;
    assert!(straight[7] < most && straight[7] < 3.0 * straight[0], "{straight:?} of {most}");
    // The controls: linear springs, straight, push ever harder; buckled, too, by five times the shortening.
    assert!((control[7] / control[3] - 5.0).abs() < 0.01, "{control:?}");
    assert!(bent[7] / bent[3] > 5.0, "{bent:?}");

    // An arc: to one side, as long as before, the same from both ends, highest in the middle.
    let row = &arc[..COLUMNS as usize];
    let length: f64 = row.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    assert!((length - 1.0).abs() < 0.01, "{length}");
    let middle = row[10].y;
    println!("an arc of {length:.4} m, {middle:.4} m high over a chord of 0.6 m");
    for ix in 1..10 {
        assert!(row[ix].y > row[ix - 1].y, "{row:?}");
        assert!((row[ix].y - row[20 - ix].y).abs() < 1e-3 * middle, "{row:?}");
    }
    let turns = row.windows(3).map(|p| (p[1] - p[0]).cross(p[2] - p[1]).z);
    assert!(turns.into_iter().all(|turn| turn < 0.0), "curved one way");
}

#[test]
fn j2_on_both_backends() {
    for (name, backend) in backends() {
        let (forces, _) = compressed(backend, choi_ko(), 0.01, &[0.1, 0.3]);
        println!("{name}: {:.5} N at 10 %, {:.5} N at 30 %, of {:.5} N", forces[0], forces[1], critical_load());
        assert!(forces.iter().all(|force| (force / critical_load() - 1.0).abs() < 0.3), "{name}: {forces:?}");
        assert!(forces[1] < 1.3 * forces[0], "{name}: {forces:?}");
    }
}

/// J1: Jiao 5.2. A cloth of 10 × 10 that hangs from two corners; he gives no stiffness, this one is such that explicit Euler stops near
/// his millisecond.
fn hanging() -> Scene {
    let tension = Spring::from(SpringLaw::TensionOnly { stiffness: 300.0 }).damped(0.1).dragged(0.02);
    let buckling: Spring = SpringLaw::Buckling { bending_stiffness: 1e-4, compression: 300.0 }.into();
    let material =
        Material { shear: tension, crossover: buckling.dragged(0.02), ..Material::springs(Mass::Total(0.3), tension) };
    let mesh = Mesh::grid(1.0, 1.0, 10, 10);
    let start = mesh.positions.iter().map(|p| *p + Vec3::Y * 0.02 * (6.0 * p.x).sin() * (5.0 * p.z).cos()).collect();
    let mut scene = Scene::new();
    let body = scene.add(Body::cloth(mesh, material).starting_at(start));
    scene.pin(body, Vertices::corners());
    scene
}

/// Whether a second passes without anything torn or thrown about.
fn stable(scene: &Scene, integrator: Integrator, time_step: f64) -> bool {
    let options = Options { integrator, time_step, measure: true, ..Default::default() };
    let mut simulation = Simulation::new(Backend::Cpu, scene, options).unwrap();
    // N
    let weight = 0.3 * 9.81;
    for _ in 0..(1.0 / time_step).ceil() as u32 {
        let Ok(Some(record)) = simulation.step() else { return false };
        // More than the fall could give, twice over.
        let measures = record.measures.unwrap();
        if !(measures.kinetic < 2.0 * weight && measures.largest_strain < 2.0) {
            return false;
        }
    }
    true
}

#[test]
fn j1_largest_stable_steps() {
    /// s
    const LONGEST: f64 = 0.1;
    let scene = hanging();
    let largest = |integrator: Integrator| {
        if stable(&scene, integrator, LONGEST) {
            return LONGEST;
        }
        let (mut good, mut bad) = (1e-4f64, LONGEST);
        assert!(stable(&scene, integrator, good), "{integrator:?}");
        while bad / good > 1.15 {
            let middle = (good * bad).sqrt();
            if stable(&scene, integrator, middle) { good = middle } else { bad = middle }
        }
        good
    };
    let steps = Integrator::ALL.map(|integrator| (integrator, largest(integrator)));
    println!("published: explicit Euler 1 ms, semi-implicit BDF2 20 ms");
    for (integrator, step) in steps {
        println!("{:18} {}{:.2} ms", integrator.name(), if step == LONGEST { "at least " } else { "" }, 1e3 * step);
    }
    let of = |wanted| steps.iter().find(|(integrator, _)| *integrator == wanted).unwrap().1;
    let explicit = of(Integrator::ExplicitEuler);
    assert!(of(Integrator::Bdf2) >= 20.0 * explicit && of(Integrator::ImplicitEuler) >= 20.0 * explicit);
    assert!(of(Integrator::Bdf2) >= 0.02);
    // Those with a longer interval of stability do go further.
    assert!(of(Integrator::Rk4) > explicit);
}
