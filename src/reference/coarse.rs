//! The coarse level, a correction of u = Q r: twins of `shaders/coarse/`.
//!
//! Z has the functions of all aggregates as columns, P filters constrained directions. With E = ZᵀPAPZ, and F = ZᵀPDPZ from the diagonal blocks D of A, which couples no
//! two aggregates, the correction is
//!
//! > u += P Z (E⁻¹ - F⁻¹) Zᵀ P r.
//!
//! Q already contains P Z F⁻¹ Zᵀ P, its own answer to motions in Z: E⁻¹ takes its place, so that nothing is counted twice, and a matrix of masses alone is solved at once.
//! Q - P Z F⁻¹ Zᵀ P is positive semi-definite whatever Z is.

use super::{NEGATIVE_BLOCK, State};
use crate::parallel::*;
use crate::topology::{Aggregates, Constraint, Topology};
use glam::{DMat3, DVec3};

/// Share of its diagonal that is added to E, so that its inverse stays positive definite in f32.
pub const REGULARISATION: f64 = 1e-4;
/// Pivot, relative to the diagonal of E, below which an unknown is left out: a function that is zero, or that others express.
const LEAST_PIVOT: f64 = 1e-9;
/// Most unknowns of an aggregate.
const MOST: usize = 12;

/// A square block of E between two aggregates, by rows.
type Tile = [[f64; MOST]; MOST];

/// The factorised coarse matrix of a linearisation.
#[derive(Debug, Clone, Default)]
pub struct Coarse {
    /// Cholesky factor L of E.
    factor: Skyline,
    /// Cholesky factors of F, one for each aggregate.
    overlaps: Vec<Skyline>,
    /// P of each row.
    free: Vec<DMat3>,
    /// Length γ h of the stage of its matrix, s.
    stage_step: f64,
    /// rᵀPZ (E⁻¹ - F⁻¹) ZᵀPr of the last correction, which the tested γ = rᵀQr leaves out.
    pub share: f64,
}

/// The lower half of a symmetric matrix, each row from its first entry that is not zero.
#[derive(Debug, Clone, Default)]
struct Skyline {
    /// Column of the first entry of each row.
    first: Vec<usize>,
    rows: Vec<Vec<f64>>,
}

impl Coarse {
    /// Assembles and factorises E for the present matrix and constraints, which include those of tied rows.
    pub fn build(topology: &Topology, aggregates: &Aggregates, constraints: &[Constraint], state: &State) -> Self {
        let free = free(topology, constraints);
        let mut matrix = galerkin(topology, aggregates, &free, state);
        matrix.factorise();
        let overlaps = (0..aggregates.count).into_par_iter().map(|a| overlap(aggregates, &free, state, a)).collect();
        Self { factor: matrix, overlaps, free, share: 0.0, stage_step: state.scheme.stage_step }
    }

    /// Whether this still is the coarse matrix of a scheme with a constant matrix.
    pub fn holds(&self, topology: &Topology, constraints: &[Constraint], stage_step: f64) -> bool {
        self.stage_step == stage_step && self.free == free(topology, constraints)
    }

    /// Adds the correction to u = Q r.
    pub fn act(&mut self, aggregates: &Aggregates, residual: &[DVec3], u: &mut [DVec3]) {
        let size = 3 * aggregates.functions;
        let free = &self.free;
        let restricted: Vec<[f64; MOST]> = (0..aggregates.count)
            .into_par_iter()
            .map(|aggregate| {
                let mut sums = [DVec3::ZERO; 4];
                for &row in aggregates.members_of(aggregate) {
                    let row = row as usize;
                    let filtered = free[row] * residual[row];
                    sums.iter_mut().zip(aggregates.functions_of(row)).for_each(|(sum, z)| *sum += z * filtered);
                }
                let mut values = [0.0; MOST];
                values.iter_mut().enumerate().for_each(|(ix, value)| *value = sums[ix / 3][ix % 3]);
                values
            })
            .collect();
        let right: Vec<f64> = restricted.iter().flat_map(|values| &values[..size]).copied().collect();
        let solved = self.solve(&right);
        self.share = right.iter().zip(&solved).map(|(a, b)| a * b).sum();
        (u, free, &aggregates.of_row, &aggregates.local).into_par_iter().with_min_len(1024).for_each(
            |(u, free, &aggregate, local)| {
                if let Some(values) = solved.get(aggregate as usize * size..).filter(|values| !values.is_empty()) {
                    let at = |function: usize| DVec3::from_slice(&values[3 * function..]);
                    let mut motion = at(0) + local.x * at(1) + local.y * at(2);
                    if size == MOST {
                        motion += local.z * at(3);
                    }
                    *u += *free * motion;
                }
            },
        );
    }

    /// (E⁻¹ - F⁻¹) c
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut solved = self.factor.solve(right);
        let mut start = 0;
        for overlap in &self.overlaps {
            let range = start..start + overlap.rows.len();
            let already = overlap.solve(&right[range.clone()]);
            solved[range.clone()].iter_mut().zip(already).for_each(|(solved, already)| *solved -= already);
            start = range.end;
        }
        solved
    }

    /// E⁻¹ - F⁻¹, row by row, for comparison with the GPU.
    pub fn inverse(&self) -> Vec<Vec<f64>> {
        let count = self.factor.rows.len();
        let unit = |ix| (0..count).map(|other| if other == ix { 1.0 } else { 0.0 }).collect::<Vec<_>>();
        (0..count).map(|ix| self.solve(&unit(ix))).collect()
    }
}

/// P of each row.
fn free(topology: &Topology, constraints: &[Constraint]) -> Vec<DMat3> {
    let mut free = vec![DMat3::IDENTITY; topology.particle_count()];
    constraints.iter().for_each(|constraint| free[constraint.row as usize] = constraint.free);
    free
}

/// E = ZᵀPAPZ, with its diagonal raised by [`REGULARISATION`].
fn galerkin(topology: &Topology, aggregates: &Aggregates, free: &[DMat3], state: &State) -> Skyline {
    let size = 3 * aggregates.functions;
    let tiles: Vec<Vec<(usize, Tile)>> =
        (0..aggregates.count).into_par_iter().map(|a| tiles_of(topology, aggregates, free, state, a)).collect();
    let mut matrix = Skyline::default();
    for (a, tiles) in tiles.iter().enumerate() {
        let start = tiles.iter().map(|(b, _)| b * size).min().unwrap_or(a * size);
        for k in 0..size {
            let ix = a * size + k;
            let mut row = vec![0.0; ix + 1 - start];
            for (b, tile) in tiles {
                let place = b * size - start;
                let kept = if *b == a { k + 1 } else { size };
                row[place..place + kept].copy_from_slice(&tile[k][..kept]);
            }
            if let Some(own) = row.last_mut() {
                *own *= 1.0 + REGULARISATION;
            }
            matrix.first.push(start);
            matrix.rows.push(row);
        }
    }
    matrix
}

/// Cholesky factor of the block of F = ZᵀPDPZ of an aggregate, with its diagonal raised by [`REGULARISATION`]. Tied rows count beside their master, whose D contains theirs:
/// F is then too large, which is safe.
fn overlap(aggregates: &Aggregates, free: &[DMat3], state: &State, a: usize) -> Skyline {
    let size = 3 * aggregates.functions;
    let mut tile = [[0.0; MOST]; MOST];
    for &row in aggregates.members_of(a) {
        let row = row as usize;
        let own = aggregates.functions_of(row);
        let filtered = free[row] * state.diagonal[row] * free[row];
        own.iter().enumerate().for_each(|(l, z)| add_column(&mut tile, &own, l, filtered * *z));
    }
    let row = |k: usize| {
        let mut row = tile[k][..=k].to_vec();
        row[k] *= 1.0 + REGULARISATION;
        row
    };
    let mut matrix = Skyline { first: vec![0; size], rows: (0..size).map(row).collect() };
    matrix.factorise();
    matrix
}

/// The tiles (a, b), b ≤ a, of E that are not zero.
fn tiles_of(
    topology: &Topology,
    aggregates: &Aggregates,
    free: &[DMat3],
    state: &State,
    a: usize,
) -> Vec<(usize, Tile)> {
    let mut tiles: Vec<(usize, Tile)> = vec![(a, [[0.0; MOST]; MOST])];
    for &row in aggregates.members_of(a) {
        let row = row as usize;
        let own = aggregates.functions_of(row);
        let mut diagonal = DMat3::from_diagonal(DVec3::splat(state.scalar_diagonal[row]));
        // Σ over neighbours in this aggregate of B P z, one sum per function.
        let mut inner = [DMat3::ZERO; 4];
        let mut add = |block: DMat3, neighbour: usize| {
            diagonal += block;
            let b = aggregates.of_row[neighbour] as usize;
            if b > a {
                return;
            }
            let image = block * free[neighbour];
            let theirs = aggregates.functions_of(neighbour);
            if b == a {
                inner.iter_mut().zip(theirs).for_each(|(sum, z)| *sum += z * image);
            } else {
                let image = free[row] * image;
                let place = tiles.iter().position(|(known, _)| *known == b).unwrap_or_else(|| {
                    tiles.push((b, [[0.0; MOST]; MOST]));
                    tiles.len() - 1
                });
                let tile = &mut tiles[place].1;
                theirs.iter().enumerate().for_each(|(l, z)| add_column(tile, &own, l, image * -*z));
            }
        };
        let range = topology.pattern.range(row);
        for (index, block) in state.index[range.clone()].iter().zip(&state.values[range]) {
            let sign = if index & NEGATIVE_BLOCK == 0 { 1.0 } else { -1.0 };
            let outer = sign * crate::forces::edge::outer(block.axis);
            add(DMat3::from_diagonal(DVec3::splat(block.a)) + outer, (index & !NEGATIVE_BLOCK) as usize);
        }
        let range = topology.element_pattern.range(row);
        for (&neighbour, block) in topology.element_pattern.neighbours[range.clone()].iter().zip(&state.full[range]) {
            add(*block, neighbour as usize);
        }
        let whole = diagonal * free[row];
        for l in 0..4 {
            let image = free[row] * (whole * own[l] - inner[l]);
            add_column(&mut tiles[0].1, &own, l, image);
        }
    }
    tiles
}

/// Adds z_k · `image` to the blocks (k, l) of a tile.
fn add_column(tile: &mut Tile, own: &[f64; 4], l: usize, image: DMat3) {
    for (k, z) in own.iter().enumerate() {
        for column in 0..3 {
            for line in 0..3 {
                tile[3 * k + line][3 * l + column] += z * image.col(column)[line];
            }
        }
    }
}

impl Skyline {
    /// Replaces the matrix by its Cholesky factor. Unknowns with a pivot that is rounding are left out: their rows of the factor are zero.
    fn factorise(&mut self) {
        for ix in 0..self.rows.len() {
            let (before, rest) = self.rows.split_at_mut(ix);
            let (row, start) = (&mut rest[0], self.first[ix]);
            let diagonal = row[ix - start];
            for column in start..ix {
                let (other, from) = (&before[column], self.first[column].max(start));
                let known = &other[from - self.first[column]..column - self.first[column]];
                let sum: f64 = row[from - start..].iter().zip(known).map(|(a, b)| a * b).sum();
                let pivot = other[column - self.first[column]];
                row[column - start] = if pivot > 0.0 { (row[column - start] - sum) / pivot } else { 0.0 };
            }
            let pivot = diagonal - row[..ix - start].iter().map(|value| value * value).sum::<f64>();
            if pivot > LEAST_PIVOT * diagonal {
                row[ix - start] = pivot.sqrt();
            } else {
                row.fill(0.0);
            }
        }
    }

    /// Solves L Lᵀ y = b.
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut y = right.to_vec();
        for (ix, row) in self.rows.iter().enumerate() {
            let start = self.first[ix];
            let sum: f64 = row[..ix - start].iter().zip(&y[start..ix]).map(|(a, b)| a * b).sum();
            let pivot = row[ix - start];
            y[ix] = if pivot > 0.0 { (y[ix] - sum) / pivot } else { 0.0 };
        }
        for (ix, row) in self.rows.iter().enumerate().rev() {
            let start = self.first[ix];
            let pivot = row[ix - start];
            let value = if pivot > 0.0 { y[ix] / pivot } else { 0.0 };
            y[ix] = value;
            y[start..ix].iter_mut().zip(row).for_each(|(y, entry)| *y -= value * entry);
        }
        y
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Body, Material, Mesh, Options, Preconditioner, Scene, SolverOptions,
        reference::{CgState, Parameters, assembly, integrate, solve},
    };

    #[test]
    fn nothing_is_left_to_correct_where_masses_decide() {
        let mut scene = Scene::new();
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 24, 24), Material::cotton_springs()));
        // Along the cloth, which resists it; a flat cloth does not resist motion across it.
        scene.gravity = DVec3::X.as_vec3();
        let solver = SolverOptions { preconditioner: Preconditioner::TwoLevel, ..Default::default() };
        // The share of the coarse level in rᵀu, relative to that of Q.
        let share = |time_step: f64, overlaps: bool| {
            let options = Options { solver: solver.clone(), time_step, ..Default::default() };
            let topology = Topology::build(&scene, &options).unwrap();
            let parameters = Parameters::new(&options, scene.gravity.as_dvec3());
            let mut state = State::new(&topology, &parameters);
            integrate::begin(&topology, &topology.constraints, &parameters, &mut state);
            assembly::edges(&topology, &parameters, 0, &mut state);
            solve::precondition(&topology, &topology.constraints, &parameters, &mut state, &mut CgState::default());
            let aggregates = topology.aggregates.as_ref().unwrap();
            let mut coarse = Coarse::build(&topology, aggregates, &topology.constraints, &state);
            if !overlaps {
                coarse.overlaps.clear();
            }
            let gamma: f64 = state.residual.iter().zip(&state.u).map(|(r, u)| r.dot(*u)).sum();
            coarse.act(aggregates, &state.residual, &mut state.u);
            coarse.share / gamma
        };
        assert!(share(1e-5, true).abs() < 0.02, "{}", share(1e-5, true));
        // The controls: without F the coarse level counts once more what Q does, and stiff cloth needs it.
        assert!((share(1e-5, false) - 1.0).abs() < 0.02, "{}", share(1e-5, false));
        assert!(share(1e-2, true) > 1.0, "{}", share(1e-2, true));
    }
}
