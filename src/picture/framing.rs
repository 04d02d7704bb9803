//! The closest camera position that keeps every point inside the picture.
//!
//! A point is inside the right edge when `x − eye.x ≤ t (z − eye.z)`, with `t` the tangent of that edge. So each edge needs only
//! the largest `x − t z` of all points, with signs and axes changed for the other three. This is exact for perspective, where
//! fitting a box or a sphere would waste space.

use glam::{Vec2, Vec3};

use super::camera::View;

/// Bounds that a set of points sets for the eye, when it may fill a given fraction of the picture.
pub(super) struct FrustumFit<'a> {
    view: &'a View,
    tangents: Vec2,
    /// Largest `x − t z` and `y − t z`.
    upper: Vec2,
    /// Largest `−x − t z` and `−y − t z`.
    lower: Vec2,
    nearest: f32,
}

impl<'a> FrustumFit<'a> {
    /// A fit without points, which may reach the fraction `fill` of the distance to each edge.
    pub fn new(view: &'a View, fill: f32) -> Self {
        let half_size = 0.5 * Vec2::new(view.width as f32, view.height as f32);
        Self {
            view,
            tangents: half_size * view.pixel_size() * fill,
            upper: Vec2::NEG_INFINITY,
            lower: Vec2::NEG_INFINITY,
            nearest: f32::INFINITY,
        }
    }

    /// Requires `point` to be inside.
    pub fn include(&mut self, point: Vec3) {
        let local = self.view.local(point);
        let reach = self.tangents * local.z;
        self.upper = self.upper.max(local.truncate() - reach);
        self.lower = self.lower.max(-local.truncate() - reach);
        self.nearest = self.nearest.min(local.z);
    }
}

/// Eye closest to all points of all `fits`, at least `clearance` in front of the nearest one, with the direction of `view`. Every
/// fit needs at least one point.
pub(super) fn closest_eye(view: &View, fits: &[FrustumFit<'_>], clearance: f32) -> Vec3 {
    let mut depth = f32::INFINITY;
    for one in fits {
        depth = depth.min(one.nearest - clearance);
        for other in fits {
            let farthest = -(one.upper + other.lower) / (one.tangents + other.tangents);
            depth = depth.min(farthest.min_element());
        }
    }
    // At that depth each fit still leaves an interval for the eye across.
    let mut least = Vec2::NEG_INFINITY;
    let mut most = Vec2::INFINITY;
    for fit in fits {
        least = least.max(fit.upper + fit.tangents * depth);
        most = most.min(-fit.lower - fit.tangents * depth);
    }
    // The eye is centred between the middle of all fits and that of the first, the most important one.
    let middle = least.midpoint(most);
    let favourite = fits.first().map_or(middle, |fit| 0.5 * (fit.upper - fit.lower));
    let across = middle.midpoint(favourite.max(least).min(most));
    view.eye + view.right * across.x + view.up * across.y + view.forward * depth
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::super::Camera;
    use super::super::camera::View;

    /// Largest distance of a projected point from the middle; 1 is the edge of the picture.
    fn reach(points: &[Vec3], width: u32, height: u32) -> f32 {
        let camera = Camera::framing(points.iter().copied(), None, width, height);
        let view = View::new(&camera, width, height);
        let mut reach = 0.0_f32;
        for point in points {
            let local = view.local(*point);
            assert!(local.z > 0.0, "{point} is behind the eye");
            let pixel = view.project_local(local);
            reach =
                reach.max((2.0 * pixel.x / width as f32 - 1.0).abs()).max((2.0 * pixel.y / height as f32 - 1.0).abs());
        }
        reach
    }

    #[test]
    fn nothing_in_no_picture_still_has_a_camera() {
        let camera = Camera::framing([Vec3::NAN], None, 0, 0);
        assert!(camera.is_usable(), "{camera:?}");
    }

    #[test]
    fn every_point_is_inside_with_a_margin_and_room_is_not_wasted() {
        for size in [
            Vec3::new(1.0, 1.0, 0.1),
            Vec3::new(0.1, 1.0, 1.0),
            Vec3::new(2.0, 0.05, 2.0),
            Vec3::new(0.1, 9.0, 0.1),
            Vec3::new(500.0, 300.0, 400.0),
        ] {
            let offset = Vec3::new(3.0, -7.0, 20.0);
            let points: Vec<Vec3> = (0..125)
                .map(|index| Vec3::new((index % 5) as f32, (index / 5 % 5) as f32, (index / 25) as f32))
                .map(|place| offset + size * (place / 4.0 - 0.5))
                .collect();
            for (width, height) in [(1280, 960), (400, 400), (1600, 400), (300, 900)] {
                let reach = reach(&points, width, height);
                assert!(reach < 0.93, "{size} in {width}×{height} reaches {reach}");
                assert!(reach > 0.5, "{size} in {width}×{height} only fills {reach}");
            }
        }
    }
}
