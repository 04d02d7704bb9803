//! All drawn objects joined into one mesh: the part of a picture that stays constant from frame to frame.
//!
//! Vertices and triangles of surfaces come first, then those of solids, which also cast shadows; then beads and planes, which do
//! not.

use super::{Picture, Surface, beads, solids, solids::Hull, weave};
use crate::view::coat::{TRANSMISSION, back_of, is_closed};
use crate::{
    Shape,
    gpu::layout::picture::{Block, Finish},
};
use glam::Vec3;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Number of triangles that one thread surveys.
const BLOCK_TRIANGLES: usize = 256;

/// Parameters of a model: a model with an equal key is reused.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    surfaces: Vec<(usize, u64)>,
    solids: Vec<(Shape, f32)>,
    beads: usize,
    planes: usize,
}

impl Key {
    pub fn of(picture: &Picture<'_>) -> Self {
        Self {
            surfaces: picture.surfaces.iter().map(|surface| (surface.positions.len(), fingerprint(surface))).collect(),
            solids: solids::bodies(picture.solids).map(|solid| (solid.shape.clone(), solid.thickness)).collect(),
            beads: beads::places(picture.pins).len(),
            planes: solids::leaning_planes(picture.solids).len(),
        }
    }
}

fn fingerprint(surface: &Surface<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    surface.triangles.hash(&mut hasher);
    surface.colour.map(f32::to_bits).hash(&mut hasher);
    bytemuck::cast_slice::<_, u8>(surface.rest_coordinates).hash(&mut hasher);
    hasher.finish()
}

/// The joined mesh.
#[derive(Default)]
pub(super) struct Model {
    /// First vertex of each surface, then of each solid, and the end.
    pub firsts: Vec<usize>,
    /// Number of vertices of surfaces and solids.
    pub vertex_count: usize,
    /// Number of vertices of beads and planes.
    pub prop_count: usize,
    /// Solids in their own frames.
    pub hulls: Vec<Hull>,
    pub triangles: Vec<[u32; 3]>,
    /// Number of triangles that cast shadows: those of surfaces and solids.
    pub casting: usize,
    pub blocks: Vec<Block>,
    pub finishes: Vec<Finish>,
    /// Per vertex: rest coordinate, value or -1, index of its finish.
    pub details: Vec<[f32; 4]>,
    /// Triangles around each vertex, laid out as in `shaders/picture/fans.wgsl`.
    pub fans: Vec<u32>,
}

impl Model {
    pub fn new(picture: &Picture<'_>) -> Self {
        let mut model = Self::default();
        for surface in picture.surfaces {
            let count = surface.positions.len();
            let colour = sane_colour(Vec3::from_array(surface.colour));
            let rest = Some(surface.rest_coordinates).filter(|rest| rest.len() == count);
            // A closed surface transmits no light, as its inside is dark.
            let transmission = if is_closed(surface.triangles) { 0.0 } else { TRANSMISSION };
            let check = rest.and_then(weave::check_length).unwrap_or(0.0);
            let first = model.add(count, surface.triangles, finish(colour, back_of(colour), check, transmission));
            if check > 0.0 {
                for (detail, rest) in model.details[first..].iter_mut().zip(rest.into_iter().flatten()) {
                    [detail[0], detail[1]] = rest.to_array();
                }
            }
        }
        for solid in solids::bodies(picture.solids) {
            let hull = Hull::of(solid.shape, solid.thickness);
            model.add(hull.positions.len(), &hull.triangles, finish(solids::COLOUR, solids::COLOUR, 0.0, 0.0));
            model.hulls.push(hull);
        }
        model.casting = model.triangles.len();
        model.vertex_count = model.details.len();
        model.firsts.push(model.vertex_count);

        let bead = finish(beads::COLOUR, beads::COLOUR, 0.0, 0.0);
        for _ in beads::places(picture.pins) {
            model.add_prop(beads::VERTICES, beads::triangles, bead);
        }
        for _ in solids::leaning_planes(picture.solids) {
            let plane = finish(solids::COLOUR, solids::COLOUR, 0.0, 0.0);
            model.add_prop(solids::PLANE_VERTICES, solids::plane_triangles, plane);
        }
        model.prop_count = model.details.len() - model.vertex_count;
        model.fans = fans(model.details.len(), &model.triangles);
        model
    }

    /// Adds vertices and their triangles; returns the first vertex.
    fn add(&mut self, count: usize, triangles: &[[u32; 3]], finish: Finish) -> usize {
        let first = self.details.len();
        self.firsts.push(first);
        let begin = self.triangles.len();
        let is_good = |[a, b, c]: &[u32; 3]| a != b && b != c && c != a && (*a.max(b).max(c) as usize) < count;
        let moved = |corners: &[u32; 3]| corners.map(|corner| first as u32 + corner);
        self.triangles.extend(triangles.iter().filter(|corners| is_good(corners)).map(moved));
        let finish_ix = self.finishes.len() as u32;
        for start in (begin..self.triangles.len()).step_by(BLOCK_TRIANGLES) {
            let end = (start + BLOCK_TRIANGLES).min(self.triangles.len());
            self.blocks.push(Block { first: start as u32, end: end as u32, finish_ix, unused: 0 });
        }
        self.push_details(count as u32, finish);
        first
    }

    fn add_prop<T: IntoIterator<Item = [u32; 3]>>(&mut self, count: u32, triangles: fn(u32) -> T, finish: Finish) {
        self.triangles.extend(triangles(self.details.len() as u32));
        self.push_details(count, finish);
    }

    fn push_details(&mut self, count: u32, finish: Finish) {
        let finish_ix = f32::from_bits(self.finishes.len() as u32);
        self.details.extend((0..count).map(|_| [0.0, 0.0, -1.0, finish_ix]));
        self.finishes.push(finish);
    }
}

fn finish(front: Vec3, back: Vec3, check: f32, transmission: f32) -> Finish {
    Finish { front: front.to_array(), check, back: back.to_array(), transmission, ..Default::default() }
}

/// Triangles around each vertex.
fn fans(vertex_count: usize, triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut fans = vec![0; vertex_count + 1 + 3 * triangles.len()];
    let (offsets, list) = fans.split_at_mut(vertex_count + 1);
    for corner in triangles.iter().flatten() {
        offsets[*corner as usize + 1] += 1;
    }
    for ix in 1..offsets.len() {
        offsets[ix] += offsets[ix - 1];
    }
    let mut next = offsets.to_vec();
    for (ix, corners) in triangles.iter().enumerate() {
        for corner in corners {
            let place = &mut next[*corner as usize];
            list[*place as usize] = ix as u32;
            *place += 1;
        }
    }
    fans
}

/// Albedo clamped so that light stays finite.
fn sane_colour(colour: Vec3) -> Vec3 {
    if colour.is_finite() { colour.clamp(Vec3::ZERO, Vec3::ONE) } else { Vec3::splat(0.5) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fans_name_the_triangles_of_each_vertex() {
        let fans = fans(5, &[[0, 1, 2], [0, 2, 4]]);
        let of = |vertex: usize| &fans[6 + fans[vertex] as usize..6 + fans[vertex + 1] as usize];
        let expected: [&[u32]; 5] = [&[0, 1], &[0], &[0, 1], &[], &[1]];
        assert_eq!(std::array::from_fn(of), expected);
    }

    #[test]
    fn a_tetrahedron_is_closed_and_open_cloth_is_not() {
        let tetrahedron = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        assert!(is_closed(&tetrahedron));
        assert!(!is_closed(&tetrahedron[1..]) && !is_closed(&[]));
    }
}
