//! Inertia and support points of forms that are rigid bodies.

use super::Form;
use glam::DVec3;

impl Form {
    /// Moments of inertia about the axes of the form's frame, kg·m², solid and of uniform density; `None` for forms that cannot
    /// be rigid bodies.
    pub fn inertia(&self, mass: f64) -> Option<DVec3> {
        match self {
            Form::Sphere { radius } => Some(DVec3::splat(0.4 * mass * radius * radius)),
            Form::Box { half } => {
                let squares = half * half;
                Some(mass / 3.0 * (DVec3::splat(squares.element_sum()) - squares))
            }
            Form::Capsule { radius: r, half_length: l } => {
                // A cylinder and two hemispheres, whose centres of mass lie 3/8 r from their flat sides.
                let cylinder = mass * l / (l + 2.0 / 3.0 * r);
                let ends = mass - cylinder;
                let along = (0.5 * cylinder + 0.4 * ends) * r * r;
                let across = cylinder * (r * r / 4.0 + l * l / 3.0) + ends * (0.4 * r * r + l * l + 0.75 * l * r);
                Some(DVec3::new(across, along, across))
            }
            Form::Plane | Form::Cylinder { .. } | Form::Mesh(_) | Form::Deforming(_) => None,
        }
    }

    /// Spheres whose contacts with a plane are those of the form, and for round forms some between them: centres in the form's
    /// frame and radii, m. Empty for forms that cannot be rigid bodies.
    pub fn feet(&self) -> Vec<(DVec3, f64)> {
        match *self {
            Form::Sphere { radius } => vec![(DVec3::ZERO, radius)],
            Form::Capsule { radius, half_length } => {
                [-1.0, -0.5, 0.0, 0.5, 1.0].map(|y| (DVec3::new(0.0, y * half_length, 0.0), radius)).to_vec()
            }
            Form::Box { half } => {
                let at = |ix: i32| f64::from(ix % 3 - 1);
                let places = (0..27).map(|ix| DVec3::new(at(ix), at(ix / 3), at(ix / 9)));
                places.filter(|place| *place != DVec3::ZERO).map(|place| (half * place, 0.0)).collect()
            }
            Form::Plane | Form::Cylinder { .. } | Form::Mesh(_) | Form::Deforming(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moments of inertia by a sum over the cells of a fine grid whose centres lie inside.
    fn summed(form: &Form, mass: f64) -> DVec3 {
        let (size, cells) = (form.bounding_radius(), 160);
        let at = |ix: i32| size * (2.0 * (f64::from(ix) + 0.5) / f64::from(cells) - 1.0);
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for ix in 0..cells * cells * cells {
            let point = DVec3::new(at(ix % cells), at(ix / cells % cells), at(ix / cells / cells));
            if form.depth(point) < 0.0 {
                let squares = point * point;
                sum += DVec3::splat(squares.element_sum()) - squares;
                count += 1.0;
            }
        }
        sum * mass / count
    }

    #[test]
    fn moments_are_those_of_their_volume() {
        let forms = [
            Form::Sphere { radius: 0.3 },
            Form::Box { half: DVec3::new(0.1, 0.2, 0.4) },
            Form::Capsule { radius: 0.2, half_length: 0.3 },
        ];
        for form in forms {
            let (moments, summed) = (form.inertia(2.5).unwrap(), summed(&form, 2.5));
            assert!((moments / summed - 1.0).abs().max_element() < 0.02, "{form:?}: {moments} {summed}");
        }
    }

    /// The lowest foot is as deep as the form: its support function, measured here from a distant plane.
    #[test]
    fn feet_reach_as_far_as_the_form() {
        let mut rng = fastrand::Rng::with_seed(5);
        let forms = [
            Form::Sphere { radius: 0.3 },
            Form::Box { half: DVec3::new(0.1, 0.2, 0.4) },
            Form::Capsule { radius: 0.2, half_length: 0.3 },
        ];
        for form in forms {
            for _ in 0..100 {
                let down = DVec3::from_array([(); 3].map(|()| rng.f64() - 0.5)).normalize();
                let reach = form.feet().iter().map(|(centre, radius)| centre.dot(down) + radius).fold(0.0, f64::max);
                // From very far away the distance is that to the supporting plane.
                let far = 1e6;
                assert!((far - reach - form.depth(down * far)).abs() < 1e-6, "{form:?}");
            }
        }
    }

    #[test]
    fn others_are_no_rigid_bodies() {
        for form in [Form::Plane, Form::Cylinder { radius: 1.0, half_length: 1.0 }] {
            assert_eq!((form.inertia(1.0), form.feet().len()), (None, 0));
        }
    }
}
