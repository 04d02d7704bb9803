//! Aggregates of the coarse level: compact patches of the rest shape, each with a constant and two or three linear functions of rest coordinates.
//!
//! A connected part of the scene is cut in two along its longest extent, and each half again, until every patch has about the same number of particles. Patches are
//! numbered along the longest axis of their part, so that only nearby numbers are coupled and the coarse matrix is a band. Particles that are tied, or may be later,
//! share the functions of one of them, so that a coarse motion never parts them.

use super::{Topology, axes::principal_axes, ties::DisjointSets};
use glam::{DMat3, DVec3};
use std::{cmp::Ordering, ops::Range};

/// Smallest and largest number of aggregates of a scene.
const COUNTS: Range<usize> = 16..257;
/// Smallest number of particles of an aggregate, on average.
const LEAST_SIZE: usize = 16;
/// Extent of an aggregate, relative to its largest one, below which it has no linear function in that direction.
const FLAT: f64 = 1e-3;
/// Largest extent across the plane of an aggregate, relative to its largest one, of a scene whose aggregates all count as flat.
const NEARLY_FLAT: f64 = 0.02;

/// Rows of the coarse matrix that the GPU eliminates together: the shaders' constant of the same name; a test compares them.
pub const PANEL_ROWS: usize = 48;

/// Entry of [`Aggregates::of_row`] for rows of parts that are too small for an aggregate.
pub const NO_AGGREGATE: u32 = u32::MAX;

/// The aggregates of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Aggregates {
    /// Number of functions of an aggregate: the constant and two linear ones where all are flat, else three.
    pub functions: usize,
    /// Number of aggregates.
    pub count: usize,
    /// Aggregate of each row.
    pub of_row: Vec<u32>,
    /// Linear functions of each row: rest coordinates about the centre of its aggregate, at most 1 in size.
    pub local: Vec<DVec3>,
    /// First member of each aggregate in `members`, and the end.
    pub offsets: Vec<u32>,
    /// Rows of each aggregate, ascending.
    pub members: Vec<u32>,
    /// First entry in `border` of each pair (a, b) of aggregates with b ≤ a, at index a (a + 1) / 2 + b, and the end.
    pub pair_offsets: Vec<u32>,
    /// Rows of a with a neighbour in b, ascending; none where b is a.
    pub border: Vec<u32>,
}

impl Aggregates {
    /// Number of aggregates for a number of particles: √particles / 4, or √particles / 2 where contacts hold the cloth in many places, so that iterations with the coarse
    /// matrix and its inverse both stay cheap beside those with the whole matrix.
    fn count_for(particles: usize, touches: bool) -> usize {
        let wanted = ((particles as f64).sqrt() / if touches { 2.0 } else { 4.0 }).round() as usize;
        wanted.clamp(COUNTS.start, COUNTS.end - 1).min(particles / LEAST_SIZE).max(1)
    }

    /// Aggregates of a topology with the given rest positions of its rows. `touches`: whether there are colliders or contact between bodies.
    pub fn build(topology: &Topology, rest: &[DVec3], touches: bool) -> Self {
        let rows = topology.particle_count();
        let mut tied = DisjointSets::new(rows);
        topology.ties.iter().for_each(|pair| tied.join(pair.rows[0], pair.rows[1]));
        let mut parts = DisjointSets::new(rows);
        for row in 0..rows as u32 {
            neighbours(topology, row as usize).for_each(|other| parts.join(row, other));
        }
        let mut by_part: Vec<(u32, u32)> =
            (0..rows as u32).filter(|&row| tied.root(row) == row).map(|row| (parts.root(row), row)).collect();
        by_part.sort_unstable();
        let share = Self::count_for(rows, touches) as f64 / rows.max(1) as f64;
        let mut patches: Vec<Vec<u32>> = Vec::new();
        for part in by_part.chunk_by(|a, b| a.0 == b.0) {
            let count = (part.len() as f64 * share).round() as usize;
            if count > 0 {
                let mut members: Vec<u32> = part.iter().map(|(_, row)| *row).collect();
                patches.extend(cut(&mut members, rest, count));
            }
        }
        let mut aggregates = Self {
            functions: 3,
            count: patches.len(),
            of_row: vec![NO_AGGREGATE; rows],
            local: vec![DVec3::ZERO; rows],
            offsets: vec![0],
            members: Vec::new(),
            pair_offsets: Vec::new(),
            border: Vec::new(),
        };
        for (ix, patch) in patches.iter().enumerate() {
            aggregates.place(ix as u32, patch, rest);
        }
        for row in 0..rows as u32 {
            let (row, root) = (row as usize, tied.root(row) as usize);
            aggregates.of_row[row] = aggregates.of_row[root];
            aggregates.local[row] = aggregates.local[root];
        }
        aggregates.list_members();
        aggregates.list_pairs(topology);
        aggregates
    }

    /// Number of unknowns of the coarse system.
    pub fn unknowns(&self) -> usize {
        3 * self.functions * self.count
    }

    /// The functions of a row: 1 and its local coordinates.
    pub fn functions_of(&self, row: usize) -> [f64; 4] {
        let local = self.local[row];
        [1.0, local.x, local.y, local.z]
    }

    /// Rows of an aggregate.
    pub fn members_of(&self, aggregate: usize) -> &[u32] {
        &self.members[self.offsets[aggregate] as usize..self.offsets[aggregate + 1] as usize]
    }

    /// Gives the rows of a patch their aggregate and local coordinates.
    fn place(&mut self, aggregate: u32, patch: &[u32], rest: &[DVec3]) {
        let frame = Frame::of(patch, rest);
        let reach = patch.iter().map(|&row| frame.coordinates(rest[row as usize]).abs()).fold(DVec3::ZERO, DVec3::max);
        let largest = reach.max_element();
        if reach.z > NEARLY_FLAT * largest {
            self.functions = 4;
        }
        let scale = reach.to_array().map(|reach| if reach > FLAT * largest { 1.0 / reach } else { 0.0 });
        for &row in patch {
            self.of_row[row as usize] = aggregate;
            self.local[row as usize] = frame.coordinates(rest[row as usize]) * DVec3::from(scale);
        }
    }

    fn list_members(&mut self) {
        let mut lists = vec![Vec::new(); self.count];
        for (row, &aggregate) in self.of_row.iter().enumerate() {
            if let Some(list) = lists.get_mut(aggregate as usize) {
                list.push(row as u32);
            }
        }
        for list in lists {
            self.members.extend(list);
            self.offsets.push(self.members.len() as u32);
        }
        if self.functions == 3 {
            self.local.iter_mut().for_each(|local| local.z = 0.0);
        }
    }

    fn list_pairs(&mut self, topology: &Topology) {
        let mut pairs = vec![Vec::new(); self.count * (self.count + 1) / 2];
        let mut touched = Vec::new();
        for (row, &own) in self.of_row.iter().enumerate().filter(|(_, own)| **own != NO_AGGREGATE) {
            touched.clear();
            touched.extend(neighbours(topology, row).map(|other| self.of_row[other as usize]).filter(|&b| b < own));
            touched.sort_unstable();
            touched.dedup();
            for &b in &touched {
                pairs[pair_ix(own as usize, b as usize)].push(row as u32);
            }
        }
        self.pair_offsets.push(0);
        for pair in pairs {
            self.border.extend(pair);
            self.pair_offsets.push(self.border.len() as u32);
        }
    }

    /// Rows without an aggregate.
    pub fn outside(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.of_row.len() as u32).filter(|&row| self.of_row[row as usize] == NO_AGGREGATE)
    }

    /// Number of rows of the coarse matrix on the GPU: that of unknowns, rounded up to whole panels.
    pub fn padded(&self) -> usize {
        self.unknowns().next_multiple_of(PANEL_ROWS)
    }

    /// For each panel of the coarse matrix the end of the band that its elimination touches, a whole number of panels.
    pub fn bands(&self) -> Vec<usize> {
        let (size, ends) = (3 * self.functions, self.band());
        let last = |panel: usize| ((panel * PANEL_ROWS + PANEL_ROWS - 1) / size).min(self.count - 1);
        (0..self.padded() / PANEL_ROWS).map(|panel| (ends[last(panel)] * size).next_multiple_of(PANEL_ROWS)).collect()
    }

    /// For each aggregate, one more than the last aggregate that its functions and those before it are coupled to.
    fn band(&self) -> Vec<usize> {
        let mut ends: Vec<usize> = (1..=self.count).collect();
        for a in 0..self.count {
            for (b, end) in ends.iter_mut().enumerate().take(a) {
                let ix = pair_ix(a, b);
                if self.pair_offsets[ix] < self.pair_offsets[ix + 1] {
                    *end = (*end).max(a + 1);
                }
            }
        }
        for ix in 1..self.count {
            ends[ix] = ends[ix].max(ends[ix - 1]);
        }
        ends
    }
}

/// Index of the pair of aggregates (a, b), b ≤ a.
pub fn pair_ix(a: usize, b: usize) -> usize {
    a * (a + 1) / 2 + b
}

/// Rows coupled with a row, by edges and by elements.
fn neighbours(topology: &Topology, row: usize) -> impl Iterator<Item = u32> {
    let by_element = &topology.element_pattern.neighbours[topology.element_pattern.range(row)];
    topology.pattern.row(row).iter().map(|incidence| incidence.neighbour).chain(by_element.iter().copied())
}

/// Centre and principal axes of some points, the longest axis first.
struct Frame {
    centre: DVec3,
    /// Rows are the axes.
    axes: DMat3,
}

impl Frame {
    fn of(rows: &[u32], rest: &[DVec3]) -> Self {
        let points = || rows.iter().map(|&row| rest[row as usize]);
        let centre = points().sum::<DVec3>() / rows.len().max(1) as f64;
        let moments = points().map(|point| crate::forces::edge::outer(point - centre)).fold(DMat3::ZERO, |a, b| a + b);
        Self { centre, axes: principal_axes(moments).transpose() }
    }

    fn coordinates(&self, point: DVec3) -> DVec3 {
        self.axes * (point - self.centre)
    }
}

/// Cuts a part into patches of nearly equal size, in the order of their centres along the longest axis.
fn cut(members: &mut [u32], rest: &[DVec3], count: usize) -> Vec<Vec<u32>> {
    let frame = Frame::of(members, rest);
    let mut patches = Vec::with_capacity(count);
    let mut stack = vec![(0..members.len(), count)];
    while let Some((range, count)) = stack.pop() {
        let patch = &mut members[range.clone()];
        if count == 1 {
            let mut patch = patch.to_vec();
            patch.sort_unstable();
            patches.push(patch);
            continue;
        }
        let at = |row: u32| frame.coordinates(rest[row as usize]);
        let (low, high) = patch
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &row| (low.min(at(row)), high.max(at(row))));
        let axis =
            (0..3).fold(0, |best, axis| if (high - low)[axis] > (high - low)[best] + 1e-9 { axis } else { best });
        let first = count / 2;
        let place = patch.len() * first / count;
        let along = |a: &u32, b: &u32| -> Ordering { at(*a)[axis].total_cmp(&at(*b)[axis]).then(a.cmp(b)) };
        if place > 0 && place < patch.len() {
            patch.select_nth_unstable_by(place, along);
        }
        stack.push((range.start..range.start + place, first));
        stack.push((range.start + place..range.end, count - first));
    }
    let centre = |patch: &Vec<u32>| {
        patch.iter().map(|&row| frame.coordinates(rest[row as usize]).x).sum::<f64>() / patch.len().max(1) as f64
    };
    patches.retain(|patch| !patch.is_empty());
    patches.sort_by(|a, b| centre(a).total_cmp(&centre(b)).then(a.cmp(b)));
    patches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Material, Mesh, Options, Preconditioner, Scene, SolverOptions, Vertices};
    use glam::Vec3;

    fn aggregates(scene: &Scene) -> (Topology, Aggregates) {
        let solver = SolverOptions { preconditioner: Preconditioner::TwoLevel, ..Default::default() };
        let topology = Topology::build(scene, &Options { solver, ..Default::default() }).unwrap();
        let known = topology.aggregates.clone().unwrap();
        (topology, known)
    }

    fn sheet(n: u32) -> Scene {
        let mut scene = Scene::new();
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, n, n), Material::cotton_springs()));
        scene
    }

    #[test]
    fn a_square_is_cut_into_squares_of_equal_size() {
        let (topology, known) = aggregates(&sheet(64));
        assert_eq!((known.count, known.functions, known.unknowns()), (16, 3, 144));
        for aggregate in 0..known.count {
            let members = known.members_of(aggregate);
            assert_eq!(members.len(), 256);
            let at = |row: &u32| topology.positions[*row as usize];
            let low = members.iter().map(at).fold(DVec3::INFINITY, DVec3::min);
            let high = members.iter().map(at).fold(DVec3::NEG_INFINITY, DVec3::max);
            assert!((high - low).max_element() < 0.25);
            // The functions are centred and reach ±1.
            let sum: DVec3 = members.iter().map(|&row| known.local[row as usize]).sum();
            assert!(sum.length() < 1e-9);
            let reach = members.iter().map(|&row| known.local[row as usize].abs()).fold(DVec3::ZERO, DVec3::max);
            assert!((reach - DVec3::new(1.0, 1.0, 0.0)).length() < 1e-9);
        }
        // A band: no patch is coupled with one more than two columns of four away.
        assert!(known.band().iter().enumerate().all(|(ix, &end)| end > ix && end <= ix + 9));
        assert!(known.bands().iter().all(|band| band % PANEL_ROWS == 0 && *band <= known.padded()));
    }

    #[test]
    fn the_number_grows_with_the_root_of_particles() {
        let counts =
            [16, 4096, 16_384, 65_536, 1 << 20, 1 << 24].map(|particles| Aggregates::count_for(particles, false));
        assert_eq!(counts, [1, 16, 32, 64, 256, 256]);
        assert_eq!(
            [4096, 16_384, 65_536, 1 << 20].map(|particles| Aggregates::count_for(particles, true)),
            [32, 64, 128, 256]
        );
    }

    #[test]
    fn pairs_list_every_row_that_couples_two_aggregates() {
        let (topology, known) = aggregates(&sheet(24));
        let mut coupled = std::collections::BTreeSet::new();
        for row in 0..topology.particle_count() {
            for other in neighbours(&topology, row) {
                let (a, b) = (known.of_row[row], known.of_row[other as usize]);
                if b < a {
                    coupled.insert((pair_ix(a as usize, b as usize), row as u32));
                }
            }
        }
        let listed = known.pair_offsets.windows(2).enumerate().flat_map(|(pair, range)| {
            known.border[range[0] as usize..range[1] as usize].iter().map(move |&row| (pair, row))
        });
        assert!(!coupled.is_empty() && coupled.into_iter().eq(listed));
    }

    #[test]
    fn tied_particles_share_functions_and_small_parts_have_none() {
        let mut scene = sheet(20);
        let second =
            scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 20, 20).translated(Vec3::Z), Material::cotton_springs()));
        let row = |first: u32| Vertices::list((0..20).map(|ix| first + ix).collect::<Vec<_>>());
        scene.tie((crate::BodyId(0), row(380)), (second, row(0)));
        scene.add(Body::particles(vec![Vec3::Y, Vec3::X, 2.0 * Vec3::Y, 2.0 * Vec3::X], 0.1));
        let (topology, known) = aggregates(&scene);
        for pair in &topology.ties {
            let [a, b] = pair.rows.map(|row| row as usize);
            assert_eq!((known.of_row[a], known.local[a]), (known.of_row[b], known.local[b]));
        }
        assert_eq!(known.outside().count(), 4);
        // Solids and curved sheets have a function across.
        let mut solid = Scene::new();
        solid.add(Body::solid(Mesh::block(Vec3::ONE, [6, 6, 6]), Material::jelly()));
        assert_eq!(aggregates(&solid).1.functions, 4);
    }
}
