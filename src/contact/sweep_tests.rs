//! Tests of touches.

use super::{test_shapes::*, trace::trace, *};
use fastrand::Rng;
use glam::{DQuat, DVec3};

const STEP: f64 = 0.02;

fn still(form: &Form, thickness: f64) -> Obstacle<'_> {
    let pose = DPose::default();
    Obstacle { form, before: pose, start: pose, end: pose, thickness, margin: 0.0, collider: 7 }
}

/// A path given by the positions before, now and ahead.
fn path(before: DVec3, now: DVec3, ahead: DVec3) -> Path {
    Path { before, now, ahead, steady: ahead }
}

fn one(obstacle: Obstacle<'_>, path: Path) -> Option<Touch> {
    let found = touches(&[obstacle], 1, |_| path);
    assert!(found.len() <= 1);
    found.first().copied().filter(|touch| !touch.watched)
}

#[test]
fn nothing_fast_gets_past_something_thin() {
    let fast = DVec3::new(0.0, -100.0 * STEP, 0.0);
    let plate = Form::Box { half: DVec3::new(0.5, 0.0005, 0.5) };
    let now = DVec3::new(0.1, 1.3, 0.2);
    let touch = one(still(&plate, 0.0), path(now - fast, now, now + fast)).unwrap();
    assert_eq!((touch.row, touch.collider, touch.normal, touch.crossed), (0, 7, DVec3::Y, false));
    assert!((touch.gap - (1.3 - 0.0005)).abs() < 1e-8, "{}", touch.gap);
    let ball = Form::Sphere { radius: 0.01 };
    let now = DVec3::new(0.006, 1.3, 0.0);
    let touch = one(still(&ball, 0.0), path(now - fast, now, now + fast)).unwrap();
    // At 6 mm beside the centre the surface is 8 mm above it.
    assert!(touch.normal.distance(DVec3::new(0.6, 0.8, 0.0)) < 1e-6, "{}", touch.normal);
    assert!((touch.gap - 0.8 * (1.3 - 0.008)).abs() < 1e-6, "{}", touch.gap);
    // This path misses the sphere.
    let now = DVec3::new(0.0101, 1.3, 0.0);
    assert_eq!(one(still(&ball, 0.0), path(now - fast, now, now + fast)), None);
}

#[test]
fn who_went_through_goes_back_where_it_came_from() {
    let plate = Form::Box { half: DVec3::new(0.5, 0.0005, 0.5) };
    let before = DVec3::new(0.0, 0.3, 0.0);
    for (below, thickness) in [(-0.0004, 0.0), (-0.2, 0.0), (-0.003, 0.005), (-0.0055, 0.005), (-0.2, 0.005)] {
        let now = DVec3::new(0.01, below, 0.0);
        for ahead in [now, 2.0 * now - before, DVec3::new(0.0, -0.1, 0.0)] {
            let touch = one(still(&plate, thickness), path(before, now, ahead)).unwrap();
            assert!(touch.normal.distance(DVec3::Y) < 1e-9 && touch.crossed, "{touch:?}");
            assert!((touch.gap - (below - 0.0005 - thickness)).abs() < 1e-8, "{}", touch.gap);
        }
    }
    // Nearer to the side of entry, entry normal and nearest normal agree.
    let now = DVec3::new(0.01, 0.0002, 0.0);
    let touch = one(still(&plate, 0.0), path(before, now, now)).unwrap();
    assert!(!touch.crossed && touch.normal == DVec3::Y && (touch.gap + 0.0003).abs() < 1e-12);
    // This path passes through a sphere.
    let ball = Form::Sphere { radius: 0.01 };
    let touch = one(still(&ball, 0.0), path(before, -before, -3.0 * before)).unwrap();
    assert!(touch.crossed && touch.normal.distance(DVec3::Y) < 1e-9);
    assert!((touch.gap + 0.31).abs() < 1e-8);
}

/// Penetration is detected in the collider's frame: here the plate moved up past a resting particle.
#[test]
fn a_plate_that_went_past_a_particle() {
    let plate = Form::Box { half: DVec3::new(0.5, 0.0005, 0.5) };
    let at = |y: f64| DPose { position: DVec3::new(0.0, y, 0.0), ..DPose::default() };
    let obstacle = Obstacle { before: at(-0.1), start: at(0.1), end: at(0.1), ..still(&plate, 0.0) };
    let touch = one(obstacle, path(DVec3::ZERO, DVec3::ZERO, DVec3::ZERO)).unwrap();
    assert!(touch.crossed && touch.normal.distance(DVec3::Y) < 1e-12);
    assert!((touch.gap + 0.1005).abs() < 1e-8, "{}", touch.gap);
}

#[test]
fn going_round_a_corner_is_no_crossing() {
    let cuboid = Form::Box { half: DVec3::splat(0.1) };
    let (before, now) = (DVec3::new(0.095, 0.102, 0.0), DVec3::new(0.102, 0.095, 0.0));
    assert_eq!(one(still(&cuboid, 0.0), path(before, now, 2.0 * now - before)), None);
    // A chord of a sphere is not a crossing either.
    let ball = Form::Sphere { radius: 0.1 };
    let at = |degrees: f64| 0.1005 * DVec3::new(degrees.to_radians().sin(), degrees.to_radians().cos(), 0.0);
    assert_eq!(one(still(&ball, 0.0), path(at(0.0), at(20.0), at(20.0) * 1.01)), None);
}

#[test]
fn too_deep_is_pushed_out_the_nearest_way() {
    let mut rng = Rng::with_seed(1);
    for form in exact_forms() {
        for _ in 0..500 {
            let now = random_point(&mut rng, 0.6);
            let (distance, gradient) = form.distance(now);
            let touch = one(still(&form, 0.01), path(now, now, now));
            if distance < 0.01 {
                let touch = touch.unwrap();
                assert!((touch.gap - (distance - 0.01)).abs() < 1e-15);
                assert_eq!((touch.normal, touch.surface, touch.crossed), (gradient, DVec3::ZERO, false));
            } else if distance > 0.01 + 1e-5 {
                assert_eq!(touch, None);
            }
        }
    }
}

#[test]
fn resting_is_touching() {
    let now = DVec3::new(1.0, 0.005 + 4e-6, 2.0);
    let touch = |ahead: DVec3| one(still(&Form::Plane, 0.005), path(now, now, now + ahead));
    for ahead in [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 4e-6, 0.0), DVec3::new(0.0, -1e-9, 0.0)] {
        let touch = touch(ahead).unwrap();
        assert!(touch.normal == DVec3::Y && (touch.gap - 4e-6).abs() < 1e-12, "{touch:?}");
    }
    assert_eq!(touch(DVec3::new(0.0, 6e-6, 0.0)), None);
    assert_eq!(one(still(&Form::Plane, 0.005), path(now, now + DVec3::Y * 2e-6, now)), None);
}

#[test]
fn a_moving_collider_meets_a_particle_at_rest() {
    let ball = Form::Sphere { radius: 0.05 };
    let at = |x: f64| DPose { position: DVec3::new(x, 0.0, 0.0), ..DPose::default() };
    let obstacle = Obstacle { before: at(-0.8), start: at(-0.5), end: at(0.5), ..still(&ball, 0.01) };
    let rest = DVec3::new(0.0, 0.0, 0.0);
    let touch = one(obstacle, path(rest, rest, rest)).unwrap();
    assert!(touch.normal.distance(DVec3::X) < 1e-9 && (touch.gap - 0.44).abs() < 1e-8, "{touch:?}");
    assert!(touch.surface.distance(DVec3::X) < 1e-12, "{}", touch.surface);
    // The whole scene rotated: normals are in the world at the end of the step.
    let turn = DQuat::from_rotation_z(0.3);
    let turned = |pose: DPose| DPose { rotation: turn, ..pose };
    let obstacle = Obstacle {
        before: turned(obstacle.before),
        start: turned(obstacle.start),
        end: turned(obstacle.end),
        ..obstacle
    };
    let touch = one(obstacle, path(rest, rest, rest)).unwrap();
    assert!(touch.normal.distance(DVec3::X) < 1e-9 && touch.surface.distance(DVec3::X) < 1e-12, "{touch:?}");
}

/// A paddle rotates about z by 90° and hits a particle in its path.
#[test]
fn a_turning_collider() {
    let paddle = Form::Box { half: DVec3::new(1.0, 0.01, 0.2) };
    let end = DPose { rotation: DQuat::from_rotation_z(0.2), ..DPose::default() };
    let obstacle = Obstacle { end, ..still(&paddle, 0.0) };
    let stands = DVec3::new(0.8, 0.1, 0.0);
    let touch = one(obstacle, path(stands, stands, stands)).unwrap();
    let normal = DVec3::new(-(0.2f64.sin()), 0.2f64.cos(), 0.0);
    assert!(touch.normal.distance(normal) < 1e-12 && (touch.gap - 0.09).abs() < 1e-8, "{touch:?}");
    let swept = DQuat::from_rotation_z(0.2) * stands - stands;
    assert!(touch.surface.distance(swept) < 1e-12);
    let behind = DVec3::new(0.8, -0.1, 0.0);
    assert_eq!(one(obstacle, path(behind, behind, behind)), None);
}

/// Sweeps find a hit exactly where dense samples of the path do.
#[test]
fn sweeps_agree_with_sampling() {
    const SAMPLES: usize = 4000;
    let mut rng = Rng::with_seed(2);
    for form in all_forms() {
        let (mut hits, mut misses) = (0, 0);
        while hits < 150 || misses < 150 {
            let thickness = 0.03 * rng.f64();
            let (from, to) = (random_point(&mut rng, 1.0), random_point(&mut rng, 1.0));
            let rest = |share: f64| form.depth(from.lerp(to, share)) - thickness;
            if rest(0.0) <= 0.0 {
                continue;
            }
            let samples: Vec<f64> = (0..=SAMPLES).map(|ix| rest(ix as f64 / SAMPLES as f64)).collect();
            let deepest = samples.iter().copied().fold(f64::INFINITY, f64::min);
            // The path may be a little deeper between samples.
            if deepest.abs() < from.distance(to) / SAMPLES as f64 {
                continue;
            }
            let found = trace(&form, thickness, from, to);
            assert_eq!(found.is_some(), deepest < 0.0, "{form:?} {from} {to} {deepest}");
            let touch = one(still(&form, thickness), path(from, from, to));
            assert_eq!(touch.is_some(), deepest < 0.0, "{form:?} {from} {to} {deepest}");
            let Some(hit) = found else {
                misses += 1;
                continue;
            };
            hits += 1;
            // The hit is the first intersection and lies on the surface.
            let first = samples.iter().position(|sample| *sample < 0.0).unwrap();
            let place = from.distance(hit.point) / from.distance(to) * SAMPLES as f64;
            assert!(place <= first as f64 + 1e-3, "{form:?} {from} {to}: {place} {first}");
            let before = samples[..place.floor() as usize].iter().copied().fold(f64::INFINITY, f64::min);
            assert!(before > -1e-9, "{form:?} {from} {to} {before}");
            assert!((form.depth(hit.point) - thickness).abs() < 1e-7, "{form:?}");
            let touch = touch.unwrap();
            assert!(touch.gap >= 0.0 && !touch.crossed && (touch.normal.length() - 1.0).abs() < 1e-12);
        }
    }
}

/// Touches are invariant under a rigid transformation of the whole scene.
#[test]
fn touches_turn_with_the_world() {
    let mut rng = Rng::with_seed(3);
    for form in all_forms() {
        let mut found = 0;
        for _ in 0..300 {
            let mut pose = || random_pose(&mut rng, 0.2);
            let (before, start, end, world) = (pose(), pose(), pose(), pose());
            let [a, b, c] = [(); 3].map(|()| random_point(&mut rng, 0.7));
            let into = |pose: DPose| DPose {
                position: world.to_world(pose.position),
                rotation: world.rotation * pose.rotation,
            };
            let obstacle = Obstacle { before, start, end, ..still(&form, 0.02) };
            let elsewhere = Obstacle { before: into(before), start: into(start), end: into(end), ..obstacle };
            let here = one(obstacle, path(a, b, c));
            let there = one(elsewhere, path(world.to_world(a), world.to_world(b), world.to_world(c)));
            assert_eq!(here.is_some(), there.is_some(), "{form:?}");
            if let (Some(here), Some(there)) = (here, there) {
                found += 1;
                assert!((here.gap - there.gap).abs() < 1e-6, "{form:?} {here:?} {there:?}");
                assert!(world.direction_to_world(here.normal).distance(there.normal) < 1e-5, "{form:?}");
                assert!(world.direction_to_world(here.surface).distance(there.surface) < 1e-9, "{form:?}");
            }
        }
        assert!(found > 30, "{form:?}: {found}");
    }
}

#[test]
fn the_deepest_three_of_different_directions() {
    let plane = Form::Plane;
    // Planes through points below the particle, rotated about z by these degrees.
    let planes = [(0.0, -0.01), (4.0, -0.02), (40.0, -0.005), (-40.0, -0.03), (80.0, -0.001), (-80.0, -0.002)];
    let pose = |(degrees, gap): (f64, f64)| {
        let rotation = DQuat::from_rotation_z(degrees.to_radians());
        DPose { position: rotation * DVec3::new(0.0, -gap, 0.0), rotation }
    };
    let obstacles: Vec<Obstacle<'_>> = planes
        .iter()
        .enumerate()
        .map(|(ix, &plane_at)| {
            let pose = pose(plane_at);
            Obstacle { before: pose, start: pose, end: pose, collider: ix as u32, ..still(&plane, 0.0) }
        })
        .collect();
    let rest = path(DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    let found = touches(&obstacles, 2, |_| rest);
    let colliders: Vec<(u32, u32)> = found.iter().map(|touch| (touch.row, touch.collider)).collect();
    assert_eq!(colliders, [(0, 3), (0, 1), (0, 2), (1, 3), (1, 1), (1, 2)]);
    let gaps: Vec<f64> = found.iter().map(|touch| touch.gap).collect();
    for (gap, expected) in gaps.iter().zip([-0.03, -0.02, -0.005]) {
        assert!((gap - expected).abs() < 1e-12);
    }
}

#[test]
fn the_same_whatever_the_number_of_threads() {
    let forms = all_forms();
    let mut rng = Rng::with_seed(4);
    let obstacles: Vec<Obstacle<'_>> = forms
        .iter()
        .enumerate()
        .map(|(ix, form)| {
            let start = random_pose(&mut rng, 0.5);
            let end = DPose { position: start.position + random_point(&mut rng, 0.02), ..start };
            Obstacle { form, before: start, start, end, thickness: 0.01, margin: 0.0, collider: ix as u32 }
        })
        .collect();
    let paths: Vec<Path> = (0..10_000)
        .map(|_| {
            let now = random_point(&mut rng, 1.0);
            path(now + random_point(&mut rng, 0.02), now, now + random_point(&mut rng, 0.02))
        })
        .collect();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| touches(&obstacles, paths.len(), |row| paths[row]))
    };
    let alone = with(1);
    assert!(alone.len() > 1000);
    assert!(alone.is_sorted_by(|a, b| a.row < b.row || a.row == b.row && a.gap <= b.gap));
    assert_eq!(alone, with(3));
}

#[test]
fn numbers_that_are_none_touch_nothing() {
    let bad = [DVec3::NAN, DVec3::INFINITY, DVec3::new(0.0, f64::NEG_INFINITY, 0.0)];
    for form in all_forms() {
        for bad in bad {
            let good = DVec3::splat(3.0);
            for path in [path(bad, good, good), path(good, bad, good), path(good, good, bad), path(bad, bad, bad)] {
                if let Some(touch) = one(still(&form, 0.01), path) {
                    assert!(touch.normal.is_finite() && touch.gap.is_finite(), "{form:?} {path:?} {touch:?}");
                }
            }
        }
    }
}
