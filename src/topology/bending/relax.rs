//! What the tensions of `calibrate` overlook: they balance a uniform moment, but the bending R = t/λ that belongs to them need not fit
//! together to a surface. The sheet then carries stresses of its own, and is stiffer by
//!
//! min over z of Σ_e λ_e (R_e(z) − t_e/λ_e)²
//!
//! per moment squared. z is a uniformly curved surface, κ = S m, plus a rough part; conjugate gradients find the rough part within
//! few iterations, and a smooth remainder adds little to the sum.

use super::Stencil;
use glam::{DMat3, DVec3};
use rayon::prelude::*;

/// Symmetric 2×2 tensors as (uu, vv, uv), u along the weft; one value per unit moment of each.
pub type PerMoment = [f64; 3];

/// A pair of triangles, as seen by the relaxation. Moduli and moments are relative.
pub struct Pair {
    /// With its printed stiffness.
    pub stencil: Stencil,
    /// Σ α p pᵀ of the pair unfolded, (uu, vv, uv): R = ½ (M_uu κ_uu + M_vv κ_vv + 2 M_uv κ_uv).
    pub second_moment: [f64; 3],
    /// (n_u, n_v), across the edge.
    pub normal: [f64; 2],
    /// μ_e
    pub modulus: f64,
}

impl Pair {
    /// t/λ for the unit moments uu, vv, uv.
    fn wanted(&self, g: f64) -> PerMoment {
        let [n_u, n_v] = self.normal;
        let [h_a, h_b] = self.stencil.heights;
        [n_u * n_u, n_v * n_v, 2.0 * n_u * n_v].map(|value| 1.5 * h_a * h_b * g / self.modulus * value)
    }

    /// R per unit of κ_uu, κ_vv, κ_uv.
    fn per_curvature(&self) -> [f64; 3] {
        let [uu, vv, uv] = self.second_moment;
        [0.5 * uu, 0.5 * vv, uv]
    }
}

fn most_iterations() -> usize { std::env::var("ITER").ok().and_then(|v| v.parse().ok()).unwrap_or(40) }

/// A surface, for each moment: heights of the vertices, and in the last three entries a uniform curvature κ_uu, κ_vv, κ_uv.
type Surface = Vec<PerMoment>;

/// The sum to be minimised, as a linear system.
struct System<'a> {
    vertex_count: usize,
    pairs: &'a [Pair],
    /// λ
    stiffness: Vec<f64>,
    /// Of the vertices' part of the matrix.
    diagonal: Vec<f64>,
    /// Inverse of the curvatures' part.
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
            let column = DVec3::from_array(pair.per_curvature());
            matrix += DMat3::from_cols(column * column.x, column * column.y, column * column.z) * *lambda;
        }
        // Too few edges leave some curvature without resistance.
        let trace = matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z;
        let curvatures = (matrix + DMat3::from_diagonal(DVec3::splat(1e-9 * trace + f64::MIN_POSITIVE))).inverse();
        System { vertex_count, pairs, stiffness, diagonal, curvatures }
    }

    /// R of every pair.
    fn bend(&self, surface: &Surface) -> Vec<PerMoment> {
        let (heights, curvature) = surface.split_at(self.vertex_count);
        let bend = |pair: &Pair| {
            let corners = pair.stencil.vertices.map(|v| &heights[v as usize]);
            let per_curvature = pair.per_curvature();
            std::array::from_fn(|m| {
                let from_heights: f64 = (0..4).map(|k| pair.stencil.weights[k] * corners[k][m]).sum();
                from_heights + (0..3).map(|k| per_curvature[k] * curvature[k][m]).sum::<f64>()
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
            let per_curvature = pair.per_curvature();
            (0..3).for_each(|k| add(self.vertex_count + k, per_curvature[k]));
        }
        forces
    }

    fn precondition(&self, residual: &Surface) -> Surface {
        let (heights, curvature) = residual.split_at(self.vertex_count);
        let scaled = heights.iter().zip(&self.diagonal);
        let mut result: Surface = scaled.map(|(r, d)| r.map(|r| if *d > 0.0 { r / d } else { 0.0 })).collect();
        let columns: PerMomentColumns =
            std::array::from_fn(|m| self.curvatures * DVec3::new(curvature[0][m], curvature[1][m], curvature[2][m]));
        result.extend((0..3).map(|k| std::array::from_fn(|m| columns[m][k])));
        result
    }
}

/// A vector per moment.
type PerMomentColumns = [DVec3; 3];

fn dot(a: &Surface, b: &Surface) -> PerMoment {
    a.iter().zip(b).fold([0.0; 3], |sum, (a, b)| std::array::from_fn(|m| sum[m] + a[m] * b[m]))
}

/// a += factor b
fn add(a: &mut [PerMoment], factor: PerMoment, b: &[PerMoment]) {
    a.par_iter_mut().zip(b).for_each(|(a, b)| (0..3).for_each(|m| a[m] += factor[m] * b[m]));
}

/// a/b, zero where b is.
fn ratio(a: PerMoment, b: PerMoment) -> PerMoment {
    std::array::from_fn(|m| if b[m] > 0.0 { a[m] / b[m] } else { 0.0 })
}

/// Per pair and unit moment: t_e/λ_e, and R_e − t_e/λ_e after relaxation.
pub fn misfits(vertex_count: usize, pairs: &[Pair], g: &[f64]) -> Vec<[PerMoment; 2]> {
    let system = System::new(vertex_count, pairs, g);
    let wanted: Vec<PerMoment> = pairs.iter().zip(g).map(|(pair, g)| pair.wanted(*g)).collect();
    let mut misfit: Vec<PerMoment> = wanted.iter().map(|r| r.map(|r| -r)).collect();
    let mut residual = system.forces(&wanted);
    let mut direction = system.precondition(&residual);
    let mut power = dot(&residual, &direction);
    let first_power = power;
    for _ in 0..most_iterations() {
        let bend = system.bend(&direction);
        let product = system.forces(&bend);
        let step = ratio(power, dot(&direction, &product));
        add(&mut misfit, step, &bend);
        add(&mut residual, step.map(|step| -step), &product);
        let mut next = system.precondition(&residual);
        let next_power = dot(&residual, &next);
        if (0..3).all(|m| next_power[m] <= 1e-8 * first_power[m]) {
            break;
        }
        add(&mut next, ratio(next_power, power), &direction);
        direction = next;
        power = next_power;
    }
    wanted.into_iter().zip(misfit).map(|(wanted, misfit)| [wanted, misfit]).collect()
}
