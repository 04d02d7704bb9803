//! Bounding spheres of obstacles: a cheap test that rules out most particles before any exact distance is computed.

use super::{DPose, Obstacle, deforming::Moment};
use glam::{DMat3, DVec3};

/// An obstacle with its bounds, computed once per step for all particles.
pub(super) struct Bounds<'a> {
    pub obstacle: &'a Obstacle<'a>,
    /// Rotation from the world to the collider's frame at the start of the step.
    to_local: DMat3,
    /// Radius of the bounding sphere about the collider's origin, thickness included, m.
    radius: f64,
    /// Largest distance that the collider's origin moves in this step or the last, and its surface about it, m.
    shift: f64,
    /// Largest distance that a point 1 m from the collider's origin moves by rotation, in this step or the last.
    turn: f64,
    /// Distance from the surface below which a particle counts as touching, m.
    pub skin: f64,
}

impl<'a> Bounds<'a> {
    pub fn new(obstacle: &'a Obstacle<'a>) -> Self {
        let Obstacle { form, before, start, end, thickness, .. } = obstacle;
        Self {
            obstacle,
            to_local: DMat3::from_quat(start.rotation).transpose(),
            radius: form.bounding_radius() + thickness,
            shift: start.position.distance(before.position).max(start.position.distance(end.position)) + form.way(),
            turn: chord(before, start).max(chord(start, end)),
            skin: (1e-3 * thickness).max(1e-6),
        }
    }

    /// Tests whether a particle that moves up to `reach`, m, in this step and the last can touch the obstacle. Returns its
    /// position in the collider's frame and its signed distance from the surface at the thickness, m; `None` if it is too far
    /// away.
    #[inline]
    pub fn near(&self, now: DVec3, reach: f64) -> Option<(DVec3, f64)> {
        let Obstacle { form, start, thickness, margin, .. } = self.obstacle;
        let from_origin = now - start.position;
        let mut reach = reach.max(*margin) + self.shift + self.skin;
        // The motion of the collider is motion of the particle in the collider's frame.
        if self.turn > 0.0 {
            reach += self.turn * from_origin.length();
        }
        let far = self.radius + reach;
        if from_origin.length_squared() > far * far {
            return None;
        }
        let local = form.carried(self.to_local * from_origin, Moment::Start);
        let rest = form.depth(local) - thickness;
        // A distance that is NaN fails this comparison: the particle is skipped.
        (rest <= reach * form.steepness()).then_some((local, rest))
    }
}

/// Upper bound of the distance that a point 1 m from the axis moves from one rotation to another.
fn chord(a: &DPose, b: &DPose) -> f64 {
    let between = a.rotation.conjugate() * b.rotation;
    2.0 * DVec3::new(between.x, between.y, between.z).length()
}

#[cfg(test)]
mod tests {
    use super::{super::Form, *};
    use glam::DQuat;

    /// The bound never rejects a particle whose path relative to the collider reaches the surface.
    #[test]
    fn reach_covers_the_way_in_the_colliders_frame() {
        let mut rng = fastrand::Rng::with_seed(11);
        let mut random = |size: f64| DVec3::from_array([(); 3].map(|()| size * (2.0 * rng.f64() - 1.0)));
        let form = Form::Sphere { radius: 0.1 };
        for _ in 0..2000 {
            let mut pose = || DPose { position: random(1.0), rotation: DQuat::from_scaled_axis(random(2.0)) };
            let (before, start, end) = (pose(), pose(), pose());
            let obstacle = Obstacle { form: &form, before, start, end, thickness: 0.01, margin: 0.0, collider: 0 };
            let bounds = Bounds::new(&obstacle);
            let (last, now, ahead) = (random(2.0), random(2.0), random(2.0));
            let reach = now.distance(last).max(now.distance(ahead));
            let (b, n, a) = (before.to_local(last), start.to_local(now), end.to_local(ahead));
            let needed = n.distance(b).max(n.distance(a));
            let given = reach + bounds.shift + bounds.turn * (now - start.position).length();
            assert!(given >= needed - 1e-12, "{given} < {needed}");
            let turned_away = bounds.near(now, reach).is_none();
            assert!(!turned_away || form.depth(n) - 0.01 > needed);
        }
    }
}
