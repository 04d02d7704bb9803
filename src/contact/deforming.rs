//! Closed meshes whose vertices follow key frames.
//!
//! Signed distances are exact, by a tree of triangles that is refitted to each time. Contact tests happen on the surface at the end of a step: points of earlier times are
//! carried there with the surface nearest to them.

use super::tree::SurfaceTree;
use crate::{DeformingMesh, Mesh, parallel::*};
use glam::DVec3;

/// A time for which a step needs the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// The start of the last step.
    Before = 0,
    /// The start of the step.
    Start = 1,
    /// The end of the step.
    End = 2,
}

/// A deforming mesh with its surface at the three times of a step.
#[derive(Debug, Clone)]
pub(crate) struct Deforming {
    /// Vertices of each frame, m, and their times, s.
    frames: Vec<(f64, Vec<DVec3>)>,
    /// Surfaces at up to three times.
    surfaces: Vec<(f64, SurfaceTree)>,
    /// The surface of each moment.
    at: [usize; 3],
    /// Largest displacement of a vertex since the start of the step, and since the start of the last one, m.
    way: f64,
    /// Radius of the bounding sphere about the origin at all times, m.
    radius: f64,
}

impl Deforming {
    /// The surface of a valid mesh at time 0.
    pub fn new(mesh: &DeformingMesh) -> Self {
        let frame = |frame: &crate::MeshFrame| (frame.time, frame.positions.iter().map(|x| x.as_dvec3()).collect());
        let frames: Vec<(f64, Vec<DVec3>)> = mesh.frames.iter().map(frame).collect();
        let first = mesh.frames.first().map_or_else(Vec::new, |frame| frame.positions.clone());
        let tree = SurfaceTree::new(&Mesh::from_triangles(first, mesh.triangles.clone()));
        let radius = frames.iter().flat_map(|(_, positions)| positions).map(|x| x.length()).fold(0.0, f64::max);
        let mut deforming = Self { frames, surfaces: vec![(f64::NAN, tree); 3], at: [0; 3], way: 0.0, radius };
        deforming.set_times([0.0; 3]);
        deforming
    }

    /// Moves the surfaces to the times of a step, s. Surfaces of the step before are kept.
    pub fn set_times(&mut self, times: [f64; 3]) {
        let mut taken = [false; 3];
        let mut places = [None; 3];
        for (place, time) in places.iter_mut().zip(times) {
            *place = self.surfaces.iter().position(|(known, _)| *known == time);
            place.iter().for_each(|&ix: &usize| taken[ix] = true);
        }
        for k in 0..3 {
            let known = places[k].or_else(|| self.surfaces.iter().position(|(known, _)| *known == times[k]));
            let place = known.unwrap_or_else(|| {
                let free = taken.iter().position(|taken| !taken).unwrap_or(0);
                taken[free] = true;
                let positions = self.positions(times[k]);
                let (time, tree) = &mut self.surfaces[free];
                *time = times[k];
                tree.refit(&positions);
                free
            });
            self.at[k] = place;
        }
        let [before, start, end] = [0, 1, 2].map(|k| &self.surfaces[self.at[k]].1);
        self.way = start.farthest(end).max(start.farthest(before));
    }

    /// Vertices at a time, s, interpolated linearly; at rest before the first frame and after the last, m.
    fn positions(&self, time: f64) -> Vec<DVec3> {
        let after = self.frames.partition_point(|(frame, _)| *frame <= time);
        match (after.checked_sub(1).and_then(|ix| self.frames.get(ix)), self.frames.get(after)) {
            (Some((from, a)), Some((to, b))) => {
                let share = (time - from) / (to - from);
                a.par_iter().with_min_len(1024).zip(b).map(|(a, b)| a.lerp(*b, share)).collect()
            }
            (Some((_, only)), None) | (None, Some((_, only))) => only.clone(),
            (None, None) => Vec::new(),
        }
    }

    fn tree(&self, moment: Moment) -> &SurfaceTree {
        &self.surfaces[self.at[moment as usize]].1
    }

    /// Signed distance at the end of the step, negative inside, and its gradient.
    pub fn distance(&self, point: DVec3) -> (f64, DVec3) {
        match self.tree(Moment::End).nearest(point, f64::INFINITY) {
            None => (f64::INFINITY, DVec3::Y),
            Some(nearest) => (nearest.distance, nearest.slope(point)),
        }
    }

    /// Signed distance at the end of the step without its gradient, m.
    pub fn depth(&self, point: DVec3) -> f64 {
        self.tree(Moment::End).distance(point, f64::INFINITY)
    }

    /// Where a point of an earlier moment is at the end of the step if it moves with the nearest point of the surface.
    pub fn carried(&self, point: DVec3, moment: Moment) -> DVec3 {
        if self.at[moment as usize] == self.at[Moment::End as usize] {
            return point;
        }
        let from = self.tree(moment);
        match from.nearest(point, f64::INFINITY) {
            None => point,
            Some(nearest) => point + self.tree(Moment::End).at(nearest.face, nearest.shares) - nearest.point,
        }
    }

    /// Largest displacement of a point of the surface over the step or the last one, m.
    pub fn way(&self) -> f64 {
        self.way
    }

    pub fn bounding_radius(&self) -> f64 {
        self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MeshFrame, contact::test_shapes::icosphere};

    fn swelling() -> DeformingMesh {
        let mesh = icosphere(3);
        let frame = |time: f64, size: f32, x: f32| MeshFrame {
            time,
            positions: mesh.positions.iter().map(|p| size * *p + glam::Vec3::X * x).collect(),
        };
        DeformingMesh { triangles: mesh.triangles.clone(), frames: vec![frame(1.0, 1.0, 0.0), frame(2.0, 2.0, 1.0)] }
    }

    #[test]
    fn distances_follow_the_frames() {
        let mut surface = Deforming::new(&swelling());
        for (time, radius, centre) in
            [(0.0, 1.0, 0.0), (1.0, 1.0, 0.0), (1.5, 1.5, 0.5), (2.0, 2.0, 1.0), (9.0, 2.0, 1.0)]
        {
            surface.set_times([time - 0.2, time - 0.1, time]);
            for direction in [DVec3::Y, DVec3::new(-1.0, 2.0, 0.5).normalize(), DVec3::new(0.3, -0.2, 1.0).normalize()]
            {
                for distance in [-0.3, 0.2, 3.0] {
                    let point = DVec3::X * centre + (radius + distance) * direction;
                    let (found, slope) = surface.distance(point);
                    assert!((found - distance).abs() < 0.012 * radius, "{time} {distance} {found}");
                    assert!(slope.dot(direction) > 0.99, "{slope} {direction}");
                    assert_eq!(found, surface.depth(point));
                }
            }
        }
        assert_eq!(surface.bounding_radius(), 3.0);
    }

    #[test]
    fn points_are_carried_with_the_surface() {
        let mut surface = Deforming::new(&swelling());
        surface.set_times([1.0, 1.2, 1.4]);
        let point = 1.05 * DVec3::Y;
        // The top goes 0.4 up and 0.4 along.
        let carried = surface.carried(point, Moment::Before);
        assert!(carried.distance(DVec3::new(0.4, 1.45, 0.0)) < 1e-6, "{carried}");
        assert_eq!(surface.carried(point, Moment::End), point);
        assert!((surface.way() - 0.4).abs() < 1e-6, "{}", surface.way());
        // Going back in time, as after a failed step, gives the same surfaces.
        let known = surface.depth(point);
        surface.set_times([1.2, 1.4, 1.6]);
        assert_ne!(surface.depth(point), known);
        surface.set_times([1.0, 1.2, 1.4]);
        assert_eq!(surface.depth(point), known);
    }
}
