//! Viscoelastic edges (Etzmuß 2.4.2, 2.34): a spring k₀ in series with Kelvin–Voigt elements (k_j, d_j), whose strains e_j are the
//! memory. Implicit Euler: with τ_j = d_j/k_j and w_j = τ_j/(τ_j + h), σ/k₀ = q (e - Σ w_j e_j), 1/q = 1 + Σ m_j,
//! e_j ← w_j e_j + m_j σ/k₀, m_j = h/(τ_j + h) k₀/k_j; g = L σ, g' = q k₀.
//! h is the whole step in every integrator, at every stage of it: force and Jacobian agree, and the memory is of first order.
//! The energy is that of the springs at the end of the step, L²/2 (σ²/k₀ + Σ k_j e_j²).

use super::law::EdgeLaw;

/// Parameters of a series of up to three Kelvin–Voigt elements and a spring, whose stiffness k₀ is that of the linear law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeriesParameters {
    /// Relaxation times τ_j = d_j/k_j, s; any positive time for an absent element.
    pub times: [f64; 3],
    /// Compliances k₀/k_j; 0 for an absent element.
    pub compliances: [f64; 3],
}

impl SeriesParameters {
    /// Packs `memory_parameters`: τ_j in x, y, z of the first, k₀/k_j in x, y, z of the second.
    pub fn pack(self) -> [[f64; 4]; 2] {
        [self.times, self.compliances].map(|[x, y, z]| [x, y, z, 0.0])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(words: &[[f64; 4]; 2]) -> Self {
        let [times, compliances] = words.map(|[x, y, z, _]| [x, y, z]);
        Self { times, compliances }
    }
}

/// Coefficients of the series for one length of step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Series {
    /// Retained share w_j of each strain.
    pub kept: [f64; 3],
    /// Gain m_j of each strain per σ/k₀.
    pub gained: [f64; 3],
    /// Share q of the first spring.
    pub share: f64,
}

impl Series {
    /// Coefficients for steps of `time_step`, s.
    pub fn new(parameters: SeriesParameters, time_step: f64) -> Self {
        let SeriesParameters { times, compliances } = parameters;
        let gained = [0, 1, 2].map(|j| time_step / (times[j] + time_step) * compliances[j]);
        Self {
            kept: times.map(|time| time / (time + time_step)),
            gained,
            share: 1.0 / (1.0 + gained.iter().sum::<f64>()),
        }
    }

    /// Stress σ/k₀ at a strain.
    pub fn stress(&self, history: &[f64; 4], strain: f64) -> f64 {
        self.share * (strain - (0..3).map(|j| self.kept[j] * history[j]).sum::<f64>())
    }

    /// Strains of the elements after a step that has ended with this σ/k₀.
    pub fn after(&self, history: &[f64; 4], stress: f64) -> [f64; 4] {
        let [x, y, z] = [0, 1, 2].map(|j| self.kept[j] * history[j] + self.gained[j] * stress);
        [x, y, z, 0.0]
    }
}

/// Tension and slope at a length.
pub fn series_law(series: &Series, stiffness: f64, rest_length: f64, length: f64, history: &[f64; 4]) -> EdgeLaw {
    let strain = (length - rest_length) / rest_length;
    let tension = stiffness * rest_length * series.stress(history, strain);
    EdgeLaw { tension, jacobian_tension: tension, slope: stiffness * series.share }
}

/// Energy at a length, J. `compliances`: k₀/k_j.
pub fn series_energy(
    series: &Series,
    compliances: [f64; 3],
    stiffness: f64,
    rest_length: f64,
    length: f64,
    history: &[f64; 4],
) -> f64 {
    let stress = series.stress(history, (length - rest_length) / rest_length);
    let strains = series.after(history, stress);
    let inner = |j: usize| if compliances[j] > 0.0 { strains[j] * strains[j] / compliances[j] } else { 0.0 };
    0.5 * stiffness * rest_length * rest_length * (stress * stress + (0..3).map(inner).sum::<f64>())
}
