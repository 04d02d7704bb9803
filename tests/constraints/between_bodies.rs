//! Contact between bodies, and of cloth with itself, on the CPU backend: nothing may pass through anything, and motion is kept.

use glam::{DVec3, Vec3};
use tenter::{
    Backend, Options, Outcome, Simulation,
    internals::{
        bench::collisions::{self as scenes, Collision},
        reference::collision::{Guard, crossings},
        topology::Topology,
    },
};

/// What a scene is judged by.
struct Judged {
    /// Largest number of intersections in a frame.
    crossed: usize,
    /// Mean share of the particles whose motion a step shortened.
    truncated: f64,
    /// Number of failed steps.
    failed: u64,
    /// Whether all steps converged.
    converged: bool,
    /// Momentum at the end over that at the start.
    momentum: f64,
    /// Mean way of the particles of the last body, m.
    moved: DVec3,
    /// Root mean square of the speeds, m/s.
    speed: f64,
}

/// Positions by row.
fn by_row(topology: &Topology, positions: &[Vec3]) -> Vec<DVec3> {
    topology.order.iter().map(|&particle| positions[particle as usize].as_dvec3()).collect()
}

/// Runs a scene. Every frame is tested for intersections by exact arithmetic.
fn judge(collision: &Collision, duration: f64) -> Judged {
    let options = Options { time_step: collision.time_step, ..Options::default() };
    let topology = Topology::build(&collision.scene, &options).unwrap();
    let surface = topology.surface.as_ref().unwrap();
    let masters: Vec<u32> = (0..topology.particle_count() as u32).collect();
    let mut simulation = Simulation::new(Backend::Cpu, &collision.scene, options).unwrap();
    let mass = |particle: usize| topology.masses[topology.row_of[particle] as usize];
    let total: f64 = topology.masses.iter().sum();
    let momentum = |velocities: &[Vec3]| -> DVec3 {
        velocities.iter().enumerate().map(|(particle, v)| mass(particle) * v.as_dvec3()).sum()
    };
    let last = collision.scene.bodies.last().unwrap().mesh.positions.len();
    let centre = |positions: &[Vec3]| {
        let own = &positions[positions.len() - last..];
        own.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / last as f64
    };
    let before = momentum(simulation.velocities().unwrap());
    let from = centre(simulation.positions().unwrap());
    let mut crossed = 0;
    for _ in 0..(duration / collision.time_step).round() as u32 {
        simulation.step().unwrap();
        simulation.finish().unwrap();
        let positions = by_row(&topology, simulation.positions().unwrap());
        crossed = crossed.max(crossings(surface, &masters, &positions).len());
    }
    let moved = centre(simulation.positions().unwrap()) - from;
    let velocities = simulation.velocities().unwrap().to_vec();
    let squares: f64 = velocities.iter().enumerate().map(|(p, v)| mass(p) * v.as_dvec3().length_squared()).sum();
    let records = simulation.take_records();
    let truncated: u32 = records.iter().filter_map(|record| record.meeting).map(|meeting| meeting.truncated).sum();
    Judged {
        crossed,
        truncated: f64::from(truncated) / (records.len() * topology.particle_count()) as f64,
        failed: simulation.repeat_report().failed,
        converged: records.iter().all(|record| record.outcome == Outcome::Converged),
        momentum: momentum(&velocities).dot(before) / before.length_squared(),
        moved,
        speed: (squares / total).sqrt(),
    }
}

#[test]
fn sheets_that_fall_together_are_not_touched() {
    let judged = judge(&scenes::fall(6), 0.2);
    assert_eq!((judged.crossed, judged.failed, judged.truncated), (0, 0, 0.0));
    assert!((judged.momentum - 1.0).abs() < 1e-4, "{}", judged.momentum);
}

#[test]
fn a_sheet_that_hits_another_shares_its_momentum() {
    let judged = judge(&scenes::hit(10), 0.2);
    assert_eq!(judged.crossed, 0);
    assert!(judged.converged);
    assert!((judged.momentum - 1.0).abs() < 0.02, "{}", judged.momentum);
    // Both move on together, at half of the speed.
    assert!(judged.moved.y > -1.5 && judged.moved.y < -0.9, "{}", judged.moved);
}

#[test]
fn sheets_without_contact_pass_through_each_other() {
    let mut control = scenes::hit(10);
    let topology = Topology::build(&control.scene, &Options::default()).unwrap();
    control.scene.contact = None;
    let mut simulation = Simulation::new(Backend::Cpu, &control.scene, Options::default()).unwrap();
    let masters: Vec<u32> = (0..topology.particle_count() as u32).collect();
    simulation.step().unwrap();
    simulation.step().unwrap();
    let sheet = simulation.positions().unwrap().len() / 2;
    let lowest = |positions: &[Vec3]| positions.iter().fold(f32::INFINITY, |low, p| low.min(p.y));
    let positions = simulation.positions().unwrap();
    assert!(lowest(&positions[sheet..]) < lowest(&positions[..sheet]) - 0.02);
    // Intersections are found where sheets cross.
    let tilted: Vec<Vec3> =
        positions.iter().enumerate().map(|(ix, p)| if ix < sheet { *p } else { Vec3::new(p.x, p.z, p.x) }).collect();
    assert!(!crossings(topology.surface.as_ref().unwrap(), &masters, &by_row(&topology, &tilted)).is_empty());
}

#[test]
fn sheets_slide_past_each_other_without_friction() {
    let judged = judge(&scenes::slide(8), 0.2);
    assert_eq!(judged.crossed, 0);
    assert!(judged.moved.x > 0.95 * 0.2 && judged.moved.x < 0.201, "{}", judged.moved);
    assert!(judged.truncated <= 0.005, "{}", judged.truncated);
}

#[test]
fn a_sheet_sticks_on_a_slope() {
    let judged = judge(&scenes::slope(6, 0.6), 0.5);
    assert_eq!((judged.crossed, judged.failed), (0, 0));
    assert!(judged.moved.x.abs() < 1e-4, "{}", judged.moved);
}

#[test]
fn a_sheet_slides_down_a_slope() {
    // At g (sin - μ cos).
    let scene = scenes::slope(6, 0.3);
    let way = 0.5 * 9.80665 * 0.2 * 0.8f64.sqrt() * 0.5 * 0.5;
    let judged = judge(&scene, 0.5);
    assert_eq!((judged.crossed, judged.failed), (0, 0));
    assert!(judged.moved.x > 0.95 * way && judged.moved.x < 1.03 * way, "{} of {way}", judged.moved);
}

#[test]
fn a_soft_cube_lands_on_another() {
    let judged = judge(&scenes::cubes(3), 0.5);
    assert_eq!((judged.crossed, judged.failed), (0, 0));
    assert!(judged.converged && judged.truncated <= 0.005, "{}", judged.truncated);
    assert!(judged.speed < 0.5, "{}", judged.speed);
}

#[test]
fn a_soft_cube_falls_into_a_hammock() {
    let judged = judge(&scenes::hammock(3), 0.6);
    assert_eq!((judged.crossed, judged.failed), (0, 0));
    // It fell 0.07 m and is caught by cloth that hangs by its corners.
    assert!(judged.moved.y < -0.05 && judged.moved.y > -0.4, "{}", judged.moved);
    assert!(judged.truncated <= 0.005, "{}", judged.truncated);
}

#[test]
#[ignore = "takes a minute: a whole fold"]
fn a_falling_sheet_folds_onto_itself() {
    let judged = judge(&scenes::fold(24), 2.5);
    assert_eq!(judged.crossed, 0);
    assert!(judged.truncated <= 0.005, "{}", judged.truncated);
    assert!(judged.speed < 1e-3, "{}", judged.speed);
}

#[test]
#[ignore = "takes a minute: eight sheets"]
fn sheets_that_land_upon_each_other_come_to_rest() {
    let judged = judge(&scenes::land(12), 0.6);
    assert_eq!(judged.crossed, 0);
    assert!(judged.speed < 1e-3, "{}", judged.speed);
}

/// Whatever the motion, surfaces that did not intersect before the guard do not intersect after it.
#[test]
fn the_guard_lets_nothing_pass() {
    let collision = scenes::fall(5);
    let topology = Topology::build(&collision.scene, &Options::default()).unwrap();
    let surface = topology.surface.as_ref().unwrap();
    let rows = topology.particle_count();
    let masters: Vec<u32> = (0..rows as u32).collect();
    let mut random = fastrand::Rng::with_seed(11);
    let (mut without, mut shortened) = (0, 0);
    for size in [0.002, 0.01, 0.05, 0.2] {
        let mut start = topology.positions.clone();
        for _ in 0..8 {
            let common = DVec3::new(0.1, -0.3, 0.05) * random.f64();
            let mut around = || DVec3::new(random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5);
            let end: Vec<DVec3> = start.iter().map(|x| *x + common + size * around()).collect();
            let prescribed = vec![DVec3::ZERO; rows];
            let guard = Guard { surface, masters: &masters, start: &start, end: &end, prescribed: &prescribed };
            let guarded = guard.run();
            let reached: Vec<DVec3> = (0..rows).map(|row| guard.reached(row, guarded.shares[row])).collect();
            assert!(guarded.driven.is_empty());
            assert_eq!(crossings(surface, &masters, &reached), [], "motion of {size} m");
            without += crossings(surface, &masters, &end).len();
            shortened += guarded.truncated;
            start = reached;
        }
    }
    assert!(without > 1000 && shortened > 0, "{without} {shortened}");
}
