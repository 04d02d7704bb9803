// Angle of (cosine, sine), in (-π, π], with a relative error of 2e-7: `atan2` may be wrong by 4096 units in the last place.
// atan t = t + t z p(z), z = t², p interpolated at Chebyshev's points up to t = tan π/8 (error 6e-8); beyond that
// atan t = π/4 + atan((t - 1) / (t + 1)), beyond π/4 the complement.

fn angle_of(cosine: f32, sine: f32) -> f32 {
    let steep = abs(sine) > abs(cosine);
    let larger = max(abs(sine), abs(cosine));
    let ratio = select(0.0, min(abs(sine), abs(cosine)) / larger, larger > 0.0);
    let far = ratio > 0.41421356;
    let t = select(ratio, (ratio - 1.0) / (ratio + 1.0), far);
    let z = t * t;
    let p = (((-0.064519282 * z + 0.10743731) * z - 0.14263956) * z + 0.1999954) * z - 0.33333332;
    let octant = select(0.0, 0.78539816, far) + (t + t * z * p);
    let quadrant = select(octant, 1.5707963 - octant, steep);
    let half = select(quadrant, 3.1415927 - quadrant, cosine < 0.0);
    return select(half, -half, sine < 0.0);
}
