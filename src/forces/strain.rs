//! Principal strains σ - 1, σ the singular values of the deformation gradient F, for reports only. They follow from the eigenvalues e = ½ (σ² - 1) of
//! the Green strain ½ (FᵀF - I), so that small strains keep their digits. The strain of largest magnitude counts.

use glam::{DMat3, DVec3};

/// Green strain ½ (s² - 1) of a stretch s, as (s - 1)(s + 1).
pub fn green(stretch: f64) -> f64 {
    0.5 * (stretch - 1.0) * (stretch + 1.0)
}

/// σ - 1 of an eigenvalue of the Green strain. Rounding may leave the eigenvalue below -½, where σ is 0.
pub fn of_green(eigenvalue: f64) -> f64 {
    let eigenvalue = eigenvalue.max(-0.5);
    2.0 * eigenvalue / (1.0 + (1.0 + 2.0 * eigenvalue).sqrt())
}

/// The strain of larger magnitude.
pub fn larger(a: f64, b: f64) -> f64 {
    if b.abs() > a.abs() { b } else { a }
}

/// Rest shape of a triangle: weights of the sides p = x₁ - x₀ and q = x₂ - x₀ in the columns of F, F_u = b₁ᵘ p + b₂ᵘ q along the weft
/// and F_v = b₁ᵛ p + b₂ᵛ q along the warp.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TriangleShape {
    /// b₁ᵘ, 1/m.
    pub b1_u: f64,
    /// b₂ᵘ, 1/m.
    pub b2_u: f64,
    /// b₁ᵛ, 1/m.
    pub b1_v: f64,
    /// b₂ᵛ, 1/m.
    pub b2_v: f64,
}

impl TriangleShape {
    /// Packs one vec4 of rest measures: b₁ᵘ, b₂ᵘ, b₁ᵛ, b₂ᵛ in x, y, z, w.
    pub fn pack(self) -> [f64; 4] {
        [self.b1_u, self.b2_u, self.b1_v, self.b2_v]
    }

    /// Principal strain of largest magnitude.
    pub fn strain(&self, x: &[DVec3; 4]) -> f64 {
        let (p, q) = (x[1] - x[0], x[2] - x[0]);
        triangle_strain(self.b1_u * p + self.b2_u * q, self.b1_v * p + self.b2_v * q)
    }
}

/// Principal strain of a triangle from the columns of F, the images of unit vectors along weft and warp.
pub fn triangle_strain(weft: DVec3, warp: DVec3) -> f64 {
    let (along_weft, along_warp) = (green(weft.length()), green(warp.length()));
    let mean = 0.5 * (along_weft + along_warp);
    let radius = (0.5 * (along_weft - along_warp)).hypot(0.5 * weft.dot(warp));
    larger(of_green(mean + radius), of_green(mean - radius))
}

/// Principal strain of a tetrahedron. An inverted one has one negative σ, the smallest: its strain is below -1.
pub fn tetrahedron_strain(f: DMat3) -> f64 {
    let [a, b, c] = [f.x_axis, f.y_axis, f.z_axis];
    let diagonal = DVec3::new(green(a.length()), green(b.length()), green(c.length()));
    // Entries (1, 2), (0, 2), (0, 1) of the Green strain.
    let mixed = 0.5 * DVec3::new(b.dot(c), a.dot(c), a.dot(b));
    let mean = diagonal.element_sum() / 3.0;
    let deviator = diagonal - mean;
    // The eigenvalues are mean + 2 s cos(φ + 2πk/3) with cos 3φ = ½ det(deviator / s).
    let s = ((deviator.length_squared() + 2.0 * mixed.length_squared()) / 6.0).sqrt();
    let (mut largest, mut smallest) = (mean, mean);
    if s > 0.0 {
        let (d, m) = (deviator / s, mixed / s);
        let product = d.x * d.y * d.z + 2.0 * m.x * m.y * m.z - d.dot(m * m);
        let angle = (0.5 * product).clamp(-1.0, 1.0).acos() / 3.0;
        largest += 2.0 * s * angle.cos();
        smallest += 2.0 * s * (angle + std::f64::consts::TAU / 3.0).cos();
    }
    let determinant = f.determinant();
    let mut least = of_green(smallest);
    if least < -0.5 {
        // The smallest σ of a nearly flat tetrahedron follows from |det F| = σ₁ σ₂ σ₃: the root of an eigenvalue that nearly cancels has no digits.
        let [first, second] = [largest, 3.0 * mean - largest - smallest].map(|value| 1.0 + of_green(value));
        least = (determinant.abs() / (first * second).max(1e-30)).min(second) - 1.0;
    }
    larger(of_green(largest), if determinant < 0.0 { -2.0 - least } else { least })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    fn turns() -> [DMat3; 2] {
        let [a, b] = [[0.3, -0.8, 1.1], [-1.3, 0.4, 0.2]].map(DVec3::from_array);
        [a, b].map(|axis| DMat3::from_quat(DQuat::from_scaled_axis(axis)))
    }

    #[test]
    fn principal_strains_of_known_stretches() {
        let [u, v] = turns();
        for (stretches, strain) in [
            ([1.0, 1.0, 1.0], 0.0),
            ([1.2, 1.0, 0.9], 0.2),
            ([1.1, 1.1, 0.7], -0.3),
            ([1.5, 1.0, 1.0], 0.5),
            ([1e-9, 1.0, 1.0], -1.0),
            ([1.0 + 1e-9, 1.0, 1.0], 1e-9),
            ([-0.5, 1.0, 1.2], -1.5),
            ([-0.5, -1.0, 1.2], -0.5),
        ] {
            let found = tetrahedron_strain(u * DMat3::from_diagonal(DVec3::from_array(stretches)) * v);
            assert!((found - strain).abs() < 1e-7 * (1.0f64).min(strain.abs() + 1e-6), "{stretches:?}: {found}");
        }
        for ([first, second], strain) in
            [([1.0, 1.0], 0.0), ([1.25, 0.9], 0.25), ([1.1, 0.6], -0.4), ([1.0, 1.0 + 1e-9], 1e-9), ([1.0, 0.0], -1.0)]
        {
            let stretched = u * DMat3::from_diagonal(DVec3::new(first, second, 1.0));
            // Weft and warp lie across the principal directions.
            let (sin, cos) = 0.7f64.sin_cos();
            let found = triangle_strain(stretched * DVec3::new(cos, sin, 0.0), stretched * DVec3::new(-sin, cos, 0.0));
            assert!((found - strain).abs() < 1e-7 * (1.0f64).min(strain.abs() + 1e-6), "{first} {second}: {found}");
        }
    }
}
