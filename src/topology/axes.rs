//! Principal axes of a cloud of points.

use glam::{DMat3, DVec3};

/// Sweeps of Jacobi rotations: a symmetric 3×3 matrix is diagonal to rounding after five.
const SWEEPS: usize = 8;

/// Share of the trace below which an entry off the diagonal is rounding.
const LEAST: f64 = 1e-7;

/// Orthonormal eigenvectors of a symmetric matrix as columns, that of the largest eigenvalue first.
pub fn principal_axes(mut matrix: DMat3) -> DMat3 {
    let mut axes = DMat3::IDENTITY;
    let trace = matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z;
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = matrix.col(q)[p];
            // Axes of a square remain those of its mesh.
            if off.abs() <= LEAST * trace {
                continue;
            }
            let theta = 0.5 * (2.0 * off).atan2(matrix.col(p)[p] - matrix.col(q)[q]);
            let (sine, cosine) = theta.sin_cos();
            let mut turn = DMat3::IDENTITY;
            *turn.col_mut(p) = DVec3::AXES[p] * cosine + DVec3::AXES[q] * sine;
            *turn.col_mut(q) = DVec3::AXES[q] * cosine - DVec3::AXES[p] * sine;
            matrix = turn.transpose() * matrix * turn;
            axes *= turn;
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| matrix.col(b)[b].total_cmp(&matrix.col(a)[a]));
    DMat3::from_cols(axes.col(order[0]), axes.col(order[1]), axes.col(order[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_eigenvectors_the_longest_first() {
        let mut rng = fastrand::Rng::with_seed(2);
        for _ in 0..50 {
            let mut random = || DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5);
            let matrix = (0..5).map(|_| crate::forces::edge::outer(random())).fold(DMat3::ZERO, |a, b| a + b);
            let axes = principal_axes(matrix);
            let turned = axes.transpose() * matrix * axes;
            let values = [0, 1, 2].map(|ix| turned.col(ix)[ix]);
            assert!(values[0] >= values[1] && values[1] >= values[2]);
            assert!((turned - DMat3::from_diagonal(DVec3::from(values))).abs_diff_eq(DMat3::ZERO, 1e-6));
            assert!((axes.transpose() * axes).abs_diff_eq(DMat3::IDENTITY, 1e-12));
        }
        assert_eq!(principal_axes(DMat3::ZERO), DMat3::IDENTITY);
    }
}
