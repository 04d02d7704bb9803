// Plastic edges (Teschner 6.2, after O'Brien): a part p of the strain e = l/L - 1 is permanent and stores no energy. Any law is
// evaluated at the elastic length l - L p. At the end of a step, where the elastic strain exceeds the yield strain,
//   p ← p + min(1, r h) (|e - p| - yield) sign(e - p),   |p| ≤ maximum
// parameters = (yield, maximum, creep rate r in 1/s); history.x = p.

fn plastic_after(parameters: vec4<f32>, plastic: f32, strain: f32) -> f32 {
    let elastic = strain - plastic;
    let excess = max(abs(elastic) - parameters.x, 0.0);
    let moved = plastic + min(1.0, parameters.z * params.time_step) * sign(elastic) * excess;
    return clamp(moved, -parameters.y, parameters.y);
}
