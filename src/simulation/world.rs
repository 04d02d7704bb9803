//! What particles meet: colliders, where they are, and which particles touch them in the next step.
//!
//! Between two steps, on the CPU: one copy of the motion comes back, every particle's path is tested against every collider, and what it
//! meets goes out as constraints of the next step.

use crate::{
    Collider, ColliderId, Error, Motion as Movement, Pose, Scene,
    contact::{DPose, Form, Obstacle, Path, Touch, pose_at, touches},
    engine::{Engine, Motion},
    topology::{Constraint, Contact, ContactState, Contacts, Topology},
};
use glam::{DMat3, DVec3};
use std::collections::BTreeMap;

/// Longer than a normal: a scheme forgets the last step wholly.
const FORGET_ALL: f64 = 2.0;

/// Colliders of a scene in motion.
pub(super) struct World {
    colliders: Vec<Collider>,
    forms: Vec<Form>,
    places: Vec<Place>,
    /// Where colliders that are led are to be after the next step.
    goals: BTreeMap<usize, DPose>,
    pinned: Vec<bool>,
    /// Whether the integrator looks back at the last step.
    looks_back: bool,
    /// The start of the last step.
    last: Option<Start>,
    /// Rows that touched something in the last step, and which way out.
    touched: Vec<(u32, DVec3)>,
}

/// Where a collider was at the start of the last step, and is now.
#[derive(Debug, Clone, Copy)]
struct Place {
    before: DPose,
    now: DPose,
}

/// The start of a step.
struct Start {
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    time_step: f64,
}

/// A step that is about to be made.
pub(super) struct Outlook {
    start: Start,
    ends: Vec<DPose>,
    touched: Vec<(u32, DVec3)>,
}

impl World {
    pub fn new(scene: &Scene, topology: &Topology, looks_back: bool) -> Self {
        let mut pinned = vec![false; topology.particle_count()];
        topology.constraints.iter().for_each(|constraint| pinned[constraint.row as usize] = true);
        let mut world = Self {
            colliders: scene.colliders.clone(),
            forms: scene.colliders.iter().map(Form::new).collect(),
            places: Vec::new(),
            goals: BTreeMap::new(),
            pinned,
            looks_back,
            last: None,
            touched: Vec::new(),
        };
        world.reset();
        world
    }

    /// Back to the start.
    pub fn reset(&mut self) {
        let place = |collider: &Collider| {
            let now = match &collider.motion {
                Movement::KeyFrames(frames) => pose_at(frames, 0.0),
                _ => collider.start().into(),
            };
            Place { before: now, now }
        };
        self.places = self.colliders.iter().map(place).collect();
        self.goals.clear();
        self.forget();
    }

    /// Something was set from outside: there is no last step.
    pub fn forget(&mut self) {
        self.last = None;
        self.touched.clear();
    }

    /// Where colliders are now.
    pub fn poses(&self) -> Vec<Pose> {
        let pose = |place: &Place| Pose {
            position: place.now.position.as_vec3(),
            rotation: place.now.rotation.as_quat().normalize(),
        };
        self.places.iter().map(pose).collect()
    }

    /// Leads a collider to a pose by the end of the next step.
    pub fn lead(&mut self, collider: ColliderId, pose: Pose) -> Result<(), Error> {
        match self.colliders.get(collider.0).map(|collider| &collider.motion) {
            None => Err(Error::Usage(format!("the scene has no collider {}", collider.0))),
            Some(Movement::Static(_)) => {
                self.goals.insert(collider.0, pose.into());
                Ok(())
            }
            Some(_) => Err(Error::Usage(format!("collider {} moves by itself", collider.0))),
        }
    }

    /// Tests what every particle meets in the next step, which lasts from `time` to `time + h`, and tells the engine.
    pub fn look_ahead(
        &self,
        engine: &mut dyn Engine,
        topology: &Topology,
        gravity: DVec3,
        h: f64,
    ) -> Result<Outlook, Error> {
        let end_time = engine.time() + h;
        let Motion { positions, velocities, forces } = engine.motion()?;
        let ends: Vec<DPose> = (0..self.colliders.len()).map(|ix| self.end(ix, end_time)).collect();
        let obstacle = |ix: usize| Obstacle {
            form: &self.forms[ix],
            before: self.places[ix].before,
            start: self.places[ix].now,
            end: ends[ix],
            thickness: self.colliders[ix].thickness.into(),
            collider: ix as u32,
        };
        let obstacles: Vec<_> = (0..self.colliders.len()).map(obstacle).collect();
        let path = |row: usize| {
            let (x, v) = (positions[row], velocities[row]);
            // What it gained in the last step, but for what held it.
            let (before, acceleration) = match &self.last {
                Some(last) => {
                    let gained = (v - last.velocities[row]) / last.time_step;
                    (last.positions[row], gained - forces[row] / topology.masses[row])
                }
                None => (x, gravity),
            };
            Path { before, now: x, ahead: x + h * (v + h * acceleration) }
        };
        let found = touches(&obstacles, positions.len(), path);
        let (contacts, touched) = self.respond(&found, &positions, h);
        engine.set_contacts(&contacts)?;
        Ok(Outlook { start: Start { positions, velocities, time_step: h }, ends, touched })
    }

    /// The step that was looked ahead to has been made.
    pub fn go_on(&mut self, outlook: Outlook) {
        for (place, end) in self.places.iter_mut().zip(outlook.ends) {
            *place = Place { before: place.now, now: end };
        }
        self.goals.clear();
        self.last = Some(outlook.start);
        self.touched = outlook.touched;
    }

    /// Where a collider is at the end of the next step.
    fn end(&self, ix: usize, time: f64) -> DPose {
        match &self.colliders[ix].motion {
            Movement::KeyFrames(frames) => pose_at(frames, time),
            _ => self.goals.get(&ix).copied().unwrap_or(self.places[ix].now),
        }
    }

    /// From what is touched to constraints; also what is let go of, for schemes that look back.
    fn respond(&self, found: &[Touch], positions: &[DVec3], h: f64) -> (Contacts, Vec<(u32, DVec3)>) {
        let mut contacts = Contacts::default();
        let mut touched = Vec::new();
        for group in found.chunk_by(|a, b| a.row == b.row) {
            let row = group[0].row;
            if self.pinned[row as usize] {
                continue;
            }
            let (constraint, contact) = self.contact(group, positions[row as usize], h);
            contacts.constraints.push(constraint);
            contacts.contacts.push(contact);
            touched.push((row, constraint.forget));
        }
        if self.looks_back {
            let left = self.touched.iter().filter(|(row, _)| touched.binary_search_by_key(row, |(row, _)| *row).is_err());
            for &(row, forget) in left {
                let target = positions[row as usize];
                contacts.constraints.push(Constraint { row, target, free: DMat3::IDENTITY, forget });
                contacts.contacts.push(Contact { state: ContactState::Free, ..Contact::default() });
            }
        }
        (contacts, touched)
    }

    /// What one particle at `position` touches.
    fn contact(&self, touches: &[Touch], position: DVec3, h: f64) -> (Constraint, Contact) {
        let mut contact = Contact::default();
        let mut wanted = [0.0; 3];
        for (ix, touch) in touches.iter().enumerate() {
            let collider = &self.colliders[touch.collider as usize];
            contact.normals[ix] = touch.normal;
            contact.coefficients[ix] = collider.friction.into();
            contact.holding[ix] = true;
            contact.surface_velocity += touch.surface / (h * touches.len() as f64);
            // All the way to the surface, but only gradually out of it (Etzmuß 4.4).
            let relaxation = if touch.gap < 0.0 { f64::from(collider.relaxation) } else { 1.0 };
            wanted[ix] = touch.normal.dot(touch.surface) - relaxation * touch.gap;
        }
        let along = contact.along(contact.shares(wanted));
        let (moved, free, forget) = if let [touch] = touches
            && contact.coefficients[0] > 0.0
        {
            contact.state = ContactState::Sticks;
            (along + contact.across(touch.surface), DMat3::ZERO, touch.normal)
        } else {
            contact.state = ContactState::Slides;
            let forget = if touches.len() > 1 { FORGET_ALL } else { 1.0 } * touches[0].normal;
            (along, contact.sliding(), forget)
        };
        (Constraint { row: touches[0].row, target: position + moved, free, forget }, contact)
    }
}
