//! Contacts as constraints of the next step.

use super::*;
use crate::scene::STANDARD_GRAVITY;

/// Cosine of the angle between the contact normals of a rigid body and of the world below which a particle is pinched between
/// them.
const PINCHED: f64 = -0.5;

/// Tangential speed, as a fraction of gravity times the step, below which a contact sticks.
const SLOW: f64 = 0.01;
/// Difference of gaps, as a fraction of the thickness, below which surfaces are touched at the same time.
const TOGETHER: f64 = 0.1;

/// Constraints and contacts of the next step.
#[derive(Default)]
pub(super) struct Response {
    pub(super) contacts: Contacts,
    pub(super) touched: Vec<Touched>,
    pub(super) watched: Vec<Touched>,
    /// Particles pinched between a rigid body and the world: index of the body, position, and touch.
    pub(super) pinched: Vec<(usize, DVec3, Touch)>,
}

impl World {
    /// Displacement of the scheme's x̂ from the x̂ that follows the surface, m.
    pub(super) fn ahead(
        &self,
        constraint: &Constraint,
        scheme: &Scheme,
        x: DVec3,
        v: DVec3,
        before: DVec3,
        h: f64,
    ) -> DVec3 {
        let steady = scheme.previous_step * v;
        let moved = steady + constraint.remembered(x - before - steady);
        let own = scheme.history * moved + self.drift_share * h * v;
        let led = (scheme.lead - scheme.stage_step) / h * (constraint.target - x);
        own - led
    }

    /// Index of a collider among the rigid bodies.
    pub(super) fn body_of(&self, collider: usize) -> Option<usize> {
        self.bodies.iter().position(|body| body.collider == collider)
    }

    /// Constraints of particles that are carried by rigid bodies.
    pub(super) fn hang(&self, carried: &[Carried], ends: &[DPose]) -> Vec<(Constraint, Contact)> {
        let one = |carried: &Carried| {
            let body = self.body_of(carried.collider)?;
            let end = ends[carried.collider];
            let target = end.to_world(carried.local);
            let constraint = Constraint { row: carried.row, target, free: DMat3::ZERO, forget: DVec3::ZERO };
            Some((constraint, Contact { body: Some(body as u32), arm: target - end.position, ..Contact::default() }))
        };
        carried.iter().filter_map(one).collect()
    }

    /// Turns touches into constraints; also reports released contacts, for multistep schemes.
    pub(super) fn respond(
        &self,
        found: &[Touch],
        pinned: &[bool],
        positions: &[DVec3],
        mut list: Vec<(Constraint, Contact)>,
        h: f64,
    ) -> Response {
        let mut response = Response::default();
        for group in found.chunk_by(|a, b| a.row == b.row) {
            let row = group[0].row;
            if pinned[row as usize] {
                continue;
            }
            let position = positions[row as usize];
            let (body, group) = self.sort_out(group, position, &mut response.pinched);
            let (mut constraint, mut contact) = self.contact(&group, position, h);
            if let Some(body) = body {
                contact.body = Some(body as u32);
                contact.arm = position - self.bodies[body].now.pose.position;
            }
            let before = self.touched.binary_search_by_key(&row, |touched| touched.row).map(|ix| self.touched[ix]);
            if group[0].watched {
                constraint.forget = DVec3::ZERO;
            }
            if let Ok(before) = before {
                constraint.forget = if group.len() > 1 { FORGET_ALL * before.normal } else { before.forget() };
            }
            list.push((constraint, contact));
            let mut colliders = [None; 3];
            colliders.iter_mut().zip(group.iter()).for_each(|(collider, touch)| *collider = Some(touch.collider));
            // Colliders are sorted by index, not by depth.
            colliders.sort_unstable();
            let age = before.map_or(0, |before| if before.colliders == colliders { before.age } else { 0 }) + 1;
            let touched = Touched { row, normal: group[0].normal, colliders, age };
            if group[0].watched { &mut response.watched } else { &mut response.touched }.push(touched);
        }
        if self.looks_back {
            let row_of = |touched: &Touched| touched.row;
            let listed = |list: &[Touched], row: u32| list.binary_search_by_key(&row, row_of).is_ok();
            let again = |left: &&Touched| listed(&response.touched, left.row) || listed(&response.watched, left.row);
            for left in self.touched.iter().filter(|left| !again(left) && !pinned[left.row as usize]) {
                let target = positions[left.row as usize];
                let free = DMat3::IDENTITY;
                let constraint = Constraint { row: left.row, target, free, forget: left.forget() };
                list.push((constraint, Contact { state: ContactState::Free, ..Contact::default() }));
            }
        }
        // Contacts are grouped by body; the sort is stable.
        list.sort_by_key(|(_, contact)| contact.body.map_or(0, |body| body + 1));
        (response.contacts.constraints, response.contacts.contacts) = list.into_iter().unzip();
        response
    }

    /// Warm start: contacts that slid at the end of the last step start sliding, with their friction, which saves active-set
    /// passes.
    pub(super) fn keep_sliding(
        &self,
        contacts: &mut Contacts,
        velocities: &[DVec3],
        forces: &[DVec3],
        scheme: &Scheme,
    ) {
        let slow = SLOW * f64::from(STANDARD_GRAVITY.length()) * scheme.stage_step;
        for (constraint, contact) in contacts.constraints.iter_mut().zip(&mut contacts.contacts) {
            let row = constraint.row as usize;
            let slip = contact.across(velocities[row] - contact.surface_velocity);
            let touched = self.touched.binary_search_by_key(&constraint.row, |touched| touched.row).is_ok();
            if contact.state == ContactState::Sticks && touched && slip.length() > slow {
                contact.state = ContactState::Slides;
                constraint.free = contact.sliding();
                let rubbed = scheme.stage_step * contact.across(forces[row]);
                // Friction must oppose the slip.
                if rubbed.dot(slip) < 0.0 {
                    contact.friction = rubbed;
                }
            }
        }
    }

    /// Selects the touches of one particle: at most one of a rigid body, which comes first. For a body, a particle pinched
    /// against the world is part of the world.
    pub(super) fn sort_out<'a>(
        &self,
        group: &'a [Touch],
        position: DVec3,
        pinched: &mut Vec<(usize, DVec3, Touch)>,
    ) -> (Option<usize>, Cow<'a, [Touch]>) {
        let body_of = |touch: &Touch| self.body_of(touch.collider as usize);
        let Some((body, touch)) = group.iter().find_map(|touch| body_of(touch).map(|body| (body, *touch))) else {
            return (None, Cow::Borrowed(group));
        };
        let mut world: Vec<Touch> = group.iter().filter(|touch| body_of(touch).is_none()).copied().collect();
        if let Some(wall) = world.iter().find(|wall| wall.normal.dot(touch.normal) < PINCHED) {
            let against = Touch { normal: -touch.normal, surface: wall.surface, ..touch };
            pinched.push((body, position, against));
            return (None, Cow::Owned(world));
        }
        world.insert(0, touch);
        world.truncate(3);
        (Some(body), Cow::Owned(world))
    }

    /// Adds rigid bodies to the unknowns of the solve, with their contacts.
    pub(super) fn add_rigids(
        &self,
        response: &mut Response,
        forecasts: &[Forecast],
        ends: &[DPose],
        gravity: DVec3,
        h: f64,
    ) {
        if self.bodies.is_empty() {
            return;
        }
        let mut fixed = self.obstacles(ends, 0.0);
        fixed.retain(|obstacle| self.body_of(obstacle.collider as usize).is_none());
        let contacts = &response.contacts.contacts;
        for (ix, (body, forecast)) in self.bodies.iter().zip(forecasts).enumerate() {
            let mut rigid = body.rigid(forecast, gravity);
            let of_body = |contact: &Contact| contact.body.map_or(0, |body| body as usize + 1);
            let first = contacts.partition_point(|contact| of_body(contact) < ix + 1);
            rigid.constraints = first..contacts.partition_point(|contact| of_body(contact) < ix + 2);
            let mut found = Vec::new();
            for (centre, radius) in &body.feet {
                let at = |pose: &DPose| pose.to_world(*centre);
                let now = at(&body.now.pose);
                let path =
                    Path { before: now, now, ahead: at(&forecast.end) + h * h * gravity, steady: at(&forecast.end) };
                // Rigid bodies touch surfaces directly, without the thickness for particles.
                let fixed: Vec<_> = fixed.iter().map(|obstacle| Obstacle { thickness: *radius, ..*obstacle }).collect();
                let mut touched = touches(&fixed, 1, |_| path);
                touched.retain(|touch| !touch.watched);
                found.extend(touched.iter().map(|touch| (now - radius * touch.normal, *touch)));
            }
            // The deepest contacts come first, in case there are too many.
            found.extend(response.pinched.iter().filter(|(body, ..)| *body == ix).map(|(_, at, touch)| (*at, *touch)));
            found.sort_by(|(_, a), (_, b)| a.gap.total_cmp(&b.gap));
            for (at, touch) in found.into_iter().take(MOST_RIGID_CONTACTS) {
                // A pinched particle touches the body itself.
                let collider = &self.colliders[touch.collider as usize];
                let out = if touch.gap < 0.0 { self.way_out(collider, -touch.gap, h) } else { -touch.gap };
                rigid.touch(body.world_contact(&touch, at, collider.friction.into(), out, h));
            }
            response.contacts.rigids.push(rigid);
        }
    }

    /// Displacement out of a collider in a step, m, for a penetration depth, m: a fraction of the depth, and no faster than a
    /// fall over it.
    fn way_out(&self, collider: &Collider, depth: f64, h: f64) -> f64 {
        (f64::from(collider.relaxation) * depth).min(h * fall(depth))
    }

    /// Constraint and contact of one particle at `position`.
    pub(super) fn contact(&self, touches: &[Touch], position: DVec3, h: f64) -> (Constraint, Contact) {
        let mut contact = Contact::default();
        for (ix, touch) in touches.iter().enumerate() {
            let collider = &self.colliders[touch.collider as usize];
            contact.normals[ix] = touch.normal;
            contact.coefficients[ix] = collider.friction.into();
            // Surfaces behind the first one engage only when the solve reaches them.
            let together = touches[0].gap.max(0.0) + TOGETHER * f64::from(collider.thickness);
            contact.holding[ix] = !self.safe || touch.gap <= together;
            contact.surface_velocity += touch.surface / (h * touches.len() as f64);
            // The target is the surface, or the side of entry; from inside it is approached gradually (Etzmuß 4.4).
            let gradually = touch.gap < 0.0 && !touch.crossed;
            let out = if gradually { self.way_out(collider, -touch.gap, h) } else { -touch.gap };
            contact.wanted[ix] = (touch.normal.dot(touch.surface) + out) / h;
        }
        let along = h * contact.along(contact.shares(contact.wanted));
        let (moved, free) = if touches[0].watched && !self.explicit {
            // A watched contact starts released and engages if the solve penetrates. Explicit steps detect that themselves.
            contact.state = ContactState::Free;
            contact.holding = [false; 3];
            (along, DMat3::IDENTITY)
        } else if let [touch] = touches
            && contact.coefficients[0] > 0.0
        {
            contact.state = ContactState::Sticks;
            // A safe step ignores the tangential approach: a surface that drags a particle along its predicted path would do
            // work.
            let approach = if self.safe { DVec3::ZERO } else { touch.approach };
            (along + contact.across(touch.surface + approach), DMat3::ZERO)
        } else {
            contact.state = ContactState::Slides;
            (along, contact.sliding())
        };
        let forget = touches[0].normal;
        (Constraint { row: touches[0].row, target: position + moved, free, forget }, contact)
    }
}

/// Speed of a fall over a depth, m, in m/s.
pub(super) fn fall(depth: f64) -> f64 {
    (2.0 * f64::from(STANDARD_GRAVITY.length()) * depth).sqrt()
}
