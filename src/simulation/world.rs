//! What particles meet: colliders, where they are, and which particles touch them in the next step.
//!
//! Between two steps, on the CPU: one copy of the motion comes back, every particle's path is tested against every collider, and what it
//! meets goes out as constraints of the next step.

mod response;
mod start;
mod state;

use response::Response;
pub(super) use state::WorldState;

use super::rigid::{Body, Forecast};
use crate::{
    Collider, ColliderId, Error, Integrator, Motion as Movement, Pose, Scene,
    contact::{DPose, Form, Obstacle, Path, Touch, pose_at, touches},
    engine::{self, Engine, Motion},
    integrator::Scheme,
    topology::{Carried, Constraint, Contact, ContactState, Contacts, MOST_RIGID_CONTACTS, Six},
};
use glam::{DMat3, DVec3};
use std::{borrow::Cow, collections::BTreeMap};

/// Distance from a collider that no step may end below, as a part of its thickness: half of it, and room for what a grid of distances is off.
const NEAREST: f64 = 0.6;
/// Longer than a normal: a scheme forgets the last step wholly.
const FORGET_ALL: f64 = 2.0;

/// Colliders of a scene in motion.
pub(super) struct World {
    colliders: Vec<Collider>,
    forms: Vec<Form>,
    places: Vec<Place>,
    /// Those that are rigid bodies.
    bodies: Vec<Body>,
    /// Where colliders that are led are to be after the next step.
    goals: BTreeMap<usize, DPose>,
    /// Whether the integrator looks back at the last step.
    looks_back: bool,
    explicit: bool,
    /// Whether steps are safe.
    safe: bool,
    /// 1 - θ of the θ-scheme, else 0.
    drift_share: f64,
    /// The start of the last step.
    last: Option<Start>,
    /// Of the last step, by row.
    touched: Vec<Touched>,
    /// Of the last step: near enough to be held if need be.
    watched: Vec<Touched>,
    /// Steps made.
    steps: u64,
    /// How it was before the last one, in case that fails.
    kept: Option<Kept>,
}

/// What a step changes.
struct Kept {
    places: Vec<Place>,
    last: Option<Start>,
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
#[derive(Debug, Clone)]
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
    watched: Vec<Touched>,
    forecasts: Vec<Forecast>,
}

impl World {
    /// Whether there are rigid bodies.
    pub fn has_bodies(&self) -> bool {
        !self.bodies.is_empty()
    }

    pub fn collider_count(&self) -> usize {
        self.colliders.len()
    }

    pub fn new(scene: &Scene, integrator: Integrator, safe: bool) -> Self {
        let mut world = Self {
            colliders: scene.colliders.clone(),
            forms: scene.colliders.iter().map(Form::new).collect(),
            places: Vec::new(),
            bodies: Vec::new(),
            goals: BTreeMap::new(),
            looks_back: matches!(integrator, Integrator::Bdf2 | Integrator::Sbdf2),
            explicit: integrator.is_explicit(),
            safe,
            drift_share: integrator.drift(1.0),
            last: None,
            touched: Vec::new(),
            watched: Vec::new(),
            steps: 0,
            kept: None,
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
        let colliders = self.colliders.iter().zip(&self.forms).enumerate();
        self.bodies = colliders.filter_map(|(ix, (collider, form))| Body::new(ix, collider, form)).collect();
        self.goals.clear();
        self.steps = 0;
        self.forget();
    }

    /// Something was set from outside: there is no last step.
    pub fn forget(&mut self) {
        self.last = None;
        self.touched.clear();
        self.watched.clear();
        self.bodies.iter_mut().for_each(Body::forget);
        self.kept = None;
    }

    /// Particles were put elsewhere, where they are as if they had been there at the start of the last step.
    pub fn displace(&mut self, places: &[engine::Relocation]) {
        let Some(last) = &mut self.last else { return };
        for place in places {
            last.positions[place.row as usize] = place.position;
            last.velocities[place.row as usize] = place.velocity;
        }
    }

    /// Goes back with an engine whose last step has failed. There is never more than one on its way.
    pub fn follow(&mut self, steps: u64) {
        if self.steps > steps {
            self.steps = steps;
            if let Some(Kept { places, last, touched }) = self.kept.take() {
                (self.places, self.last, self.touched) = (places, last, touched);
            }
        }
    }

    /// A particle that the last step has brought inside a collider: nearer to its surface than [`NEAREST`] of the thickness, or to another side of it.
    pub fn penetrated(&mut self, motion: &Motion, pinned: &[bool]) -> Option<u32> {
        self.land(&motion.rigids);
        let last = self.last.as_ref()?;
        let obstacle = |(ix, place): (usize, &Place)| Obstacle {
            form: &self.forms[ix],
            before: place.before,
            start: place.now,
            end: place.now,
            thickness: self.colliders[ix].thickness.into(),
            margin: 0.0,
            collider: ix as u32,
        };
        let obstacles: Vec<_> = self.places.iter().enumerate().map(obstacle).collect();
        let path = |row: usize| {
            let now = motion.positions[row];
            Path { before: last.positions[row], now, ahead: now, steady: now }
        };
        let inside = |touch: &Touch| {
            let Obstacle { form, before, thickness, .. } = obstacles[touch.collider as usize];
            let was_outside = form.depth(before.to_local(last.positions[touch.row as usize])) >= NEAREST * thickness;
            was_outside && !pinned[touch.row as usize] && (touch.crossed || touch.gap < (NEAREST - 1.0) * thickness)
        };
        touches(&obstacles, motion.positions.len(), path).iter().find(|touch| inside(touch)).map(|touch| touch.row)
    }

    /// Where colliders are now, all steps done.
    pub async fn poses(&mut self, engine: &mut Engine) -> Result<Vec<Pose>, Error> {
        if !self.bodies.is_empty() {
            let motion = engine.motion().await?;
            self.land(&motion.rigids);
        }
        let pose = |place: &Place| Pose {
            position: place.now.position.as_vec3(),
            rotation: place.now.rotation.as_quat().normalize(),
        };
        Ok(self.places.iter().map(pose).collect())
    }

    /// Rigid bodies are where the last step has brought them.
    fn land(&mut self, changes: &[Six]) {
        for (ix, body) in self.bodies.iter_mut().enumerate() {
            body.land(changes.get(ix));
            self.places[body.collider].now = body.now.pose;
        }
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

    /// Tests what every particle meets in the next step, of length h, and tells the engine.
    pub async fn look_ahead(
        &mut self,
        engine: &mut Engine,
        masses: &[f64],
        pinned: &[bool],
        carried: &[Carried],
        gravity: DVec3,
        h: f64,
    ) -> Result<Outlook, Error> {
        let end_time = engine.time() + h;
        let motion = engine.motion().await?;
        self.land(&motion.rigids);
        let Motion { positions, velocities, forces, .. } = motion;
        // What was only watched and has been held after all was an impact.
        let held = self.watched.drain(..).filter(|watched| forces[watched.row as usize] != DVec3::ZERO);
        self.touched.extend(held);
        self.touched.sort_by_key(|touched| touched.row);
        let scheme = engine.scheme();
        let forecasts: Vec<_> = self.bodies.iter().map(|body| body.forecast(&scheme, gravity, h)).collect();
        let mut ends: Vec<DPose> = (0..self.colliders.len()).map(|ix| self.end(ix, end_time)).collect();
        for (body, forecast) in self.bodies.iter().zip(&forecasts) {
            ends[body.collider] = forecast.end;
        }
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
            Path { before, now: x, ahead: x + h * (v + h * acceleration), steady: x + h * v }
        };
        // How far particles go, root of the mean square: neighbours may draw along those that hardly move.
        let squares: f64 = velocities.iter().map(|v| v.length_squared()).sum();
        let margin = h * (squares / velocities.len().max(1) as f64).sqrt();
        let found = touches(&self.obstacles(&ends, margin), positions.len(), path);
        let hanging = self.hang(carried, &ends);
        let mut response = self.respond(&found, pinned, &positions, hanging, h);
        if self.safe {
            self.keep_sliding(&mut response.contacts, &velocities, &forces, &scheme);
        }
        self.add_rigids(&mut response, &forecasts, &ends, gravity, h);
        let Response { mut contacts, touched, watched, .. } = response;
        for (constraint, contact) in contacts.constraints.iter().zip(&mut contacts.contacts) {
            let row = constraint.row as usize;
            let before = self.last.as_ref().map_or(positions[row], |last| last.positions[row]);
            // An explicit step leads nothing.
            if !self.explicit {
                let ahead = self.ahead(constraint, &scheme, positions[row], velocities[row], before, h);
                contact.led = ahead - constraint.free * ahead;
                // What is only watched stays where the scheme has it: from there another speed leads to the surface.
                let further = contact.products(constraint.free * ahead / scheme.stage_step);
                contact.wanted.iter_mut().zip(further).for_each(|(wanted, further)| *wanted -= further);
            }
        }
        engine.set_contacts(&contacts)?;
        Ok(Outlook { start: Start { positions, velocities, time_step: h }, ends, touched, watched, forecasts })
    }

    /// Colliders over the next step; particles nearer than the margin, m, are watched.
    fn obstacles(&self, ends: &[DPose], margin: f64) -> Vec<Obstacle<'_>> {
        let obstacle = |ix: usize| Obstacle {
            form: &self.forms[ix],
            before: self.places[ix].before,
            start: self.places[ix].now,
            end: ends[ix],
            thickness: self.colliders[ix].thickness.into(),
            // What neighbours may pull along in a step, however slow it was.
            margin: if self.safe { margin.max(self.colliders[ix].thickness.into()) } else { margin },
            collider: ix as u32,
        };
        (0..self.colliders.len()).map(obstacle).collect()
    }

    /// The step that was looked ahead to has been made.
    pub fn go_on(&mut self, outlook: Outlook) {
        for (body, forecast) in self.bodies.iter_mut().zip(outlook.forecasts) {
            body.depart(forecast);
        }
        let places = self.places.iter().zip(outlook.ends).map(|(place, end)| Place { before: place.now, now: end });
        let places = places.collect();
        self.kept = Some(Kept {
            places: std::mem::replace(&mut self.places, places),
            last: self.last.replace(outlook.start),
            touched: std::mem::replace(&mut self.touched, outlook.touched),
        });
        self.watched = outlook.watched;
        self.goals.clear();
        self.steps += 1;
    }

    /// Where a collider is at the end of the next step.
    pub fn end(&self, ix: usize, time: f64) -> DPose {
        match &self.colliders[ix].motion {
            Movement::KeyFrames(frames) => pose_at(frames, time),
            _ => self.goals.get(&ix).copied().unwrap_or(self.places[ix].now),
        }
    }
}
