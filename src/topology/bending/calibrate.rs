//! Factors per edge that give a free strip, cut in any direction, the stiffness of its modulus.
//!
//! Bend a sheet by a uniform moment m d dᵀ (per unit length), as in a strip along d. The tensions
//!
//! t_e = l_e (1/h_A + 1/h_B) m (n_e·d)²
//!
//! of its hinges balance that load exactly, whatever the mesh; hinges that a border along d lacks would have none. Their energy
//! Σ t²/2λ is 3 A_τ Σ_e (g_e/μ_e) (n_e·d)⁴ m²/2 in a triangle τ, with g_e = 1/factor. A beam stores A_τ m²/2μ(d). So
//!
//! r_τ(d) = 3 μ(d) Σ_e (n_e·d)⁴ g_e/μ_e − 1 = 0    for every triangle, in `DIRECTIONS` directions d,
//!
//! are linear equations for g (μ between weft and warp: see `Sheet::strip_modulus`). Three edges alone cannot satisfy them: they
//! hold in the mean over windows of some triangles, with the least change of g, and within bounds. All edges are treated alike, so
//! that equal neighbourhoods get equal factors.
//!
//! Where the sheet cannot follow these tensions, `relax` finds the true ones, λR. Tensions make the compliance Σ g T²/λ₁ (λ₁
//! printed) least, so its derivative by g_e is T_e²/λ₁: the same equations with other coefficients, Newton's method. Regular grids
//! are done after the first round.
//!
//! Fitting the energy of forced cylinders instead would be wrong: vertices leave the cylinder until tensions balance, and a strip
//! comes out softer, by a third on grids with alternating diagonals. Sums of n⊗n⊗n⊗n are symmetric in all indices, as in a plate
//! with Poisson's ratio −1/3, so what bends with μ as a free strip bends with 9/8 μ where it cannot curl across.

use super::{hinges::Sheet, relax};
use crate::parallel::*;

/// Number of directions in which the equations hold. The forms are quartic; five would do.
const DIRECTIONS: usize = 6;

/// Compliance of an endless strip, relative to a beam. A strip cannot curl at a clamped end, so that strips of 4 to 8 widths deflect by 0.955 to 0.975 as
/// much; this value centres them around the beam.
const COMPLIANCE: f64 = 1.025;

/// Factor of all edges in a mesh with all edge directions equally: 3 · 3 · mean of cos⁴.
const MEAN_FACTOR: f64 = 27.0 / 8.0 / COMPLIANCE;

/// Largest ratio between a factor and the mean factor, either way.
const BOUND: f64 = 4.0;

/// Regularisation of the equations of a window, relative to their mean diagonal, for windows with too few directions of edges.
const REGULARISATION: f64 = 0.05;

/// Number of averages over neighbours that make a window. Its standard deviation is about three edges.
const PASSES: usize = 12;

/// Number of rounds after the first, with a relaxation each.
const ROUNDS: usize = 3;

/// Number of solutions of the equations within a round, because windows overlap.
const CORRECTIONS: usize = 2;

/// One value per direction.
type Row = [f64; DIRECTIONS];

/// Lower triangle of a symmetric matrix of directions.
type Gram = [f64; DIRECTIONS * (DIRECTIONS + 1) / 2];

/// 1/factor of a hinge that is not fitted.
pub const MEAN: f64 = 1.0 / MEAN_FACTOR;

/// Factors of all pairs of triangles, in the order of the stencils.
pub fn factors(vertex_count: usize, triangles: &[[u32; 3]], sheet: &Sheet) -> Vec<f64> {
    let mut fit = Fit::new(vertex_count, triangles, sheet);
    let mut residual = vec![[-COMPLIANCE; DIRECTIONS]; triangles.len()];
    fit.add_sums(&fit.g, &mut residual);
    fit.correct(residual);
    for _ in 0..ROUNDS {
        let residual = fit.relax();
        fit.correct(residual);
    }
    fit.of_pairs().iter().map(|g| 1.0 / g).collect()
}

struct Fit<'a> {
    triangles: &'a [[u32; 3]],
    sheet: &'a Sheet,
    /// Area of the triangles around each vertex, m².
    star_areas: Vec<f64>,
    /// Weft and warp components of the directions.
    directions: [[f64; 2]; DIRECTIONS],
    /// Contribution of each hinge to the equations of its triangles, per g.
    rows: Vec<Row>,
    /// 1/factor of each hinge.
    g: Vec<f64>,
}

impl<'a> Fit<'a> {
    fn new(vertex_count: usize, triangles: &'a [[u32; 3]], sheet: &'a Sheet) -> Self {
        let directions = std::array::from_fn(|ix| {
            let (sine, cosine) = (std::f64::consts::PI * ix as f64 / DIRECTIONS as f64).sin_cos();
            [cosine, sine]
        });
        let mut star_areas = vec![0.0; vertex_count];
        for (triangle, area) in triangles.iter().zip(&sheet.areas) {
            triangle.iter().for_each(|&v| star_areas[v as usize] += area);
        }
        let row = |hinge: &super::hinges::Hinge| {
            let [n_u, n_v] = hinge.normal;
            let scale = 3.0 / hinge.modulus * hinge.share * hinge.share;
            directions.map(|[u, v]| scale * sheet.strip_modulus([u, v]) * (n_u * u + n_v * v).powi(4))
        };
        let rows = sheet.hinges.iter().map(row).collect();
        Fit { triangles, sheet, star_areas, directions, rows, g: vec![MEAN; sheet.hinges.len()] }
    }

    fn of_pairs(&self) -> Vec<f64> {
        self.sheet.hinges.iter().zip(&self.g).filter(|(hinge, _)| hinge.is_pair()).map(|(_, g)| *g).collect()
    }

    /// Changes g so that the residual vanishes in the mean over windows.
    fn correct(&mut self, residual: Vec<Row>) {
        let grams = self.smooth(self.grams());
        let before = self.g.clone();
        for _ in 0..CORRECTIONS {
            let mut residual = residual.clone();
            let change: Vec<f64> = self.g.iter().zip(&before).map(|(new, old)| new - old).collect();
            self.add_sums(&change, &mut residual);
            let residual = self.smooth(residual);
            let multipliers: Vec<Row> =
                residual.par_iter().zip(&grams).map(|(row, gram)| solve_gram(gram, row)).collect();
            let hinges = self.sheet.hinges.par_iter().zip(&self.rows);
            self.g.par_iter_mut().zip(hinges).for_each(|(g, (hinge, row))| {
                let (mut change, mut weight) = (0.0, 0.0);
                for &triangle in &hinge.triangles {
                    if let Some(multipliers) = multipliers.get(triangle as usize) {
                        let area = self.sheet.areas[triangle as usize];
                        change += area * row.iter().zip(multipliers).map(|(c, y)| c * y).sum::<f64>();
                        weight += area;
                    }
                }
                let next = (*g - change / weight).clamp(MEAN / BOUND, MEAN * BOUND);
                if next.is_finite() {
                    *g = next;
                }
            });
        }
    }

    /// The residual with relaxed tensions; rows become its derivative by g.
    fn relax(&mut self) -> Vec<Row> {
        let relaxed = relax::misfits(self.star_areas.len(), &self.sheet.pairs, &self.of_pairs());
        let mut pairs = self.sheet.pairs.iter().zip(&relaxed);
        let mut residual = vec![[-COMPLIANCE; DIRECTIONS]; self.triangles.len()];
        for ((hinge, row), g) in self.sheet.hinges.iter().zip(&mut self.rows).zip(&self.g) {
            let mut value = row.map(|c| c * g);
            if hinge.is_pair()
                && let Some((pair, [wanted, misfit])) = pairs.next()
            {
                for (ix, [u, v]) in self.directions.iter().enumerate() {
                    let bend = |r: &relax::PerMoment| r[0] * u * u + r[1] * v * v + r[2] * u * v;
                    let (wanted, misfit) = (bend(wanted), bend(misfit));
                    let scale = self.sheet.strip_modulus([*u, *v]) * pair.stencil.stiffness / self.sheet.area(hinge);
                    value[ix] = scale * (wanted * wanted - misfit * misfit) / g;
                    row[ix] = scale * (wanted + misfit).powi(2) / (g * g);
                }
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
    fn add_sums(&self, g: &[f64], sums: &mut [Row]) {
        for ((hinge, row), g) in self.sheet.hinges.iter().zip(&self.rows).zip(g) {
            for &triangle in &hinge.triangles {
                if let Some(sum) = sums.get_mut(triangle as usize) {
                    sum.iter_mut().zip(row).for_each(|(sum, c)| *sum += c * g);
                }
            }
        }
    }

    /// Gram matrix Σ_e row_e row_eᵀ of every triangle.
    fn grams(&self) -> Vec<Gram> {
        let mut grams = vec![[0.0; DIRECTIONS * (DIRECTIONS + 1) / 2]; self.triangles.len()];
        for (hinge, row) in self.sheet.hinges.iter().zip(&self.rows) {
            for &triangle in &hinge.triangles {
                if let Some(gram) = grams.get_mut(triangle as usize) {
                    for i in 0..DIRECTIONS {
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

/// Index of row i, column j ≤ i in a `Gram`.
fn entry(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

/// Solves (G + ε) y = r by Cholesky factorisation.
fn solve_gram(gram: &Gram, r: &Row) -> Row {
    let trace: f64 = (0..DIRECTIONS).map(|i| gram[entry(i, i)]).sum();
    let shift = REGULARISATION * trace / DIRECTIONS as f64 + f64::MIN_POSITIVE;
    let mut l = *gram;
    let mut y = *r;
    for i in 0..DIRECTIONS {
        l[entry(i, i)] += shift;
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| l[entry(i, k)] * l[entry(j, k)]).sum();
            let value = l[entry(i, j)] - sum;
            l[entry(i, j)] = if i == j { value.max(0.1 * shift).sqrt() } else { value / l[entry(j, j)] };
        }
        y[i] = (y[i] - (0..i).map(|k| l[entry(i, k)] * y[k]).sum::<f64>()) / l[entry(i, i)];
    }
    for i in (0..DIRECTIONS).rev() {
        y[i] = (y[i] - (i + 1..DIRECTIONS).map(|k| l[entry(k, i)] * y[k]).sum::<f64>()) / l[entry(i, i)];
    }
    y
}
