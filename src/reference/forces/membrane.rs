//! Placeholder until the model is merged.
use glam::DVec3;
/// Rest data.
pub fn rest(corners: [DVec3; 3], weft: DVec3) -> Option<[f64; 5]> {
    let _ = (corners, weft);
    None
}
