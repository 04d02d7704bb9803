//! The blocking interface: each call drives its async counterpart in `awaiting` to completion, polling the device; each wait is
//! limited by [`Options::timeout`]. In a browser a call that would have to wait is an error.

use super::{Backend, Simulation};
use crate::{BodyId, Error, Options, Pose, Scene, StepRecord, gpu::wait};
use glam::{DVec3, Vec3};

impl Simulation {
    /// Checks the scene and allocates all GPU resources; later calls allocate none.
    pub fn new(backend: impl Into<Backend>, scene: &Scene, options: Options) -> Result<Self, Error> {
        wait::drive(options.timeout, Self::new_async(backend, scene, options))
    }

    /// Submits a step and returns the newest known record. On a GPU that is the record of an earlier step: the call waits only
    /// for the step before the last. An error also belongs to an earlier step; the state is then the one before it.
    ///
    /// With [`Options::adaptive`] the call waits for the step, and repeats it with shorter lengths until its error is small
    /// enough.
    pub fn step(&mut self) -> Result<Option<StepRecord>, Error> {
        wait::drive(self.options.timeout, self.step_async())
    }

    /// Makes many steps, on a GPU up to 32 in one submission, without the host between them. They compute the same bits as single
    /// steps as long as no solve runs out of iterations, whose number is that of the submission before the last, see
    /// [`Budget`](crate::Budget). Returns the newest known record, as [`step`](Self::step) does;
    /// [`take_records`](Self::take_records) returns those of all steps. Pins moved by [`move_pin`](Self::move_pin) move at
    /// constant velocity over the steps. Steps with moving pins are submitted one by one.
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

    /// Encodes a step into the host's encoder. The host submits it before the next call to the simulation. Records and errors
    /// come with the next [`finish`](Self::finish), which is due at least every 64 steps. Not on the CPU backend.
    ///
    /// Setters act on the queue, not on the encoder: they affect all steps of the next submission. Pins are moved and released in
    /// the encoder, step by step.
    ///
    /// In a scene with [`colliders`](Scene::colliders) the CPU detects contacts between steps: each submission has one step, this
    /// call waits for the step before it, and returns an error if that has not been submitted.
    pub fn encode_step(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        wait::drive(self.options.timeout, self.encode_step_async(encoder))
    }

    /// Waits for all steps and returns the last one's record.
    pub fn finish(&mut self) -> Result<Option<StepRecord>, Error> {
        wait::drive(self.options.timeout, self.finish_async())
    }

    /// Simulates the whole steps that fit into a duration, s, and carries the remainder over to the next call. Makes at most
    /// [`Options::max_substeps`] steps and drops time beyond them. Pins move at constant velocity over the steps. Steps of
    /// adaptive length end exactly at the end of the duration. Returns the number of steps made.
    pub fn advance(&mut self, frame_time: f64) -> Result<u32, Error> {
        wait::drive(self.options.timeout, self.advance_async(frame_time))
    }

    /// Simulates up to a time, s, and ends exactly there: the last step, or the last two, are shortened so that no very short one
    /// remains. Steps of fixed length are shortened so that a whole number of them fits. Moved pins have constant velocity.
    /// Returns the number of steps made, 0 if the time is now.
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

    /// Positions in f64, in the user's order, m: exact from the CPU backend, of f32 precision from a GPU. Waits for all steps.
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

    /// Constraint force of pins and colliders on each particle, N, averaged over the last step; zero for free particles. In the
    /// user's order.
    pub fn reactions(&mut self) -> Result<Vec<DVec3>, Error> {
        wait::drive(self.options.timeout, self.reactions_async())
    }

    /// Force of contact between bodies on each particle in the last step, N: the sum of all pushes in size, as pictures show it. In the user's order.
    #[cfg(feature = "cli")]
    pub(crate) fn meeting_forces(&mut self) -> Result<Vec<f64>, Error> {
        wait::drive(self.options.timeout, self.meeting_forces_async())
    }

    /// Strain at each particle, in the user's order: the largest in absolute value of its structural edges and elements, negative
    /// in compression. An edge has l/L - 1; a triangle with an area or membrane model, and a tetrahedron with a volume model,
    /// have the principal strain σ - 1. Zero for particles without edges and elements. Waits for all steps.
    ///
    /// Their largest absolute value is [`Measures::largest_strain`](crate::Measures).
    pub fn strains(&mut self) -> Result<Vec<f32>, Error> {
        wait::drive(self.options.timeout, self.strains_async())
    }

    /// Memory of each edge, in the order of [`edges`](Self::edges): its plastic strain, or the strains of its Kelvin–Voigt elements; zero for
    /// edges without memory. Waits for all steps.
    ///
    /// Positions, velocities and this memory are the whole state of a one-step integrator without gusty wind. In a new simulation
    /// a multistep integrator and the phase of the wind restart.
    pub fn edge_history(&mut self) -> Result<Vec<[f32; 4]>, Error> {
        wait::drive(self.options.timeout, self.edge_history_async())
    }

    /// Positions of the vertices of a body's skin, m, in the order of its mesh. Waits for all steps.
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

    /// Unit normals at the vertices of a body's skin, weighted by the area of the triangles around each; zero for vertices
    /// without triangles. Waits for all steps.
    pub fn skin_normals(&mut self, body: BodyId) -> Result<Vec<Vec3>, Error> {
        wait::drive(self.options.timeout, self.skin_normals_async(body))
    }

    /// Current pose of each collider of the scene. Waits for all steps if there are rigid bodies.
    pub fn collider_poses(&mut self) -> Result<Vec<Pose>, Error> {
        wait::drive(self.options.timeout, self.collider_poses_async())
    }

    /// Sets the position of every particle, m, in the user's order. Targets of pins stay.
    pub fn set_positions(&mut self, positions: &[Vec3]) -> Result<(), Error> {
        wait::drive(self.options.timeout, self.set_positions_async(positions))
    }

    /// Sets the velocity of every particle, m/s, in the user's order.
    pub fn set_velocities(&mut self, velocities: &[Vec3]) -> Result<(), Error> {
        wait::drive(self.options.timeout, self.set_velocities_async(velocities))
    }

    /// Sets the memory of every edge, as returned by [`edge_history`](Self::edge_history).
    pub fn set_edge_history(&mut self, history: &[[f32; 4]]) -> Result<(), Error> {
        wait::drive(self.options.timeout, self.set_edge_history_async(history))
    }

    /// Whole state of the simulation as bytes, versioned and with a checksum. [`restore`](Self::restore) continues from it in
    /// another simulation of the same scene, with the same bits on the same adapter. Waits for all steps.
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

    /// Restores a [checkpoint](Self::checkpoint) of the same scene. A checkpoint that does not fit is an [`Error::Usage`]; the
    /// simulation is then unchanged, or at its start if part of the checkpoint had been applied.
    pub fn restore(&mut self, checkpoint: &[u8]) -> Result<(), Error> {
        wait::drive(self.options.timeout, self.restore_async(checkpoint))
    }

    /// Resets positions, velocities, pins, loads, memory of edges and time to the start. Gravity, air and step length keep their
    /// current values.
    pub fn reset(&mut self) -> Result<(), Error> {
        wait::drive(self.options.timeout, self.reset_async())
    }
}
