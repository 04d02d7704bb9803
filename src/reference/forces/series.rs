//! Viscoelastic edges (Etzmuß 2.4.2, 2.34): a spring k₀ in series with Kelvin–Voigt elements (k_j, d_j), whose strains e_j are the
//! history. Implicit Euler: with τ_j = d_j/k_j and w_j = τ_j/(τ_j + h), σ/k₀ = q (e - Σ w_j e_j), 1/q = 1 + Σ m_j,
//! e_j ← w_j e_j + m_j σ/k₀, m_j = h/(τ_j + h) k₀/k_j; g = L σ, g' = q k₀.
//! h is the whole step in every integrator, at whatever stage of it the edge is asked: force and Jacobian agree, the memory is of first order.
//! Energy is what the springs hold at the end of the step, L²/2 (σ²/k₀ + Σ k_j e_j²). Parameters: τ_j, and k₀/k_j, 0 where there is none.

use super::law::EdgeLaw;

/// The series for a step of a certain length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Series {
    /// w_j
    pub kept: [f64; 3],
    /// m_j
    pub gained: [f64; 3],
    /// q
    pub share: f64,
}

impl Series {
    /// For steps of `time_step`, s.
    pub fn new(parameters: &[[f64; 4]; 2], time_step: f64) -> Self {
        let times = [0, 1, 2].map(|j| parameters[0][j]);
        let gained = [0, 1, 2].map(|j| time_step / (times[j] + time_step) * parameters[1][j]);
        Self {
            kept: times.map(|time| time / (time + time_step)),
            gained,
            share: 1.0 / (1.0 + gained.iter().sum::<f64>()),
        }
    }

    /// σ/k₀ at a strain.
    pub fn stress(&self, history: &[f64; 4], strain: f64) -> f64 {
        self.share * (strain - (0..3).map(|j| self.kept[j] * history[j]).sum::<f64>())
    }

    /// Strains of the elements after a step that has ended with σ/k₀.
    pub fn after(&self, history: &[f64; 4], stress: f64) -> [f64; 4] {
        let [x, y, z] = [0, 1, 2].map(|j| self.kept[j] * history[j] + self.gained[j] * stress);
        [x, y, z, 0.0]
    }
}

/// The law at a length.
pub fn series_law(series: &Series, stiffness: f64, rest_length: f64, length: f64, history: &[f64; 4]) -> EdgeLaw {
    let strain = (length - rest_length) / rest_length;
    let tension = stiffness * rest_length * series.stress(history, strain);
    EdgeLaw { tension, jacobian_tension: tension, slope: stiffness * series.share }
}

/// Its energy, J. `compliance`: k₀/k_j.
pub fn series_energy(
    series: &Series,
    compliance: &[f64; 4],
    stiffness: f64,
    rest_length: f64,
    length: f64,
    history: &[f64; 4],
) -> f64 {
    let stress = series.stress(history, (length - rest_length) / rest_length);
    let strains = series.after(history, stress);
    let inner = |j: usize| if compliance[j] > 0.0 { strains[j] * strains[j] / compliance[j] } else { 0.0 };
    0.5 * stiffness * rest_length * rest_length * (stress * stress + (0..3).map(inner).sum::<f64>())
}
