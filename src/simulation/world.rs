//! What particles meet: colliders, where they are, and which particles touch them in the next step.
//!
//! Between two steps, on the CPU: one copy of the motion comes back, every particle's path is tested against every collider, and what it
//! meets goes out as constraints of the next step.

use crate::{
    Collider, ColliderId, Error, Integrator, Motion as Movement, Pose, Scene,
    contact::{DPose, Form, Obstacle, Path, Touch, pose_at, touches},
    engine::{self, Engine, Motion},
    integrator::Scheme,
    topology::{Constraint, Contact, ContactState, Contacts},
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
    /// Whether the integrator looks back at the last step.
    looks_back: bool,
    explicit: bool,
    /// 1 - θ of the θ-scheme, else 0.
    drift_share: f64,
    /// The start of the last step.
    last: Option<Start>,
    /// Of the last step, by row.
    touched: Vec<Touched>,
}

/// A particle that touched something.
#[derive(Debug, Clone, Copy)]
struct Touched {
    row: u32,
    /// Which way out.
    normal: DVec3,
    /// What.
    colliders: [Option<u32>; 3],
    /// Steps in a row.
    age: u32,
}

/// Steps that an impact takes: the way to the surface, and then to rest on it.
const IMPACT_STEPS: u32 = 2;

impl Touched {
    /// What a scheme must not look back at: after an impact all, later what happens along the normal.
    fn forget(&self) -> DVec3 {
        if self.age <= IMPACT_STEPS { FORGET_ALL * self.normal } else { self.normal }
    }
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
    touched: Vec<Touched>,
}

impl World {
    pub fn new(scene: &Scene, integrator: Integrator) -> Self {
        let mut world = Self {
            colliders: scene.colliders.clone(),
            forms: scene.colliders.iter().map(Form::new).collect(),
            places: Vec::new(),
            goals: BTreeMap::new(),
            looks_back: matches!(integrator, Integrator::Bdf2 | Integrator::Sbdf2),
            explicit: integrator.is_explicit(),
            drift_share: integrator.drift(1.0),
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

    /// Particles were put elsewhere, where they are as if they had been there at the start of the last step.
    pub fn displace(&mut self, places: &[engine::Place]) {
        let Some(last) = &mut self.last else { return };
        for place in places {
            last.positions[place.row as usize] = place.position;
            last.velocities[place.row as usize] = place.velocity;
        }
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
        masses: &[f64],
        pinned: &[bool],
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
                    (last.positions[row], gained - forces[row] / masses[row])
                }
                None => (x, gravity),
            };
            Path { before, now: x, ahead: x + h * (v + h * acceleration) }
        };
        let found = touches(&obstacles, positions.len(), path);
        let (mut contacts, touched) = self.respond(&found, pinned, &positions, h);
        for (constraint, contact) in contacts.constraints.iter().zip(&mut contacts.contacts) {
            let row = constraint.row as usize;
            let before = self.last.as_ref().map_or(positions[row], |last| last.positions[row]);
            contact.led = if self.explicit {
                constraint.target - positions[row]
            } else {
                self.led(constraint, &engine.scheme(), positions[row], velocities[row], before, h)
            };
        }
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
    pub fn end(&self, ix: usize, time: f64) -> DPose {
        match &self.colliders[ix].motion {
            Movement::KeyFrames(frames) => pose_at(frames, time),
            _ => self.goals.get(&ix).copied().unwrap_or(self.places[ix].now),
        }
    }

    /// How far `integrate/begin` leads x̂ from where the scheme has it, in the constrained directions, sign reversed.
    fn led(&self, constraint: &Constraint, scheme: &Scheme, x: DVec3, v: DVec3, before: DVec3, h: f64) -> DVec3 {
        let steady = scheme.previous_step * v;
        let moved = steady + constraint.remembered(x - before - steady);
        let own = scheme.history * moved + self.drift_share * h * v;
        let led = (scheme.lead - scheme.stage_step) / h * (constraint.target - x);
        own - led - constraint.free * (own - led)
    }

    /// From what is touched to constraints; also what is let go of, for schemes that look back.
    fn respond(&self, found: &[Touch], pinned: &[bool], positions: &[DVec3], h: f64) -> (Contacts, Vec<Touched>) {
        let mut contacts = Contacts::default();
        let mut touched = Vec::new();
        for group in found.chunk_by(|a, b| a.row == b.row) {
            let row = group[0].row;
            if pinned[row as usize] {
                continue;
            }
            let (mut constraint, contact) = self.contact(group, positions[row as usize], h);
            let before = self.touched.binary_search_by_key(&row, |touched| touched.row).map(|ix| self.touched[ix]);
            if let Ok(before) = before {
                constraint.forget = if group.len() > 1 { FORGET_ALL * before.normal } else { before.forget() };
            }
            contacts.constraints.push(constraint);
            contacts.contacts.push(contact);
            let mut colliders = [None; 3];
            colliders.iter_mut().zip(group).for_each(|(collider, touch)| *collider = Some(touch.collider));
            // By collider, whichever is the deepest.
            colliders.sort_unstable();
            let age = before.map_or(0, |before| if before.colliders == colliders { before.age } else { 0 }) + 1;
            touched.push(Touched { row, normal: group[0].normal, colliders, age });
        }
        if self.looks_back {
            let row_of = |touched: &Touched| touched.row;
            for left in self.touched.iter().filter(|left| touched.binary_search_by_key(&left.row, row_of).is_err()) {
                let target = positions[left.row as usize];
                let free = DMat3::IDENTITY;
                contacts.constraints.push(Constraint { row: left.row, target, free, forget: left.forget() });
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
            // All the way to the surface, or back to the side it came from, but only gradually out of it (Etzmuß 4.4).
            let gradually = touch.gap < 0.0 && !touch.crossed;
            let relaxation = if gradually { f64::from(collider.relaxation) } else { 1.0 };
            wanted[ix] = touch.normal.dot(touch.surface) - relaxation * touch.gap;
        }
        let along = contact.along(contact.shares(wanted));
        let (moved, free) = if let [touch] = touches
            && contact.coefficients[0] > 0.0
        {
            contact.state = ContactState::Sticks;
            (along + contact.across(touch.surface), DMat3::ZERO)
        } else {
            contact.state = ContactState::Slides;
            (along, contact.sliding())
        };
        let forget = touches[0].normal;
        (Constraint { row: touches[0].row, target: position + moved, free, forget }, contact)
    }
}
