//! The scene of a combination.

use super::matrix::{Combination, Obstacle};
use crate::{Body, Collider, Mesh, Nonlinear, Options, Pose, SafeOptions, Scene, Shape, bench::horned::horned_ball};
use glam::{Quat, Vec3};
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

/// Distance of the cloth from the obstacle at the start, m. The cloth starts with the velocity of the rest of its fall.
const GAP: f32 = 0.004;
/// Gravity, m/s².
const GRAVITY: f32 = 9.81;

/// A sheet of cloth, 4 mm over an obstacle with the velocity of its drop; default options but for step and integrator.
pub fn build(combination: &Combination) -> (Scene, Options) {
    let size = combination.size();
    let obstacle = obstacle(combination.obstacle(), size);
    let (obstacle, top) = (obstacle.collider, obstacle.top);
    let height = top + obstacle.thickness + GAP;
    let n = combination.resolution();
    // The sheet is off-centre and rotated, to avoid symmetry.
    let place = Vec3::new(0.02 * size, height, 0.01 * size);
    let mesh = Mesh::grid(size, size, n, n).rotated(Quat::from_rotation_y(25f32.to_radians())).translated(place);
    let fallen = combination.drop() - GAP;
    let velocity = Vec3::Y * -(2.0 * GRAVITY * fallen).sqrt();
    let mut scene = Scene::new();
    scene.add(Body::cloth(mesh, combination.material()).moving(velocity));
    scene.add_collider(obstacle);
    scene.add_collider(Collider { thickness: thickness(size), ..Collider::plane([0.0, -0.4 * size, 0.0], Vec3::Y) });
    let (time_step, integrator) = (combination.time_step(), combination.integrator());
    let nonlinear = Nonlinear::Safe(SafeOptions::default());
    (scene, Options { time_step, integrator, nonlinear, ..Options::default() })
}

/// Thickness of colliders for cloth of a size, m.
fn thickness(size: f32) -> f32 {
    0.005 * size
}

/// A collider and the height of its highest point, m.
struct Placed {
    collider: Collider,
    top: f32,
}

/// An obstacle about the origin, for cloth of a size.
fn obstacle(obstacle: Obstacle, size: f32) -> Placed {
    let turned = |rotation: Quat| Pose { rotation, ..Pose::default() };
    let usual = |collider: Collider| Collider { thickness: thickness(size), ..collider };
    match obstacle {
        Obstacle::SmallBall => Placed { collider: usual(Collider::sphere(Vec3::ZERO, 0.02 * size)), top: 0.02 * size },
        Obstacle::Ball => Placed { collider: usual(Collider::sphere(Vec3::ZERO, 0.26 * size)), top: 0.26 * size },
        Obstacle::BoxEdge => {
            let half = size * Vec3::new(0.2, 0.2, 0.3);
            let pose = turned(Quat::from_rotation_z(FRAC_PI_4));
            Placed { collider: usual(Collider::fixed(Shape::Box { half }, pose)), top: half.x.hypot(half.y) }
        }
        Obstacle::Cylinder => {
            let shape = Shape::Cylinder { radius: 0.1 * size, half_length: 0.3 * size };
            let pose = turned(Quat::from_rotation_x(FRAC_PI_2));
            Placed { collider: usual(Collider::fixed(shape, pose)), top: 0.1 * size }
        }
        Obstacle::HornedMesh => {
            let surface = horned_ball(0.2 * size);
            let top = surface.positions.iter().map(|x| x.y).fold(0.0, f32::max);
            // The distance grid has an error of 0.8 mm at the tips of the horns for 1 m of cloth. A greater thickness keeps it
            // from being judged.
            let shape = Shape::Mesh { surface, cells: 96 };
            Placed { collider: Collider { thickness: 0.01 * size, ..Collider::fixed(shape, Pose::default()) }, top }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{COUNT, SEED, draw};
    use super::*;
    use crate::{Simulation, bench::distances::Distances};

    #[test]
    fn cloth_starts_just_over_its_obstacle() {
        // The loop covers every obstacle in both sizes.
        let mut seen = std::collections::HashSet::new();
        for combination in draw(COUNT, SEED) {
            if combination.resolution() != 128 || !seen.insert((combination.levels[1], combination.levels[3])) {
                continue;
            }
            let (scene, options) = build(&combination);
            Simulation::check(&scene, &options).unwrap();
            let cloth: Vec<_> = scene.bodies[0].mesh.positions.iter().map(|x| x.as_dvec3()).collect();
            let [obstacle, _] = [&scene.colliders[0], &scene.colliders[1]];
            let distance = Distances::new(&scene.colliders).least(&cloth) * f64::from(obstacle.thickness);
            // The distance is at least the gap, and less than a tenth of the size more: the highest point may lie between
            // particles.
            let gap = f64::from(obstacle.thickness + GAP);
            let what = combination.labels();
            assert!(
                (gap * 0.999..gap + 0.1 * f64::from(combination.size())).contains(&distance),
                "{what:?}: {distance}"
            );
            assert!(combination.drop() > GAP || scene.bodies[0].velocity.y.abs() < 1e-3, "{what:?}");
        }
        assert_eq!(seen.len(), 10);
    }
}
