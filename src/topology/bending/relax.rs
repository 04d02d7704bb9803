//! Correction of the tensions of `calibrate`: t balances a uniform moment, but the bending t/λ that belongs to it need not be that of a surface.
//! The sheet is stiffer than t says: its compliance, Σ t²/λ, falls by the least value over all surfaces of
//!
//! Σ_e λ_e (R_e − t_e/λ_e)²
//!
//! The minimum is found by conjugate gradients. The surface is a uniformly curved one plus a rough part, so that few iterations reach across any
//! mesh; a smooth remainder counts squared. In the end the tensions are λR.

use super::hinges::Pair;
use crate::parallel::*;
use glam::{DMat3, DVec3};

/// One value per unit of the moments m_uu, m_vv, m_uv (u along the weft).
pub type PerMoment = [f64; 3];

const MOST_ITERATIONS: usize = 40;

/// Tolerance of the squared residual, at which the compliance has converged.
const TOLERANCE: f64 = 1e-8;

/// A surface, for each moment: heights of the vertices, and in the last three entries a uniform curvature κ_uu, κ_vv, κ_uv.
type Surface = Vec<PerMoment>;

/// The sum to be minimised, as a linear system.
struct System<'a> {
    vertex_count: usize,
    pairs: &'a [Pair],
    /// λ
    stiffness: Vec<f64>,
    /// Diagonal of the vertices' part of the matrix.
    diagonal: Vec<f64>,
    /// Inverse of the curvatures' part of the matrix.
    curvatures: DMat3,
}

impl<'a> System<'a> {
    fn new(vertex_count: usize, pairs: &'a [Pair], g: &[f64]) -> Self {
        let stiffness: Vec<f64> = pairs.iter().zip(g).map(|(pair, g)| pair.stencil.stiffness / g).collect();
        let mut diagonal = vec![0.0f64; vertex_count];
        let mut matrix = DMat3::ZERO;
        for (pair, lambda) in pairs.iter().zip(&stiffness) {
            for (&v, alpha) in pair.stencil.vertices.iter().zip(&pair.stencil.weights) {
                diagonal[v as usize] += lambda * alpha * alpha;
            }
            let column = DVec3::from_array(pair.per_curvature);
            matrix += DMat3::from_cols(column * column.x, column * column.y, column * column.z) * *lambda;
        }
        // With too few edges some curvature has no resistance.
        let trace = matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z;
        let curvatures = (matrix + DMat3::from_diagonal(DVec3::splat(1e-9 * trace + f64::MIN_POSITIVE))).inverse();
        System { vertex_count, pairs, stiffness, diagonal, curvatures }
    }

    /// R of every pair of triangles.
    fn bend(&self, surface: &Surface) -> Vec<PerMoment> {
        let (heights, curvature) = surface.split_at(self.vertex_count);
        let bend = |pair: &Pair| {
            let corners = pair.stencil.vertices.map(|v| &heights[v as usize]);
            std::array::from_fn(|m| {
                let from_heights: f64 = (0..4).map(|k| pair.stencil.weights[k] * corners[k][m]).sum();
                from_heights + (0..3).map(|k| pair.per_curvature[k] * curvature[k][m]).sum::<f64>()
            })
        };
        self.pairs.par_iter().map(bend).collect()
    }

    /// Forces of the tensions λR.
    fn forces(&self, bend: &[PerMoment]) -> Surface {
        let mut forces = vec![[0.0; 3]; self.vertex_count + 3];
        for ((pair, lambda), r) in self.pairs.iter().zip(&self.stiffness).zip(bend) {
            let mut add = |ix: usize, weight: f64| (0..3).for_each(|m| forces[ix][m] += lambda * weight * r[m]);
            (0..4).for_each(|k| add(pair.stencil.vertices[k] as usize, pair.stencil.weights[k]));
            (0..3).for_each(|k| add(self.vertex_count + k, pair.per_curvature[k]));
        }
        forces
    }

    fn precondition(&self, residual: &Surface) -> Surface {
        let (heights, curvature) = residual.split_at(self.vertex_count);
        let scaled = heights.iter().zip(&self.diagonal);
        let mut result: Surface = scaled.map(|(r, d)| r.map(|r| if *d > 0.0 { r / d } else { 0.0 })).collect();
        let columns: [DVec3; 3] =
            std::array::from_fn(|m| self.curvatures * DVec3::new(curvature[0][m], curvature[1][m], curvature[2][m]));
        result.extend((0..3).map(|k| std::array::from_fn(|m| columns[m][k])));
        result
    }
}

fn dot(a: &Surface, b: &Surface) -> PerMoment {
    a.iter().zip(b).fold([0.0; 3], |sum, (a, b)| std::array::from_fn(|m| sum[m] + a[m] * b[m]))
}

/// Adds a += factor b.
fn add(a: &mut [PerMoment], factor: PerMoment, b: &[PerMoment]) {
    a.par_iter_mut().zip(b).for_each(|(a, b)| (0..3).for_each(|m| a[m] += factor[m] * b[m]));
}

/// The ratio a/b, zero where b is zero.
fn ratio(a: PerMoment, b: PerMoment) -> PerMoment {
    std::array::from_fn(|m| if b[m] > 0.0 { a[m] / b[m] } else { 0.0 })
}

/// Per pair of triangles: t_e/λ_e, and R_e − t_e/λ_e of the surface found. λ is the printed stiffness over g.
pub fn misfits(vertex_count: usize, pairs: &[Pair], g: &[f64]) -> Vec<[PerMoment; 2]> {
    let system = System::new(vertex_count, pairs, g);
    let wanted: Vec<PerMoment> = pairs.iter().zip(g).map(|(pair, g)| pair.per_moment.map(|r| r * g)).collect();
    let mut misfit: Vec<PerMoment> = wanted.iter().map(|r| r.map(|r| -r)).collect();
    let mut residual = system.forces(&wanted);
    let mut direction = system.precondition(&residual);
    let mut power = dot(&residual, &direction);
    let first_power = power;
    for _ in 0..MOST_ITERATIONS {
        let bend = system.bend(&direction);
        let product = system.forces(&bend);
        let step = ratio(power, dot(&direction, &product));
        add(&mut misfit, step, &bend);
        add(&mut residual, step.map(|step| -step), &product);
        let mut next = system.precondition(&residual);
        let next_power = dot(&residual, &next);
        if (0..3).all(|m| next_power[m] <= TOLERANCE * first_power[m]) {
            break;
        }
        add(&mut next, ratio(next_power, power), &direction);
        direction = next;
        power = next_power;
    }
    wanted.into_iter().zip(misfit).map(|(wanted, misfit)| [wanted, misfit]).collect()
}
