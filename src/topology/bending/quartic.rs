//! Forms of degree four in the components u, v of a direction: compliances of strips in all directions.

/// Coefficients of u⁴, u³v, u²v², uv³, v⁴.
pub type Quartic = [f64; 5];

/// Value in a direction.
pub fn value(quartic: &Quartic, direction: [f64; 2]) -> f64 {
    monomials(direction).iter().zip(quartic).map(|(monomial, coefficient)| monomial * coefficient).sum()
}

/// u⁴, u³v, u²v², uv³, v⁴ of a direction.
pub fn monomials([u, v]: [f64; 2]) -> Quartic {
    [u.powi(4), u.powi(3) * v, u * u * v * v, u * v.powi(3), v.powi(4)]
}

/// Square of the form a u² + b v² + c uv.
pub fn square([a, b, c]: [f64; 3]) -> Quartic {
    [a * a, 2.0 * a * c, c * c + 2.0 * a * b, 2.0 * b * c, b * b]
}
