//! Factors per edge that give a free strip, cut in any direction, the stiffness of its modulus.
//!
//! Bend a sheet by a uniform moment m d dᵀ (per unit length), as in a strip along d. The tensions
//!
//! t_e = l_e (1/h_A + 1/h_B) m (n_e·d)²
//!
//! of its hinges balance that load exactly, whatever the mesh; hinges that a border along d lacks would have none. Their energy
//! Σ t²/2λ is 3 A_τ Σ_e (g_e/μ_e) (n_e·d)⁴ m²/2 in a triangle τ, with g_e = 1/factor. A beam stores A_τ m²/2μ(d). So
//!
//! r_τ(d) = 3 Σ_e (n_e·d)⁴ g_e/μ_e − 1/μ(d) = 0    for every triangle and direction d
//!
//! are linear equations for g (μ between weft and warp: see `Sheet::strip_modulus`). Three edges alone cannot satisfy them: they
//! hold in the mean over windows of some triangles, with the least change of g, and within bounds. Hinges at a bound are left out
//! while the others make up for them. All edges are treated alike, so that equal neighbourhoods get equal factors.
//!
//! Not every mesh can be alike in all directions with positive factors: a grid whose cells are longer than √3 widths cannot, nor one
//! with all diagonals the same way. The axes of its cells can still be exact, and count most (see `window`, `axes`); a strip at an
//! angle to them is then stiffer or softer, as `anisotropy` tells.
//!
//! Where the sheet cannot follow these tensions, `relax` finds the true ones, λR. Tensions make the compliance Σ g T²/λ₁ (λ₁
//! printed) least, so its derivative by g_e is T_e²/λ₁: the same equations with other coefficients, Newton's method. Uneven factors
//! make a sheet stiffer than the derivative tells, so that a round changes them by a limited part, and accepts the residual that the
//! equations without relaxation left. Regular grids are done after the first round.
//!
//! Fitting the energy of forced cylinders instead would be wrong: vertices leave the cylinder until tensions balance, and a strip
//! comes out softer, by a third on grids with alternating diagonals. Sums of n⊗n⊗n⊗n are symmetric in all indices, as in a plate
//! with Poisson's ratio −1/3, so what bends with μ as a free strip bends with 9/8 μ where it cannot curl across.

use super::axes::{self, Cross};
use super::hinges::{Hinge, Sheet};
use super::quartic::{self, Quartic};
use super::relax;
use super::window::{Equations, Gram, Window, entry};
use crate::parallel::*;

/// Compliance of an endless strip, relative to a beam. A strip cannot curl at a clamped end, so that strips of 4 to 8 widths deflect by 0.955 to 0.975 as
/// much; this value centres them around the beam.
pub const COMPLIANCE: f64 = 1.025;

/// Factor of all edges in a mesh with all edge directions equally: 3 · 3 · mean of cos⁴.
const MEAN_FACTOR: f64 = 27.0 / 8.0 / COMPLIANCE;

/// Largest ratio between a factor and the mean factor, either way.
pub const BOUND: f64 = 4.0;

/// Number of averages over neighbours that make a window. Its standard deviation is about three edges.
const PASSES: usize = 12;

/// Number of solutions of the equations without relaxation, because windows overlap and factors reach their bounds.
const CORRECTIONS: usize = 6;

/// Largest number of rounds with a relaxation each.
const ROUNDS: usize = 4;

/// Number of solutions of the equations in a round with relaxation.
const ROUND_CORRECTIONS: usize = 2;

/// Largest change of 1/factor by a solution in a round with relaxation, relative to its value.
const ROUND_LIMIT: f64 = 0.3;

/// Largest relative change of 1/factor in the last round.
const SETTLED: f64 = 0.005;

/// 1/factor of a hinge that is not fitted.
pub const MEAN: f64 = 1.0 / MEAN_FACTOR;

/// Factors of all pairs of triangles, in the order of the stencils.
pub fn factors(vertex_count: usize, triangles: &[[u32; 3]], sheet: &Sheet) -> Vec<f64> {
    let mut fit = Fit::new(vertex_count, triangles, sheet);
    let mut residual = fit.unbent();
    fit.add_sums(&fit.g, &mut residual);
    fit.unmet = fit.correct(&residual, CORRECTIONS, f64::INFINITY);
    for _ in 0..ROUNDS {
        let before = fit.g.clone();
        let residual = fit.relax();
        fit.correct(&residual, ROUND_CORRECTIONS, ROUND_LIMIT);
        if fit.g.iter().zip(&before).all(|(new, old)| (new - old).abs() < SETTLED * old) {
            break;
        }
    }
    fit.of_pairs().iter().map(|g| 1.0 / g).collect()
}

struct Fit<'a> {
    triangles: &'a [[u32; 3]],
    sheet: &'a Sheet,
    equations: Equations<'a>,
    /// Area of the triangles around each vertex, m².
    star_areas: Vec<f64>,
    /// Axes of the cells in the window of each triangle.
    crosses: Vec<Cross>,
    /// Residual in the window of each triangle that the equations without relaxation left.
    unmet: Vec<Quartic>,
    /// Contribution of each hinge to the compliance of its triangles, per g.
    rows: Vec<Quartic>,
    /// 1/factor of each hinge.
    g: Vec<f64>,
    /// Whether the last solution would have taken a hinge beyond its bounds.
    bound: Vec<bool>,
}

impl<'a> Fit<'a> {
    fn new(vertex_count: usize, triangles: &'a [[u32; 3]], sheet: &'a Sheet) -> Self {
        let mut star_areas = vec![0.0; vertex_count];
        for (triangle, area) in triangles.iter().zip(&sheet.areas) {
            triangle.iter().for_each(|&v| star_areas[v as usize] += area);
        }
        let mut fit = Fit {
            triangles,
            sheet,
            equations: Equations::new(sheet),
            star_areas,
            crosses: Vec::new(),
            unmet: vec![[0.0; 5]; triangles.len()],
            rows: sheet.hinges.iter().map(Hinge::compliance).collect(),
            g: vec![MEAN; sheet.hinges.len()],
            bound: vec![false; sheet.hinges.len()],
        };
        fit.crosses = fit.smooth(axes::crosses(sheet));
        fit
    }

    fn of_pairs(&self) -> Vec<f64> {
        self.sheet.hinges.iter().zip(&self.g).filter(|(hinge, _)| hinge.is_pair()).map(|(_, g)| *g).collect()
    }

    /// Residual of every triangle if no hinge bent: the compliance wanted, negative.
    fn unbent(&self) -> Vec<Quartic> {
        vec![self.sheet.strip_compliance().map(|c| -COMPLIANCE * c); self.triangles.len()]
    }

    /// Changes g so that the residual vanishes in the mean over windows; returns the means left. Each solution changes g by no more than
    /// the limit, relative to its value.
    fn correct(&mut self, residual: &[Quartic], solutions: usize, limit: f64) -> Vec<Quartic> {
        let before = self.g.clone();
        let mut means = self.smooth(residual.to_vec());
        for _ in 0..solutions {
            let grams = self.smooth(self.grams());
            let multipliers = self.multipliers(&grams, &means);
            let hinges = self.sheet.hinges.par_iter().zip(&self.rows);
            self.g.par_iter_mut().zip(&mut self.bound).zip(hinges).for_each(|((g, bound), (hinge, row))| {
                let (mut change, mut weight) = (0.0, 0.0);
                for &triangle in &hinge.triangles {
                    if let Some(multipliers) = multipliers.get(triangle as usize) {
                        let area = self.sheet.areas[triangle as usize];
                        change += area * row.iter().zip(multipliers).map(|(c, y)| c * y).sum::<f64>();
                        weight += area;
                    }
                }
                // A hinge at a bound was left out of the equations: it leaves the bound in small steps.
                let most = if *bound { limit.min(ROUND_LIMIT) } else { limit } * *g;
                let next = *g - (change / weight).clamp(-most, most);
                if next.is_finite() {
                    *g = next.clamp(MEAN / BOUND, MEAN * BOUND);
                    *bound = *g != next;
                }
            });
            let change: Vec<f64> = self.g.iter().zip(&before).map(|(new, old)| new - old).collect();
            let mut residual = residual.to_vec();
            self.add_sums(&change, &mut residual);
            means = self.smooth(residual);
        }
        means
    }

    fn multipliers(&self, grams: &[Gram], residuals: &[Quartic]) -> Vec<Quartic> {
        let windows = grams.par_iter().zip(residuals).zip(&self.unmet).zip(&self.crosses);
        windows
            .map(|(((gram, residual), unmet), cross)| {
                let residual = std::array::from_fn(|k| residual[k] - unmet[k]);
                self.equations.multipliers(&Window { gram, residual, cross: *cross })
            })
            .collect()
    }

    /// The residual with relaxed tensions; rows become its derivative by g.
    fn relax(&mut self) -> Vec<Quartic> {
        let relaxed = relax::misfits(self.star_areas.len(), &self.sheet.pairs, &self.of_pairs());
        let mut pairs = self.sheet.pairs.iter().zip(&relaxed);
        let mut residual = self.unbent();
        for ((hinge, row), g) in self.sheet.hinges.iter().zip(&mut self.rows).zip(&self.g) {
            let mut value = row.map(|c| c * g);
            if hinge.is_pair()
                && let Some((pair, [wanted, misfit])) = pairs.next()
            {
                let scale = pair.stencil.stiffness / self.sheet.area(hinge);
                let bend = quartic::square(std::array::from_fn(|k| wanted[k] + misfit[k]));
                let (wanted, misfit) = (quartic::square(*wanted), quartic::square(*misfit));
                value = std::array::from_fn(|k| scale * (wanted[k] - misfit[k]) / g);
                *row = bend.map(|c| scale * c / (g * g));
            }
            for &triangle in &hinge.triangles {
                if let Some(sum) = residual.get_mut(triangle as usize) {
                    sum.iter_mut().zip(&value).for_each(|(sum, value)| *sum += value);
                }
            }
        }
        residual
    }

    /// Adds Σ_e row_e g_e of every triangle.
    fn add_sums(&self, g: &[f64], sums: &mut [Quartic]) {
        for ((hinge, row), g) in self.sheet.hinges.iter().zip(&self.rows).zip(g) {
            for &triangle in &hinge.triangles {
                if let Some(sum) = sums.get_mut(triangle as usize) {
                    sum.iter_mut().zip(row).for_each(|(sum, c)| *sum += c * g);
                }
            }
        }
    }

    /// Gram matrix Σ_e row_e row_eᵀ of every triangle, over the hinges within their bounds.
    fn grams(&self) -> Vec<Gram> {
        let mut grams = vec![[0.0; 15]; self.triangles.len()];
        for ((hinge, row), bound) in self.sheet.hinges.iter().zip(&self.rows).zip(&self.bound) {
            for &triangle in hinge.triangles.iter().filter(|_| !bound) {
                if let Some(gram) = grams.get_mut(triangle as usize) {
                    for i in 0..5 {
                        for j in 0..=i {
                            gram[entry(i, j)] += row[i] * row[j];
                        }
                    }
                }
            }
        }
        grams
    }

    /// Means over windows: from triangles to vertices by area, and back, several times.
    fn smooth<const N: usize>(&self, mut rows: Vec<[f64; N]>) -> Vec<[f64; N]> {
        let mut stars = vec![[0.0; N]; self.star_areas.len()];
        for _ in 0..PASSES {
            stars.fill([0.0; N]);
            for ((triangle, area), row) in self.triangles.iter().zip(&self.sheet.areas).zip(&rows) {
                for &v in triangle {
                    stars[v as usize].iter_mut().zip(row).for_each(|(sum, value)| *sum += area * value);
                }
            }
            stars.par_iter_mut().zip(&self.star_areas).for_each(|(star, area)| {
                star.iter_mut().for_each(|value| *value /= 3.0 * area.max(f64::MIN_POSITIVE));
            });
            self.triangles
                .par_iter()
                .map(|triangle| {
                    let [a, b, c] = triangle.map(|v| &stars[v as usize]);
                    std::array::from_fn(|ix| a[ix] + b[ix] + c[ix])
                })
                .collect_into_vec(&mut rows);
        }
        rows
    }
}
