//! Tied particles between steps: seams close pair by pair as their sides come near.

use super::{Simulation, archive::stored};
use crate::{
    Error,
    engine::Relocation,
    topology::{DisjointSets, TieGroups, Topology},
};
use glam::{DVec3, Vec3};

/// State of the tied pairs.
pub(super) struct Ties {
    /// Whether each pair of the topology is closed.
    closed: Vec<bool>,
    pub groups: TieGroups,
}

impl Ties {
    pub fn new(topology: &Topology) -> Self {
        let closed = topology.ties.iter().map(|pair| pair.distance.is_none()).collect();
        Self { closed, groups: topology.tied_at_start() }
    }

    /// Number of pairs that are still open.
    pub fn open(&self) -> usize {
        self.closed.iter().filter(|closed| !**closed).count()
    }

    /// Whether gravity is off until a seam has closed.
    fn weightless(&self, topology: &Topology) -> bool {
        topology.ties.iter().zip(&self.closed).any(|(pair, closed)| pair.weightless && !closed)
    }

    /// Closes pairs that are near enough, except those that would join two constrained particles. Returns whether any closed.
    fn close(&mut self, topology: &Topology, positions: &[DVec3], held: &[bool]) -> bool {
        let near = |ix: usize| {
            let pair = &topology.ties[ix];
            let [a, b] = pair.rows.map(|row| positions[row as usize]);
            pair.distance.is_some_and(|distance| a.distance(b) < distance)
        };
        let ready: Vec<usize> = (0..self.closed.len()).filter(|&ix| !self.closed[ix] && near(ix)).collect();
        if ready.is_empty() {
            return false;
        }
        let mut sets = DisjointSets::new(topology.particle_count());
        let joined = |closed: &[bool]| {
            let pairs = topology.ties.iter().zip(closed).filter(|(_, closed)| **closed).map(|(pair, _)| pair.rows);
            pairs.collect::<Vec<_>>()
        };
        joined(&self.closed).into_iter().for_each(|[a, b]| sets.join(a, b));
        let mut holds = vec![false; held.len()];
        for row in (0..held.len() as u32).filter(|&row| held[row as usize]) {
            holds[sets.root(row) as usize] = true;
        }
        let mut any = false;
        for ix in ready {
            let [a, b] = topology.ties[ix].rows.map(|row| sets.root(row));
            let both = holds[a as usize] && holds[b as usize];
            if both && a != b {
                continue;
            }
            sets.join(a, b);
            holds[sets.root(a) as usize] = holds[a as usize] || holds[b as usize];
            (self.closed[ix], any) = (true, true);
        }
        if any {
            let pairs = joined(&self.closed);
            self.groups = TieGroups::of_pairs(topology.particle_count(), pairs, |row| held[row as usize]);
        }
        any
    }
}

/// Closed pairs and their groups.
#[derive(Debug, Clone)]
pub(super) struct TieState {
    closed: Vec<bool>,
    groups: Vec<Vec<u32>>,
}

stored!(TieState { closed, groups });

impl TieState {
    /// Whether the state matches a scene: each group has rows that the scene ties, and each row is in one group only.
    pub fn fits(&self, topology: &Topology) -> bool {
        let mut tied = vec![false; topology.particle_count()];
        topology.ties.iter().flat_map(|pair| pair.rows).for_each(|row| tied[row as usize] = true);
        let mut once = |row: &u32| tied.get_mut(*row as usize).is_some_and(std::mem::take);
        self.closed.len() == topology.ties.len()
            && self.groups.iter().all(|group| group.len() > 1)
            && self.groups.iter().flatten().all(&mut once)
    }
}

impl Ties {
    pub fn state(&self) -> TieState {
        let group = |(master, others): (u32, &[u32])| std::iter::once(master).chain(others.iter().copied()).collect();
        TieState { closed: self.closed.clone(), groups: self.groups.iter().map(group).collect() }
    }

    pub fn restore(&mut self, state: TieState) {
        *self = Self { closed: state.closed, groups: TieGroups::from_groups(&state.groups) };
    }
}

impl Simulation {
    /// Number of pairs of vertices of all [seams](crate::Scene::sew) that were open at the start of the last step.
    pub fn open_seams(&self) -> usize {
        self.ties.open()
    }

    /// Closes near pairs before a step.
    pub(super) async fn close_seams(&mut self) -> Result<(), Error> {
        if self.ties.open() == 0 {
            return Ok(());
        }
        let result = self.engine.finish().await;
        self.collect();
        self.repeat_after(result).await?;
        let mut positions = match self.world {
            Some(_) => self.engine.motion().await?.positions,
            None => self.engine.positions().await?,
        };
        let held = self.pins.rows(&self.topology);
        if !self.ties.close(&self.topology, &positions, &held) {
            return Ok(());
        }
        // Rigid bodies move to the end of the last step now: the engine forgets its result below.
        self.poses().await?;
        let mut velocities = self.engine.velocities().await?;
        let before = (positions.clone(), velocities.clone());
        for values in [&mut positions, &mut velocities] {
            self.ties.groups.unite(&self.topology.masses, |row| held[row as usize], values);
        }
        let moved = |row: &usize| positions[*row] != before.0[*row] || velocities[*row] != before.1[*row];
        let place = |row: usize| Relocation { row: row as u32, position: positions[row], velocity: velocities[row] };
        let places: Vec<Relocation> = (0..positions.len()).filter(moved).map(place).collect();
        self.engine.set_ties(&self.ties.groups, &places).await?;
        self.world.iter_mut().for_each(|world| world.displace(&places));
        self.weigh()
    }

    /// Sets gravity in the engine: zero until the seams that ask for it have closed.
    pub(super) fn weigh(&mut self) -> Result<(), Error> {
        let gravity = self.acting_gravity();
        self.engine.set_gravity(gravity)
    }

    /// Gravity that acts in the next step, m/s².
    pub(super) fn acting_gravity(&self) -> Vec3 {
        if self.ties.weightless(&self.topology) { Vec3::ZERO } else { self.gravity }
    }

    /// Gives all particles of a tied group one value: the mass-weighted mean, or the value of a constrained master.
    pub(super) fn unite(&self, mut values: Vec<DVec3>) -> Vec<DVec3> {
        let held = self.pins.rows(&self.topology);
        self.ties.groups.unite(&self.topology.masses, |row| held[row as usize], &mut values);
        values
    }
}
