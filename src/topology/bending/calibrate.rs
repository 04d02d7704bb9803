//! Factors per edge that make a free strip, cut in any direction, as stiff as its modulus says.
//!
//! Bend a sheet by a uniform moment m d dᵀ (per unit length), as in a strip along d. The tensions
//!
//! t_e = l_e (1/h_A + 1/h_B) m (n_e·d)²
//!
//! of its hinges balance that load exactly, whatever the mesh, and hinges along a border that runs along d have none to miss. Their
//! energy Σ t²/2λ stores, per triangle τ and modulus, 3 A_τ Σ_e g_e (n_e·d)⁴ m²/2 with g_e = 1/factor. A beam stores A_τ m²/2μ(d). So the
//! g_e solve the linear equations
//!
//! μ(d) Σ_e 3 A_pe (n_e·d)⁴ g_e/μ_e = A_p    for the triangles p around each vertex, in `DIRECTIONS` directions d
//!
//! in the sense of least squares and within bounds: projected gradients with Nesterov's momentum, all edges at once, so that equal
//! neighbourhoods get equal factors.
//!
//! Fitting forced cylinders instead would be wrong: vertices leave the cylinder until the tensions balance, and the strip becomes softer by a
//! third on grids with alternating diagonals.

use super::{Moduli, stencil::Side};
use glam::DVec3;
use rayon::prelude::*;

/// Directions in which the equations hold. The forms are quartic, five would do.
const DIRECTIONS: usize = 6;

/// 1/g in all directions of a mesh whose edges have all directions equally: 3 · 3 · mean of cos⁴.
const MEAN_FACTOR: f64 = 27.0 / 8.0;

/// A factor stays within the mean one over this and the mean one times this.
const BOUND: f64 = 4.0;

/// How strongly g is drawn to the mean, against equations whose coefficients are of order one.
const REGULARISATION: f64 = 1e-4;

const MOST_ITERATIONS: usize = 300;

/// Values per direction.
type Row = [f64; DIRECTIONS];

/// A hinge: two sides of an edge, or the only side of a border edge. Border hinges complete the equations near a border, and are dropped.
struct Hinge {
    /// Patches (vertices) it counts in.
    patches: [u32; 4],
    /// Of the triangles that it shares with each, m².
    areas: [f64; 4],
    /// Unit vector along the edge.
    along: DVec3,
    /// Relative to the largest.
    modulus: f64,
}

/// Per patch, which hinges, with which coefficients.
struct Equations {
    first: Vec<u32>,
    hinges: Vec<u32>,
    coefficients: Vec<Row>,
    /// Where in the two lists the terms of each hinge are.
    terms: Vec<[u32; 4]>,
}

/// Factors of all pairs, in the order of the stencils.
pub fn factors(positions: &[DVec3], triangles: &[[u32; 3]], sides: &[Side], moduli: &Moduli) -> Vec<f64> {
    let moduli = relative(moduli);
    let areas: Vec<f64> = triangles.par_iter().map(|t| normal(positions, t).length() / 2.0).collect();
    let (hinges, is_pair) = hinges(positions, sides, &areas, &moduli);
    let equations = Equations::build(positions, triangles, &areas, &hinges, &moduli);
    let compliances = equations.solve();
    compliances.iter().zip(&is_pair).filter(|(_, pair)| **pair).map(|(g, _)| 1.0 / g).collect()
}

/// Scaled to the larger one; none is so small that its edges would not count.
fn relative(moduli: &Moduli) -> Moduli {
    let largest = moduli.weft.max(moduli.warp);
    let scaled = |modulus: f64| if largest > 0.0 { (modulus / largest).max(1e-3) } else { 1.0 };
    Moduli { weft: scaled(moduli.weft), warp: scaled(moduli.warp), weft_direction: moduli.weft_direction }
}

fn normal(positions: &[DVec3], triangle: &[u32; 3]) -> DVec3 {
    let [a, b, c] = triangle.map(|v| positions[v as usize]);
    (b - a).cross(c - a)
}

/// All hinges and which are pairs of triangles.
fn hinges(positions: &[DVec3], sides: &[Side], areas: &[f64], moduli: &Moduli) -> (Vec<Hinge>, Vec<bool>) {
    let (mut hinges, mut is_pair) = (Vec::new(), Vec::new());
    let mut add = |first: &Side, second: Option<&Side>, share: f64| {
        let [c, d] = first.ends;
        let along = (positions[d as usize] - positions[c as usize]).normalize();
        let area_a = share * areas[first.triangle as usize];
        let area_b = second.map_or(0.0, |side| share * areas[side.triangle as usize]);
        let patches = [first.apex, second.map_or(first.apex, |side| side.apex), c, d];
        let mirrored = Side { apex: first.apex, ..*first };
        let printed = super::stencil::stencil(positions, first, second.unwrap_or(&mirrored), moduli);
        hinges.push(Hinge { patches, areas: [area_a, area_b, area_a + area_b, area_a + area_b], along, modulus: printed.modulus() });
        is_pair.push(second.is_some());
    };
    for fan in sides.chunk_by(|a, b| a.ends == b.ends) {
        if let [only] = fan {
            add(only, None, 1.0);
        }
        // The pairs of a triangle across one edge share its moment.
        let share = 1.0 / (fan.len() as f64 - 1.0);
        for (ix, first) in fan.iter().enumerate() {
            for second in &fan[ix + 1..] {
                add(first, Some(second), share);
            }
        }
    }
    (hinges, is_pair)
}

impl super::Stencil {
    /// μ of a stencil with the printed stiffness, N·m.
    fn modulus(&self) -> f64 {
        let [h_a, h_b] = self.heights;
        self.stiffness / (2.0 / 3.0 * (h_a + h_b) / (h_a * h_b).powi(2) * self.edge_length)
    }
}

impl Equations {
    fn build(positions: &[DVec3], triangles: &[[u32; 3]], areas: &[f64], hinges: &[Hinge], moduli: &Moduli) -> Self {
        let mut patch_areas = vec![0.0; positions.len()];
        let mut normals = vec![DVec3::ZERO; positions.len()];
        for (triangle, area) in triangles.iter().zip(areas) {
            let normal = normal(positions, triangle);
            for &v in triangle {
                patch_areas[v as usize] += area;
                // Windings may differ: the first triangle of a patch decides.
                let sum = &mut normals[v as usize];
                *sum += if sum.dot(normal) < 0.0 { -normal } else { normal };
            }
        }
        let mut first = vec![0u32; positions.len() + 1];
        for &patch in hinges.iter().flat_map(|hinge| &hinge.patches) {
            first[patch as usize + 1] += 1;
        }
        for ix in 1..first.len() {
            first[ix] += first[ix - 1];
        }
        let mut next = first.clone();
        let mut list = vec![0u32; 4 * hinges.len()];
        let mut coefficients = vec![[0.0; DIRECTIONS]; 4 * hinges.len()];
        let mut terms = vec![[0u32; 4]; hinges.len()];
        for (ix, hinge) in hinges.iter().enumerate() {
            for (corner, &patch) in hinge.patches.iter().enumerate() {
                let slot = next[patch as usize];
                next[patch as usize] += 1;
                terms[ix][corner] = slot;
                list[slot as usize] = ix as u32;
                let scale = 3.0 * hinge.areas[corner] / (patch_areas[patch as usize] * hinge.modulus);
                let frame = Frame::new(normals[patch as usize], moduli.weft_direction);
                coefficients[slot as usize] = frame.row(hinge.along, scale, moduli);
            }
        }
        Equations { first, hinges: list, coefficients, terms }
    }

    /// A g − 1, per patch.
    fn residual(&self, g: &[f64], residual: &mut Vec<Row>) {
        (0..self.first.len() - 1)
            .into_par_iter()
            .map(|patch| {
                let (from, to) = (self.first[patch] as usize, self.first[patch + 1] as usize);
                let mut sum = [if from < to { -1.0 } else { 0.0 }; DIRECTIONS];
                for slot in from..to {
                    let value = g[self.hinges[slot] as usize];
                    sum.iter_mut().zip(&self.coefficients[slot]).for_each(|(sum, c)| *sum += c * value);
                }
                sum
            })
            .collect_into_vec(residual);
    }

    /// Aᵀ r of one hinge.
    fn gradient(&self, hinge: usize, residual: &[Row], patches: &[u32; 4]) -> f64 {
        let dot = |slot: u32, row: &Row| -> f64 { self.coefficients[slot as usize].iter().zip(row).map(|(a, b)| a * b).sum() };
        self.terms[hinge].iter().zip(patches).map(|(&slot, &patch)| dot(slot, &residual[patch as usize])).sum()
    }

    /// Minimises ½|A g − 1|² + ½ε|g − ḡ|² within bounds. A has no negative entries, so AᵀA ≤ diag(AᵀA 1): a majorant that needs no
    /// estimate of eigenvalues.
    fn solve(&self) -> Vec<f64> {
        let count = self.terms.len();
        let mean = 1.0 / MEAN_FACTOR;
        let (low, high) = (mean / BOUND, mean * BOUND);
        let mut patch_of = vec![0u32; self.hinges.len()];
        for patch in 0..self.first.len() - 1 {
            patch_of[self.first[patch] as usize..self.first[patch + 1] as usize].fill(patch as u32);
        }
        let patches: Vec<[u32; 4]> = self.terms.iter().map(|terms| terms.map(|slot| patch_of[slot as usize])).collect();
        let mut residual = Vec::new();
        self.residual(&vec![1.0; count], &mut residual);
        residual.iter_mut().flatten().for_each(|value| *value += 1.0);
        let step: Vec<f64> =
            (0..count).map(|ix| 1.0 / (self.gradient(ix, &residual, &patches[ix]) + REGULARISATION)).collect();

        let mut g = vec![mean; count];
        let mut ahead = g.clone();
        let mut momentum = 1.0f64;
        for _ in 0..MOST_ITERATIONS {
            self.residual(&ahead, &mut residual);
            let next: Vec<f64> = (0..count)
                .into_par_iter()
                .map(|ix| {
                    let slope = self.gradient(ix, &residual, &patches[ix]) + REGULARISATION * (ahead[ix] - mean);
                    (ahead[ix] - step[ix] * slope).clamp(low, high)
                })
                .collect();
            let next_momentum = (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt()) / 2.0;
            let ratio = (momentum - 1.0) / next_momentum;
            momentum = next_momentum;
            let change = next.par_iter().zip(&g).map(|(new, old)| (new - old).abs()).reduce(|| 0.0, f64::max);
            ahead.par_iter_mut().zip(&next).zip(&g).for_each(|((ahead, new), old)| *ahead = new + ratio * (new - old));
            g = next;
            if change < 1e-7 * mean {
                break;
            }
        }
        g
    }
}

/// Tangent plane of a patch, first axis along the weft.
struct Frame {
    weft: DVec3,
    warp: DVec3,
}

impl Frame {
    fn new(normal: DVec3, weft_direction: DVec3) -> Self {
        let normal = normal.normalize_or(DVec3::Z);
        let weft = super::stencil::in_plane(weft_direction, normal);
        Frame { weft, warp: normal.cross(weft) }
    }

    /// scale μ(d) (n·d)⁴ in all directions d, n in the plane at right angles to an edge.
    fn row(&self, along: DVec3, scale: f64, moduli: &Moduli) -> Row {
        let (u, v) = (along.dot(self.weft), along.dot(self.warp));
        let length = u.hypot(v);
        let (u, v) = if length > 1e-6 { (u / length, v / length) } else { (1.0, 0.0) };
        std::array::from_fn(|ix| {
            let (sine, cosine) = (std::f64::consts::PI * ix as f64 / DIRECTIONS as f64).sin_cos();
            let modulus = moduli.weft * cosine * cosine + moduli.warp * sine * sine;
            scale * modulus * (sine * u - cosine * v).powi(4)
        })
    }
}
