//! Factors per edge that make a free strip, cut in any direction, as stiff as its modulus says.
//!
//! Bend a sheet by a uniform moment m d dᵀ (per unit length), as in a strip along d. The tensions
//!
//! t_e = l_e (1/h_A + 1/h_B) m (n_e·d)²
//!
//! of its hinges balance that load exactly, whatever the mesh, and hinges along a border that runs along d have none to miss. Their
//! energy Σ t²/2λ is 3 A_τ Σ_e (g_e/μ_e) (n_e·d)⁴ m²/2 in a triangle τ, with g_e = 1/factor. A beam stores A_τ m²/2μ(d). So
//!
//! r_τ(d) = 3 μ(d) Σ_e (n_e·d)⁴ g_e/μ_e − 1 − loss_τ(d) = 0    for every triangle, in `DIRECTIONS` directions d,
//!
//! are linear equations for the g_e; `loss` is what `relax` finds, small on regular meshes. Three edges alone cannot satisfy them:
//! they hold in the mean over windows of some triangles, with the least change of g from its mean, and within bounds. All edges are
//! treated alike, so that equal neighbourhoods get equal factors.
//!
//! Fitting forced cylinders instead would be wrong: vertices leave the cylinder until the tensions balance, and the strip becomes softer by a
//! third on grids with alternating diagonals. And as sums of n⊗n⊗n⊗n are symmetric in all indices, hinges always make a sheet with
//! Poisson's ratio −1/3: what bends as a free strip with μ is stiffer by 9/8 where it cannot curl across.

use super::{Moduli, orient, relax, relax::Pair, stencil, stencil::Side, stencil::Unfolded};
use glam::DVec3;
use rayon::prelude::*;

/// Directions in which the equations hold. The forms are quartic, five would do.
const DIRECTIONS: usize = 6;

/// 1/g in all directions of a mesh whose edges have all directions equally: 3 · 3 · mean of cos⁴.
const MEAN_FACTOR: f64 = 27.0 / 8.0;

/// A factor stays within the mean one over this and the mean one times this.
const BOUND: f64 = 4.0;

/// Of the equations of a window, relative to their mean diagonal: what fewer than five directions of edges cannot do is left undone.
fn reg() -> f64 { std::env::var("REG").ok().and_then(|v| v.parse().ok()).unwrap_or(0.01) }

/// Windows: how often values are averaged over neighbours. Standard deviation about three edges.
fn passes() -> usize { std::env::var("PASSES").ok().and_then(|v| v.parse().ok()).unwrap_or(12) }

/// Rounds with a relaxation each, and corrections within a round.
fn rounds() -> usize { std::env::var("ROUNDS").ok().and_then(|v| v.parse().ok()).unwrap_or(3) }
fn corrections() -> usize { std::env::var("CORR").ok().and_then(|v| v.parse().ok()).unwrap_or(2) }

/// Values per direction.
type Row = [f64; DIRECTIONS];
/// Lower triangle of a symmetric matrix of directions.
type Gram = [f64; DIRECTIONS * (DIRECTIONS + 1) / 2];

/// A hinge: two sides of an edge, or the only side of a border edge. Border hinges complete the equations of their triangles, and are
/// dropped in the end.
struct Hinge {
    /// The second is `u32::MAX` at a border.
    triangles: [u32; 2],
    /// What it adds to the equations of either, per g.
    row: Row,
}

/// Factors of all pairs, in the order of the stencils.
pub fn factors(positions: &[DVec3], triangles: &[[u32; 3]], sides: &[Side], moduli: &Moduli) -> Vec<f64> {
    let moduli = relative(moduli);
    let mut fit = Fit::new(positions, triangles, sides, &moduli);
    let g = fit.solve(positions.len());
    fit.of_pairs(&g).iter().map(|g| 1.0 / g).collect()
}

/// Scaled to the larger one; none is so small that its edges would not count.
fn relative(moduli: &Moduli) -> Moduli {
    let largest = moduli.weft.max(moduli.warp);
    let scaled = |modulus: f64| if largest > 0.0 { (modulus / largest).max(1e-3) } else { 1.0 };
    Moduli { weft: scaled(moduli.weft), warp: scaled(moduli.warp), weft_direction: moduli.weft_direction }
}

struct Fit<'a> {
    triangles: &'a [[u32; 3]],
    /// Of triangles, m².
    areas: Vec<f64>,
    /// Of the triangles around each vertex, m².
    star_areas: Vec<f64>,
    hinges: Vec<Hinge>,
    /// Those hinges that are pairs.
    pairs: Vec<Pair>,
    /// μ(d)
    wanted: Row,
    /// Weft and warp components of the directions.
    directions: [[f64; 2]; DIRECTIONS],
}

impl<'a> Fit<'a> {
    fn new(positions: &[DVec3], triangles: &'a [[u32; 3]], sides: &[Side], moduli: &Moduli) -> Self {
        let directions = std::array::from_fn(|ix| {
            let (sine, cosine) = (std::f64::consts::PI * ix as f64 / DIRECTIONS as f64).sin_cos();
            [cosine, sine]
        });
        let wanted = directions.map(|[u, v]: [f64; 2]| moduli.weft * u * u + moduli.warp * v * v);
        let mut fit = Fit {
            triangles,
            areas: triangles.iter().map(|triangle| normal(positions, triangle).length() / 2.0).collect(),
            star_areas: vec![0.0; positions.len()],
            hinges: Vec::with_capacity(2 * triangles.len()),
            pairs: Vec::with_capacity(2 * triangles.len()),
            wanted,
            directions,
        };
        for (triangle, area) in triangles.iter().zip(&fit.areas) {
            triangle.iter().for_each(|&v| fit.star_areas[v as usize] += area);
        }
        let reversed = orient::reversed(triangles.len(), sides);
        for fan in sides.chunk_by(|a, b| a.ends == b.ends) {
            if let [only] = fan {
                fit.add_border(positions, only, reversed[only.triangle as usize], moduli);
            }
            for (ix, first) in fan.iter().enumerate() {
                for second in &fan[ix + 1..] {
                    let share = 1.0 / (fan.len() - 1) as f64;
                    fit.add_pair(positions, [first, second], share, reversed[first.triangle as usize], moduli);
                }
            }
        }
        fit
    }

    fn add_border(&mut self, positions: &[DVec3], side: &Side, reversed: bool, moduli: &Moduli) {
        let normal = normal(positions, &self.triangles[side.triangle as usize]).normalize();
        let normal = if reversed { -normal } else { normal };
        let weft = stencil::in_plane(moduli.weft_direction, normal);
        let [c, d] = side.ends.map(|v| positions[v as usize]);
        let across = normal.cross(d - c).normalize();
        let n = [across.dot(weft), across.dot(normal.cross(weft))];
        let modulus = moduli.weft * n[0] * n[0] + moduli.warp * n[1] * n[1];
        let row = self.row(n, modulus);
        self.hinges.push(Hinge { triangles: [side.triangle, u32::MAX], row });
    }

    /// The pairs of one triangle across one edge share its moment.
    fn add_pair(&mut self, positions: &[DVec3], sides: [&Side; 2], share: f64, reversed: bool, moduli: &Moduli) {
        let flat = Unfolded::new(positions, sides[0], sides[1], moduli);
        let outward = flat.across.cross(flat.along);
        let normal = if sides[0].forward != reversed { outward } else { -outward };
        let warp = normal.cross(flat.weft);
        // Components of (across, along) on (weft, warp).
        let n = [flat.across.dot(flat.weft), flat.across.dot(warp)];
        let b = [flat.along.dot(flat.weft), flat.along.dot(warp)];
        let stencil = flat.stencil(sides[0], sides[1]);
        let [alpha_a, alpha_b, alpha_c, alpha_d] = stencil.weights;
        let (wide, shift) = (flat.heights[0] + flat.heights[1], flat.feet[1] - flat.feet[0]);
        let span = [wide * n[0] + shift * b[0], wide * n[1] + shift * b[1]];
        let edge = [flat.edge_length * b[0], flat.edge_length * b[1]];
        let second = |i: usize, j: usize| alpha_a * alpha_b * span[i] * span[j] - alpha_c * alpha_d * edge[i] * edge[j];
        let second_moment = [second(0, 0), second(1, 1), second(0, 1)];
        let row = self.row(n, flat.modulus).map(|value| value * share);
        self.hinges.push(Hinge {
            triangles: sides.map(|side| side.triangle),
            row,
        });
        self.pairs.push(Pair { stencil, second_moment, normal: n, modulus: flat.modulus });
    }

    /// 3 μ(d)/μ_e (n·d)⁴ in all directions d.
    fn row(&self, n: [f64; 2], modulus: f64) -> Row {
        std::array::from_fn(|ix| {
            let [u, v] = self.directions[ix];
            3.0 * self.wanted[ix] / modulus * (n[0] * u + n[1] * v).powi(4)
        })
    }

    fn of_pairs(&self, values: &[f64]) -> Vec<f64> {
        self.hinges.iter().zip(values).filter(|(hinge, _)| hinge.triangles[1] != u32::MAX).map(|(_, g)| *g).collect()
    }

    fn solve(&mut self, vertex_count: usize) -> Vec<f64> {
        let mean = 1.0 / MEAN_FACTOR;
        let mut g = vec![mean; self.hinges.len()];
        for round in 0..=rounds() {
            let mut residual = vec![[-1.0; DIRECTIONS]; self.triangles.len()];
            self.add_sums(&g, &mut residual);
            if round > 0 {
                residual = vec![[-1.0; DIRECTIONS]; self.triangles.len()];
                self.relax(vertex_count, &g, &mut residual);
            }
            let grams = self.smooth(self.grams());
            let before = g.clone();
            for _ in 0..corrections() {
                let mut residual = residual.clone();
                let change: Vec<f64> = g.iter().zip(&before).map(|(new, old)| new - old).collect();
                self.add_sums(&change, &mut residual);
                let smoothed = self.smooth(residual);
                if std::env::var("SHOW").is_ok() {
                    let rms = smoothed.iter().flatten().map(|r| r * r).sum::<f64>() / smoothed.len() as f64 / 6.0;
                    let mean = smoothed.iter().fold([0.0; 6], |s, r| std::array::from_fn(|i| s[i] + r[i] / smoothed.len() as f64));
                    println!("round {round}: rms {:.4} mean {:.3?}", rms.sqrt(), mean);
                }
                let changes: Vec<Row> = smoothed.par_iter().zip(&grams).map(|(row, gram)| solve_gram(gram, row)).collect();
                g.par_iter_mut().zip(&self.hinges).for_each(|(g, hinge)| {
                    let (mut change, mut weight) = (0.0, 0.0);
                    for &triangle in &hinge.triangles {
                        if let Some(y) = changes.get(triangle as usize) {
                            let area = self.areas[triangle as usize];
                            change += area * hinge.row.iter().zip(y).map(|(c, y)| c * y).sum::<f64>();
                            weight += area;
                        }
                    }
                    *g = (*g - change / weight).clamp(mean / BOUND, mean * BOUND);
                });
            }
        }
        g
    }

    /// Adds Σ_e c_e g_e of every triangle.
    fn add_sums(&self, g: &[f64], sums: &mut [Row]) {
        for (hinge, g) in self.hinges.iter().zip(g) {
            for triangle in &hinge.triangles {
                if let Some(sum) = sums.get_mut(*triangle as usize) {
                    sum.iter_mut().zip(&hinge.row).for_each(|(sum, c)| *sum += c * g);
                }
            }
        }
    }

    /// Σ_e c_e c_eᵀ of every triangle.
    fn grams(&self) -> Vec<Gram> {
        let mut grams = vec![[0.0; DIRECTIONS * (DIRECTIONS + 1) / 2]; self.triangles.len()];
        for hinge in &self.hinges {
            for triangle in &hinge.triangles {
                if let Some(gram) = grams.get_mut(*triangle as usize) {
                    let mut entries = gram.iter_mut();
                    for i in 0..DIRECTIONS {
                        for j in 0..=i {
                            entries.next().into_iter().for_each(|entry| *entry += hinge.row[i] * hinge.row[j]);
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
        for _ in 0..passes() {
            stars.fill([0.0; N]);
            for ((triangle, area), row) in self.triangles.iter().zip(&self.areas).zip(&rows) {
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

    /// Adds the compliance to the residual, and makes the rows those of its derivative by g.
    fn relax(&mut self, vertex_count: usize, g: &[f64], residual: &mut [Row]) {
        let pair_g = self.of_pairs(g);
        let misfits = relax::misfits(vertex_count, &self.pairs, &pair_g);
        let mut pairs = self.pairs.iter().zip(&misfits);
        for (hinge, g) in self.hinges.iter_mut().zip(g) {
            let mut value = hinge.row.map(|c| c * g);
            if hinge.triangles[1] != u32::MAX && let Some((pair, [wanted, misfit])) = pairs.next() {
                let area: f64 = hinge.triangles.iter().map(|&t| self.areas[t as usize]).sum();
                for (ix, [u, v]) in self.directions.iter().enumerate() {
                    let along = |r: &relax::PerMoment| r[0] * u * u + r[1] * v * v + r[2] * u * v;
                    let (wanted, misfit) = (along(wanted), along(misfit));
                    let scale = self.wanted[ix] * pair.stencil.stiffness / area;
                    value[ix] = scale * (wanted * wanted - misfit * misfit) / g;
                    hinge.row[ix] = scale * (wanted + misfit).powi(2) / (g * g);
                }
            }
            for &triangle in &hinge.triangles {
                if let Some(sum) = residual.get_mut(triangle as usize) {
                    sum.iter_mut().zip(&value).for_each(|(sum, value)| *sum += value);
                }
            }
        }
    }
}

fn normal(positions: &[DVec3], triangle: &[u32; 3]) -> DVec3 {
    let [a, b, c] = triangle.map(|v| positions[v as usize]);
    (b - a).cross(c - a)
}

/// (G + ε) y = r by Cholesky.
fn solve_gram(gram: &Gram, r: &Row) -> Row {
    let at = |i: usize, j: usize| i * (i + 1) / 2 + j;
    let trace: f64 = (0..DIRECTIONS).map(|i| gram[at(i, i)]).sum();
    let shift = reg() * trace / DIRECTIONS as f64 + f64::MIN_POSITIVE;
    let mut l = *gram;
    let mut y = *r;
    for i in 0..DIRECTIONS {
        l[at(i, i)] += shift;
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| l[at(i, k)] * l[at(j, k)]).sum();
            let value = l[at(i, j)] - sum;
            l[at(i, j)] = if i == j { value.max(0.1 * shift).sqrt() } else { value / l[at(j, j)] };
        }
        y[i] = (y[i] - (0..i).map(|k| l[at(i, k)] * y[k]).sum::<f64>()) / l[at(i, i)];
    }
    for i in (0..DIRECTIONS).rev() {
        y[i] = (y[i] - (i + 1..DIRECTIONS).map(|k| l[at(k, i)] * y[k]).sum::<f64>()) / l[at(i, i)];
    }
    y
}
