//! Runs a scene step by step and measures the failures that safe steps exclude: rising energy, overstretched edges, penetration
//! of colliders.
//!
//! The scene has static colliders, static pins, and no wind. Gravity is then the only external work, and part of the potential
//! energy: damping, friction, impacts and the integrator may reduce the total energy, but it must not rise.

use super::distances::Distances;
use crate::{
    Backend, Error, Mesh, Options, Outcome, Scene, Simulation, StepRecord,
    reference::{Parameters, State, external, report},
};
use glam::DVec3;
use std::{
    fmt,
    time::{Duration, Instant},
};

/// Number of steps in the window of [`Verdict::rise_in_ten`].
const WINDOW: usize = 10;
/// Number of steps at the end of a run for the settled distance.
const SETTLED_STEPS: usize = 5;
/// Relative rise of the energy, or stretch, above which [`judge`] stops a run.
const HOPELESS: f64 = 100.0;

/// Measurements of one run.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// Number of steps made.
    pub steps: usize,
    /// Simulated time, s.
    pub time: f64,
    /// Largest rise of the total energy in one step, relative to kinetic + elastic energy + ½ M (g h)² at its start, with M the
    /// mass of the scene. Negative if the energy fell in every step.
    pub rise: f64,
    /// Time at the end of the step with that rise, s.
    pub rise_time: f64,
    /// Largest sum of the relative rises of ten consecutive steps, or of all if there are fewer.
    pub rise_in_ten: f64,
    /// Largest l/L − 1 of a structural edge after any step.
    pub stretch: f64,
    /// Time of that stretch, s.
    pub stretch_time: f64,
    /// Largest l/L − 1 of a structural edge after the last step.
    pub last_stretch: f64,
    /// Smallest distance of a particle from the surface of a collider after any step, over the collider's thickness; infinite
    /// without colliders.
    pub distance: f64,
    /// Time of that distance, s.
    pub distance_time: f64,
    /// Smallest distance over the thickness in the last five steps, if the cloth has settled: if its root mean square speed is
    /// below 0.02 √(g L) in all of them, with L the largest extent of the scene's bodies at the start.
    pub settled_distance: Option<f64>,
    /// Root mean square speed after the last step, m/s.
    pub speed: f64,
    /// Kinetic energy at the start and after each step, J.
    pub kinetic: Vec<f64>,
    /// Height of the centre of mass at the start and after each step, m.
    pub height: Vec<f64>,
    /// Conjugate gradient iterations per 10 ms of simulated time.
    pub iterations: f64,
    /// Linearisations per 10 ms of simulated time.
    pub linearisations: f64,
    /// Steps whose linear or nonlinear solve did not converge.
    pub unconverged: usize,
    /// Time of the steps without the measurements.
    pub wall_time: Duration,
    /// Whether the run was stopped because the rise of the energy or the stretch exceeded its limit.
    pub stopped: bool,
    /// Error that ended the run.
    pub error: Option<String>,
}

impl Verdict {
    /// Whether the run has exploded: the energy rose by more than a tenth in a step, or the run did not reach its end.
    pub fn exploded(&self) -> bool {
        !(self.rise <= 0.1 && self.stretch.is_finite()) || self.stopped || self.error.is_some()
    }

    /// Titles of the columns of a displayed [`Verdict`].
    pub const COLUMNS: &str = "rise | in ten | stretch | distance | settled | J | mean y | CG | lin | unconverged | s";
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settled = self.settled_distance.map_or("–".to_owned(), short);
        write!(f, "{:.2e} @{:.3} | {:.2e} | ", self.rise, self.rise_time, self.rise_in_ten)?;
        write!(f, "{} @{:.3}, end {} | ", short(self.stretch), self.stretch_time, short(self.last_stretch))?;
        write!(f, "{} @{:.3} | {settled} | ", short(self.distance), self.distance_time)?;
        let (kinetic, height) = (self.kinetic.last().unwrap_or(&0.0), self.height.last().unwrap_or(&0.0));
        write!(f, "{kinetic:.2e} | {} | {:.0} | {:.2} | ", short(*height), self.iterations, self.linearisations)?;
        write!(f, "{}/{} | {:.1}", self.unconverged, self.steps, self.wall_time.as_secs_f64())?;
        if self.stopped {
            write!(f, " stopped")?;
        }
        self.error.as_ref().map_or(Ok(()), |error| write!(f, " error: {error}"))
    }
}

/// A short representation of a number of any size.
fn short(value: f64) -> String {
    if value.abs() < 1000.0 { format!("{value:.4}") } else { format!("{value:.1e}") }
}

/// Runs a scene for a simulated time, s, and measures every step. It sets [`Options::measure`]. An error of a step ends the run
/// and is part of the verdict; a scene that cannot be simulated is an error of this function.
///
/// ```
/// use tenter::{Backend, Body, Material, Mesh, Options, Scene, internals::bench::judge::judge};
/// # fn main() -> Result<(), tenter::Error> {
/// let mut scene = Scene::new();
/// scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 8, 8), Material::cotton_springs()));
/// let verdict = judge(&Backend::Cpu, &scene, &Options::default(), 0.1)?;
/// assert!(verdict.steps == 10 && verdict.rise < 1e-9 && !verdict.exploded());
/// # Ok(()) }
/// ```
pub fn judge(backend: &Backend, scene: &Scene, options: &Options, duration: f64) -> Result<Verdict, Error> {
    judge_until(backend, scene, options, duration, HOPELESS)
}

/// Runs a scene as [`judge`] does, and stops it when the relative rise of the energy in a step or the stretch exceeds a limit.
pub fn judge_until(
    backend: &Backend,
    scene: &Scene,
    options: &Options,
    duration: f64,
    hopeless: f64,
) -> Result<Verdict, Error> {
    let options = Options { measure: true, ..options.clone() };
    let mut simulation = Simulation::new(backend.clone(), scene, options.clone())?;
    let mut judge = Judge::new(scene, &options, &simulation);
    let steps = (duration / options.time_step).round().max(1.0) as usize;
    let mut verdict = Verdict { rise: f64::NEG_INFINITY, distance: f64::INFINITY, ..Verdict::default() };
    let start = simulation.positions_f64()?;
    verdict.height.push(judge.height(&start));
    verdict.kinetic.push(judge.energies[0].kinetic);
    for _ in 0..steps {
        let began = Instant::now();
        // Reading the positions waits for the step, so that the record is this step's on every backend.
        let positions = simulation.step().and_then(|_| simulation.positions_f64());
        verdict.wall_time += began.elapsed();
        let positions = match positions {
            Ok(positions) => positions,
            Err(error) => {
                verdict.error = Some(error.to_string());
                break;
            }
        };
        let records = simulation.take_records();
        records.iter().for_each(|record| judge.count(record, &mut verdict));
        // A step repeated in halves has several records, and one state at its end.
        if let Some(record) = records.last() {
            judge.look(record, &positions, &mut verdict);
        }
        if !(verdict.rise <= hopeless && verdict.last_stretch <= hopeless) {
            verdict.stopped = true;
            break;
        }
    }
    judge.finish(&mut verdict);
    Ok(verdict)
}

/// Energies of one state, J.
#[derive(Debug, Clone, Copy)]
struct Energies {
    kinetic: f64,
    potential: f64,
    elastic: f64,
}

impl Energies {
    fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }
}

/// Quantities of the scene for the measurements.
struct Judge {
    /// Mass of each particle in the user's order, kg.
    masses: Vec<f64>,
    gravity: DVec3,
    /// ½ M (g h)², J: kinetic energy that gravity adds in a step from rest.
    gravity_energy: f64,
    /// Structural edges: particles and rest length, m.
    edges: Vec<([usize; 2], f64)>,
    distances: Distances,
    /// Root mean square speed below which the scene has settled, m/s.
    settled_speed: f64,
    /// Energies at the start and after each step.
    energies: Vec<Energies>,
    /// Smallest distance over the thickness, and root mean square speed, after each step.
    frames: Vec<(f64, f64)>,
    iterations: u64,
    linearisations: u64,
}

impl Judge {
    fn new(scene: &Scene, options: &Options, simulation: &Simulation) -> Self {
        let topology = simulation.topology();
        let gravity = scene.gravity.as_dvec3();
        let parameters = Parameters::new(options, gravity);
        let mut state = State::new(topology, &parameters);
        if let Some(fans) = &topology.fans {
            external::normals(fans, &mut state);
        }
        let start = report::measure(topology, &parameters, &state);
        let masses: Vec<f64> = topology.row_of.iter().map(|&row| topology.masses[row as usize]).collect();
        let starts = || scene.bodies.iter().flat_map(|body| body.start_positions());
        let low = starts().fold(DVec3::INFINITY, |low, x| low.min(x.as_dvec3()));
        let high = starts().fold(DVec3::NEG_INFINITY, |high, x| high.max(x.as_dvec3()));
        Self {
            gravity_energy: 0.5 * masses.iter().sum::<f64>() * (gravity.length() * options.time_step).powi(2),
            masses,
            gravity,
            edges: structural_edges(scene),
            distances: Distances::new(&scene.colliders),
            settled_speed: 0.02 * (gravity.length() * (high - low).max_element()).sqrt(),
            energies: vec![Energies { kinetic: start.kinetic, potential: start.potential, elastic: start.elastic }],
            frames: Vec::new(),
            iterations: 0,
            linearisations: 0,
        }
    }

    fn height(&self, positions: &[DVec3]) -> f64 {
        let total: f64 = self.masses.iter().sum();
        positions.iter().zip(&self.masses).map(|(x, mass)| mass * x.y).sum::<f64>() / total
    }

    /// Rise of the total energy from one state to a later one, relative to the energy of the first.
    fn rise(&self, from: &Energies, to: &Energies) -> f64 {
        let rise = (to.total() - from.total()) / (from.kinetic + from.elastic + self.gravity_energy);
        if rise.is_nan() { f64::INFINITY } else { rise }
    }

    /// Adds the costs of a step.
    fn count(&mut self, record: &StepRecord, verdict: &mut Verdict) {
        self.iterations += u64::from(record.iterations);
        self.linearisations += u64::from(record.linearisations);
        verdict.unconverged += usize::from(record.outcome != Outcome::Converged || !record.newton_converged);
    }

    /// Measures the state after a step.
    fn look(&mut self, record: &StepRecord, positions: &[DVec3], verdict: &mut Verdict) {
        verdict.steps += 1;
        verdict.time = record.time;
        let measures = record.measures.unwrap_or_default();
        let potential = -positions.iter().zip(&self.masses).map(|(x, mass)| mass * self.gravity.dot(*x)).sum::<f64>();
        let now = Energies { kinetic: measures.kinetic, potential, elastic: measures.elastic };
        if let Some(before) = self.energies.last() {
            let rise = self.rise(before, &now);
            if rise > verdict.rise {
                (verdict.rise, verdict.rise_time) = (rise, record.time);
            }
        }
        self.energies.push(now);
        let stretch = self.edges.iter().map(|&([a, b], rest)| positions[a].distance(positions[b]) / rest - 1.0);
        let stretch = stretch.fold(0.0, |most: f64, edge| if edge.is_nan() { f64::INFINITY } else { most.max(edge) });
        if stretch > verdict.stretch {
            (verdict.stretch, verdict.stretch_time) = (stretch, record.time);
        }
        verdict.last_stretch = stretch;
        let distance = self.distances.least(positions);
        if distance < verdict.distance {
            (verdict.distance, verdict.distance_time) = (distance, record.time);
        }
        verdict.speed = (2.0 * measures.kinetic / self.masses.iter().sum::<f64>()).sqrt();
        self.frames.push((distance, verdict.speed));
        verdict.kinetic.push(measures.kinetic);
        verdict.height.push(self.height(positions));
    }

    fn finish(&self, verdict: &mut Verdict) {
        let window = WINDOW.min(verdict.steps).max(1);
        let rises: Vec<f64> = self.energies.windows(2).map(|pair| self.rise(&pair[0], &pair[1])).collect();
        let sums = rises.windows(window).map(|rises| rises.iter().sum());
        verdict.rise_in_ten = sums.fold(f64::NEG_INFINITY, f64::max);
        let last = &self.frames[self.frames.len().saturating_sub(SETTLED_STEPS)..];
        let settled = !last.is_empty() && last.iter().all(|&(_, speed)| speed < self.settled_speed);
        verdict.settled_distance = (settled && !self.distances.is_empty())
            .then(|| last.iter().map(|&(distance, _)| distance).fold(f64::INFINITY, f64::min));
        let time = verdict.time.max(f64::MIN_POSITIVE) / 0.01;
        verdict.iterations = self.iterations as f64 / time;
        verdict.linearisations = self.linearisations as f64 / time;
    }
}

/// Structural edges: rows and columns of grids, sides of the triangles and tetrahedra of other meshes, and wires. Particles are
/// in the user's order, rest lengths in m.
fn structural_edges(scene: &Scene) -> Vec<([usize; 2], f64)> {
    let mut edges = Vec::new();
    let mut first = 0;
    for body in &scene.bodies {
        for [a, b] in mesh_edges(&body.mesh) {
            let rest = body.mesh.positions[a].as_dvec3().distance(body.mesh.positions[b].as_dvec3());
            edges.push(([first + a, first + b], rest));
        }
        first += body.mesh.positions.len();
    }
    edges
}

fn mesh_edges(mesh: &Mesh) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    if let Some(grid) = mesh.grid {
        let (columns, rows) = (grid.columns as usize, grid.rows as usize);
        for ix in 0..columns * rows {
            pairs.extend((ix % columns + 1 < columns).then_some([ix, ix + 1]));
            pairs.extend((ix / columns + 1 < rows).then_some([ix, ix + columns]));
        }
        return pairs;
    }
    let sides = mesh.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let solid = mesh.tetrahedra.iter().flat_map(|&[a, b, c, d]| [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]]);
    pairs.extend(
        sides.chain(solid).chain(mesh.wires.iter().copied()).map(|[a, b]| [a.min(b), a.max(b)].map(|v| v as usize)),
    );
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Collider, Integrator, Mass, Material, Vertices};
    use glam::Vec3;

    fn judged(scene: &Scene, options: Options, steps: f64) -> Verdict {
        let duration = steps * options.time_step;
        judge(&Backend::Cpu, scene, &options, duration).unwrap()
    }

    #[test]
    fn a_fall_in_implicit_steps_loses_what_it_should() {
        let mut scene = Scene::new();
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 6, 6), Material::cotton_springs()));
        let verdict = judged(&scene, Options::default(), 20.0);
        // Each step loses e = ½ M (g h)²; before the last one the kinetic energy is 19² e.
        assert!((verdict.rise + 1.0 / 362.0).abs() < 1e-9, "{verdict}");
        let last_ten: f64 = (10..20).map(|step| 1.0 / f64::from(step * step + 1)).sum();
        assert!((verdict.rise_in_ten + last_ten).abs() < 1e-9, "{verdict}");
        let fall = 0.5 * 9.81 * 1e-4 * 20.0 * 21.0;
        assert!((verdict.height[20] + fall).abs() < 1e-6 && verdict.kinetic.len() == 21, "{verdict}");
        assert!(verdict.stretch < 1e-6 && verdict.distance == f64::INFINITY && verdict.settled_distance.is_none());
        assert!(verdict.unconverged == 0 && verdict.error.is_none() && !verdict.exploded());
    }

    #[test]
    fn an_unstable_method_is_found_out() {
        let mut scene = Scene::new();
        let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 6, 6), Material::cotton_springs()));
        scene.pin(cloth, Vertices::corners());
        let options = Options { integrator: Integrator::ExplicitEuler, ..Options::default() };
        let verdict = judged(&scene, options, 100.0);
        assert!(verdict.exploded() && verdict.rise > 0.1 && verdict.rise_in_ten > 0.1, "{verdict}");
    }

    #[test]
    fn stretch_and_elastic_energy_of_the_start_are_known() {
        let mut scene = Scene::new();
        scene.gravity = Vec3::ZERO;
        let mesh = Mesh::grid(1.0, 1.0, 6, 6);
        let start = mesh.positions.iter().map(|x| 1.1 * *x).collect();
        scene.add(Body::cloth(mesh, Material::cotton_springs()).starting_at(start));
        let verdict = judged(&scene, Options { time_step: 1e-5, ..Options::default() }, 1.0);
        assert!((verdict.stretch - 0.1).abs() < 1e-3, "{verdict}");
        // Without the energy of the start all of it would count as a rise.
        assert!(verdict.rise.abs() < 1e-2, "{verdict}");
    }

    #[test]
    fn distances_are_those_of_the_surfaces() {
        let mut scene = Scene::new();
        scene.add_collider(Collider::plane(Vec3::ZERO, Vec3::Y));
        scene.add_collider(Collider { thickness: 0.01, ..Collider::sphere([5.0, 0.0, 0.0], 0.1) });
        let at = |height: f32| Mesh::points(vec![Vec3::new(0.0, height, 0.0), Vec3::new(1.0, height, 0.0)]);
        scene.add(Body::cloth(at(0.005), Material::loose(Mass::Total(1.0))));
        let verdict = judged(&scene, Options::default(), 20.0);
        assert!((verdict.distance - 1.0).abs() < 1e-3, "{verdict}");
        assert!(verdict.settled_distance.is_some_and(|distance| (distance - 1.0).abs() < 1e-3), "{verdict}");
        scene.bodies[0].mesh = at(-0.02);
        let verdict = judged(&scene, Options::default(), 1.0);
        assert!(verdict.distance < -2.0, "{verdict}");
    }
}
