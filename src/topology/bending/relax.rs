//! What the tensions of `calibrate` overlook: they balance a uniform moment, but the bending R = t/λ that belongs to them need not fit
//! together to a surface. The sheet then carries stresses of its own, and is stiffer by
//!
//! min over z of Σ_e λ_e (R_e(z) − t_e/λ_e)²
//!
//! per moment squared. z is a uniformly curved surface, κ = S m, plus a rough part; conjugate gradients find the rough part within
//! few iterations, and a smooth remainder adds little to the sum.

use super::Stencil;
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

/// S_uuuu, S_uuuv, S_uuvv, S_uvvv, S_vvvv of κ = S m, symmetric in all indices, as sums of n⊗n⊗n⊗n are.
pub type Compliance = [f64; 5];

impl Pair {
    /// R for the curvature S m less t/λ, for the unit moments uu, vv, uv.
    fn misfit(&self, g: f64, s: &Compliance) -> PerMoment {
        let [m_uu, m_vv, m_uv] = self.second_moment;
        let [n_u, n_v] = self.normal;
        let [h_a, h_b] = self.stencil.heights;
        let scale = 1.5 * h_a * h_b * g / self.modulus;
        let bend = |uu: f64, vv: f64, uv: f64| 0.5 * (m_uu * uu + m_vv * vv + 2.0 * m_uv * uv);
        [
            bend(s[0], s[2], s[1]) - scale * n_u * n_u,
            bend(s[2], s[4], s[3]) - scale * n_v * n_v,
            bend(2.0 * s[1], 2.0 * s[3], 2.0 * s[2]) - scale * 2.0 * n_u * n_v,
        ]
    }
}

const MOST_ITERATIONS: usize = 40;

/// R_e − t_e/λ_e of every pair after relaxation, per unit moment.
pub fn misfits(vertex_count: usize, pairs: &[Pair], g: &[f64], s: &Compliance) -> Vec<PerMoment> {
    let stiffness: Vec<f64> = pairs.iter().zip(g).map(|(pair, g)| pair.stencil.stiffness / g).collect();
    let start: Vec<PerMoment> = pairs.iter().zip(g).map(|(pair, g)| pair.misfit(*g, s)).collect();
    let scatter = |values: &[PerMoment]| {
        let mut sums = vec![[0.0; 3]; vertex_count];
        for ((pair, lambda), value) in pairs.iter().zip(&stiffness).zip(values) {
            for (&v, alpha) in pair.stencil.vertices.iter().zip(&pair.stencil.weights) {
                sums[v as usize].iter_mut().zip(value).for_each(|(sum, value)| *sum += lambda * alpha * value);
            }
        }
        sums
    };
    let gather = |z: &[PerMoment]| -> Vec<PerMoment> {
        pairs
            .par_iter()
            .map(|pair| {
                let mut r = [0.0; 3];
                for (&v, alpha) in pair.stencil.vertices.iter().zip(&pair.stencil.weights) {
                    r.iter_mut().zip(&z[v as usize]).for_each(|(r, z)| *r += alpha * z);
                }
                r
            })
            .collect()
    };
    let dot = |a: &[PerMoment], b: &[PerMoment]| {
        a.iter().zip(b).fold([0.0; 3], |sum, (a, b)| std::array::from_fn(|ix| sum[ix] + a[ix] * b[ix]))
    };
    let mut diagonal = vec![0.0f64; vertex_count];
    for (pair, lambda) in pairs.iter().zip(&stiffness) {
        for (&v, alpha) in pair.stencil.vertices.iter().zip(&pair.stencil.weights) {
            diagonal[v as usize] += lambda * alpha * alpha;
        }
    }
    let precondition = |residual: &[PerMoment]| -> Vec<PerMoment> {
        residual.par_iter().zip(&diagonal).map(|(r, d)| if *d > 0.0 { r.map(|r| r / d) } else { [0.0; 3] }).collect()
    };

    let mut misfit = start.clone();
    let mut residual = scatter(&start);
    residual.iter_mut().flatten().for_each(|value| *value = -*value);
    let mut direction = precondition(&residual);
    let mut power = dot(&residual, &direction);
    let first_power = power;
    for _ in 0..MOST_ITERATIONS {
        let bend = gather(&direction);
        let product = scatter(&bend);
        let curvature = dot(&direction, &product);
        let step: PerMoment =
            std::array::from_fn(|ix| if curvature[ix] > 0.0 { power[ix] / curvature[ix] } else { 0.0 });
        misfit.par_iter_mut().zip(&bend).for_each(|(m, b)| (0..3).for_each(|ix| m[ix] += step[ix] * b[ix]));
        residual.par_iter_mut().zip(&product).for_each(|(r, p)| (0..3).for_each(|ix| r[ix] -= step[ix] * p[ix]));
        let next = precondition(&residual);
        let next_power = dot(&residual, &next);
        if (0..3).all(|ix| next_power[ix] <= 1e-8 * first_power[ix]) {
            break;
        }
        let ratio: PerMoment = std::array::from_fn(|ix| if power[ix] > 0.0 { next_power[ix] / power[ix] } else { 0.0 });
        direction
            .par_iter_mut()
            .zip(&next)
            .for_each(|(d, n)| (0..3).for_each(|ix| d[ix] = n[ix] + ratio[ix] * d[ix]));
        power = next_power;
    }
    misfit
}
