//! Tests of distances and their gradients.

use super::{Form, test_shapes::*, tree::SurfaceTree};
use crate::{Collider, Pose, Shape};
use fastrand::Rng;
use glam::DVec3;

/// Gradient of the distance by central differences.
fn slope(form: &Form, point: DVec3, step: f64) -> DVec3 {
    let along = |axis: DVec3| (form.depth(point + step * axis) - form.depth(point - step * axis)) / (2.0 * step);
    DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
}

#[test]
fn gradients_are_differences_of_distances() {
    let mut rng = Rng::with_seed(1);
    for form in exact_forms() {
        let mut kinks = 0;
        for _ in 0..5000 {
            let point = random_point(&mut rng, 1.0);
            let (distance, gradient) = form.distance(point);
            assert!((distance - form.depth(point)).abs() < 1e-14);
            let difference = slope(&form, point, 1e-6);
            // A distance function has slope 1 except across a kink.
            if (difference.length() - 1.0).abs() < 1e-6 {
                assert!(gradient.distance(difference) < 1e-6, "{form:?} at {point}: {gradient} {difference}");
            } else {
                kinks += 1;
            }
        }
        assert!(kinks < 5, "{form:?}: {kinks}");
    }
}

#[test]
fn gradients_of_meshes_point_along_the_slope() {
    let mut rng = Rng::with_seed(2);
    for form in all_forms().iter().filter(|form| matches!(form, Form::Mesh(_))) {
        let mut agree = 0;
        for _ in 0..5000 {
            let point = random_point(&mut rng, 1.0);
            let (distance, gradient) = form.distance(point);
            assert!((distance - form.depth(point)).abs() < 1e-14);
            let difference = slope(form, point, 1e-7);
            assert!(difference.length() <= form.steepness() + 1e-6, "{difference}");
            agree += u32::from(gradient.distance(difference.normalize_or_zero()) < 1e-4);
        }
        // Other points lie on faces of cells or where the distance is not differentiable.
        assert!(agree > 4990, "{agree}");
    }
}

#[test]
fn gradients_have_unit_length_everywhere() {
    let mut rng = Rng::with_seed(3);
    for form in all_forms() {
        // Combinations of these coordinates hit a centre, an edge, a corner, an axis or a face of every form.
        let marks = [-0.5, -0.4, -0.3, -0.2, -1e-200, -0.0, 0.0, 1e-200, 1e-12, 0.2, 0.3, 0.4, 0.5, 7.0, 1e9];
        let mut points: Vec<DVec3> = (0..500).map(|_| random_point(&mut rng, 1.0)).collect();
        for x in marks {
            for y in marks {
                points.extend(marks.map(|z| DVec3::new(x, y, z)));
            }
        }
        for point in points {
            let (distance, gradient) = form.distance(point);
            assert!(distance.is_finite(), "{form:?} at {point}");
            assert!((gradient.length() - 1.0).abs() < 1e-12, "{form:?} at {point}: {gradient}");
        }
    }
}

#[test]
fn known_distances() {
    let close = |form: &Form, point: [f64; 3], distance: f64, normal: [f64; 3]| {
        let found = form.distance(point.into());
        assert!((found.0 - distance).abs() < 1e-12, "{form:?} at {point:?}: {found:?}");
        assert!(found.1.distance(normal.into()) < 1e-12, "{form:?} at {point:?}: {found:?}");
    };
    let root = 0.5f64.sqrt();
    close(&Form::Plane, [3.0, -0.25, 1.0], -0.25, [0.0, 1.0, 0.0]);
    close(&Form::Sphere { radius: 0.5 }, [0.0, 0.0, -2.0], 1.5, [0.0, 0.0, -1.0]);
    let cuboid = Form::Box { half: DVec3::new(1.0, 2.0, 3.0) };
    close(&cuboid, [2.0, 3.0, 0.0], 2f64.sqrt(), [root, root, 0.0]);
    close(&cuboid, [0.5, -1.75, 0.0], -0.25, [0.0, -1.0, 0.0]);
    let capsule = Form::Capsule { radius: 0.5, half_length: 1.0 };
    close(&capsule, [0.0, -3.0, 0.0], 1.5, [0.0, -1.0, 0.0]);
    close(&capsule, [0.25, 0.9, 0.0], -0.25, [1.0, 0.0, 0.0]);
    close(&capsule, [1.0, 2.0, 0.0], 2f64.sqrt() - 0.5, [root, root, 0.0]);
    let cylinder = Form::Cylinder { radius: 0.5, half_length: 1.0 };
    close(&cylinder, [0.0, 2.0, 1.5], 2f64.sqrt(), [0.0, root, root]);
    close(&cylinder, [0.1, 0.95, 0.0], -0.05, [0.0, 1.0, 0.0]);
    close(&cylinder, [0.0, 0.0, 0.4], -0.1, [0.0, 0.0, 1.0]);
}

/// The distance is exact, not only a lower bound: a step of that length against the gradient ends on the surface.
#[test]
fn the_surface_is_where_distance_and_gradient_say() {
    let mut rng = Rng::with_seed(4);
    for form in exact_forms() {
        for _ in 0..2000 {
            let point = random_point(&mut rng, 1.0);
            let (distance, gradient) = form.distance(point);
            assert!(form.depth(point - distance * gradient).abs() < 1e-12, "{form:?} at {point}");
        }
    }
}

/// Error of the grid of an icosphere of 1280 triangles. Its vertices lie on the sphere, the middles of triangles up to 0.8 % of
/// the radius below it. Interpolation adds the curvature: 3/8 of the square of a cell. Normals of triangles deviate from those of
/// the sphere by up to 4.6° at their vertices.
#[test]
fn a_grid_of_a_ball_is_nearly_a_ball() {
    let form = form_of(Shape::Mesh { surface: icosphere(3), cells: 48 });
    let mut rng = Rng::with_seed(5);
    let (mut worst, mut worst_turn) = (0f64, 1f64);
    for _ in 0..20_000 {
        let point = random_point(&mut rng, 1.04);
        let (distance, gradient) = form.distance(point);
        // The gradient jumps at the centre.
        if point.length() > 0.2 {
            worst = worst.max((distance - (point.length() - 1.0)).abs());
        }
        if point.length() > 0.7 {
            worst_turn = worst_turn.min(gradient.dot(point.normalize()));
        }
    }
    assert!(worst < 0.01, "{worst}");
    assert!(worst_turn > 7f64.to_radians().cos(), "{worst_turn}");
}

/// Distances of a non-convex mesh inside, outside, and beyond the grid, where they are lower bounds.
#[test]
fn a_grid_of_a_piece_with_an_inner_corner() {
    let mesh = corner_piece();
    let form = form_of(Shape::Mesh { surface: mesh.clone(), cells: 40 });
    let tree = SurfaceTree::new(&mesh);
    // The piece is the union of two boxes; outside, the nearer one counts.
    let boxes = [
        (Form::Box { half: DVec3::new(0.5, 0.25, 0.25) }, DVec3::new(0.1, -0.15, 0.0)),
        (Form::Box { half: DVec3::new(0.25, 0.5, 0.25) }, DVec3::new(-0.15, 0.1, 0.0)),
    ];
    let mut rng = Rng::with_seed(6);
    for _ in 0..20_000 {
        let point = random_point(&mut rng, 0.9);
        let exact = boxes.iter().map(|(form, centre)| form.depth(point - centre)).fold(f64::INFINITY, f64::min);
        let of_tree = tree.distance(point, f64::INFINITY);
        let of_grid = form.depth(point);
        if exact > 0.0 {
            assert!((of_tree - exact).abs() < 1e-7, "{point}: {of_tree} {exact}");
            assert!(of_grid < exact + 0.01, "{point}: {of_grid} {exact}");
        } else {
            assert!(of_tree <= exact + 1e-7, "{point}: {of_tree} {exact}");
        }
        // This point is within the grid.
        if point.abs().max_element() < 0.27 {
            assert!((of_grid - of_tree).abs() < 0.015, "{point}: {of_grid} {of_tree}");
        }
    }
}

/// The grid includes the surface offset by a thickness of many cells.
#[test]
fn grids_hold_the_thickness() {
    let mesh = Shape::Mesh { surface: icosphere(3), cells: 64 };
    let collider = Collider { thickness: 0.5, ..Collider::fixed(mesh, Pose::default()) };
    let form = Form::new(&collider);
    let mut rng = Rng::with_seed(7);
    for _ in 0..1000 {
        let direction = random_point(&mut rng, 1.0).normalize();
        let (distance, gradient) = form.distance(direction * 1.5);
        assert!((distance - 0.5).abs() < 0.01, "{distance}");
        assert!(gradient.dot(direction) > 7f64.to_radians().cos());
    }
}
