//! Strips of bending stencils against beam theory, by linear statics: S z = load with S = Σ λ α αᵀ.

use crate::topology::bending::Stencil;
use glam::DVec3;

/// A flat strip in the xy-plane along x, from −`length` to `length`, held along x = 0: two cantilevers, each clamped by the other's
/// symmetry. One vertex of a tip is held as well, against turning about x = 0; by symmetry it bears no force.
pub struct Strip {
    pub positions: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    pub held: Vec<bool>,
    pub length: f64,
}

/// Triangulation of the cells of a strip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pattern {
    Alternating,
    /// Alternating diagonals, turned by 45°: every cell has a vertex in its middle.
    Crossed,
    OneWay,
    /// Vertices moved at random by up to this part of a cell, diagonals at random.
    Random(f64),
    /// Vertices moved at random by up to this part of a cell, with the shorter diagonal of each cell.
    Delaunay(f64),
    /// Rows of equilateral triangles.
    Equilateral,
}

impl Strip {
    /// A strip with `across` vertices across, and cells as long as they are wide.
    pub fn new(length: f64, width: f64, across: usize, pattern: Pattern, seed: u64) -> Self {
        Strip::stretched(length, width, across, 1.0, pattern, seed)
    }

    /// A strip with `across` vertices across, and cells `aspect` times as long as they are wide.
    pub fn stretched(length: f64, width: f64, across: usize, aspect: f64, pattern: Pattern, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let dy = width / (across - 1) as f64;
        let pitch = aspect * if pattern == Pattern::Equilateral { dy * 2.0 / 3f64.sqrt() } else { dy };
        let half = (length / pitch).round() as usize;
        let (along, dx) = (2 * half, length / half as f64);
        let mut strip = Strip { positions: Vec::new(), triangles: Vec::new(), held: Vec::new(), length };
        for column in 0..=along {
            for row in 0..across {
                let (mut x, mut y) = ((column as f64 - half as f64) * dx, row as f64 * dy);
                let inside = column > 0 && column != half && column < along;
                if let Pattern::Random(part) | Pattern::Delaunay(part) = pattern {
                    let mut jitter = |size: f64| part * size * (2.0 * random.f64() - 1.0);
                    if inside {
                        x += jitter(dx);
                    }
                    if row > 0 && row < across - 1 {
                        y += jitter(dy);
                    }
                }
                if pattern == Pattern::Equilateral && row % 2 == 1 && inside {
                    x += 0.5 * dx;
                }
                strip.positions.push(DVec3::new(x, y, 0.0));
                strip.held.push(column == half || (column, row) == (0, 0));
            }
        }
        for column in 0..along {
            for row in 0..across - 1 {
                let a = (column * across + row) as u32;
                let (b, c, d) = (a + across as u32, a + 1, a + across as u32 + 1);
                let at = |v: u32| strip.positions[v as usize];
                let rising = match pattern {
                    Pattern::Alternating => (column + row) % 2 == 0,
                    Pattern::OneWay => true,
                    Pattern::Random(_) => random.bool(),
                    Pattern::Delaunay(_) => at(a).distance(at(d)) < at(b).distance(at(c)),
                    Pattern::Equilateral => row % 2 == 1,
                    Pattern::Crossed => {
                        let middle = strip.positions.len() as u32;
                        strip.positions.push((at(a) + at(d)) / 2.0);
                        strip.held.push(false);
                        strip.triangles.extend([[a, b, middle], [b, d, middle], [d, c, middle], [c, a, middle]]);
                        continue;
                    }
                };
                if rising {
                    strip.triangles.extend([[a, b, d], [a, d, c]]);
                } else {
                    strip.triangles.extend([[a, b, c], [b, d, c]]);
                }
            }
        }
        strip
    }

    /// The right half of a strip with two columns of vertices held: clamped in the middle of the cells between them.
    pub fn clamped(mut self, across: usize) -> (Self, f64) {
        let cell = self.positions[self.positions.len().min(across)].x - self.positions[0].x;
        self.held = self.positions.iter().map(|p| p.x < 1.01 * cell).collect();
        let free = self.length - 0.5 * cell;
        (self, free)
    }

    /// Deflection of the tip under a small load of 1 N/m² over that of a beam of modulus 1, q L⁴/8.
    pub fn deflection(&self, stencils: &[Stencil]) -> f64 {
        let mut load = vec![0.0; self.positions.len()];
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|v| self.positions[v as usize]);
            triangle.iter().for_each(|&v| load[v as usize] += (b - a).cross(c - a).length() / 6.0);
        }
        let z = solve(&self.positions, &self.held, stencils, &load);
        let at_tip = |v: &usize| self.positions[*v].x.abs() > self.length - 1e-9;
        let tip: Vec<f64> = (0..z.len()).filter(at_tip).map(|v| z[v]).collect();
        tip.iter().sum::<f64>() / tip.len() as f64 / (self.length.powi(4) / 8.0)
    }
}

/// Solves S z = load with z = 0 where held: Cholesky within a band, vertices ordered along x.
fn solve(positions: &[DVec3], held: &[bool], stencils: &[Stencil], load: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..positions.len()).filter(|&v| !held[v]).collect();
    order.sort_by(|&a, &b| positions[a].x.total_cmp(&positions[b].x));
    let mut row_of = vec![usize::MAX; positions.len()];
    order.iter().enumerate().for_each(|(row, &v)| row_of[v] = row);
    let rows = |stencil: &Stencil| stencil.vertices.map(|v| row_of[v as usize]);
    let mut band = 0;
    for stencil in stencils {
        let free: Vec<usize> = rows(stencil).into_iter().filter(|&row| row != usize::MAX).collect();
        if let (Some(low), Some(high)) = (free.iter().min(), free.iter().max()) {
            band = band.max(high - low);
        }
    }
    let count = order.len();
    let width = band + 1;
    // Entry (r, r - band + k) of the matrix is at r * width + k.
    let mut matrix = vec![0.0; count * width];
    for stencil in stencils {
        let rows = rows(stencil);
        for (i, &p) in rows.iter().enumerate() {
            for (j, &q) in rows.iter().enumerate() {
                if p != usize::MAX && q != usize::MAX && q <= p {
                    matrix[p * width + q + band - p] += stencil.stiffness * stencil.weights[i] * stencil.weights[j];
                }
            }
        }
    }
    for row in 0..count {
        for column in row.saturating_sub(band)..=row {
            let from = row.saturating_sub(band).max(column.saturating_sub(band));
            let sum: f64 = (from..column)
                .map(|k| matrix[row * width + k + band - row] * matrix[column * width + k + band - column])
                .sum();
            let value = matrix[row * width + column + band - row] - sum;
            matrix[row * width + column + band - row] = if column == row {
                assert!(value > 0.0, "the strip's matrix is not positive definite");
                value.sqrt()
            } else {
                value / matrix[column * width + band]
            };
        }
    }
    let mut z: Vec<f64> = order.iter().map(|&v| load[v]).collect();
    for row in 0..count {
        let sum: f64 = (row.saturating_sub(band)..row).map(|k| matrix[row * width + k + band - row] * z[k]).sum();
        z[row] = (z[row] - sum) / matrix[row * width + band];
    }
    for row in (0..count).rev() {
        z[row] /= matrix[row * width + band];
        for k in row.saturating_sub(band)..row {
            z[k] -= matrix[row * width + k + band - row] * z[row];
        }
    }
    let mut all = vec![0.0; positions.len()];
    order.iter().zip(&z).for_each(|(&v, &value)| all[v] = value);
    all
}
