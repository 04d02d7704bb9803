//! External forces, changed between steps: gravity, air, forces on single particles.

use super::Simulation;
use crate::{Air, Error, Handle, topology::Load};
use glam::{DVec3, Vec3};

impl Simulation {
    /// Changes gravity from the next step on, m/s².
    pub fn set_gravity(&mut self, gravity: Vec3) -> Result<(), Error> {
        if !gravity.is_finite() {
            return Err(Error::Usage(format!("gravity must be finite, not {gravity}")));
        }
        self.gravity = gravity;
        self.weigh()
    }

    /// Changes wind and air resistance from the next step on. The scene must have [`air`](crate::Scene::air): without it no
    /// surface normals are computed.
    pub fn set_air(&mut self, air: Air) -> Result<(), Error> {
        if self.air.is_none() {
            return Err(Error::Usage("the scene has no air; give it some, at rest, before the start".to_owned()));
        }
        let wrong = |(part, message)| Error::Usage(format!("air.{part} {message}"));
        air.check().and_then(|()| air.check_step(self.options.time_step)).map_err(wrong)?;
        self.air = Some(air);
        self.engine.set_air(air)
    }

    /// Changes the wind alone, N/m².
    pub fn set_wind(&mut self, wind: Vec3) -> Result<(), Error> {
        self.set_air(Air { wind, ..self.air.unwrap_or_default() })
    }

    /// Applies a force to a particle, N, from the next step on, in place of its previous one. Zero removes it.
    ///
    /// At most 256 particles, or as many as the scene starts with if those are more, can be pushed or grabbed at once.
    pub fn push(&mut self, particle: u32, force: Vec3) -> Result<(), Error> {
        if !force.is_finite() {
            return Err(Error::Usage(format!("a particle cannot be pushed with {force}")));
        }
        self.change_load(particle, |load| load.force = force.as_dvec3())
    }

    /// Pulls a particle towards a point, m, from the next step on, with a spring of rest length 0, as a mouse would. Call it
    /// again to move the point. Pinned particles do not move. The limit of [`push`](Self::push) applies.
    ///
    /// ```
    /// # use tenter::{Backend, Body, Handle, Material, Mesh, Options, Scene, Simulation, Vertices};
    /// # fn main() -> Result<(), tenter::Error> {
    /// # let mut scene = Scene::new();
    /// # let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 8, 8), Material::cotton()));
    /// # scene.pin(cloth, Vertices::corners());
    /// # let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default())?;
    /// simulation.grab(60, Handle::default(), [0.0, 0.3, 0.5].into())?;
    /// simulation.advance(0.1)?;
    /// simulation.release(60)?;
    /// # Ok(()) }
    /// ```
    pub fn grab(&mut self, particle: u32, handle: Handle, target: Vec3) -> Result<(), Error> {
        let usable = |value: f32| value.is_finite() && value >= 0.0;
        if !(usable(handle.stiffness) && usable(handle.damping) && target.is_finite()) {
            return Err(Error::Usage(format!("{handle:?} cannot draw a particle to {target}")));
        }
        self.change_load(particle, |load| {
            load.stiffness = handle.stiffness.into();
            load.damping = handle.damping.into();
            load.target = target.as_dvec3();
        })
    }

    /// Releases a grabbed particle. Its point force remains.
    pub fn release(&mut self, particle: u32) -> Result<(), Error> {
        self.change_load(particle, |load| (load.stiffness, load.damping) = (0.0, 0.0))
    }

    pub(super) fn change_load(&mut self, particle: u32, change: impl FnOnce(&mut Load)) -> Result<(), Error> {
        let count = self.topology.particle_count();
        let row = *self
            .topology
            .row_of
            .get(particle as usize)
            .ok_or_else(|| Error::Usage(format!("there is no particle {particle}: the scene has {count}")))?;
        let before = self.loads.clone();
        let none = Load { row, force: DVec3::ZERO, stiffness: 0.0, damping: 0.0, target: DVec3::ZERO };
        let load = self.loads.entry(row).or_insert(none);
        change(load);
        if load.force == DVec3::ZERO && load.stiffness == 0.0 && load.damping == 0.0 {
            self.loads.remove(&row);
        }
        let (wanted, capacity) = (self.loads.len(), self.topology.load_capacity());
        if wanted > capacity {
            self.loads = before;
            return Err(Error::Usage(format!("{wanted} particles are pushed or held; there is room for {capacity}")));
        }
        let loads: Vec<Load> = self.loads.values().copied().collect();
        self.engine.set_loads(&loads).inspect_err(|_| self.loads = before)
    }

    pub(super) fn loads_of_the_scene(&mut self) {
        self.loads = self.topology.loads.iter().map(|load| (load.row, *load)).collect();
    }
}
