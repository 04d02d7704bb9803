//! Coulomb friction between deformable bodies and colliders, against answers on paper: a block that slides, a band around a cylinder,
//! a block and a cloth that must not creep.
//!
//! `cargo test --release --test constraints friction:: -- --include-ignored --nocapture` prints the numbers.

use crate::common::{self, statics::masses};
use glam::{DVec3, Quat, Vec3};
use std::f64::consts::{FRAC_PI_2, PI};
use tenter::{
    Backend, Body, Collider, Mass, Material, Mesh, Nonlinear, Options, PinKey, Pose, SafeOptions, Scene, Shape,
    Simulation, Spring, SpringLaw, Vertices, Volume,
};

const G: f64 = 9.81;

/// A plane through the origin that falls towards +x by an angle, rad.
struct Incline {
    angle: f64,
    friction: f64,
}

impl Incline {
    fn normal(&self) -> DVec3 {
        DVec3::new(self.angle.sin(), self.angle.cos(), 0.0)
    }

    fn down(&self) -> DVec3 {
        DVec3::new(self.angle.cos(), -self.angle.sin(), 0.0)
    }

    fn collider(&self) -> Collider {
        Collider { friction: self.friction as f32, ..Collider::plane(Vec3::ZERO, self.normal().as_vec3()) }
    }

    /// A scene with a body whose lowest particles, in the frame of the incline, touch it.
    fn with(&self, mesh: Mesh, material: Material) -> Scene {
        let collider = self.collider();
        let lowest = mesh.positions.iter().map(|x| x.y).fold(f32::INFINITY, f32::min);
        let mesh = mesh.translated(Vec3::Y * (collider.thickness - lowest));
        let mesh = mesh.rotated(Quat::from_rotation_z(-self.angle as f32));
        let mut scene = Scene::new();
        scene.add_collider(collider);
        scene.add(Body::cloth(mesh, material));
        scene
    }
}

/// A block of 16 × 6 × 16 cm with cells of 2 cm, by Teschner's energies: some 10 kPa times a factor.
fn block(factor: f32) -> (Mesh, Material) {
    let material = Material {
        structural: Spring::from(SpringLaw::Distance { stiffness: 0.02 * factor }).damped(2e-3 * factor.sqrt()),
        volume: Some(Volume { stiffness: 0.1 * factor, damping: 0.0 }),
        ..Material::loose(Mass::Volume(1000.0))
    };
    (Mesh::block(Vec3::new(0.16, 0.06, 0.16), [9, 4, 9]), material)
}

/// Factor of the soft block: some 10 kPa.
const SOFT: f32 = 1.0;
/// Factor of the stiff block: some 1 MPa.
const STIFF: f32 = 100.0;

fn simulation(scene: &Scene, time_step: f64) -> Simulation {
    Simulation::new(
        Backend::Cpu,
        scene,
        Options { time_step, nonlinear: Nonlinear::Safe(SafeOptions::default()), ..Options::default() },
    )
    .unwrap()
}

/// Mean of vectors, by mass.
fn centre(masses: &[f64], vectors: &[DVec3]) -> DVec3 {
    masses.iter().zip(vectors).map(|(mass, x)| *mass * *x).sum::<DVec3>() / masses.iter().sum::<f64>()
}

fn advance(simulation: &mut Simulation, time: f64) {
    while simulation.time() < time - 1e-9 {
        simulation.step().unwrap();
    }
}

fn centre_velocity(simulation: &mut Simulation) -> DVec3 {
    let velocities: Vec<DVec3> = simulation.velocities().unwrap().iter().map(|v| v.as_dvec3()).collect();
    centre(&masses(simulation.topology()), &velocities)
}

#[test]
fn a_deformable_block_slides_with_the_acceleration_of_a_rigid_one() {
    let incline = Incline { angle: 0.4, friction: 0.2 };
    let expected = G * (incline.angle.sin() - incline.friction * incline.angle.cos());
    let mut worst = 0f64;
    for (name, factor) in [("soft", SOFT), ("stiff", STIFF)] {
        for h in [0.002, 0.01] {
            let (mesh, material) = block(factor);
            let mut simulation = simulation(&incline.with(mesh, material), h);
            advance(&mut simulation, 0.2);
            let before = centre_velocity(&mut simulation);
            advance(&mut simulation, 1.0);
            let after = centre_velocity(&mut simulation);
            let found = (after - before).dot(incline.down()) / 0.8;
            let error = found / expected - 1.0;
            println!("{name} block, h {h}: {found:.4} m/s² of {expected:.4}, {:+.2} %", 100.0 * error);
            worst = worst.max(error.abs());
        }
    }
    assert!(worst < 0.01, "{worst}");
}

/// How far a band is wrapped around a cylinder, and how finely it is divided.
#[derive(Debug, Clone, Copy)]
struct Capstan {
    /// rad
    wrap: f64,
    /// Segments on the arc.
    segments: usize,
    friction: f64,
    /// s
    time_step: f64,
}

/// Radius of the cylinder with its thickness, m.
const RADIUS: f64 = 0.1;
/// EA of the band, N.
const BAND_STIFFNESS: f64 = 200.0;
/// Force at the slack end, N.
const PULL: f64 = 1.0;
/// Speed of the end that is pulled, m/s.
const SPEED: f64 = 0.05;

/// Tension of the taut strand over that of the slack one, and the angle between the strands, rad.
struct Strands {
    ratio: f64,
    angle: f64,
}

impl Capstan {
    /// Chord of a segment on the arc at rest, m.
    fn chord(&self) -> f64 {
        2.0 * RADIUS * (0.5 * self.wrap / self.segments as f64).sin()
    }

    /// The band: a slack strand of 20 cm, the arc, a taut strand of 10 cm. The arc is symmetric about +y.
    fn scene(&self) -> Scene {
        let chord = self.chord();
        let (slack, taut) = ((0.2 / chord).ceil() as usize, (0.1 / chord).ceil() as usize);
        let arc = |angle: f64| RADIUS * DVec3::new(angle.sin(), angle.cos(), 0.0);
        let half = 0.5 * self.wrap;
        // Directions out of the arc at its two ends.
        let [slack_way, taut_way] = [-half, half].map(|a| DVec3::new(a.cos(), -a.sin(), 0.0) * a.signum());
        let mut positions = Vec::new();
        positions.extend((1..=slack).rev().map(|ix| arc(-half) + ix as f64 * chord * slack_way));
        positions.extend((0..=self.segments).map(|ix| arc(-half + self.wrap * ix as f64 / self.segments as f64)));
        positions.extend((1..=taut).map(|ix| arc(half) + ix as f64 * chord * taut_way));
        let count = positions.len() as u32;
        let mesh = Mesh {
            positions: positions.iter().map(|x| x.as_vec3()).collect(),
            wires: (1..count).map(|ix| [ix - 1, ix]).collect(),
            ..Mesh::default()
        };
        let spring = Spring::new((BAND_STIFFNESS / chord) as f32).damped(0.05);
        let mut scene = Scene::new();
        scene.gravity = Vec3::ZERO;
        let band = scene.add(Body::chain(mesh, Material::springs(Mass::Line(0.02), spring)));
        scene.push(band, Vertices::list([0]), (PULL * slack_way).as_vec3());
        let end = scene.pin(band, Vertices::list([count - 1]));
        let far = PinKey { time: 10.0, offset: (10.0 * SPEED * taut_way).as_vec3() };
        scene.lead_pin(end, [PinKey { time: 0.0, offset: Vec3::ZERO }, far]).unwrap();
        let lying = Pose { rotation: Quat::from_rotation_x(FRAC_PI_2 as f32), ..Pose::default() };
        let cylinder = Collider::fixed(Shape::Cylinder { radius: 0.095, half_length: 0.1 }, lying);
        scene.add_collider(Collider { friction: self.friction as f32, thickness: 0.005, ..cylinder });
        scene
    }

    fn strands(&self, x: &[DVec3]) -> Strands {
        let chord = self.chord();
        let tension = |edges: &mut dyn Iterator<Item = usize>| {
            let tensions: Vec<f64> =
                edges.map(|ix| BAND_STIFFNESS * (x[ix].distance(x[ix + 1]) / chord - 1.0)).collect();
            tensions.iter().sum::<f64>() / tensions.len() as f64
        };
        let last = x.len() - 1;
        let [slack, taut] = [tension(&mut (0..3)), tension(&mut (last - 3..last))];
        let (from, to) = (x[3] - x[0], x[last] - x[last - 3]);
        // The band turns clockwise about z; beyond half a turn the angle goes on.
        let angle = (-from.cross(to).z).atan2(from.dot(to));
        Strands { ratio: taut / slack, angle: if angle < -0.5 { angle + 2.0 * PI } else { angle } }
    }

    /// Relative error of the tension ratio against e^(μθ) in every frame from 1 s to 2 s.
    fn errors(&self) -> Vec<f64> {
        let mut simulation = simulation(&self.scene(), self.time_step);
        advance(&mut simulation, 1.0);
        let mut errors = Vec::new();
        while simulation.time() < 2.0 - 1e-9 {
            simulation.step().unwrap();
            let strands = self.strands(&simulation.positions_f64().unwrap());
            errors.push(strands.ratio / (self.friction * strands.angle).exp() - 1.0);
        }
        errors
    }
}

#[test]
fn a_band_around_a_cylinder_follows_the_capstan_equation() {
    let mut bad = Vec::new();
    for time_step in [0.002, 0.01] {
        for wrap in [FRAC_PI_2, PI] {
            for segments in [12, 24, 36] {
                for friction in [0.2, 0.4] {
                    let capstan = Capstan { wrap, segments, friction, time_step };
                    let errors = capstan.errors();
                    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
                    let worst = errors.iter().fold(0f64, |worst, error| worst.max(error.abs()));
                    let what = format!("{:.0}°, {segments} segments, μ {friction}, h {time_step}", wrap.to_degrees());
                    let what = format!("{what}: mean {:+.2} %, worst frame {:.2} %", 100.0 * mean, 100.0 * worst);
                    println!("{what}");
                    if worst > if segments < 24 { 0.1 } else { 0.05 } {
                        bad.push(what);
                    }
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Largest way of any particle from 2 s, when vibrations have died down, to 7 s, m.
fn creep(name: &str, mesh: Mesh, material: Material) -> f64 {
    let incline = Incline { angle: 0.3, friction: 0.4 };
    let scene = incline.with(mesh, material);
    let mut worst = 0f64;
    for time_step in [0.002, 0.01] {
        let mut simulation = simulation(&scene, time_step);
        let masses = masses(simulation.topology());
        advance(&mut simulation, 2.0);
        let before = simulation.positions_f64().unwrap();
        advance(&mut simulation, 7.0);
        let after = simulation.positions_f64().unwrap();
        let largest = common::largest_distance(&before, &after);
        let centre = centre(&masses, &before).distance(centre(&masses, &after));
        println!("{name}, h {time_step}: {:.4} µm in 5 s, its centre {:.4} µm", 1e6 * largest, 1e6 * centre);
        worst = worst.max(largest);
    }
    worst
}

#[test]
fn a_cloth_below_the_angle_of_friction_does_not_creep() {
    let worst = creep("cloth", Mesh::grid(0.3, 0.3, 16, 16), Material::cotton_springs());
    assert!(worst <= 1e-6, "{worst} m");
}

#[test]
fn a_soft_block_below_the_angle_of_friction_does_not_creep() {
    let (mesh, material) = block(SOFT);
    let worst = creep("soft block", mesh, material);
    assert!(worst <= 1e-6, "{worst} m");
}

#[test]
#[ignore = "takes a minute or more"]
fn a_stiff_block_below_the_angle_of_friction_does_not_creep() {
    let (mesh, material) = block(STIFF);
    let worst = creep("stiff block", mesh, material);
    assert!(worst <= 1e-6, "{worst} m");
}
