//! Validity of a collider's parameters.

use super::grid::CELLS;
use crate::{Collider, DeformingMesh, Dynamic, KeyFrame, Mesh, Motion, Pose, Shape, scene::holes::listed};
use glam::Vec3;
use std::collections::HashSet;

/// Path of the invalid field, relative to its collider, and the message.
type Wrong = (String, String);

/// Largest deviation of a quaternion's length from 1.
const UNIT: f32 = 1e-3;
/// Smallest volume of a mesh, as a fraction of the cube of its longest side.
const LEAST_VOLUME: f64 = 1e-9;

impl Collider {
    /// Checks all parameters. The error names the field, as in `frames[2].time`, and the reason.
    pub(crate) fn check(&self) -> Result<(), Wrong> {
        self.shape.check()?;
        self.motion.check(&self.shape)?;
        not_negative("thickness", self.thickness)?;
        not_negative("friction", self.friction)?;
        let relaxation = self.relaxation;
        if !(relaxation > 0.0 && relaxation <= 1.0) {
            return wrong("relaxation", format!("must be above 0 and up to 1, not {relaxation}"));
        }
        Ok(())
    }
}

impl Shape {
    fn check(&self) -> Result<(), Wrong> {
        match self {
            Shape::Plane => Ok(()),
            &Shape::Sphere { radius } => positive("radius", radius),
            Shape::Box { half } => half.to_array().into_iter().try_for_each(|side| positive("half", side)),
            &Shape::Capsule { radius, half_length } | &Shape::Cylinder { radius, half_length } => {
                positive("radius", radius)?;
                positive("half_length", half_length)
            }
            Shape::Mesh { surface, cells } => {
                if !CELLS.contains(cells) {
                    return wrong("cells", format!("must be from {} to {}, not {cells}", CELLS.start(), CELLS.end()));
                }
                check_surface(surface).or_else(|message| wrong("surface", message))
            }
            Shape::Deforming(mesh) => check_deforming(mesh),
        }
    }
}

/// Checks that every frame of a deforming mesh is a closed surface with the vertices of the first.
fn check_deforming(mesh: &DeformingMesh) -> Result<(), Wrong> {
    let Some(first) = mesh.frames.first() else { return wrong("cache", "must have one frame at least") };
    let count = first.positions.len();
    let mut last = f64::NEG_INFINITY;
    let mut surface = Mesh::from_triangles(first.positions.clone(), mesh.triangles.clone());
    for (ix, frame) in mesh.frames.iter().enumerate() {
        let field = |name: &str| format!("cache[{ix}].{name}");
        if !frame.time.is_finite() {
            return wrong(field("time"), format!("must be finite, not {}", frame.time));
        }
        if frame.time <= last {
            return wrong(
                field("time"),
                format!("must be after that of the frame before it, {last}, not {}", frame.time),
            );
        }
        last = frame.time;
        if frame.positions.len() != count {
            let message = format!("has {} vertices, but the first frame has {count}", frame.positions.len());
            return wrong(field("positions"), message);
        }
        surface.positions.clone_from(&frame.positions);
        let checked = if ix == 0 { check_surface(&surface) } else { check_frame(&surface) };
        checked.or_else(|message| wrong(field("positions"), message))?;
    }
    Ok(())
}

/// Checks the vertices of a further frame.
fn check_frame(mesh: &Mesh) -> Result<(), String> {
    match mesh.positions.iter().position(|position| !position.is_finite()) {
        Some(ix) => Err(format!("vertex {ix} is not finite")),
        None => check_volume(mesh),
    }
}

impl Motion {
    fn check(&self, shape: &Shape) -> Result<(), Wrong> {
        match self {
            Motion::Static(pose) => check_pose("", pose, shape),
            Motion::KeyFrames(frames) => check_frames(frames, shape),
            Motion::Dynamic(Dynamic { pose, mass, velocity, angular_velocity }) => {
                if !matches!(shape, Shape::Sphere { .. } | Shape::Box { .. } | Shape::Capsule { .. }) {
                    return wrong("shape", "must be a sphere, a box or a capsule to be dynamic");
                }
                check_pose("", pose, shape)?;
                positive("mass", *mass)?;
                finite("velocity", *velocity)?;
                finite("angular_velocity", *angular_velocity)
            }
        }
    }
}

fn check_frames(frames: &[KeyFrame], shape: &Shape) -> Result<(), Wrong> {
    if frames.is_empty() {
        return wrong("frames", "must be one at least");
    }
    let mut last = f64::NEG_INFINITY;
    for (ix, frame) in frames.iter().enumerate() {
        let field = format!("frames[{ix}].time");
        if !frame.time.is_finite() {
            return wrong(field, format!("must be finite, not {}", frame.time));
        }
        if frame.time <= last {
            return wrong(field, format!("must be after that of the frame before it, {last}, not {}", frame.time));
        }
        last = frame.time;
        check_pose(&format!("frames[{ix}]."), &frame.pose, shape)?;
    }
    Ok(())
}

fn check_pose(prefix: &str, pose: &Pose, shape: &Shape) -> Result<(), Wrong> {
    finite(&format!("{prefix}position"), pose.position)?;
    if *shape == Shape::Plane && pose.rotation.is_nan() {
        return wrong(format!("{prefix}normal"), "the normal must have a direction");
    }
    let length = pose.rotation.length();
    if (length - 1.0).abs() <= UNIT {
        return Ok(());
    }
    wrong(format!("{prefix}rotation"), format!("must be of unit length, not {length}"))
}

/// Checks that the triangles enclose a volume and are counter-clockwise seen from outside.
pub(crate) fn check_surface(mesh: &Mesh) -> Result<(), String> {
    let count = mesh.positions.len();
    if let Some(ix) = mesh.positions.iter().position(|position| !position.is_finite()) {
        return Err(format!("vertex {ix} is not finite"));
    }
    if mesh.triangles.len() < 4 {
        return Err(format!("must have 4 triangles at least to be closed, not {}", mesh.triangles.len()));
    }
    let mut edges = HashSet::with_capacity(3 * mesh.triangles.len());
    for (ix, &[a, b, c]) in mesh.triangles.iter().enumerate() {
        if let Some(vertex) = [a, b, c].into_iter().find(|&vertex| vertex as usize >= count) {
            return Err(format!("triangle {ix} has vertex {vertex}, but there are only {count} vertices"));
        }
        for [from, to] in [[a, b], [b, c], [c, a]] {
            if from == to {
                return Err(format!("triangle {ix} has vertex {from} twice"));
            }
            if !edges.insert([from, to]) {
                return Err(format!(
                    "must be closed and oriented, but several triangles have the edge from vertex {from} to {to}: triangle {ix} for one"
                ));
            }
        }
    }
    let holes = mesh.holes();
    if !holes.is_empty() {
        return Err(format!(
            "must be closed, but has edges with a triangle on one side only, around {}. Mesh::close_holes closes them, close = true or a size in scene files, or a mesh program",
            listed(&holes)
        ));
    }
    check_volume(mesh)
}

fn check_volume(mesh: &Mesh) -> Result<(), String> {
    let corners = || mesh.triangles.iter().map(|triangle| triangle.map(|v| mesh.positions[v as usize].as_dvec3()));
    let low = corners().flatten().reduce(|a, b| a.min(b)).unwrap_or_default();
    let high = corners().flatten().reduce(|a, b| a.max(b)).unwrap_or_default();
    let volume: f64 = corners().map(|[a, b, c]| (a - low).dot((b - low).cross(c - low)) / 6.0).sum();
    let least = LEAST_VOLUME * (high - low).max_element().powi(3);
    if volume > least {
        Ok(())
    } else if volume < -least {
        Err("is inside out: triangles must be counter-clockwise seen from outside".into())
    } else {
        Err("must enclose a volume".into())
    }
}

fn positive(field: &str, value: f32) -> Result<(), Wrong> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    wrong(field, format!("must be positive and finite, not {value}"))
}

fn not_negative(field: &str, value: f32) -> Result<(), Wrong> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    wrong(field, format!("must be finite and not negative, not {value}"))
}

fn finite(field: &str, value: Vec3) -> Result<(), Wrong> {
    if value.is_finite() {
        return Ok(());
    }
    wrong(field, format!("must be finite, not {value}"))
}

fn wrong(field: impl Into<String>, message: impl Into<String>) -> Result<(), Wrong> {
    Err((field.into(), message.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::test_shapes::icosphere;
    use glam::Quat;

    const BAD: [f32; 4] = [-1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

    #[track_caller]
    fn refused(collider: &Collider, field: &str, words: &str) {
        let (found, message) = collider.check().unwrap_err();
        assert_eq!(found, field, "{message}");
        assert!(message.contains(words), "{message}");
    }

    fn ball() -> Collider {
        Collider::sphere(Vec3::ZERO, 1.0)
    }

    fn of(shape: Shape) -> Collider {
        Collider::fixed(shape, Pose::default())
    }

    fn of_mesh(surface: Mesh) -> Collider {
        of(Shape::Mesh { surface, cells: 16 })
    }

    fn frames(times: &[f64]) -> Vec<KeyFrame> {
        times.iter().map(|&time| KeyFrame { time, pose: Pose::default() }).collect()
    }

    #[test]
    fn good_ones_pass() {
        let good = [
            Collider::plane(Vec3::ONE, Vec3::new(0.3, -2.0, 0.1)),
            Collider::plane(Vec3::ONE, Vec3::NEG_Y),
            Collider { thickness: 0.0, friction: 0.0, relaxation: 1.0, ..ball() },
            Collider::cuboid(Vec3::ZERO, Vec3::new(1.0, 1e-3, 2.0)).dynamic(0.1),
            of(Shape::Capsule { radius: 0.1, half_length: 1.0 }).dynamic(1.0),
            of(Shape::Cylinder { radius: 0.1, half_length: 1.0 }).moving(frames(&[-1.0, 0.0, 3.0])),
            of_mesh(icosphere(1)),
        ];
        for collider in good {
            assert_eq!(collider.check(), Ok(()), "{collider:?}");
        }
    }

    #[test]
    fn sizes() {
        for bad in [BAD.as_slice(), &[0.0]].concat() {
            refused(&Collider::sphere(Vec3::ZERO, bad), "radius", "positive and finite");
            for axis in 0..3 {
                let mut half = Vec3::ONE;
                half[axis] = bad;
                refused(&Collider::cuboid(Vec3::ZERO, half), "half", "positive and finite");
            }
            refused(&of(Shape::Capsule { radius: bad, half_length: 1.0 }), "radius", "positive");
            refused(&of(Shape::Capsule { radius: 1.0, half_length: bad }), "half_length", "positive");
            refused(&of(Shape::Cylinder { radius: bad, half_length: 1.0 }), "radius", "positive");
            refused(&of(Shape::Cylinder { radius: 1.0, half_length: bad }), "half_length", "positive");
        }
    }

    #[test]
    fn surfaces_have_sense() {
        for bad in BAD {
            refused(&Collider { thickness: bad, ..ball() }, "thickness", "not negative");
            refused(&Collider { friction: bad, ..ball() }, "friction", "not negative");
        }
        for relaxation in [BAD.as_slice(), &[0.0, 1.001]].concat() {
            refused(&Collider { relaxation, ..ball() }, "relaxation", "above 0 and up to 1");
        }
    }

    #[test]
    fn poses() {
        refused(&Collider::sphere([0.0, f32::NAN, 0.0], 1.0), "position", "finite");
        for normal in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY] {
            refused(&Collider::plane(Vec3::ZERO, normal), "normal", "the normal must have a direction");
        }
        let turned =
            |rotation: Quat| Collider::fixed(Shape::Sphere { radius: 1.0 }, Pose { rotation, ..Pose::default() });
        refused(&turned(Quat::NAN), "rotation", "unit length");
        refused(&turned(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), "rotation", "unit length");
        refused(&turned(Quat::from_xyzw(0.0, 0.0, 0.1, 1.0)), "rotation", "unit length");
        assert_eq!(turned(Quat::from_xyzw(0.0, 0.0, 0.0, 1.0005)).check(), Ok(()));
    }

    #[test]
    fn key_frames() {
        refused(&ball().moving([]), "frames", "one at least");
        refused(&ball().moving(frames(&[0.0, f64::NAN])), "frames[1].time", "finite");
        refused(&ball().moving(frames(&[f64::NEG_INFINITY])), "frames[0].time", "finite");
        refused(&ball().moving(frames(&[0.0, 1.0, 1.0])), "frames[2].time", "after");
        refused(&ball().moving(frames(&[0.0, -1.0])), "frames[1].time", "after");
        let mut bent = frames(&[0.0, 1.0]);
        bent[1].pose.rotation = Quat::from_xyzw(1.0, 0.0, 0.0, 1.0);
        refused(&ball().moving(bent), "frames[1].rotation", "unit length");
        let mut lost = frames(&[0.0, 1.0]);
        lost[0].pose.position.z = f32::INFINITY;
        refused(&ball().moving(lost), "frames[0].position", "finite");
    }

    #[test]
    fn rigid_bodies() {
        for mass in [BAD.as_slice(), &[0.0]].concat() {
            refused(&ball().dynamic(mass), "mass", "positive");
        }
        let with = |change: fn(&mut Dynamic)| {
            let mut dynamic =
                Dynamic { pose: Pose::default(), mass: 1.0, velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO };
            change(&mut dynamic);
            Collider { motion: Motion::Dynamic(dynamic), ..ball() }
        };
        refused(&with(|dynamic| dynamic.velocity.x = f32::NAN), "velocity", "finite");
        refused(&with(|dynamic| dynamic.angular_velocity.y = f32::INFINITY), "angular_velocity", "finite");
        refused(&with(|dynamic| dynamic.pose.position.y = f32::NAN), "position", "finite");
        for shape in [Shape::Plane, Shape::Cylinder { radius: 1.0, half_length: 1.0 }] {
            refused(&of(shape).dynamic(1.0), "shape", "sphere, a box or a capsule");
        }
        refused(&of_mesh(icosphere(1)).dynamic(1.0), "shape", "sphere, a box or a capsule");
    }

    #[test]
    fn meshes() {
        let changed = |change: fn(&mut Mesh)| {
            let mut mesh = icosphere(1);
            change(&mut mesh);
            of_mesh(mesh)
        };
        refused(&changed(|mesh| mesh.triangles[3][1] = 42), "surface", "triangle 3 has vertex 42");
        refused(&changed(|mesh| mesh.triangles[3][1] = mesh.triangles[3][0]), "surface", "twice");
        refused(&changed(|mesh| mesh.positions[7].x = f32::NAN), "surface", "vertex 7 is not finite");
        refused(&changed(|mesh| mesh.triangles.truncate(3)), "surface", "4 triangles at least");
        refused(&changed(|mesh| mesh.triangles.truncate(79)), "surface", "on one side only");
        refused(&changed(|mesh| mesh.triangles[0].swap(0, 1)), "surface", "several triangles have the edge");
        refused(&changed(|mesh| mesh.triangles.extend_from_within(..1)), "surface", "several triangles");
        refused(&changed(|mesh| mesh.triangles.iter_mut().for_each(|t| t.swap(0, 1))), "surface", "inside out");
        refused(&changed(|mesh| mesh.positions.iter_mut().for_each(|p| p.y = 0.0)), "surface", "enclose a volume");
        refused(&changed(|mesh| mesh.positions.iter_mut().for_each(|p| *p = Vec3::X)), "surface", "enclose a volume");
        for cells in [0, 3, 257, u32::MAX] {
            refused(&of(Shape::Mesh { surface: icosphere(1), cells }), "cells", "from 4 to 256");
        }
    }
}
