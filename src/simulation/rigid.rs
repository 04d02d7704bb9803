//! Rigid bodies between steps, in f64: their pose, their predictor for the next step, and their contacts with the world.

use super::archive::stored;
use crate::{
    Collider, Motion as Movement,
    contact::{DPose, Form, Touch},
    integrator::Scheme,
    topology::{
        ContactState, Rigid, RigidContact, Six,
        rigid::{add, six, times},
    },
};
use glam::{DMat3, DQuat, DVec3};

/// Stiffness κ of contacts with the world over the effective mass. A weight sinks in by 1/κ of its free fall in a step.
const CONTACT_STIFFNESS: f64 = 1e3;
/// Change of velocity in one step, as a multiple of gravity times the step, above which it is an impact and not extrapolated.
const IMPACT: f64 = 3.0;

/// A rigid body in motion.
#[derive(Debug, Clone)]
pub(super) struct Body {
    /// Index among all colliders.
    pub collider: usize,
    mass: f64,
    /// Moments of inertia about the axes of the body's frame, kg·m².
    inertia: DVec3,
    /// Spheres that may touch the world: centres in the body's frame, and radii, m.
    pub feet: Vec<(DVec3, f64)>,
    size: f64,
    pub now: State,
    /// State at the start of the last step, and its length, s.
    before: Option<(State, f64)>,
    /// Forecast of the step in flight.
    pending: Option<Forecast>,
}

/// Pose and velocity of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    pub pose: DPose,
    /// (V, Ω)
    pub velocity: Six,
}

/// Motion of a body in the next step without contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Forecast {
    /// Predictor: the velocity that the solve starts with.
    pub guess: Six,
    /// v̂ of the scheme.
    anchor: Six,
    pub end: DPose,
    time_step: f64,
    stage_step: f64,
}

/// Time-dependent state of a body between steps.
#[derive(Debug, Clone)]
pub(super) struct BodyState {
    now: State,
    before: Option<(State, f64)>,
}

stored!(BodyState { now, before });
stored!(State { pose, velocity });

impl Body {
    /// State of the body with no step in flight.
    pub fn state(&self) -> BodyState {
        BodyState { now: self.now, before: self.before }
    }

    pub fn restore(&mut self, state: BodyState) {
        (self.now, self.before, self.pending) = (state.now, state.before, None);
    }

    /// The rigid body of a collider, if it is one.
    pub fn new(ix: usize, collider: &Collider, form: &Form) -> Option<Self> {
        let Movement::Dynamic(start) = &collider.motion else { return None };
        let mass = f64::from(start.mass);
        Some(Self {
            collider: ix,
            mass,
            inertia: form.inertia(mass)?,
            feet: form.feet(),
            size: form.bounding_radius(),
            now: State {
                pose: start.pose.into(),
                velocity: six(start.velocity.as_dvec3(), start.angular_velocity.as_dvec3()),
            },
            before: None,
            pending: None,
        })
    }

    /// Predicts the motion in the next step without contact.
    pub fn forecast(&self, scheme: &Scheme, gravity: DVec3, h: f64) -> Forecast {
        let State { pose, velocity } = self.now;
        let (mut guess, mut anchor) = (velocity, velocity);
        // An impact is not extrapolated.
        if let Some((before, last)) = &self.before
            && scheme.history > 0.0
            && !self.has_jumped(before, gravity, *last)
        {
            let turned = pose.rotation * before.pose.rotation.conjugate();
            // Of the quaternions q and -q, this one is the shorter rotation.
            let turned = if turned.w < 0.0 { -turned } else { turned };
            guess = six((pose.position - before.pose.position) / *last, turned.to_scaled_axis() / *last);
            add(&mut anchor, scheme.history, &velocity);
            add(&mut anchor, -scheme.history, &before.velocity);
        }
        let end = moved(&pose, &guess, h);
        Forecast { guess, anchor, end, time_step: h, stage_step: scheme.stage_step }
    }

    fn has_jumped(&self, before: &State, gravity: DVec3, h: f64) -> bool {
        let change = |ix: usize| self.now.velocity[ix] - before.velocity[ix];
        let linear = DVec3::new(change(0), change(1), change(2)).length();
        let angular = DVec3::new(change(3), change(4), change(5)).length() * self.size;
        linear.max(angular) > IMPACT * h * gravity.length().max(1.0)
    }

    /// The body as an unknown of the solve.
    pub fn rigid(&self, forecast: &Forecast, gravity: DVec3) -> Rigid {
        let inertia = self.inertia_now();
        let mut own = [[0.0; 6]; 6];
        for ix in 0..3 {
            own[ix][ix] = self.mass;
            for other in 0..3 {
                own[3 + ix][3 + other] = inertia.col(other)[ix];
            }
        }
        let difference = std::array::from_fn(|ix| forecast.anchor[ix] - forecast.guess[ix]);
        let mut residual = times(&own, &difference);
        let spin = DVec3::new(self.now.velocity[3], self.now.velocity[4], self.now.velocity[5]);
        add(&mut residual, forecast.stage_step, &six(self.mass * gravity, -spin.cross(inertia * spin)));
        Rigid::new(own, residual, forecast.guess)
    }

    /// Contact of a point of the body with the world: `at`, its position now, m; `out`, its displacement along the normal in a
    /// step, m.
    pub fn world_contact(&self, touch: &Touch, at: DVec3, friction: f64, out: f64, h: f64) -> RigidContact {
        let arm = at - self.now.pose.position;
        let lever = arm.cross(touch.normal);
        let yielding = 1.0 / self.mass + lever.dot(self.inertia_now().inverse() * lever);
        RigidContact {
            arm,
            normal: touch.normal,
            wanted: (touch.surface + out * touch.normal) / h,
            stiffness: CONTACT_STIFFNESS / yielding,
            coefficient: friction,
            state: if friction > 0.0 { ContactState::Sticks } else { ContactState::Slides },
            friction: DVec3::ZERO,
        }
    }

    fn inertia_now(&self) -> DMat3 {
        let turned = DMat3::from_quat(self.now.pose.rotation);
        turned * DMat3::from_diagonal(self.inertia) * turned.transpose()
    }

    /// Saves the forecast of a submitted step.
    pub fn depart(&mut self, forecast: Forecast) {
        self.pending = Some(forecast);
    }

    /// Applies the change of velocity by the step; `None` if it failed.
    pub fn land(&mut self, change: Option<&Six>) {
        let (Some(forecast), Some(change)) = (self.pending.take(), change) else { return };
        let mut velocity = forecast.guess;
        add(&mut velocity, 1.0, change);
        let Forecast { time_step: h, stage_step, guess, .. } = forecast;
        let way = std::array::from_fn(|ix| guess[ix] + stage_step / h * change[ix]);
        let pose = moved(&self.now.pose, &way, h);
        self.before = Some((self.now, h));
        self.now = State { pose, velocity };
    }

    /// Forgets the last step, after the state was set from outside.
    pub fn forget(&mut self) {
        self.before = None;
        self.pending = None;
    }
}

/// Pose after a time, s, at constant velocity.
fn moved(pose: &DPose, velocity: &Six, h: f64) -> DPose {
    let [x, y, z, a, b, c] = *velocity;
    let turned = DQuat::from_scaled_axis(h * DVec3::new(a, b, c));
    DPose { position: pose.position + h * DVec3::new(x, y, z), rotation: (turned * pose.rotation).normalize() }
}
