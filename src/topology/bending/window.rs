//! Equations of one window of `calibrate`, in a few directions that count differently.

use super::axes::{self, Cross};
use super::hinges::Sheet;
use super::quartic::{self, Quartic};

/// Number of directions that every window has: half a turn in equal steps, from the weft over the warp. The forms are quartic; five would
/// do.
const FIXED: usize = 6;

/// Number of directions of a window, with the two axes of its cells.
const DIRECTIONS: usize = FIXED + 2;

/// Weight of the axes relative to other directions: the axes of the cells as far as these are stretched or at a border, else weft and
/// warp.
const AXES: f64 = 200.0;

/// Regularisation of the equations of a window, relative to their mean diagonal, for windows with too few directions of edges.
const REGULARISATION: f64 = 0.1;

/// Lower triangle of a symmetric matrix of quartics.
pub type Gram = [f64; 15];

/// Index of row i, column j ≤ i in a `Gram`.
pub fn entry(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

/// Means over one window.
pub struct Window<'a> {
    /// Σ_e row_e row_eᵀ of the hinges that may change.
    pub gram: &'a Gram,
    /// Compliance beyond that wanted, as far as it can be had.
    pub residual: Quartic,
    /// Axes of the cells.
    pub cross: Cross,
}

/// The equations of all windows of a sheet.
pub struct Equations<'a> {
    sheet: &'a Sheet,
    fixed: [Quartic; FIXED],
}

impl<'a> Equations<'a> {
    pub fn new(sheet: &'a Sheet) -> Self {
        let fixed = std::array::from_fn(|ix| {
            let (sine, cosine) = (std::f64::consts::PI * ix as f64 / FIXED as f64).sin_cos();
            relative(sheet, [cosine, sine])
        });
        Equations { sheet, fixed }
    }

    /// Multipliers y with the change −row_e·y of each 1/factor: (G + ε/w) y = r, in directions of weights w.
    pub fn multipliers(&self, window: &Window) -> Quartic {
        let ([cosine, sine], stretch) = axes::axis(window.cross);
        let mut weights = [1.0; DIRECTIONS];
        weights[0] += AXES * (1.0 - stretch).powi(2);
        weights[FIXED / 2] = weights[0];
        weights[FIXED..].fill(1.0 + AXES * stretch);
        let mut forms = [[0.0; 5]; DIRECTIONS];
        forms[..FIXED].copy_from_slice(&self.fixed);
        forms[FIXED] = relative(self.sheet, [cosine, sine]);
        forms[FIXED + 1] = relative(self.sheet, [-sine, cosine]);

        let mut matrix = [[0.0; DIRECTIONS]; DIRECTIONS];
        for i in 0..DIRECTIONS {
            let product: Quartic =
                std::array::from_fn(|p| (0..5).map(|q| window.gram[entry(p.max(q), p.min(q))] * forms[i][q]).sum());
            (0..=i).for_each(|j| matrix[i][j] = dot(&product, &forms[j]));
        }
        let mean = (0..FIXED).map(|i| matrix[i][i]).sum::<f64>() / FIXED as f64;
        let shifts = weights.map(|weight| (REGULARISATION * mean + f64::MIN_POSITIVE) / weight);
        let residuals = std::array::from_fn(|i| dot(&forms[i], &window.residual));
        let y = solve(matrix, shifts, residuals);
        std::array::from_fn(|p| (0..DIRECTIONS).map(|i| y[i] * forms[i][p]).sum())
    }
}

/// The form that gives a quartic's value in a direction, relative to the compliance wanted there.
fn relative(sheet: &Sheet, direction: [f64; 2]) -> Quartic {
    let modulus = sheet.strip_modulus(direction);
    quartic::monomials(direction).map(|monomial| modulus * monomial)
}

fn dot(a: &Quartic, b: &Quartic) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Solves (M + diagonal shifts) y = r by Cholesky factorisation of the lower triangle.
fn solve<const N: usize>(mut l: [[f64; N]; N], shifts: [f64; N], mut y: [f64; N]) -> [f64; N] {
    for i in 0..N {
        l[i][i] += shifts[i];
        for j in 0..=i {
            let value = l[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            l[i][j] = if i == j { value.max(0.1 * shifts[i]).sqrt() } else { value / l[j][j] };
        }
        y[i] = (y[i] - (0..i).map(|k| l[i][k] * y[k]).sum::<f64>()) / l[i][i];
    }
    for i in (0..N).rev() {
        y[i] = (y[i] - (i + 1..N).map(|k| l[k][i] * y[k]).sum::<f64>()) / l[i][i];
    }
    y
}
