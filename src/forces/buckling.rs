//! Choi–Ko type 2 (Jiao 8–10): a fibre that buckles under compression and bends to an arc. With z = 1 - l/L and u = κL/2:
//! 1 - z = sin(u)/u, E_b = (2 k_b/L) U(z) with U = u², f_b = -(2 k_b/L²) U'(z), f_b' = (2 k_b/L³) U''(z), and
//! g = max(f_b, c_b (l - L)) for l < L, else 0. Beyond l = 0, which only a plastic edge can reach, the
//! force is constant.
//!
//! U is a polynomial, fitted to the exact inverse with U(0) = 0 and U'(0) = 6. The largest relative errors against that inverse are 3e-7 for u, 4e-6 for the
//! force and 8e-5 for the slope (`tests/forces/derivatives.rs`).

use super::law::EdgeLaw;

/// Coefficients of U in y = 2z - 1, lowest first.
const COEFFICIENTS: [f64; 15] = [
    3.59289883,
    4.3868233,
    1.08002525,
    0.411591899,
    0.18765303,
    0.0967224739,
    0.0491145275,
    0.0161250811,
    0.0146602863,
    0.0314927224,
    0.0120824183,
    -0.0183395431,
    -0.00710088457,
    0.0103861168,
    0.00546859558,
];

/// Smallest q for which U'(z) = q z has a solution on [0, 1].
const TANGENT: f64 = 15.7356;

/// (U, U', U'') at z from 0 to 1.
pub fn arc(z: f64) -> [f64; 3] {
    let y = 2.0 * z - 1.0;
    let mut sum = [0.0; 3];
    for coefficient in COEFFICIENTS.iter().rev() {
        sum = [sum[0] * y + coefficient, sum[1] * y + sum[0], sum[2] * y + sum[1]];
    }
    [sum[0], 2.0 * sum[1], 8.0 * sum[2]]
}

/// Parameters of a fibre that buckles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BucklingParameters {
    /// k_b: bending stiffness, N·m².
    pub bending_stiffness: f64,
    /// c_b: stiffness against compression while the fibre is straight, N/m.
    pub compression: f64,
}

impl BucklingParameters {
    /// Packs `law_parameters`: k_b and c_b in x and y.
    pub fn pack(self) -> [f64; 4] {
        [self.bending_stiffness, self.compression, 0.0, 0.0]
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[bending_stiffness, compression, ..]: &[f64; 4]) -> Self {
        Self { bending_stiffness, compression }
    }
}

/// Tension and slope at a length.
pub fn buckling_law(parameters: BucklingParameters, rest_length: f64, length: f64) -> EdgeLaw {
    let BucklingParameters { bending_stiffness: k_b, compression: c_b } = parameters;
    let z = ((rest_length - length) / rest_length).min(1.0);
    if z <= 0.0 {
        return EdgeLaw::default();
    }
    let moves = if length >= 0.0 { 1.0 } else { 0.0 };
    let straight = -c_b * rest_length * z;
    let [_, first, second] = arc(z);
    let force_scale = 2.0 * k_b / (rest_length * rest_length);
    let bent = -force_scale * first;
    if bent > straight {
        EdgeLaw { tension: bent, jacobian_tension: bent, slope: moves * force_scale / rest_length * second }
    } else {
        EdgeLaw { tension: straight, jacobian_tension: straight, slope: moves * c_b }
    }
}

/// A Newton step for U'(z) = q z. U' - q z is convex, so that every step from the positive side stays there.
fn towards_crossing(z: f64, q: f64) -> f64 {
    let [_, first, second] = arc(z);
    let slope = second - q;
    if slope == 0.0 { z } else { z - (first - q * z) / slope }
}

/// ∫ g dl from rest, J: straight up to z₁, bent up to z₂, then straight again.
pub fn buckling_energy(parameters: BucklingParameters, rest_length: f64, length: f64) -> f64 {
    let BucklingParameters { bending_stiffness: k_b, compression: c_b } = parameters;
    let z = ((rest_length - length) / rest_length).clamp(0.0, 1.0);
    let scale = 2.0 * k_b / rest_length;
    if scale <= 0.0 {
        return 0.0;
    }
    let q = (c_b * rest_length * rest_length / scale).min(1e20);
    let mut crossings = [1.0, 1.0];
    if q > TANGENT {
        crossings[0] = (0..6).fold(0.0, |z, _| towards_crossing(z, q));
        if arc(1.0)[1] > q {
            crossings[1] = (0..6).fold(1.0, |z, _| towards_crossing(z, q));
        }
    }
    let [first, last] = crossings;
    let (before, within, beyond) = (z.min(first), z.clamp(first, last), z.max(last));
    let straight = 0.5 * q * (before * before + (beyond - last) * (beyond + last));
    let inverted = (-length / rest_length).max(0.0) * arc(1.0)[1].min(q);
    scale * (straight + arc(within)[0] - arc(first)[0] + inverted)
}
