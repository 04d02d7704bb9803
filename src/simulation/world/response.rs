//! From what particles meet to constraints of the next step.

use super::*;
use crate::scene::STANDARD_GRAVITY;

/// Cosine of the angle between the ways out of a body and of the world from which a particle is caught between them.
const PINCHED: f64 = -0.5;

/// A contact that moves along its surface by less than this part of what gravity makes of a step sticks, but for rounding.
const SLOW: f64 = 0.01;
/// Surfaces whose gaps differ by less than this part of the thickness are touched at once.
const TOGETHER: f64 = 0.1;

/// What becomes of touches.
#[derive(Default)]
pub(super) struct Response {
    pub(super) contacts: Contacts,
    pub(super) touched: Vec<Touched>,
    pub(super) watched: Vec<Touched>,
    /// Particles that are pressed between a rigid body and the world: which body, where, and how.
    pub(super) pinched: Vec<(usize, DVec3, Touch)>,
}

impl World {
    /// How far x̂ lies from where it would be led along with the surface, m.
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

    /// Which rigid body a collider is.
    pub(super) fn body_of(&self, collider: usize) -> Option<usize> {
        self.bodies.iter().position(|body| body.collider == collider)
    }

    /// Particles that hang on rigid bodies: they go where the body does.
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

    /// From what is touched to constraints; also what is let go of, for schemes that look back.
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
            // By collider, whichever is the deepest.
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
        // Those of each body together; otherwise as they were.
        list.sort_by_key(|(_, contact)| contact.body.map_or(0, |body| body + 1));
        (response.contacts.constraints, response.contacts.contacts) = list.into_iter().unzip();
        response
    }

    /// Contacts that slid at the end of the last step begin this one sliding, with the friction they had: passes then have little to change.
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
                // Friction acts against the slip, if anything.
                if rubbed.dot(slip) < 0.0 {
                    contact.friction = rubbed;
                }
            }
        }
    }

    /// Touches of one particle: at most one of a rigid body, and that first. A particle that is pressed against the world by a body is
    /// part of the world for the body.
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

    /// Rigid bodies as unknowns of the solve, with what they touch.
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
                // Surface on surface, whatever distance particles keep.
                let fixed: Vec<_> = fixed.iter().map(|obstacle| Obstacle { thickness: *radius, ..*obstacle }).collect();
                let mut touched = touches(&fixed, 1, |_| path);
                touched.retain(|touch| !touch.watched);
                found.extend(touched.iter().map(|touch| (now - radius * touch.normal, *touch)));
            }
            // The deepest first, if there are too many.
            found.extend(response.pinched.iter().filter(|(body, ..)| *body == ix).map(|(_, at, touch)| (*at, *touch)));
            found.sort_by(|(_, a), (_, b)| a.gap.total_cmp(&b.gap));
            for (at, touch) in found.into_iter().take(MOST_RIGID_CONTACTS) {
                // What is pinched touches the body itself.
                let collider = &self.colliders[touch.collider as usize];
                let out = if touch.gap < 0.0 { self.way_out(collider, -touch.gap, h) } else { -touch.gap };
                rigid.touch(body.world_contact(&touch, at, collider.friction.into(), out, h));
            }
            response.contacts.rigids.push(rigid);
        }
    }

    /// How far a particle that is this deep inside, m, comes out in a step: a part of the way, and no faster than a fall over the whole of it.
    fn way_out(&self, collider: &Collider, depth: f64, h: f64) -> f64 {
        let fall = (2.0 * f64::from(STANDARD_GRAVITY.length()) * depth).sqrt();
        (f64::from(collider.relaxation) * depth).min(h * fall)
    }

    /// What one particle at `position` touches.
    pub(super) fn contact(&self, touches: &[Touch], position: DVec3, h: f64) -> (Constraint, Contact) {
        let mut contact = Contact::default();
        for (ix, touch) in touches.iter().enumerate() {
            let collider = &self.colliders[touch.collider as usize];
            contact.normals[ix] = touch.normal;
            contact.coefficients[ix] = collider.friction.into();
            // What lies behind the first surface is not met before the solve leads there.
            let together = touches[0].gap.max(0.0) + TOGETHER * f64::from(collider.thickness);
            contact.holding[ix] = !self.safe || touch.gap <= together;
            contact.surface_velocity += touch.surface / (h * touches.len() as f64);
            // All the way to the surface, or back to the side it came from, but only gradually out of it (Etzmuß 4.4).
            let gradually = touch.gap < 0.0 && !touch.crossed;
            let out = if gradually { self.way_out(collider, -touch.gap, h) } else { -touch.gap };
            contact.wanted[ix] = (touch.normal.dot(touch.surface) + out) / h;
        }
        let along = h * contact.along(contact.shares(contact.wanted));
        let (moved, free) = if touches[0].watched && !self.explicit {
            // Nothing yet; it holds if the solve leads it in. Explicit steps find that out by themselves.
            contact.state = ContactState::Free;
            contact.holding = [false; 3];
            (along, DMat3::IDENTITY)
        } else if let [touch] = touches
            && contact.coefficients[0] > 0.0
        {
            contact.state = ContactState::Sticks;
            // A safe step stops where it is: a surface that drags a particle along its predicted way would do work.
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
