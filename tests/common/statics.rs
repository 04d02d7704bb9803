//! Rest states, forces and momenta of whole scenes.

use glam::{DVec3, Vec3};
use tenter::{
    Backend, Budget, NewtonOptions, Nonlinear, Options, Scene, Simulation, SolverOptions,
    internals::{
        reference::{Parameters, State, assembly, external},
        topology::Topology,
    },
};

/// Newton to a tolerance, with steps of so many seconds: large ones are statics.
pub fn newton(tolerance: f64, time_step: f64) -> Options {
    Options {
        time_step,
        solver: SolverOptions { tolerance: 0.1 * tolerance, max_iterations: 20_000, ..Default::default() },
        nonlinear: Nonlinear::Newton(NewtonOptions { tolerance, max_linearisations: 40 }),
        ..Default::default()
    }
}

/// Steps, each from rest, until nothing moves by more than a distance, m. Returns where everything is then.
pub fn settle(simulation: &mut Simulation, most: usize, distance: f64) -> Vec<DVec3> {
    let still = vec![Vec3::ZERO; simulation.topology().particle_count()];
    let mut before = simulation.positions_f64().unwrap();
    for _ in 0..most {
        simulation.step().unwrap();
        simulation.finish().unwrap();
        simulation.set_velocities(&still).unwrap();
        let after = simulation.positions_f64().unwrap();
        let moved = super::largest_distance(&before, &after);
        before = after;
        if moved <= distance {
            return before;
        }
    }
    panic!("does not come to rest in {most} steps");
}

/// Where a scene comes to rest in f64, by steps of so many seconds, each solved to a tolerance.
pub fn rest_state_to(tolerance: f64, scene: &Scene, time_step: f64, most: usize, distance: f64) -> Vec<DVec3> {
    let mut simulation = Simulation::new(Backend::Cpu, scene, newton(tolerance, time_step)).unwrap();
    settle(&mut simulation, most, distance)
}

/// The same, to the last digits that f64 has.
pub fn rest_state(scene: &Scene, time_step: f64, most: usize, distance: f64) -> Vec<DVec3> {
    rest_state_to(1e-8, scene, time_step, most, distance)
}

/// Tight enough to see what a backend keeps: the recursive residual to the end of its digits.
pub fn tight(tolerance: f64) -> SolverOptions {
    SolverOptions { tolerance, max_iterations: 2000, budget: Budget::Full, ..Default::default() }
}

/// Internal forces on the particles of a scene at some positions and velocities, N, in f64.
pub fn internal_forces(scene: &Scene, positions: &[DVec3], velocities: &[DVec3]) -> Vec<DVec3> {
    let options = Options { time_step: 1.0, ..Default::default() };
    let topology = Topology::build(scene, &options).unwrap();
    let parameters = Parameters::new(&options, DVec3::ZERO);
    let mut state = State::new(&topology, &parameters);
    for (row, &particle) in topology.order.iter().enumerate() {
        state.positions[row] = positions[particle as usize];
        state.velocities[row] = velocities[particle as usize];
    }
    if let Some(fans) = &topology.fans {
        external::normals(fans, &mut state);
    }
    // In a later linearisation the residual is h f.
    assembly::edges(&topology, &parameters, 1, &mut state);
    assembly::elements(&topology, &parameters, 1, &mut state);
    topology.row_of.iter().map(|&row| state.residual[row as usize]).collect()
}

/// Masses in the user's order, kg.
pub fn masses(topology: &Topology) -> Vec<f64> {
    topology.row_of.iter().map(|&row| topology.masses[row as usize]).collect()
}

/// Σ f and Σ x × f over Σ |f| and Σ |x| |f|, about the middle of the particles.
pub fn momentum_errors(positions: &[DVec3], forces: &[DVec3]) -> [f64; 2] {
    let centre = positions.iter().sum::<DVec3>() / positions.len() as f64;
    let pairs = || positions.iter().map(|x| *x - centre).zip(forces);
    let size: f64 = forces.iter().map(|force| force.length()).sum();
    let turning: f64 = pairs().map(|(x, force)| x.length() * force.length()).sum();
    let force: DVec3 = forces.iter().sum();
    let torque: DVec3 = pairs().map(|(x, force)| x.cross(*force)).sum();
    [force.length() / size.max(f64::MIN_POSITIVE), torque.length() / turning.max(f64::MIN_POSITIVE)]
}

/// Random vectors with components up to a size.
pub fn random_vectors(seed: u64, count: usize, size: f64) -> Vec<DVec3> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut signed = || size * (2.0 * rng.f64() - 1.0);
    (0..count).map(|_| DVec3::new(signed(), signed(), signed())).collect()
}
