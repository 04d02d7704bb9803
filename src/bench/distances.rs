//! True distances of particles from colliders that stand still: for meshes from their triangles, not from the grid that contacts use.

use crate::{
    Collider, Shape,
    contact::{DPose, Form, SurfaceTree},
};
use glam::DVec3;
use rayon::prelude::*;

/// The surface of a collider.
struct Surface {
    pose: DPose,
    form: Form,
    /// m
    thickness: f64,
    mesh: Option<Exact>,
}

/// Triangles of a mesh, asked only for points near it.
struct Exact {
    tree: SurfaceTree,
    /// Distance by the grid above which a point is certainly not within the thickness, m.
    near: f64,
}

/// The surfaces of all colliders of a scene.
pub(super) struct Distances(Vec<Surface>);

impl Distances {
    pub fn new(colliders: &[Collider]) -> Self {
        let surface = |collider: &Collider| {
            let thickness = f64::from(collider.thickness);
            let mesh = match &collider.shape {
                Shape::Mesh { surface, cells } => {
                    let corners = || surface.positions.iter().map(|x| x.as_dvec3());
                    let low = corners().fold(DVec3::INFINITY, DVec3::min);
                    let high = corners().fold(DVec3::NEG_INFINITY, DVec3::max);
                    // A grid is exact at its nodes and off by less than a cell's diagonal between them.
                    let cell =
                        ((high - low).max_element() + 2.0 * thickness) / f64::from(cells.saturating_sub(2).max(1));
                    Some(Exact { tree: SurfaceTree::new(surface), near: 2.0 * thickness + 1.8 * cell })
                }
                _ => None,
            };
            Surface { pose: collider.start().into(), form: Form::new(collider), thickness, mesh }
        };
        Self(colliders.iter().map(surface).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Smallest distance of any point from any surface, over the surface's thickness; infinite without colliders, negative inside.
    /// Of a surface without thickness only the sign counts: infinite outside, and minus infinity inside.
    pub fn least(&self, points: &[DVec3]) -> f64 {
        let of_point =
            |point: &DVec3| self.0.iter().map(|surface| surface.distance(*point)).fold(f64::INFINITY, f64::min);
        points.par_iter().map(of_point).reduce(|| f64::INFINITY, f64::min)
    }
}

impl Surface {
    /// Distance over the thickness.
    fn distance(&self, point: DVec3) -> f64 {
        if !point.is_finite() {
            return f64::NEG_INFINITY;
        }
        let local = self.pose.to_local(point);
        let rough = self.form.depth(local);
        let distance = match &self.mesh {
            Some(exact) if rough < exact.near => exact.tree.distance(local, f64::INFINITY),
            _ => rough,
        };
        match self.thickness {
            thickness if thickness > 0.0 => distance / thickness,
            _ if distance < 0.0 => f64::NEG_INFINITY,
            _ => f64::INFINITY,
        }
    }
}
