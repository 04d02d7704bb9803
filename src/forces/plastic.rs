//! Plastic edges (Teschner 6.2, after O'Brien): a part p of the strain e = l/L - 1 is permanent and stores no energy. Any law is evaluated
//! at the elastic length l - L p. At the end of a step p ← p + min(1, r h) (|e - p| - yield) sign(e - p) beyond the yield
//! strain, |p| ≤ maximum. The memory is p.

/// Parameters of plasticity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlasticParameters {
    /// Elastic strain beyond which an edge flows.
    pub yield_strain: f64,
    /// Largest magnitude of the plastic strain.
    pub maximum: f64,
    /// Creep rate r, 1/s.
    pub creep: f64,
}

impl PlasticParameters {
    /// Packs `memory_parameters`: yield strain, maximum and creep in x, y, z of the first.
    pub fn pack(self) -> [[f64; 4]; 2] {
        [[self.yield_strain, self.maximum, self.creep, 0.0], [0.0; 4]]
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[[yield_strain, maximum, creep, _], _]: &[[f64; 4]; 2]) -> Self {
        Self { yield_strain, maximum, creep }
    }
}

/// The plastic strain after a step that has ended at this strain.
pub fn plastic_after(parameters: PlasticParameters, plastic: f64, strain: f64, time_step: f64) -> f64 {
    let PlasticParameters { yield_strain, maximum, creep } = parameters;
    let elastic = strain - plastic;
    let excess = (elastic.abs() - yield_strain).max(0.0);
    (plastic + (creep * time_step).min(1.0) * elastic.signum() * excess).clamp(-maximum, maximum)
}
