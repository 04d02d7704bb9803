//! Colliders of a simulation, their poses, and collision detection before each step.
//!
//! Between two steps the CPU reads back the particles' motion, tests every path against every collider, and sends the contacts to
//! the engine as constraints of the next step.

mod response;
mod start;
mod state;
mod supports;

use response::Response;
pub(super) use state::WorldState;

use super::rigid::{Body, Forecast};
use crate::{
    Collider, ColliderId, Error, Integrator, Motion as Movement, Pose, Scene,
    contact::{DPose, Features, Form, Obstacle, Path, Touch, pose_at, touches},
    engine::{self, Engine, Motion},
    integrator::Scheme,
    topology::{Carried, Constraint, Contact, ContactState, Contacts, MOST_RIGID_CONTACTS, Six, Topology},
};
use glam::{DMat3, DVec3};
use std::{borrow::Cow, collections::BTreeMap};

/// Smallest distance from a collider at the end of a step, as a fraction of its thickness: half of it, and a margin for the error
/// of distance grids.
const NEAREST: f64 = 0.6;
/// Length of a normal for which a scheme forgets the last step completely.
const FORGET_ALL: f64 = 2.0;

/// Colliders of a scene with their state.
pub(super) struct World {
    colliders: Vec<Collider>,
    forms: Vec<Form>,
    /// Edges and triangles that keep away from colliders.
    features: Features,
    places: Vec<ColliderPoses>,
    /// Colliders that are rigid bodies.
    bodies: Vec<Body>,
    /// Poses after the next step of colliders moved by the host.
    goals: BTreeMap<usize, DPose>,
    /// Whether the integrator is a multistep method.
    looks_back: bool,
    explicit: bool,
    /// Whether steps are safe.
    safe: bool,
    /// 1 - θ of the θ-scheme, 0 for others.
    drift_share: f64,
    /// State at the start of the last step.
    last: Option<Start>,
    /// Particles with contacts in the last step, by row.
    touched: Vec<Touched>,
    /// Watched particles of the last step.
    watched: Vec<Touched>,
    /// Number of steps made.
    steps: u64,
    /// State before the last step, in case it fails.
    kept: Option<Kept>,
}

/// State that a step changes.
struct Kept {
    places: Vec<ColliderPoses>,
    last: Option<Start>,
    touched: Vec<Touched>,
}

/// A particle in contact.
#[derive(Debug, Clone, Copy)]
struct Touched {
    row: u32,
    /// Contact normal out of the collider.
    normal: DVec3,
    /// Colliders touched, at most three.
    colliders: [Option<u32>; 3],
    /// Number of consecutive steps in contact.
    age: u32,
}

/// Steps of an impact: one to reach the surface, one to come to rest on it.
const IMPACT_STEPS: u32 = 2;

impl Touched {
    /// Direction in which a multistep scheme forgets the last step: longer than a unit normal after an impact, later the normal.
    fn forget(&self) -> DVec3 {
        if self.age <= IMPACT_STEPS { FORGET_ALL * self.normal } else { self.normal }
    }
}

/// Poses of a collider at the start of the last step and now.
#[derive(Debug, Clone, Copy)]
struct ColliderPoses {
    before: DPose,
    now: DPose,
}

/// State of all particles at the start of a step.
#[derive(Debug, Clone)]
struct Start {
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    time_step: f64,
}

/// Collision detection's result for the next step.
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

    pub fn new(scene: &Scene, topology: &Topology, integrator: Integrator, safe: bool) -> Self {
        let mut world = Self {
            colliders: scene.colliders.clone(),
            forms: scene.colliders.iter().map(Form::new).collect(),
            features: if safe { supports::features(scene, topology) } else { Features::default() },
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

    /// Resets the world to the start.
    pub fn reset(&mut self) {
        let place = |collider: &Collider| {
            let now = match &collider.motion {
                Movement::KeyFrames(frames) => pose_at(frames, 0.0),
                _ => collider.start().into(),
            };
            ColliderPoses { before: now, now }
        };
        self.places = self.colliders.iter().map(place).collect();
        let colliders = self.colliders.iter().zip(&self.forms).enumerate();
        self.bodies = colliders.filter_map(|(ix, (collider, form))| Body::new(ix, collider, form)).collect();
        self.goals.clear();
        self.forms.iter_mut().for_each(|form| form.set_times([0.0; 3]));
        self.steps = 0;
        self.forget();
    }

    /// Forgets the last step, after the state was set from outside.
    pub fn forget(&mut self) {
        self.last = None;
        self.touched.clear();
        self.watched.clear();
        self.bodies.iter_mut().for_each(Body::forget);
        self.kept = None;
    }

    /// Moves particles that were displaced as if they had been there at the start of the last step.
    pub fn displace(&mut self, places: &[engine::Relocation]) {
        let Some(last) = &mut self.last else { return };
        for place in places {
            last.positions[place.row as usize] = place.position;
            last.velocities[place.row as usize] = place.velocity;
        }
    }

    /// Reverts the last step if the engine's has failed. At most one step is in flight.
    pub fn follow(&mut self, steps: u64) {
        if self.steps > steps {
            self.steps = steps;
            if let Some(Kept { places, last, touched }) = self.kept.take() {
                (self.places, self.last, self.touched) = (places, last, touched);
            }
        }
    }

    /// First particle that the last step moved into a collider: nearer to its surface than [`NEAREST`] of the thickness, or to
    /// its other side; or a particle of an edge or triangle that it moved deeper than half of the thickness.
    pub fn penetrated(&mut self, motion: &Motion, pinned: &[bool], time: f64) -> Option<u32> {
        self.land(&motion.rigids);
        let before = time - self.last.as_ref()?.time_step;
        self.forms.iter_mut().for_each(|form| form.set_times([before, time, time]));
        let last = self.last.as_ref()?;
        let obstacles = self.resting();
        let path = |row: usize| {
            let now = motion.positions[row];
            Path { before: last.positions[row], now, ahead: now, steady: now }
        };
        let inside = |touch: &Touch| {
            let obstacle = &obstacles[touch.collider as usize];
            let thickness = obstacle.thickness;
            let was_outside = obstacle.depth_before(last.positions[touch.row as usize]) >= NEAREST * thickness;
            was_outside && !pinned[touch.row as usize] && (touch.crossed || touch.gap < (NEAREST - 1.0) * thickness)
        };
        let particle =
            touches(&obstacles, motion.positions.len(), path).iter().find(|touch| inside(touch)).map(|touch| touch.row);
        if particle.is_some() {
            return particle;
        }
        self.forms.iter_mut().for_each(|form| form.set_times([before, before, time]));
        self.pierced(motion, pinned)
    }

    /// Colliders where they are after the last step.
    fn resting(&self) -> Vec<Obstacle<'_>> {
        let obstacle = |(ix, place): (usize, &ColliderPoses)| Obstacle {
            form: &self.forms[ix],
            before: place.before,
            start: place.now,
            end: place.now,
            thickness: self.colliders[ix].thickness.into(),
            margin: 0.0,
            collider: ix as u32,
        };
        self.places.iter().enumerate().map(obstacle).collect()
    }

    /// Colliders over the last step.
    fn passed(&self) -> Vec<Obstacle<'_>> {
        let obstacles = self.resting().into_iter();
        obstacles.map(|obstacle| Obstacle { start: obstacle.before, ..obstacle }).collect()
    }

    /// Current poses of colliders, after all steps.
    pub async fn poses(&mut self, engine: &mut Engine) -> Result<Vec<Pose>, Error> {
        if !self.bodies.is_empty() {
            let motion = engine.motion().await?;
            self.land(&motion.rigids);
        }
        let pose = |place: &ColliderPoses| Pose {
            position: place.now.position.as_vec3(),
            rotation: place.now.rotation.as_quat().normalize(),
        };
        Ok(self.places.iter().map(pose).collect())
    }

    /// Moves rigid bodies to the end of the last step.
    fn land(&mut self, changes: &[Six]) {
        for (ix, body) in self.bodies.iter_mut().enumerate() {
            body.land(changes.get(ix));
            self.places[body.collider].now = body.now.pose;
        }
    }

    /// Sets the pose of a collider at the end of the next step.
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

    /// Detects the contacts of the next step, of length h, and sends them to the engine.
    pub async fn look_ahead(
        &mut self,
        engine: &mut Engine,
        masses: &[f64],
        (held, pinned): (&[bool], &[bool]),
        carried: &[Carried],
        gravity: DVec3,
        h: f64,
    ) -> Result<Outlook, Error> {
        let (time, end_time) = (engine.time(), engine.time() + h);
        let before = self.last.as_ref().map_or(time, |last| time - last.time_step);
        self.forms.iter_mut().for_each(|form| form.set_times([before, time, end_time]));
        let motion = engine.motion().await?;
        self.land(&motion.rigids);
        let Motion { positions, velocities, forces, .. } = motion;
        // A watched particle whose contact engaged has had an impact.
        let engaged = self.watched.drain(..).filter(|watched| forces[watched.row as usize] != DVec3::ZERO);
        self.touched.extend(engaged);
        self.touched.sort_by_key(|touched| touched.row);
        let scheme = engine.scheme();
        let forecasts: Vec<_> = self.bodies.iter().map(|body| body.forecast(&scheme, gravity, h)).collect();
        let mut ends: Vec<DPose> = (0..self.colliders.len()).map(|ix| self.end(ix, end_time)).collect();
        for (body, forecast) in self.bodies.iter().zip(&forecasts) {
            ends[body.collider] = forecast.end;
        }
        let path = |row: usize| {
            let (x, v) = (positions[row], velocities[row]);
            // Acceleration in the last step without the contact force.
            let (before, acceleration) = match &self.last {
                Some(last) => {
                    let gained = (v - last.velocities[row]) / last.time_step;
                    (last.positions[row], gained - forces[row] / masses[row])
                }
                None => (x, gravity),
            };
            Path { before, now: x, ahead: x + h * (v + h * acceleration), steady: x + h * v }
        };
        // Root mean square displacement of particles: neighbours may pull along those that hardly move.
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
            // An explicit step has no x̂.
            if !self.explicit {
                let ahead = self.ahead(constraint, &scheme, positions[row], velocities[row], before, h);
                contact.led = ahead - constraint.free * ahead;
                // A watched particle keeps the scheme's x̂, from which another speed reaches the surface.
                let further = contact.products(constraint.free * ahead / scheme.stage_step);
                contact.wanted.iter_mut().zip(further).for_each(|(wanted, further)| *wanted -= further);
            }
        }
        let ahead: Vec<DVec3> = (0..positions.len()).map(|row| path(row).ahead).collect();
        contacts.supports = self.supports(&ends, margin, (&positions, &ahead), (masses, held), h);
        engine.set_contacts(&contacts)?;
        Ok(Outlook { start: Start { positions, velocities, time_step: h }, ends, touched, watched, forecasts })
    }

    /// Colliders over the next step; particles within the margin, m, are watched.
    fn obstacles(&self, ends: &[DPose], margin: f64) -> Vec<Obstacle<'_>> {
        let obstacle = |ix: usize| Obstacle {
            form: &self.forms[ix],
            before: self.places[ix].before,
            start: self.places[ix].now,
            end: ends[ix],
            thickness: self.colliders[ix].thickness.into(),
            // Neighbours may pull even a slow particle this far in a step.
            margin: if self.safe { margin.max(self.colliders[ix].thickness.into()) } else { margin },
            collider: ix as u32,
        };
        (0..self.colliders.len()).map(obstacle).collect()
    }

    /// Advances the world after the step of an outlook.
    pub fn go_on(&mut self, outlook: Outlook) {
        for (body, forecast) in self.bodies.iter_mut().zip(outlook.forecasts) {
            body.depart(forecast);
        }
        let places =
            self.places.iter().zip(outlook.ends).map(|(place, end)| ColliderPoses { before: place.now, now: end });
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

    /// Pose of a collider at the end of the next step.
    pub fn end(&self, ix: usize, time: f64) -> DPose {
        match &self.colliders[ix].motion {
            Movement::KeyFrames(frames) => pose_at(frames, time),
            _ => self.goals.get(&ix).copied().unwrap_or(self.places[ix].now),
        }
    }
}
