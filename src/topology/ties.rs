//! Tied particles: pairs, and the groups that closed pairs form.
//!
//! One row of each group is the *master*: it has the constraint, the contacts and the residual of the whole group. The other rows follow it.
//! Tying changes neither pattern nor matrix: in the solve T Q Tᵀ takes the place of Q, where T copies a master's value to its group.

use super::{Builder, Constraint, Edge, EdgeMaterial, Law, builder::select, limits, springs::material_ix};
use crate::{BodyId, Error, Scene};
use glam::DVec3;
use std::{borrow::Cow, collections::HashMap, ops::Range};

/// Largest number of particles in one group, over which one thread loops.
pub const MAX_TIED: usize = 4096;

/// Two particles that are tied from some time on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TiePair {
    /// Rows of both particles.
    pub rows: [u32; 2],
    /// Distance below which the tie closes, m. `None`: closed from the start.
    pub distance: Option<f64>,
    /// Whether the scene has no gravity until the tie closes.
    pub weightless: bool,
}

/// Groups of tied rows, masters first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TieGroups {
    /// First member of each group, and the end.
    offsets: Vec<u32>,
    members: Vec<u32>,
}

impl TieGroups {
    /// Groups that some pairs form among `rows` rows. A held row becomes the master; otherwise the first row does.
    pub fn of_pairs(rows: usize, pairs: impl IntoIterator<Item = [u32; 2]>, held: impl Fn(u32) -> bool) -> Self {
        let mut sets = DisjointSets::new(rows);
        let mut tied: Vec<u32> = Vec::new();
        for [a, b] in pairs {
            sets.join(a, b);
            tied.extend([a, b]);
        }
        tied.sort_unstable();
        tied.dedup();
        let mut by_root: Vec<(u32, bool, u32)> = tied.iter().map(|&row| (sets.root(row), !held(row), row)).collect();
        by_root.sort_unstable();
        let mut groups = Self { offsets: vec![0], members: Vec::with_capacity(by_root.len()) };
        for group in by_root.chunk_by(|a, b| a.0 == b.0) {
            groups.members.extend(group.iter().map(|(_, _, row)| *row));
            groups.offsets.push(groups.members.len() as u32);
        }
        groups
    }

    /// Groups as listed, masters first; no row may be in two of them.
    pub(crate) fn from_groups(groups: &[Vec<u32>]) -> Self {
        let mut offsets = vec![0];
        offsets.extend(groups.iter().scan(0, |end, group| {
            *end += group.len() as u32;
            Some(*end)
        }));
        Self { offsets, members: groups.concat() }
    }

    /// Number of groups.
    pub fn count(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Iterates over groups: the master, and the other rows.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let range = |pair: &[u32]| -> Range<usize> { pair[0] as usize..pair[1] as usize };
        self.offsets.windows(2).filter_map(move |pair| {
            let (master, others) = self.members[range(pair)].split_first()?;
            Some((*master, others))
        })
    }

    /// For each of `rows` the master of its group, or itself.
    pub fn masters(&self, rows: usize) -> Vec<u32> {
        let mut masters: Vec<u32> = (0..rows as u32).collect();
        for (master, others) in self.iter() {
            others.iter().for_each(|&row| masters[row as usize] = master);
        }
        masters
    }

    /// Groups in the layout of `shaders/shared/ties.wgsl`: where each group begins among these words, the end, then the members.
    pub fn words(&self) -> Vec<u32> {
        let header = self.count() as u32 + 1;
        let offsets = (0..=self.count()).map(|ix| header + self.offsets.get(ix).copied().unwrap_or(0));
        offsets.chain(self.members.iter().copied()).collect()
    }

    /// Copies constraints of masters to their groups.
    pub fn spread<'a>(&self, constraints: &'a [Constraint]) -> Cow<'a, [Constraint]> {
        if self.is_empty() {
            return Cow::Borrowed(constraints);
        }
        let of_row: HashMap<u32, &Constraint> = constraints.iter().map(|known| (known.row, known)).collect();
        let mut all = constraints.to_vec();
        for (master, others) in self.iter() {
            if let Some(constraint) = of_row.get(&master) {
                all.extend(others.iter().map(|&row| Constraint { row, ..**constraint }));
            }
        }
        Cow::Owned(all)
    }

    /// Moves each group to its centre of mass, or to a held master; velocities are averaged in the same way.
    pub fn unite(&self, masses: &[f64], held: impl Fn(u32) -> bool, values: &mut [DVec3]) {
        for (master, others) in self.iter() {
            let own = values[master as usize];
            let same = others.iter().all(|&row| values[row as usize] == own);
            if same {
                continue;
            }
            let common = if held(master) {
                own
            } else {
                let all = || others.iter().chain(std::iter::once(&master)).map(|&row| row as usize);
                all().map(|row| masses[row] * values[row]).sum::<DVec3>() / all().map(|row| masses[row]).sum::<f64>()
            };
            others.iter().chain(std::iter::once(&master)).for_each(|&row| values[row as usize] = common);
        }
    }

    /// Sums the values of each group into its master, and clears the others.
    pub fn gather(&self, values: &mut [DVec3]) {
        for (master, others) in self.iter() {
            for &row in others {
                let value = std::mem::take(&mut values[row as usize]);
                values[master as usize] += value;
            }
        }
    }

    /// Mass of each row; for masters that of the whole group, kg.
    pub fn masses(&self, masses: &[f64]) -> Vec<f64> {
        let mut all = masses.to_vec();
        for (master, others) in self.iter() {
            all[master as usize] += others.iter().map(|&row| masses[row as usize]).sum::<f64>();
        }
        all
    }
}

/// Disjoint sets of rows.
pub(crate) struct DisjointSets(Vec<u32>);

impl DisjointSets {
    pub fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// Representative of a row's set: its first row.
    pub fn root(&mut self, row: u32) -> u32 {
        let mut root = row;
        while self.0[root as usize] != root {
            // Path halving: every other row skips its parent.
            let above = self.0[self.0[root as usize] as usize];
            self.0[root as usize] = above;
            root = above;
        }
        root
    }

    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

/// A pair of particles, and the field of the scene that names it.
pub(super) struct NamedPair {
    particles: [u32; 2],
    /// Vertices by their number in the mesh.
    vertices: [u32; 2],
    field: String,
    pub pair: TiePair,
}

impl Builder {
    /// Pairs of all ties and seams; seams also add their springs.
    pub(super) fn tie_pairs(&mut self, scene: &Scene) -> Result<Vec<NamedPair>, Error> {
        let mut pairs = Vec::new();
        for (ix, tie) in scene.ties.iter().enumerate() {
            let field = format!("tie[{ix}]");
            let side = |(body, vertices): &(BodyId, crate::Vertices), name: &str| {
                select(scene, *body, vertices, &format!("{field}.{name}"))
            };
            let sides = [side(&tie.first, "first")?, side(&tie.second, "second")?];
            self.pair_up([tie.first.0, tie.second.0], &sides, &field, None, false, &mut pairs)?;
        }
        for (ix, seam) in scene.seams.iter().enumerate() {
            let field = format!("seam[{ix}]");
            seam.check().map_err(|(part, message)| Error::scene(format!("{field}.{part}"), message))?;
            for ((body, vertices), name) in [(&seam.first, "first"), (&seam.second, "second")] {
                // Runs the checks of a selection; the order of vertices stays as given.
                select(scene, *body, &crate::Vertices::list(vertices.clone()), &format!("{field}.{name}"))?;
            }
            let first = pairs.len();
            let sides = [seam.first.1.clone(), seam.second.1.clone()];
            let distance = Some(f64::from(seam.distance));
            self.pair_up([seam.first.0, seam.second.0], &sides, &field, distance, seam.weightless, &mut pairs)?;
            if seam.stiffness > 0.0 || seam.damping > 0.0 {
                let thread = EdgeMaterial { law: Law::None, drag: seam.damping.into(), ..EdgeMaterial::default() };
                let material = material_ix(thread, &field, &mut self.materials)?;
                for NamedPair { particles, .. } in &pairs[first..] {
                    let apart = self.positions[particles[0] as usize].distance(self.positions[particles[1] as usize]);
                    // The rest length is recorded only: the law has no force.
                    let rest_length = if (apart as f32).is_normal() { apart } else { 1.0 };
                    let scalar = seam.stiffness.into();
                    let edge = Edge { ends: *particles, rest_length, weight: 1.0, material, scalar, structural: false };
                    limits::check_edge(&thread, &edge, &format!("{field}.stiffness"))?;
                    self.edges.push(edge);
                }
            }
        }
        Ok(pairs)
    }

    fn pair_up(
        &self,
        bodies: [BodyId; 2],
        sides: &[Vec<u32>; 2],
        field: &str,
        distance: Option<f64>,
        weightless: bool,
        pairs: &mut Vec<NamedPair>,
    ) -> Result<(), Error> {
        let [first, second] = sides;
        if first.len() != second.len() {
            let message = format!("{} vertices, but there are {} on the other side", second.len(), first.len());
            return Err(Error::scene(format!("{field}.second.vertices"), message));
        }
        for (&a, &b) in first.iter().zip(second) {
            let particles = [self.first_of_body[bodies[0].0] + a, self.first_of_body[bodies[1].0] + b];
            if particles[0] == particles[1] {
                let message = format!("vertex {b} would be tied to itself");
                return Err(Error::scene(format!("{field}.second.vertices"), message));
            }
            let pair = TiePair { rows: particles, distance, weightless };
            pairs.push(NamedPair { particles, vertices: [a, b], field: field.to_owned(), pair });
        }
        Ok(())
    }
}

/// Pairs by row; the error says which pair is impossible. `pin_of` holds the field of the pin of each row.
pub(super) fn by_row(
    pairs: Vec<NamedPair>,
    row_of: &[u32],
    pin_of: impl Fn(u32) -> Option<String>,
) -> Result<Vec<TiePair>, Error> {
    let mut sets = DisjointSets::new(row_of.len());
    let mut pins: HashMap<u32, String> = HashMap::new();
    let mut sizes: HashMap<u32, usize> = HashMap::new();
    let mut rows = Vec::with_capacity(pairs.len());
    // Particles tied from the start may have one pin in all. Seams may close after a pin is released.
    for NamedPair { particles, vertices, field, pair } in pairs {
        let ends = particles.map(|particle| row_of[particle as usize]);
        rows.push(TiePair { rows: ends, ..pair });
        let [a, b] = ends.map(|row| sets.root(row));
        if a == b {
            continue;
        }
        let mut size = |root| sizes.remove(&root).unwrap_or(1);
        let together = size(a) + size(b);
        if together > MAX_TIED {
            let message = format!("makes one of more than {MAX_TIED} particles");
            return Err(Error::scene(format!("{field}.second.vertices"), message));
        }
        let mut pin = |root: u32| pins.remove(&root).or_else(|| pin_of(root));
        let holding = match (pin(a), pin(b)) {
            (Some(one), Some(other)) if pair.distance.is_none() => {
                let [own, its] = vertices;
                let message = format!(
                    "vertex {its} is held by {other} and vertex {own}, which it is tied to, by {one}: one of them at most may be"
                );
                return Err(Error::scene(format!("{field}.second.vertices"), message));
            }
            (one, other) => one.or(other),
        };
        sets.join(a, b);
        let root = sets.root(a);
        sizes.insert(root, together);
        if let Some(pin) = holding {
            pins.insert(root, pin);
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_share_a_row_are_one_group() {
        let groups = TieGroups::of_pairs(10, [[7, 2], [9, 4], [2, 5], [5, 7]], |row| row == 5);
        let all: Vec<_> = groups.iter().map(|(master, others)| (master, others.to_vec())).collect();
        assert_eq!(all, [(5, vec![2, 7]), (4, vec![9])]);
        assert_eq!(groups.words(), [3, 6, 8, 5, 2, 7, 4, 9]);
        assert_eq!(TieGroups::default().words(), [1]);
        assert_eq!(TieGroups::of_pairs(3, [], |_| false).count(), 0);
    }

    #[test]
    fn groups_meet_at_their_centre_of_mass_or_at_what_is_held() {
        let masses = [1.0, 3.0, 2.0, 2.0];
        let start = [DVec3::X, -DVec3::X, DVec3::Y, DVec3::ZERO];
        let groups = TieGroups::of_pairs(4, [[0, 1], [2, 3]], |row| row == 3);
        let mut values = start;
        groups.unite(&masses, |row| row == 3, &mut values);
        assert_eq!(values, [-0.5 * DVec3::X, -0.5 * DVec3::X, DVec3::ZERO, DVec3::ZERO]);
        let mut sums = start;
        groups.gather(&mut sums);
        assert_eq!(sums, [DVec3::ZERO, DVec3::ZERO, DVec3::ZERO, DVec3::Y]);
        assert_eq!(groups.masses(&masses), [4.0, 3.0, 2.0, 4.0]);
    }
}
