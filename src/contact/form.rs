//! Signed distance functions of the shapes, in their own frames.

use super::{
    deforming::{Deforming, Moment},
    grid::DistanceGrid,
};
use crate::{Collider, Shape};
use glam::DVec3;

/// A shape with its signed distance function; lengths in m.
#[derive(Debug, Clone)]
pub(crate) enum Form {
    /// The half-space below y = 0.
    Plane,
    /// A sphere about the origin.
    Sphere {
        radius: f64,
    },
    /// A box about the origin, given by half its sides.
    Box {
        half: DVec3,
    },
    /// A capsule along y: hemispherical caps about ± half its length.
    Capsule {
        radius: f64,
        half_length: f64,
    },
    /// A cylinder along y with flat ends.
    Cylinder {
        radius: f64,
        half_length: f64,
    },
    Mesh(DistanceGrid),
    /// A closed mesh that deforms.
    Deforming(Box<Deforming>),
}

impl Form {
    /// The form of a valid collider. A mesh's distance grid is computed here.
    pub fn new(collider: &Collider) -> Self {
        match &collider.shape {
            Shape::Plane => Form::Plane,
            &Shape::Sphere { radius } => Form::Sphere { radius: radius.into() },
            Shape::Box { half } => Form::Box { half: half.as_dvec3() },
            &Shape::Capsule { radius, half_length } => {
                Form::Capsule { radius: radius.into(), half_length: half_length.into() }
            }
            &Shape::Cylinder { radius, half_length } => {
                Form::Cylinder { radius: radius.into(), half_length: half_length.into() }
            }
            Shape::Mesh { surface, cells } => Form::Mesh(DistanceGrid::new(surface, *cells, collider.thickness.into())),
            Shape::Deforming(mesh) => Form::Deforming(Box::new(Deforming::new(mesh))),
        }
    }

    /// Signed distance to the surface, negative inside, and its gradient, of unit length everywhere. With several nearest points
    /// one of them counts, so for all forms but meshes the gradient is a subgradient of a convex function.
    pub fn distance(&self, local: DVec3) -> (f64, DVec3) {
        match self {
            Form::Plane => (local.y, DVec3::Y),
            Form::Sphere { radius } => (local.length() - radius, local.normalize_or(DVec3::Y)),
            Form::Box { half } => {
                let q = local.abs() - half;
                let signs = DVec3::ONE.copysign(local);
                let out = q.max(DVec3::ZERO);
                match out.try_normalize() {
                    Some(n) => (out.length(), n * signs),
                    None if q.x >= q.y && q.x >= q.z => (q.x, DVec3::X * signs.x),
                    None if q.y >= q.z => (q.y, DVec3::Y * signs.y),
                    None => (q.z, DVec3::Z * signs.z),
                }
            }
            Form::Capsule { radius, half_length } => {
                let from_axis = from_axis(local, *half_length);
                (from_axis.length() - radius, from_axis.normalize_or(DVec3::X))
            }
            Form::Cylinder { radius, half_length } => {
                let across = DVec3::new(local.x, 0.0, local.z);
                let (side, end) = (across.length() - radius, local.y.abs() - half_length);
                let (side_normal, end_normal) = (across.normalize_or(DVec3::X), DVec3::Y * 1f64.copysign(local.y));
                let out = side_normal * side.max(0.0) + end_normal * end.max(0.0);
                match out.try_normalize() {
                    Some(n) => (out.length(), n),
                    None if side >= end => (side, side_normal),
                    None => (end, end_normal),
                }
            }
            Form::Mesh(grid) => grid.distance(local),
            Form::Deforming(surface) => surface.distance(local),
        }
    }

    /// Signed distance to the surface without its gradient, m.
    pub fn depth(&self, local: DVec3) -> f64 {
        match self {
            Form::Plane => local.y,
            Form::Sphere { radius } => local.length() - radius,
            Form::Box { half } => {
                let q = local.abs() - half;
                q.max(DVec3::ZERO).length() + q.max_element().min(0.0)
            }
            Form::Capsule { radius, half_length } => from_axis(local, *half_length).length() - radius,
            Form::Cylinder { .. } => self.distance(local).0,
            Form::Mesh(grid) => grid.depth(local),
            Form::Deforming(surface) => surface.depth(local),
        }
    }

    /// Lipschitz constant of the distance: 1, but more for a grid, whose interpolation can be steeper than a distance.
    pub fn steepness(&self) -> f64 {
        match self {
            Form::Mesh(_) => DistanceGrid::STEEPNESS,
            _ => 1.0,
        }
    }

    /// Radius of the bounding sphere about the origin, m.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Form::Plane => f64::INFINITY,
            Form::Sphere { radius } => *radius,
            Form::Box { half } => half.length(),
            Form::Capsule { radius, half_length } => radius + half_length,
            Form::Cylinder { radius, half_length } => radius.hypot(*half_length),
            Form::Mesh(grid) => grid.bounding_radius(),
            Form::Deforming(surface) => surface.bounding_radius(),
        }
    }

    /// Whether the distance is a convex function.
    pub fn is_convex(&self) -> bool {
        !matches!(self, Form::Mesh(_) | Form::Deforming(_))
    }

    /// Moves a deforming surface to the times of the start of the last step, of the start and of the end of the step, s.
    pub fn set_times(&mut self, times: [f64; 3]) {
        if let Form::Deforming(surface) = self {
            surface.set_times(times);
        }
    }

    /// Largest displacement of a point of the surface in the form's frame, over the step or the last one, m.
    pub fn way(&self) -> f64 {
        match self {
            Form::Deforming(surface) => surface.way(),
            _ => 0.0,
        }
    }

    /// Where a point of an earlier moment is at the end of the step if it moves with the surface nearest to it, in the form's frame.
    pub fn carried(&self, local: DVec3, moment: Moment) -> DVec3 {
        match self {
            Form::Deforming(surface) => surface.carried(local, moment),
            _ => local,
        }
    }
}

/// Vector to `local` from the nearest point of the segment between -y and y.
fn from_axis(local: DVec3, half_length: f64) -> DVec3 {
    DVec3::new(local.x, local.y - local.y.max(-half_length).min(half_length), local.z)
}
