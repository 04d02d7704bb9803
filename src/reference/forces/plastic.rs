//! Plastic edges (Teschner 6.2, after O'Brien): of the strain e = l/L - 1 a part p stays and stores no energy. Any law is evaluated
//! at the elastic length l - L p. At the end of a step p ← p + min(1, r h) (|e - p| - yield) sign(e - p) beyond the yield
//! strain, |p| ≤ maximum. Parameters: yield, maximum, creep rate r in 1/s.

/// The plastic strain after a step that has ended at a strain.
pub fn plastic_after(&[yield_strain, maximum, creep, _]: &[f64; 4], plastic: f64, strain: f64, time_step: f64) -> f64 {
    let elastic = strain - plastic;
    let excess = (elastic.abs() - yield_strain).max(0.0);
    (plastic + (creep * time_step).min(1.0) * elastic.signum() * excess).clamp(-maximum, maximum)
}
