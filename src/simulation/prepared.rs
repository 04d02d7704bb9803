//! A scene that has been checked, with its topology: built once on the way from a file to a simulation.

use super::{
    Backend, Simulation,
    check::{build, check_methods, checked_topology},
    intersections,
};
use crate::{Error, Footprint, Gpu, Intersection, Options, Ordering, Scene, gpu::wait, topology::Topology};
use std::{ops::Deref, sync::Arc};

/// A scene that has been checked and can no longer change. It keeps what set-up computes from the scene, so that a simulation and a [`Footprint`] do not
/// compute it again.
///
/// ```
/// use tenter::{Backend, Body, Material, Mesh, Options, PreparedScene, Scene};
/// # fn main() -> Result<(), tenter::Error> {
/// let mut scene = Scene::new();
/// scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 16, 16), Material::cotton()));
/// let options = Options::default();
/// let prepared = PreparedScene::new(scene, &options)?;
/// assert_eq!(prepared.footprint(&options, None)?.particles, 256);
/// let mut simulation = prepared.simulation(Backend::Cpu, options)?;
/// simulation.step()?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct PreparedScene {
    scene: Scene,
    /// Order of rows that the topology was built with.
    ordering: Ordering,
    topology: Arc<Topology>,
}

impl Deref for PreparedScene {
    type Target = Scene;

    fn deref(&self) -> &Scene {
        &self.scene
    }
}

impl PreparedScene {
    /// Checks a scene, and that it can be simulated with these options.
    pub fn new(scene: Scene, options: &Options) -> Result<Self, Error> {
        let topology = checked_topology(&scene, options)?;
        Ok(Self { scene, ordering: options.ordering, topology })
    }

    /// Checks that the scene can be simulated with other options.
    pub fn check(&self, options: &Options) -> Result<(), Error> {
        check_methods(&self.scene, options)?;
        Topology::check_air(&self.scene, options.time_step)
    }

    /// Bodies whose surfaces intersect at the start, in scenes with [`contact`](Scene::contact) between bodies.
    pub fn intersections(&self) -> Vec<Intersection> {
        intersections::by_bodies(&self.topology)
    }

    /// The scene itself, to be changed.
    pub fn into_scene(self) -> Scene {
        self.scene
    }

    /// Sets up a simulation, as [`Simulation::new`] does.
    pub fn simulation(&self, backend: impl Into<Backend>, options: Options) -> Result<Simulation, Error> {
        wait::drive(options.timeout, self.simulation_async(backend, options))
    }

    /// Like [`simulation`](Self::simulation), awaited.
    pub async fn simulation_async(&self, backend: impl Into<Backend>, options: Options) -> Result<Simulation, Error> {
        let topology = self.topology(&options)?;
        Simulation::set_up(backend.into(), &self.scene, topology, options).await
    }

    /// Memory and traffic of the scene, as [`Footprint::of`] tells them.
    pub fn footprint(&self, options: &Options, gpu: Option<&Gpu>) -> Result<Footprint, Error> {
        Footprint::of_topology(&self.scene, &*self.topology(options)?, options, gpu)
    }

    /// The topology for these options: the one that is there, unless they order rows differently.
    fn topology(&self, options: &Options) -> Result<Arc<Topology>, Error> {
        self.check(options)?;
        if options.ordering == self.ordering {
            return Ok(self.topology.clone());
        }
        build(&self.scene, options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Air, Body, Material, Mesh};

    #[test]
    fn the_topology_is_built_once() {
        let mut scene = Scene::new();
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 5, 5), Material::cotton()));
        scene.air = Some(Air { angular_velocity: 1e35, ..Default::default() });
        let options = Options::default();
        let prepared = PreparedScene::new(scene, &options).unwrap();
        let shares = |options: &Options| {
            let simulation = prepared.simulation(Backend::Cpu, options.clone()).unwrap();
            Arc::ptr_eq(&simulation.topology, &prepared.topology)
        };
        assert!(shares(&options) && shares(&Options { time_step: 0.003, measure: true, ..options.clone() }));
        assert!(!shares(&Options { ordering: Ordering::AsGiven, ..options.clone() }));
        // Checks are made again.
        for wrong in [Options { time_step: -1.0, ..options.clone() }, Options { time_step: 1e9, ..options }] {
            assert!(prepared.simulation(Backend::Cpu, wrong.clone()).is_err(), "{}", wrong.time_step);
            assert!(prepared.footprint(&wrong, None).is_err(), "{}", wrong.time_step);
        }
    }
}
