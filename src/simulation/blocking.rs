//! The blocking interface: each call drives its async twin in `awaiting` to its end, polling the device, within [`Options::timeout`] for each wait. In a browser a call
//! that would have to wait is an error.

use super::{Backend, Simulation};
use crate::{BodyId, Error, Options, Pose, Scene, StepRecord, gpu::wait};
use glam::{DVec3, Vec3};

impl Simulation {
    /// Checks the scene and sets everything up: the last allocation on the GPU.
    pub fn new(backend: impl Into<Backend>, scene: &Scene, options: Options) -> Result<Self, Error> {
        wait::drive(options.timeout, Self::new_async(backend, scene, options))
    }

    /// Submits a step and returns the newest record known, which on a GPU is that of an earlier step: nothing is waited for but
    /// the step before the last. An error is that of an earlier step too; the state is then that before it.
    ///
    /// With [`Options::adaptive`] it is waited for, and repeated shorter until it is good enough.
    pub fn step(&mut self) -> Result<Option<StepRecord>, Error> {
        wait::drive(self.options.timeout, self.step_async())
    }

    /// Makes many steps: on a GPU up to 32 in one submission, with nothing from the host between them, and the same bits as one by one as
    /// long as no solve runs out of iterations: their number is that of the submission before the last, see
    /// [`Budget`](crate::Budget). Returns the newest record known, as [`step`](Self::step) does; those of all steps arrive in
    /// [`take_records`](Self::take_records). Pins that are led by
    /// [`move_pin`](Self::move_pin) move evenly over the steps, which are then submitted one by one, as they are along a path.
    ///
    /// ```
    /// # use tenter::{Backend, Body, Integrator, Material, Mesh, Options, Scene, Simulation, Vertices};
    /// # fn main() -> Result<(), tenter::Error> {
    /// # let mut scene = Scene::new();
    /// # let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 8, 8), Material::cotton()));
    /// # scene.pin(cloth, Vertices::corners());
    /// let options = Options { integrator: Integrator::VelocityVerlet, time_step: 1e-4, ..Default::default() };
    /// let mut simulation = Simulation::new(Backend::Cpu, &scene, options)?;
    /// simulation.step_many(100)?;
    /// assert_eq!(simulation.finish()?.map(|record| record.step), Some(100));
    /// # Ok(()) }
    /// ```
    pub fn step_many(&mut self, count: u32) -> Result<Option<StepRecord>, Error> {
        wait::drive(self.options.timeout, self.step_many_async(count))
    }

    /// Adds a step to the host's encoder, to be submitted by the host before anything else is asked of the simulation. Records and
    /// errors come with the next [`finish`](Self::finish), which is due at least every 64 steps. Not on the CPU backend.
    ///
    /// Setters act on the queue, not on the encoder: what they set holds for all steps of the next submission. Pins are led, and let go,
    /// in the encoder: step by step.
    ///
    /// In a scene with [`colliders`](Scene::colliders) contacts are tested between steps, on the CPU: there is one step to a submission, this call waits
    /// for the step before it, and it is an error if that has not been submitted.
    pub fn encode_step(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        wait::drive(self.options.timeout, self.encode_step_async(encoder))
    }

    /// Waits for all steps and returns the last one's record.
    pub fn finish(&mut self) -> Result<Option<StepRecord>, Error> {
        wait::drive(self.options.timeout, self.finish_async())
    }

    /// Simulates as many whole steps as fit into the time that has passed, s, remembering the rest; at most
    /// [`Options::max_substeps`], dropping time beyond. Pins move evenly over the steps. Returns how many steps were made. Steps of
    /// adaptive length land on the end of the frame.
    pub fn advance(&mut self, frame_time: f64) -> Result<u32, Error> {
        wait::drive(self.options.timeout, self.advance_async(frame_time))
    }

    /// Simulates up to a time, s, and lands on it exactly: the last step, or the last two, are cut so that no sliver is left over. Steps
    /// of fixed length become as much shorter as makes a whole number of them fit. Pins that are led move evenly. Returns how many
    /// steps were made; none if the time is now.
    ///
    /// ```
    /// # use tenter::{Adaptive, Backend, Body, Integrator, Material, Mesh, Options, Scene, Simulation, Vertices};
    /// # fn main() -> Result<(), tenter::Error> {
    /// # let mut scene = Scene::new();
    /// # let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 8, 8), Material::cotton()));
    /// # scene.pin(cloth, Vertices::corners());
    /// let options = Options { integrator: Integrator::Bdf2, adaptive: Some(Adaptive::default()), ..Default::default() };
    /// let mut simulation = Simulation::new(Backend::Cpu, &scene, options)?;
    /// for frame in 1..=3 {
    ///     simulation.advance_to(f64::from(frame) / 30.0)?;
    /// }
    /// assert!((simulation.time() - 0.1).abs() < 1e-12);
    /// # Ok(()) }
    /// ```
    pub fn advance_to(&mut self, time: f64) -> Result<u32, Error> {
        wait::drive(self.options.timeout, self.advance_to_async(time))
    }

    /// Positions in the user's order, body after body, m. Waits for all steps.
    pub fn positions(&mut self) -> Result<&[Vec3], Error> {
        wait::drive(self.options.timeout, self.positions_async())
    }

    /// The same in f64: all digits of the CPU backend, no more than f32 from a GPU.
    pub fn positions_f64(&mut self) -> Result<Vec<DVec3>, Error> {
        wait::drive(self.options.timeout, self.positions_f64_async())
    }

    /// Positions of some particles, m, in the order asked for. Waits for all steps, and copies nothing else from the GPU.
    ///
    /// ```
    /// # use tenter::{Backend, Body, Material, Mesh, Options, Scene, Simulation, Vertices};
    /// # fn main() -> Result<(), tenter::Error> {
    /// # let mut scene = Scene::new();
    /// # let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 8, 8), Material::cotton()));
    /// # scene.pin(cloth, Vertices::corners());
    /// # let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default())?;
    /// simulation.step()?;
    /// let positions = simulation.positions_of(&[63, 0])?;
    /// assert_eq!(positions, [simulation.positions()?[63], simulation.positions()?[0]]);
    /// # Ok(()) }
    /// ```
    pub fn positions_of(&mut self, particles: &[u32]) -> Result<Vec<Vec3>, Error> {
        wait::drive(self.options.timeout, self.positions_of_async(particles))
    }

    /// Velocities in the user's order, m/s. Waits for all steps.
    pub fn velocities(&mut self) -> Result<&[Vec3], Error> {
        wait::drive(self.options.timeout, self.velocities_async())
    }

    /// The force each particle was held with by pins and colliders in the last step, N, averaged over it; zero for free ones. In the
    /// user's order.
    pub fn reactions(&mut self) -> Result<Vec<DVec3>, Error> {
        wait::drive(self.options.timeout, self.reactions_async())
    }

    /// The strain at each particle, in the user's order: of the structural edges and the elements there, that which is stretched or
    /// compressed the most, negative if compressed. An edge has l/L - 1, a triangle with an area or membrane model and a tetrahedron
    /// with a volume model the principal strain σ - 1. Zero where there are none. Waits for all steps.
    ///
    /// The largest of their sizes is [`Measures::largest_strain`](crate::Measures), which says what counts.
    pub fn strains(&mut self) -> Result<Vec<f32>, Error> {
        wait::drive(self.options.timeout, self.strains_async())
    }

    /// What each edge remembers, in the order of [`edges`](Self::edges): the plastic strain, or the strains of its Kelvin–Voigt
    /// elements; zeros where there is nothing to remember. Waits for all steps.
    ///
    /// With positions and velocities this is the whole state of an integrator that looks back at no earlier step, where no wind
    /// swings. An integrator that does begins again as at the start, and so does the wind in a new simulation.
    pub fn edge_history(&mut self) -> Result<Vec<[f32; 4]>, Error> {
        wait::drive(self.options.timeout, self.edge_history_async())
    }

    /// Where the vertices of a body's skin are, m, in the order of its mesh. Waits for all steps.
    ///
    /// ```
    /// # use tenter::{Backend, Body, Mass, Material, Mesh, Options, Scene, Simulation};
    /// # fn main() -> Result<(), tenter::Error> {
    /// let (coarse, fine) = (Mesh::grid(1.0, 1.0, 4, 4), Mesh::grid(1.0, 1.0, 31, 31));
    /// let mut scene = Scene::new();
    /// let cloth = scene.add(Body::cloth(coarse, Material::cotton()).with_skin(fine));
    /// let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default())?;
    /// simulation.step()?;
    /// assert_eq!(simulation.skin_positions(cloth)?.len(), 31 * 31);
    /// # Ok(()) }
    /// ```
    pub fn skin_positions(&mut self, body: BodyId) -> Result<Vec<Vec3>, Error> {
        wait::drive(self.options.timeout, self.skin_positions_async(body))
    }

    /// Unit normals of a body's skin at its vertices: those of the triangles around each, by their areas; zero where there are none.
    /// Waits for all steps.
    pub fn skin_normals(&mut self, body: BodyId) -> Result<Vec<Vec3>, Error> {
        wait::drive(self.options.timeout, self.skin_normals_async(body))
    }

    /// Where each collider of the scene is. Waits for all steps if there are rigid bodies.
    pub fn collider_poses(&mut self) -> Result<Vec<Pose>, Error> {
        wait::drive(self.options.timeout, self.collider_poses_async())
    }

    /// Puts every particle somewhere else, m, in the user's order. Pins stay where they lead to.
    pub fn set_positions(&mut self, positions: &[Vec3]) -> Result<(), Error> {
        wait::drive(self.options.timeout, self.set_positions_async(positions))
    }

    /// Gives every particle a velocity, m/s, in the user's order.
    pub fn set_velocities(&mut self, velocities: &[Vec3]) -> Result<(), Error> {
        wait::drive(self.options.timeout, self.set_velocities_async(velocities))
    }

    /// Gives every edge its memory back, as [`edge_history`](Self::edge_history) had it.
    pub fn set_edge_history(&mut self, history: &[[f32; 4]]) -> Result<(), Error> {
        wait::drive(self.options.timeout, self.set_edge_history_async(history))
    }

    /// The whole state, to be [restored](Self::restore) in another simulation of the same scene: it goes on with the same bits as this one on the
    /// same adapter. Waits for all steps. Versioned, with a checksum.
    ///
    /// ```
    /// # use tenter::{Backend, Body, Material, Mesh, Options, Scene, Simulation, Vertices};
    /// # fn main() -> Result<(), tenter::Error> {
    /// # let mut scene = Scene::new();
    /// # let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 8, 8), Material::cotton()));
    /// # scene.pin(cloth, Vertices::corners());
    /// let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default())?;
    /// simulation.step_many(10)?;
    /// let checkpoint = simulation.checkpoint()?;
    /// simulation.step_many(10)?;
    ///
    /// let mut other = Simulation::new(Backend::Cpu, &scene, Options::default())?;
    /// other.restore(&checkpoint)?;
    /// other.step_many(10)?;
    /// assert_eq!(simulation.positions_f64()?, other.positions_f64()?);
    /// # Ok(()) }
    /// ```
    pub fn checkpoint(&mut self) -> Result<Vec<u8>, Error> {
        wait::drive(self.options.timeout, self.checkpoint_async())
    }

    /// Goes on from a [checkpoint](Self::checkpoint) of the same scene. What is wrong with it is an [`Error::Usage`]; the simulation is then at
    /// its start, or where it was if nothing of the checkpoint could be used.
    pub fn restore(&mut self, checkpoint: &[u8]) -> Result<(), Error> {
        wait::drive(self.options.timeout, self.restore_async(checkpoint))
    }

    /// Back to the start: positions, velocities, pins, loads, what edges remember, time. Gravity, air and step stay as they were set.
    pub fn reset(&mut self) -> Result<(), Error> {
        wait::drive(self.options.timeout, self.reset_async())
    }
}
