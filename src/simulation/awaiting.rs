//! The async interface: each call awaits where its counterpart in `blocking` blocks.
//!
//! Futures make progress when the device is polled: in a browser by the event loop, natively by [`Gpu::poll`](crate::Gpu::poll)
//! or any submission to the same device.

use super::{Backend, Simulation, check::checked_topology};
use crate::{BodyId, Error, Options, Pose, Scene, StepRecord, engine::Skinned};
use glam::{DVec3, Vec3};

impl Simulation {
    /// Async version of [`new`](Self::new).
    pub async fn new_async(backend: impl Into<Backend>, scene: &Scene, options: Options) -> Result<Self, Error> {
        let topology = checked_topology(scene, &options)?;
        Self::set_up(backend.into(), scene, topology, options).await
    }

    /// Receives finished results from the GPU and returns the newest record, if there is one since the last call. Never waits.
    ///
    /// A failed step is not repeated here, since that has to wait: its record stays pending until the next step or
    /// [`finish`](Self::finish). The number of calls does not affect the computed bits.
    ///
    /// ```
    /// # use tenter::{Backend, Body, Gpu, Material, Mesh, Options, Scene, Simulation, Vertices};
    /// # fn main() -> Result<(), tenter::Error> {
    /// # let mut scene = Scene::new();
    /// # let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 8, 8), Material::cotton()));
    /// # scene.pin(cloth, Vertices::corners());
    /// let mut simulation = Simulation::new(&Gpu::headless()?, &scene, Options::default())?;
    /// simulation.step()?;
    /// let record = loop {
    ///     // Draw a frame, look after the window.
    ///     if let Some(record) = simulation.poll()? {
    ///         break record;
    ///     }
    /// };
    /// assert_eq!(record.step, 1);
    /// # Ok(()) }
    /// ```
    pub fn poll(&mut self) -> Result<Option<StepRecord>, Error> {
        self.engine.poll()?;
        let known = self.known;
        self.collect();
        self.known = self.latest.map_or(0, |record| record.step);
        Ok(self.latest.filter(|record| record.step > known))
    }

    /// Number of submitted steps without a result, as known before the next [`poll`](Self::poll). While it is 0, a step does not
    /// wait.
    pub fn steps_under_way(&self) -> usize {
        self.engine.steps_under_way()
    }

    /// Async version of [`step`](Self::step).
    pub async fn step_async(&mut self) -> Result<Option<StepRecord>, Error> {
        self.begin()?;
        let result = self.make_step().await;
        self.end(result)?;
        Ok(self.latest)
    }

    /// Async version of [`step_many`](Self::step_many).
    pub async fn step_many_async(&mut self, count: u32) -> Result<Option<StepRecord>, Error> {
        self.begin()?;
        let result = self.make_steps(count).await;
        self.end(result)?;
        Ok(self.latest)
    }

    /// Async version of [`encode_step`](Self::encode_step).
    pub async fn encode_step_async(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        self.begin()?;
        let result = self.encode_next_step(encoder).await;
        self.end(result)
    }

    /// Async version of [`finish`](Self::finish).
    pub async fn finish_async(&mut self) -> Result<Option<StepRecord>, Error> {
        self.begin()?;
        let result = self.finish_steps().await;
        self.end(result)?;
        Ok(self.latest)
    }

    /// Async version of [`advance`](Self::advance).
    pub async fn advance_async(&mut self, frame_time: f64) -> Result<u32, Error> {
        self.begin()?;
        let result = self.make_frame(frame_time).await;
        self.end(result)
    }

    /// Async version of [`advance_to`](Self::advance_to).
    pub async fn advance_to_async(&mut self, time: f64) -> Result<u32, Error> {
        self.begin()?;
        let result = self.make_steps_to(time).await;
        self.end(result)
    }

    /// Async version of [`collider_poses`](Self::collider_poses).
    pub async fn collider_poses_async(&mut self) -> Result<Vec<Pose>, Error> {
        self.begin()?;
        let result = self.poses().await;
        self.end(result)
    }

    /// Async version of [`reset`](Self::reset).
    pub async fn reset_async(&mut self) -> Result<(), Error> {
        // A reset also ends a call that was interrupted.
        let interrupted = std::mem::replace(&mut self.busy, true);
        let result = self.start_over().await;
        self.busy = interrupted && result.is_err();
        result
    }

    /// Async version of [`checkpoint`](Self::checkpoint).
    pub async fn checkpoint_async(&mut self) -> Result<Vec<u8>, Error> {
        self.begin()?;
        let result = self.serialise().await;
        self.end(result)
    }

    /// Async version of [`restore`](Self::restore).
    pub async fn restore_async(&mut self, checkpoint: &[u8]) -> Result<(), Error> {
        let interrupted = std::mem::replace(&mut self.busy, true);
        let result = self.go_on_from(checkpoint).await;
        self.busy = interrupted && result.is_err();
        result
    }

    /// Async version of [`positions`](Self::positions).
    pub async fn positions_async(&mut self) -> Result<&[Vec3], Error> {
        self.positions = self.positions_f64_async().await?.iter().map(|position| position.as_vec3()).collect();
        Ok(&self.positions)
    }

    /// Async version of [`positions_f64`](Self::positions_f64).
    pub async fn positions_f64_async(&mut self) -> Result<Vec<DVec3>, Error> {
        self.finish_async().await?;
        self.engine.published().await
    }

    /// Like [`positions_of`](Self::positions_of), awaited.
    pub async fn positions_of_async(&mut self, particles: &[u32]) -> Result<Vec<Vec3>, Error> {
        let count = self.topology.particle_count();
        if let Some(particle) = particles.iter().find(|&&particle| particle as usize >= count) {
            return Err(Error::Usage(format!("there is no particle {particle}: the scene has {count}")));
        }
        self.finish_async().await?;
        let positions = self.engine.published_of(particles).await?;
        Ok(positions.iter().map(|position| position.as_vec3()).collect())
    }

    /// Async version of [`velocities`](Self::velocities).
    pub async fn velocities_async(&mut self) -> Result<&[Vec3], Error> {
        self.finish_async().await?;
        let rows = self.engine.velocities().await?;
        self.velocities = self.to_particles(&rows).iter().map(|velocity| velocity.as_vec3()).collect();
        Ok(&self.velocities)
    }

    /// Async version of [`reactions`](Self::reactions).
    pub async fn reactions_async(&mut self) -> Result<Vec<DVec3>, Error> {
        self.finish_async().await?;
        let rows = self.engine.constraint_forces().await?;
        Ok(self.to_particles(&rows))
    }

    /// Async version of [`meeting_forces`](Self::meeting_forces).
    #[cfg(feature = "cli")]
    pub(crate) async fn meeting_forces_async(&mut self) -> Result<Vec<f64>, Error> {
        self.finish_async().await?;
        let rows = self.engine.meeting_forces().await?;
        Ok(self.topology.row_of.iter().map(|&row| rows[row as usize]).collect())
    }

    /// Async version of [`strains`](Self::strains).
    pub async fn strains_async(&mut self) -> Result<Vec<f32>, Error> {
        self.finish_async().await?;
        let rows = self.engine.positions().await?;
        Ok(self.strains_of(&rows))
    }

    /// Async version of [`edge_history`](Self::edge_history).
    pub async fn edge_history_async(&mut self) -> Result<Vec<[f32; 4]>, Error> {
        self.finish_async().await?;
        let history = self.engine.edge_history().await?;
        Ok(history.iter().map(|edge| edge.map(|value| value as f32)).collect())
    }

    /// Async version of [`skin_positions`](Self::skin_positions).
    pub async fn skin_positions_async(&mut self, body: BodyId) -> Result<Vec<Vec3>, Error> {
        self.read_skin(body, Skinned::Positions).await
    }

    /// Async version of [`skin_normals`](Self::skin_normals).
    pub async fn skin_normals_async(&mut self, body: BodyId) -> Result<Vec<Vec3>, Error> {
        self.read_skin(body, Skinned::Normals).await
    }

    /// Async version of [`set_positions`](Self::set_positions).
    pub async fn set_positions_async(&mut self, positions: &[Vec3]) -> Result<(), Error> {
        let rows = self.to_rows(positions, "positions")?;
        self.begin()?;
        let result = self.forget_contacts().await;
        self.end(result)?;
        self.engine.set_positions(&self.unite(rows))
    }

    /// Async version of [`set_velocities`](Self::set_velocities).
    pub async fn set_velocities_async(&mut self, velocities: &[Vec3]) -> Result<(), Error> {
        let rows = self.to_rows(velocities, "velocities")?;
        self.begin()?;
        let result = self.forget_contacts().await;
        self.end(result)?;
        self.engine.set_velocities(&self.unite(rows))
    }

    /// Async version of [`set_edge_history`](Self::set_edge_history).
    pub async fn set_edge_history_async(&mut self, history: &[[f32; 4]]) -> Result<(), Error> {
        let rows = self.checked_history(history)?;
        self.finish_async().await?;
        self.engine.set_edge_history(&rows)
    }

    /// Begins a call that leaves the simulation unusable if its future is dropped.
    fn begin(&mut self) -> Result<(), Error> {
        if self.busy {
            let message = "a future of this simulation was dropped before its end, so that its state is unknown: reset() it, or restore() a checkpoint";
            return Err(Error::Usage(message.to_owned()));
        }
        self.busy = true;
        Ok(())
    }

    fn end<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        self.busy = false;
        result
    }
}
