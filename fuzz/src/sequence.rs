//! Random sequences of calls to a simulation, legal or not, against a model of what is legal. Bytes say which calls: the first one the scene, then one each for a call and what it
//! reads of its arguments.
//!
//! The model: an illegal call is an error that says so and changes nothing; a legal one succeeds, or fails as a step may fail and leaves finite numbers; a checkpoint restores exactly
//! what it was made of; a reset restores the start. Where two backends make the same calls they agree about what is legal.

use tenter::{
    Air, Backend, Body, Collider, Error, Handle, Integrator, Material, Mesh, Options, Pose, Scene, Simulation,
    Vertices,
    glam::Vec3,
    internals::{body_id, collider_id, pin_id},
    wgpu,
};

/// Bytes that choose calls and arguments; after their end there are zeros.
struct Choices<'b>(&'b [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A number, now and then one that no call should take.
    fn number(&mut self) -> f32 {
        match self.byte() {
            255 => f32::NAN,
            254 => f32::INFINITY,
            253 => 3e38,
            252 => -1e30,
            251 => 1e-40,
            byte => (f32::from(byte) - 120.0) * 0.01,
        }
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }
}

fn scene(choices: &mut Choices<'_>) -> (Scene, Options) {
    let kind = choices.byte();
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(Mesh::grid(0.4, 0.4, 4, 4), Material::cotton()));
    scene.pin(cloth, Vertices::list([0u32]));
    scene.pin(cloth, Vertices::list([3u32]));
    if kind & 1 != 0 {
        scene.add_collider(Collider::sphere([0.0, -0.25, 0.0], 0.2));
    }
    if kind & 2 != 0 {
        scene.air = Some(Air::wind(Vec3::X));
    }
    if kind & 4 != 0 {
        scene.bodies[0].skin = Some(Mesh::grid(0.4, 0.4, 3, 3));
    }
    let integrators = [Integrator::ImplicitEuler, Integrator::Bdf2, Integrator::ImexEuler, Integrator::VelocityVerlet];
    let integrator = integrators[usize::from(kind >> 4) % integrators.len()];
    let time_step = if integrator == Integrator::VelocityVerlet { 1e-4 } else { 0.01 };
    (scene, Options { integrator, time_step, ..Default::default() })
}

/// How a call ended.
#[derive(Debug, PartialEq, Clone, Copy)]
enum End {
    Done,
    /// The call was illegal.
    Illegal,
    /// A step failed.
    Failed,
}

fn end<T>(what: &str, result: Result<T, Error>) -> End {
    match result {
        Ok(_) => End::Done,
        Err(Error::Usage(_) | Error::Scene { .. } | Error::CheckpointVersion { .. }) => End::Illegal,
        Err(Error::NonFinite { .. } | Error::Unstable { .. }) => End::Failed,
        Err(other) => panic!("{what}: {other:?}"),
    }
}

/// A simulation with what the model knows of it.
struct Known {
    simulation: Simulation,
    start: Vec<Vec3>,
    checkpoint: Option<(Vec<u8>, Vec<Vec3>, u64)>,
}

impl Known {
    fn positions(&mut self) -> Option<Vec<Vec3>> {
        // Steps under way may fail; the state is then that before them.
        for _ in 0..100 {
            match self.simulation.positions() {
                Ok(positions) => {
                    assert!(positions.iter().all(|position| position.is_finite()), "positions are not finite");
                    return Some(positions.to_vec());
                }
                Err(error) => assert_eq!(end("positions", Err::<(), _>(error)), End::Failed),
            }
        }
        panic!("positions fail again and again");
    }

    /// Makes one call. Arguments are read in the same order for every backend.
    fn call(&mut self, mut choices: Choices<'_>) -> (End, usize) {
        let length = choices.0.len();
        let count = self.simulation.particle_count();
        let particle = |byte: u8| u32::from(byte % 20);
        let call = choices.byte();
        let simulation = &mut self.simulation;
        let found = match call % 26 {
            0..=4 => end("step", simulation.step()),
            5 => end("step_many", simulation.step_many(u32::from(choices.byte() % 6))),
            6 => end("finish", simulation.finish()),
            7 => end("poll", simulation.poll()),
            8 => end("velocities", simulation.velocities().map(|all| assert!(all.iter().all(|v| v.is_finite())))),
            9 => {
                let by = choices.vector() * 0.01;
                let Some(positions) = self.positions() else { return (End::Failed, 0) };
                let moved: Vec<Vec3> = positions.iter().map(|position| *position + by).collect();
                let legal = moved.iter().all(|position| position.is_finite());
                let found = end("set_positions", self.simulation.set_positions(&moved));
                assert_eq!(found == End::Illegal, !legal, "set_positions by {by}");
                found
            }
            10 => {
                let velocity = choices.vector();
                let found = end("set_velocities", simulation.set_velocities(&vec![velocity; count]));
                assert!(velocity.is_finite() || found != End::Done, "set_velocities {velocity}");
                found
            }
            11 => {
                let few = usize::from(choices.byte() % 20);
                let found = end("set_positions", simulation.set_positions(&vec![Vec3::ZERO; few]));
                assert!(few == count || found == End::Illegal, "{few} positions of {count}");
                found
            }
            12 => end("move_pin", simulation.move_pin(pin_id(usize::from(choices.byte() % 4)), choices.vector())),
            13 => end("release_pin", simulation.release_pin(pin_id(usize::from(choices.byte() % 4)))),
            14 => end("set_gravity", simulation.set_gravity(choices.vector())),
            15 => {
                let time_step = f64::from(choices.number()) * 0.01;
                let found = end("set_time_step", simulation.set_time_step(time_step));
                assert!(time_step > 0.0 && time_step.is_finite() || found == End::Illegal, "{time_step}");
                found
            }
            16 => end("push", simulation.push(particle(choices.byte()), choices.vector())),
            17 => end("grab", simulation.grab(particle(choices.byte()), Handle::default(), choices.vector())),
            18 => end("release", simulation.release(particle(choices.byte()))),
            19 => end("set_wind", simulation.set_wind(choices.vector())),
            20 => {
                let to = Pose { position: choices.vector(), ..Default::default() };
                end("move_collider", simulation.move_collider(collider_id(usize::from(choices.byte() % 2)), to))
            }
            21 => end("advance", simulation.advance(f64::from(choices.number()) * 0.01)),
            22 => {
                let Some(positions) = self.positions() else { return (End::Failed, 0) };
                match self.simulation.checkpoint() {
                    Ok(bytes) => {
                        self.checkpoint = Some((bytes, positions, self.simulation.steps()));
                        End::Done
                    }
                    Err(error) => end("checkpoint", Err::<(), _>(error)),
                }
            }
            23 => {
                let damage = choices.byte();
                let Some((bytes, positions, steps)) = self.checkpoint.clone() else { return (End::Done, 1) };
                let mut damaged = bytes.clone();
                if damage >= 128 {
                    let place = usize::from(damage) * damaged.len() / 256;
                    damaged[place] ^= 1 << (damage % 8);
                    let found = end("restore", self.simulation.restore(&damaged));
                    assert_eq!(found, End::Illegal, "a damaged checkpoint");
                }
                assert_eq!(end("restore", self.simulation.restore(&bytes)), End::Done);
                assert_eq!((self.positions(), self.simulation.steps()), (Some(positions), steps), "restore");
                End::Done
            }
            24 => {
                assert_eq!(end("reset", simulation.reset()), End::Done);
                assert_eq!(simulation.steps(), 0);
                assert_eq!(self.positions().as_ref(), Some(&self.start), "reset");
                End::Done
            }
            _ => match simulation.gpu().cloned() {
                Some(gpu) => {
                    // One that is submitted, or one that is dropped.
                    let submits = !choices.byte().is_multiple_of(4);
                    let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                    let found = end("encode_step", simulation.encode_step(&mut encoder));
                    if submits {
                        gpu.queue().submit([encoder.finish()]);
                    }
                    let finished = simulation.finish();
                    if !submits && finished.is_err() {
                        assert_eq!(end("reset", simulation.reset()), End::Done);
                    }
                    found
                }
                None => {
                    choices.byte();
                    End::Done
                }
            },
        };
        // What is read of another body than the scene's is an error.
        if call % 26 == 8 {
            assert_eq!(end("skin", self.simulation.skin_positions(body_id(1))), End::Illegal);
        }
        (found, length - choices.0.len())
    }
}

/// Makes the calls that the bytes say on each backend.
pub fn run(data: &[u8], backends: &[Backend]) {
    let mut choices = Choices(data);
    let (scene, options) = scene(&mut choices);
    let mut all: Vec<Known> = backends
        .iter()
        .map(|backend| {
            let mut simulation = Simulation::new(backend.clone(), &scene, options.clone()).unwrap();
            let start = simulation.positions().unwrap().to_vec();
            Known { simulation, start, checkpoint: None }
        })
        .collect();
    let mut rest = choices.0;
    while !rest.is_empty() {
        let ends: Vec<(End, usize)> = all.iter_mut().map(|known| known.call(Choices(rest))).collect();
        let illegal = |(end, _): &(End, usize)| *end == End::Illegal;
        assert!(ends.iter().all(|other| illegal(other) == illegal(&ends[0])), "call {}: {ends:?}", rest[0] % 26);
        let taken = ends.iter().map(|(_, taken)| *taken).max().unwrap_or(1).max(1);
        rest = &rest[taken.min(rest.len())..];
    }
    all.iter_mut().for_each(|known| _ = known.positions());
}
