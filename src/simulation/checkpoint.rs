//! Checkpoints: the whole state of a simulation as bytes. A restored simulation computes the same bits on the same adapter.
//!
//! ```text
//! magic (8) │ version (4) │ CRC-32 of the rest (4) │ identity │ host │ engine
//! ```

use super::{
    Simulation,
    archive::{Damaged, Stored, stored},
    pins::PinState,
    ties::TieState,
    world::WorldState,
};
use crate::{
    AdaptiveReport, Air, Error, Options,
    engine::PinChanges,
    topology::{Load, Surface},
};
use glam::Vec3;
use std::{collections::BTreeMap, time::Duration};

const MAGIC: &[u8; 8] = b"TENTERCP";
/// Version of the format. Checkpoints of any other version are refused with [`Error::CheckpointVersion`], which names both. Raise it with every
/// change of what is stored, and with every new field of [`Options`], whose text is part of the identity.
const VERSION: u32 = 4;

/// Identity of the simulation that a checkpoint belongs to.
#[derive(Debug, PartialEq)]
struct Identity {
    backend: String,
    particles: u64,
    edges: u64,
    elements: u64,
    pins: u64,
    ties: u64,
    colliders: u64,
    options: String,
    /// CRC-32 of masses, rest lengths and the start.
    scene: u32,
    /// CRC-32 of the surfaces that meet and of their numbers; that of nothing without contact between bodies.
    contact: u32,
}

/// State of the host besides the engine's.
struct Host {
    time_step: f64,
    wanted_step: f64,
    time_left: f64,
    report: AdaptiveReport,
    gravity: Vec3,
    air: Option<Air>,
    loads: BTreeMap<u32, Load>,
    pins: PinState,
    ties: TieState,
    world: Option<WorldState>,
}

stored!(Identity { backend, particles, edges, elements, pins, ties, colliders, options, scene, contact });
stored!(Host { time_step, wanted_step, time_left, report, gravity, air, loads, pins, ties, world });
stored!(AdaptiveReport { accepted, rejected, forced });
stored!(Air { wind, steady, angular_velocity, drag, lift, resistance });
stored!(Load { row, force, stiffness, damping, target });

impl Simulation {
    /// Serialises the whole state.
    pub(super) async fn serialise(&mut self) -> Result<Vec<u8>, Error> {
        self.finish_steps().await?;
        // Rigid bodies move to the end of the last step.
        self.poses().await?;
        let mut body = Vec::new();
        self.identity().put(&mut body);
        let host = Host {
            time_step: self.options.time_step,
            wanted_step: self.wanted_step,
            time_left: self.time_left,
            report: self.adaptive_report,
            gravity: self.gravity,
            air: self.air,
            loads: self.loads.clone(),
            pins: self.pins.state(),
            ties: self.ties.state(),
            world: self.world.as_ref().map(|world| world.state()),
        };
        host.put(&mut body);
        self.engine.checkpoint(&mut body).await?;
        let mut bytes = MAGIC.to_vec();
        VERSION.put(&mut bytes);
        crc32fast::hash(&body).put(&mut bytes);
        bytes.extend(body);
        Ok(bytes)
    }

    /// Restores the state of a checkpoint.
    pub(super) async fn go_on_from(&mut self, checkpoint: &[u8]) -> Result<(), Error> {
        let mut body = checked(checkpoint)?;
        let damaged = |_: Damaged| Error::Usage("the checkpoint is damaged".to_owned());
        let identity = Identity::take(&mut body).map_err(damaged)?;
        self.identity().compare(&identity)?;
        let host = Host::take(&mut body).map_err(damaged)?;
        if !self.fits(&host) {
            return Err(damaged(Damaged));
        }
        self.start_over().await?;
        let result = self.put_back(host, body).await;
        if result.is_err() {
            self.start_over().await?;
        }
        result
    }

    async fn put_back(&mut self, host: Host, mut engine: &[u8]) -> Result<(), Error> {
        self.set_time_step(host.time_step)?;
        (self.wanted_step, self.time_left) = (host.wanted_step, host.time_left);
        self.adaptive_report = host.report;
        if let Some(air) = host.air {
            self.set_air(air)?;
        }
        self.loads = host.loads;
        self.engine.set_loads(&self.loads.values().copied().collect::<Vec<_>>())?;
        let changes = self.pins.restore(host.pins, &self.topology);
        self.engine.change_pins(&changes, None)?;
        self.ties.restore(host.ties);
        if !self.topology.ties.is_empty() {
            self.engine.set_ties(&self.ties.groups, &[]).await?;
        }
        self.gravity = host.gravity;
        self.weigh()?;
        self.engine.restore(&mut engine)?;
        if !engine.is_empty() {
            return Err(Error::Usage("the checkpoint is longer than it should be".to_owned()));
        }
        if let (Some(world), Some(state)) = (&mut self.world, host.world) {
            world.restore(state);
        }
        Ok(())
    }

    /// Whether all sizes match and all indices exist.
    fn fits(&self, host: &Host) -> bool {
        let rows = self.topology.particle_count();
        host.air.is_some() == self.air.is_some()
            && host.loads.iter().all(|(&row, load)| row == load.row && (row as usize) < rows)
            && host.loads.len() <= self.topology.load_capacity()
            && host.pins.fits(&self.topology)
            && host.ties.fits(&self.topology)
            && match (&host.world, &self.world) {
                (Some(state), Some(world)) => world.fits(state, rows),
                (state, world) => state.is_none() && world.is_none(),
            }
    }

    fn identity(&self) -> Identity {
        let topology = &self.topology;
        let mut content = Vec::new();
        topology.masses.put(&mut content);
        topology.positions.put(&mut content);
        for edge in &topology.edges {
            edge.rest_length.put(&mut content);
        }
        // Options for reporting, measuring and waiting do not affect the state.
        let options = Options {
            time_step: 0.0,
            measure: false,
            timing: false,
            timeout: Duration::ZERO,
            max_substeps: 0,
            ..self.options.clone()
        };
        Identity {
            backend: if self.gpu().is_some() { "GPU" } else { "CPU" }.to_owned(),
            particles: topology.particle_count() as u64,
            edges: topology.edges.len() as u64,
            elements: topology.elements.len() as u64,
            pins: topology.pins.len() as u64,
            ties: topology.ties.len() as u64,
            colliders: self.world.as_ref().map_or(0, |world| world.collider_count()) as u64,
            options: format!("{options:?}"),
            scene: crc32fast::hash(&content),
            contact: crc32fast::hash(&topology.surface.as_ref().map_or_else(Vec::new, contact_content)),
        }
    }
}

/// Everything of the surfaces that meet on which a step depends, besides positions.
fn contact_content(surface: &Surface) -> Vec<u8> {
    let mut content = Vec::new();
    for skin in &surface.skins {
        [skin.radius, skin.friction].iter().for_each(|number| number.put(&mut content));
    }
    surface.bodies.put(&mut content);
    surface.vertices.put(&mut content);
    surface.edges.iter().for_each(|rows| rows.iter().for_each(|row| row.put(&mut content)));
    surface.triangles.iter().for_each(|rows| rows.iter().for_each(|row| row.put(&mut content)));
    content.extend(surface.meets.iter().map(|&meets| u8::from(meets)));
    content
}

impl Identity {
    /// Rejects a checkpoint whose identity differs, naming the difference.
    fn compare(&self, found: &Identity) -> Result<(), Error> {
        let wrong = |message: String| Err(Error::Usage(format!("the checkpoint is of another scene: {message}")));
        let counts = [
            ("particles", self.particles, found.particles),
            ("edges", self.edges, found.edges),
            ("elements", self.elements, found.elements),
            ("pins", self.pins, found.pins),
            ("ties", self.ties, found.ties),
            ("colliders", self.colliders, found.colliders),
        ];
        if let Some((what, here, there)) = counts.iter().find(|(_, here, there)| here != there) {
            return wrong(format!("it has {there} {what}, this one {here}"));
        }
        if self.scene != found.scene {
            return wrong("its masses, lengths or start differ".to_owned());
        }
        if self.contact != found.contact {
            return wrong("its contact between bodies differs".to_owned());
        }
        if self.backend != found.backend {
            let message = format!("the checkpoint was made on the {}, not on the {}", found.backend, self.backend);
            return Err(Error::Usage(message));
        }
        if self.options != found.options {
            let message = "the checkpoint was made with another integrator, or other options of solver or contacts";
            return Err(Error::Usage(message.to_owned()));
        }
        Ok(())
    }
}

/// Length of the magic number and the version of a checkpoint, bytes.
#[cfg(feature = "cli")]
pub(crate) const HEADER: u64 = MAGIC.len() as u64 + 4;

/// Checks the magic number and the version at the start of a checkpoint, which needs no more than their bytes. Returns what follows them.
pub(crate) fn check_header(checkpoint: &[u8]) -> Result<&[u8], Error> {
    let Some(mut rest) = checkpoint.strip_prefix(MAGIC.as_slice()) else {
        return Err(Error::Usage("this is no checkpoint of tenter".to_owned()));
    };
    let version = u32::take(&mut rest).map_err(cut_off)?;
    if version != VERSION {
        return Err(Error::CheckpointVersion { found: version, expected: VERSION });
    }
    Ok(rest)
}

fn cut_off(_: Damaged) -> Error {
    Error::Usage("the checkpoint is cut off".to_owned())
}

/// Content of a checkpoint, after checks of its magic number, version and checksum.
fn checked(checkpoint: &[u8]) -> Result<&[u8], Error> {
    let mut rest = check_header(checkpoint)?;
    let sum = u32::take(&mut rest).map_err(cut_off)?;
    if sum != crc32fast::hash(rest) {
        return Err(Error::Usage("the checkpoint is damaged or cut off: its checksum is wrong".to_owned()));
    }
    Ok(rest)
}

impl PinChanges {
    /// Changes that set every target and every state.
    pub(super) fn all(targets: &[glam::DVec3], held: impl Iterator<Item = (u32, bool)>) -> Self {
        Self { targets: targets.iter().enumerate().map(|(ix, to)| (ix as u32, *to)).collect(), held: held.collect() }
    }
}
