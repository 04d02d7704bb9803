//! Strips against beam theory, by linear statics: S z = load with S = Σ λ α αᵀ.

use super::*;

/// A flat strip in the xy-plane along x, from −`length` to `length`, held along x = 0: two cantilevers, each clamped by the other's
/// symmetry. One vertex of a tip is held as well, against turning about x = 0; by symmetry it bears no force.
struct Strip {
    positions: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    held: Vec<bool>,
    length: f64,
}

/// How the cells of a strip are divided.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Pattern {
    Alternating,
    /// Alternating, turned by 45°: every cell has a vertex in its middle.
    Crossed,
    OneWay,
    /// Moved by up to this part of a cell at random, diagonals at random.
    Random(f64),
    /// Moved likewise, the diagonal is the shorter one.
    Delaunay(f64),
    /// Rows of triangles with equal sides.
    Equilateral,
}

impl Strip {
    fn new(length: f64, width: f64, across: usize, pattern: Pattern, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let dy = width / (across - 1) as f64;
        let pitch = if pattern == Pattern::Equilateral { dy * 2.0 / 3f64.sqrt() } else { dy };
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

    /// Deflection of the tip under a small load of 1 N/m² over that of a beam of modulus 1, q L⁴/8.
    fn deflection(&self, stencils: &[Stencil]) -> f64 {
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

/// S z = load with z = 0 where held: Cholesky within a band, vertices ordered along x.
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
    // Row r, column r - band + k at r * width + k.
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

#[test]
fn explore() {
    let moduli = Moduli::isotropic(1.0);
    let patterns = [
        Pattern::Alternating,
        Pattern::Crossed,
        Pattern::OneWay,
        Pattern::Equilateral,
        Pattern::Random(0.0),
        Pattern::Random(0.15),
        Pattern::Random(0.25),
        Pattern::Delaunay(0.15),
        Pattern::Delaunay(0.3),
    ];
    for pattern in patterns {
        for (length, across) in [(8.0, 9), (8.0, 17)] {
            let strip = Strip::new(length, 1.0, across, pattern, 7);
            let printed = stencils(&strip.positions, &strip.triangles, &moduli, Normalisation::Printed).unwrap();
            let calibrated = stencils(&strip.positions, &strip.triangles, &moduli, Normalisation::Calibrated).unwrap();
            let (low, high) = calibrated.iter().fold((f64::MAX, 0f64), |(l, h), s| (l.min(s.factor), h.max(s.factor)));
            println!(
                "{pattern:?} L {length} across {across}: printed {:.3} calibrated {:.4}, factors {low:.2}..{high:.2}",
                1.0 / strip.deflection(&printed),
                strip.deflection(&calibrated)
            );
        }
    }
}

#[test]
fn timing() {
    let strip = Strip::new(0.5, 1.0, 225, Pattern::Delaunay(0.3), 7);
    let start = std::time::Instant::now();
    stencils(&strip.positions, &strip.triangles, &Moduli::isotropic(1.0), Normalisation::Calibrated).unwrap();
    println!("{} triangles: {:?}", strip.triangles.len(), start.elapsed());
}
