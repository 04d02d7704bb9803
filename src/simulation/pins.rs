//! Pins between steps: moved by the host, along their paths or with a collider, and released in time. The engine receives changes
//! only.

use super::{Simulation, World, archive::stored};
use crate::{
    ColliderId, Error, Motion, PinId, Scene,
    contact::{DPose, pose_at},
    engine::PinChanges,
    scene::Pin,
    topology::{Carried, Topology},
};
use glam::{DVec3, Vec3};
use std::collections::BTreeMap;

/// Tolerance of a start time, as a fraction of the step.
const ROUNDING: f64 = 1e-6;

/// Targets and states of all pins.
pub(super) struct Pins {
    /// Pins of the scene.
    scene: Vec<Pin>,
    /// Pins that change with time: by a path, a carrier or an end.
    scheduled: Vec<usize>,
    /// Collider that each pin is attached to.
    carriers: Vec<Option<Carrier>>,
    /// Constraints moved by the host in the next step: constraint → start and target, m.
    pub goals: BTreeMap<u32, (DVec3, DVec3)>,
    /// Target of each constraint in the engine, m.
    targets: Vec<DVec3>,
    /// Whether each pin is active in the engine.
    held: Vec<bool>,
    /// Whether the host has released each pin.
    released: Vec<bool>,
}

/// A collider that carries a pin.
struct Carrier {
    collider: usize,
    /// Pose of the collider at the start.
    start: DPose,
    /// Times of the collider's key frames, s.
    turns: Vec<f64>,
}

/// Time-dependent state of pins.
#[derive(Debug, Clone)]
pub(super) struct PinState {
    goals: BTreeMap<u32, (DVec3, DVec3)>,
    targets: Vec<DVec3>,
    held: Vec<bool>,
    released: Vec<bool>,
}

stored!(PinState { goals, targets, held, released });

impl PinState {
    /// State with this fraction of the displacement to its goals.
    pub fn partly(mut self, share: f64) -> Self {
        if share < 1.0 {
            self.goals.values_mut().for_each(|(from, to)| *to = from.lerp(*to, share));
        }
        self
    }

    /// Whether the state matches a scene.
    pub fn fits(&self, topology: &Topology) -> bool {
        let constraints = topology.constraints.len();
        self.targets.len() == constraints
            && self.held.len() == topology.pins.len()
            && self.released.len() == topology.pins.len()
            && self.goals.keys().all(|&ix| (ix as usize) < constraints)
    }
}

impl Carrier {
    fn of(pin: &Pin, scene: &Scene) -> Option<Self> {
        let ColliderId(collider) = pin.carrier?;
        let carrier = scene.colliders.get(collider)?;
        let (start, turns) = match &carrier.motion {
            Motion::KeyFrames(frames) => (pose_at(frames, 0.0), frames.iter().map(|frame| frame.time).collect()),
            _ => (carrier.start().into(), Vec::new()),
        };
        Some(Self { collider, start, turns })
    }
}

impl Pins {
    pub fn new(scene: &Scene, topology: &Topology) -> Self {
        let pins = scene.pins.clone();
        let follows = |pin: &Pin| !pin.path.is_empty() || pin.until.is_some() || pin.carrier.is_some();
        let scheduled = (0..pins.len()).filter(|&ix| follows(&pins[ix])).collect();
        Self {
            carriers: pins.iter().map(|pin| Carrier::of(pin, scene)).collect(),
            targets: starts(topology),
            held: vec![true; pins.len()],
            released: vec![false; pins.len()],
            goals: BTreeMap::new(),
            scheduled,
            scene: pins,
        }
    }

    /// Resets all pins to the start, as the engine does with its own state.
    pub fn reset(&mut self, topology: &Topology) {
        self.goals.clear();
        self.targets = starts(topology);
        self.held.fill(true);
        self.released.fill(false);
    }

    /// Current state of all pins.
    pub fn state(&self) -> PinState {
        let Self { goals, targets, held, released, .. } = self;
        PinState { goals: goals.clone(), targets: targets.clone(), held: held.clone(), released: released.clone() }
    }

    /// Restores a state and returns the changes for the engine.
    pub fn restore(&mut self, state: PinState, topology: &Topology) -> PinChanges {
        (self.goals, self.targets, self.held, self.released) = (state.goals, state.targets, state.held, state.released);
        let let_go = topology.pins.iter().zip(&self.held).filter(|(_, held)| !**held);
        PinChanges::all(&self.targets, let_go.flat_map(|(members, _)| members.iter().map(|&ix| (ix, false))))
    }

    /// Switches to a state and returns the differences for the engine.
    pub fn change_to(&mut self, state: PinState, topology: &Topology) -> PinChanges {
        let targets = self.targets.iter().zip(&state.targets).enumerate().filter(|(_, (now, then))| now != then);
        let targets = targets.map(|(ix, (_, then))| (ix as u32, *then)).collect();
        let pins = topology.pins.iter().zip(self.held.iter().zip(&state.held)).filter(|(_, (now, then))| now != then);
        let held = pins.flat_map(|(members, (_, then))| members.iter().map(|&ix| (ix, *then))).collect();
        (self.goals, self.targets, self.held, self.released) = (state.goals, state.targets, state.held, state.released);
        PinChanges { targets, held }
    }

    /// Whether each row is pinned or carried by a rigid body.
    pub fn rows(&self, topology: &Topology) -> Vec<bool> {
        let mut rows = vec![false; topology.particle_count()];
        for (members, _) in topology.pins.iter().zip(&self.held).filter(|(_, held)| **held) {
            members.iter().for_each(|&ix| rows[topology.constraints[ix as usize].row as usize] = true);
        }
        let carried = topology.carried.iter().filter(|carried| !self.released[carried.pin]);
        carried.for_each(|carried| rows[carried.row as usize] = true);
        rows
    }

    /// Particles carried by rigid bodies in a step of this start and length, s.
    pub fn carried(&self, topology: &Topology, start: f64, length: f64) -> Vec<Carried> {
        topology.carried.iter().filter(|carried| self.holds(carried.pin, start, length)).copied().collect()
    }

    /// Whether a pin is active in a step of this start and length, s.
    fn holds(&self, pin: usize, start: f64, length: f64) -> bool {
        let over = self.scene[pin].until.is_some_and(|until| start >= until - ROUNDING * length);
        !over && !self.released[pin]
    }

    /// Scheduled changes before a step from one time to another, s.
    fn changes(&self, topology: &Topology, world: Option<&World>, start: f64, end: f64) -> PinChanges {
        let mut changes = PinChanges::default();
        for &pin in &self.scheduled {
            let members = &topology.pins[pin];
            let holds = self.holds(pin, start, end - start);
            if holds != self.held[pin] {
                changes.held.extend(members.iter().map(|&ix| (ix, holds)));
            }
            let mut lead = |target: &dyn Fn(DVec3) -> DVec3| {
                let target = |&ix: &u32| (ix, target(topology.constraints[ix as usize].target));
                let moved = members.iter().map(target).filter(|(ix, to)| self.targets[*ix as usize] != *to);
                changes.targets.extend(moved);
            };
            if holds && !self.scene[pin].path.is_empty() {
                let offset = self.scene[pin].offset_at(end);
                lead(&|start| start + offset);
            } else if let (true, Some(carrier), Some(world)) = (holds, &self.carriers[pin], world) {
                let pose = world.end(carrier.collider, end);
                // A collider that has not moved leaves its pins where they were, to the bit.
                lead(&|start| match pose == carrier.start {
                    true => start,
                    false => pose.to_world(carrier.start.to_local(start)),
                });
            }
        }
        changes
    }

    /// Time from `start` to the next key frame or release, s; events nearer than `least`, s, are ignored.
    pub fn time_to_event(&self, start: f64, least: f64) -> f64 {
        let times = self.scheduled.iter().filter(|&&pin| self.held[pin]).flat_map(|&pin| {
            let Pin { path, until, .. } = &self.scene[pin];
            let turns = self.carriers[pin].iter().flat_map(|carrier| carrier.turns.iter().copied());
            path.iter().map(|key| key.time).chain(*until).chain(turns)
        });
        times.map(|time| time - start).filter(|time| *time > least).fold(f64::INFINITY, f64::min)
    }
}

fn starts(topology: &Topology) -> Vec<DVec3> {
    topology.constraints.iter().map(|constraint| constraint.target).collect()
}

impl Simulation {
    /// Moves a pin so that the centroid of its vertices is at `to` after the next step, or after the next
    /// [`advance`](Self::advance), at constant velocity over its steps. An error for a pin with a path of its own or attached to
    /// a collider.
    pub fn move_pin(&mut self, pin: PinId, to: Vec3) -> Result<(), Error> {
        if !to.is_finite() {
            return Err(Error::Usage(format!("a pin cannot go to {to}")));
        }
        let members = self.topology.pin(pin)?;
        if !self.pins.scene[pin.0].path.is_empty() {
            return Err(Error::Usage(format!("pin {} is led along a path of its own", pin.0)));
        }
        if self.pins.carriers[pin.0].is_some() {
            return Err(Error::Usage(format!("pin {} is attached to a collider: move that", pin.0)));
        }
        if !self.pin_holds(pin)? {
            return Err(Error::Usage(format!("pin {} has been let go", pin.0)));
        }
        let targets = &self.pins.targets;
        let centre = members.iter().map(|&ix| targets[ix as usize]).sum::<DVec3>() / members.len().max(1) as f64;
        let offset = to.as_dvec3() - centre;
        for &ix in members {
            let from = self.pins.targets[ix as usize];
            self.pins.goals.insert(ix, (from, from + offset));
        }
        Ok(())
    }

    /// Releases a pin from the next step on, until [`reset`](Self::reset). A multistep integrator restarts there.
    pub fn release_pin(&mut self, pin: PinId) -> Result<(), Error> {
        let members = self.topology.pin(pin)?;
        if !self.pins.held[pin.0] {
            self.pins.released[pin.0] = true;
            return Ok(());
        }
        let held = members.iter().map(|&ix| (ix, false)).collect();
        self.engine.change_pins(&PinChanges { held, ..Default::default() }, None)?;
        for ix in members {
            self.pins.goals.remove(ix);
        }
        (self.pins.held[pin.0], self.pins.released[pin.0]) = (false, true);
        Ok(())
    }

    /// Whether a pin is active in the next step.
    pub fn pin_holds(&self, pin: PinId) -> Result<bool, Error> {
        self.topology.pin(pin)?;
        let start = self.time();
        Ok(self.pins.holds(pin.0, start, self.engine.time_after(1) - start))
    }

    /// Number of following steps, at most `most`, before which no pin changes.
    pub(super) fn quiet_steps(&self, most: u32) -> u32 {
        if !self.pins.goals.is_empty() {
            return 0;
        }
        if self.pins.scheduled.is_empty() {
            return most;
        }
        let quiet = |step: &u32| {
            let (start, end) = (self.engine.time_after(*step), self.engine.time_after(*step + 1));
            self.pins.changes(&self.topology, self.world.as_ref(), start, end).is_empty()
        };
        (0..most).take_while(quiet).count() as u32
    }

    /// Releases the pins whose end has come.
    pub(super) fn release_due_pins(&mut self) -> Result<(), Error> {
        let (start, end) = (self.time(), self.engine.time_after(1));
        let PinChanges { held, .. } = self.pins.changes(&self.topology, self.world.as_ref(), start, end);
        self.change_pins(PinChanges { held, ..Default::default() }, None)
    }

    /// Moves pins to their targets after the next step; those of the host by `fraction` of the remaining displacement.
    pub(super) fn lead_pins(&mut self, fraction: f64, encoder: Option<&mut wgpu::CommandEncoder>) -> Result<(), Error> {
        let (start, end) = (self.time(), self.engine.time_after(1));
        let mut changes = self.pins.changes(&self.topology, self.world.as_ref(), start, end);
        for (ix, held) in &changes.held {
            if !held {
                self.pins.goals.remove(ix);
            }
        }
        for (&ix, (from, to)) in &mut self.pins.goals {
            *from = if fraction >= 1.0 { *to } else { from.lerp(*to, fraction) };
            changes.targets.push((ix, *from));
        }
        if fraction >= 1.0 {
            self.pins.goals.clear();
        }
        self.change_pins(changes, encoder)
    }

    fn change_pins(&mut self, changes: PinChanges, encoder: Option<&mut wgpu::CommandEncoder>) -> Result<(), Error> {
        if changes.is_empty() {
            return Ok(());
        }
        self.engine.change_pins(&changes, encoder)?;
        for (ix, target) in changes.targets {
            self.pins.targets[ix as usize] = target;
        }
        for &pin in &self.pins.scheduled {
            if let Some(first) = self.topology.pins[pin].first()
                && let Some((_, held)) = changes.held.iter().find(|(ix, _)| ix == first)
            {
                self.pins.held[pin] = *held;
            }
        }
        Ok(())
    }
}
