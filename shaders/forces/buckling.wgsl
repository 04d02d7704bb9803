// Choi–Ko type 2 (Jiao 8–10): a fibre that buckles under compression and bends to an arc. With z = 1 - l/L and u = κL/2:
//   1 - z = sin(u)/u,   E_b = k_b/2 L κ² = (2 k_b/L) U(z),   U = u²,
//   f_b = -(2 k_b/L²) U'(z),   f_b' = (2 k_b/L³) U''(z),   g = max(f_b, c_b (l - L)) for l < L, else 0.
// parameters = (k_b N·m², c_b N/m). Beyond l = 0, which only a plastic edge can reach, the force is constant.
// U is a polynomial in y = 2z - 1, fitted to the exact inverse with U(0) = 0, U'(0) = 6: energy, force and slope are derivatives
// of one another. The largest relative errors against the exact inverse are 3e-7 for u, 4e-6 for the force and 8e-5 for the slope.

// One step of Horner's rule for (U, U', U''/2) by y.
fn horner(sum: vec3<f32>, y: f32, coefficient: f32) -> vec3<f32> {
    return sum * y + vec3(coefficient, sum.x, sum.y);
}

// (U, U', U'') by z.
fn arc(z: f32) -> vec3<f32> {
    let y = 2.0 * z - 1.0;
    var sum = vec3(0.00546859558, 0.0, 0.0);
    sum = horner(sum, y, 0.0103861168);
    sum = horner(sum, y, -0.00710088457);
    sum = horner(sum, y, -0.0183395431);
    sum = horner(sum, y, 0.0120824183);
    sum = horner(sum, y, 0.0314927224);
    sum = horner(sum, y, 0.0146602863);
    sum = horner(sum, y, 0.0161250811);
    sum = horner(sum, y, 0.0491145275);
    sum = horner(sum, y, 0.0967224739);
    sum = horner(sum, y, 0.18765303);
    sum = horner(sum, y, 0.411591899);
    sum = horner(sum, y, 1.08002525);
    sum = horner(sum, y, 4.3868233);
    sum = horner(sum, y, 3.59289883);
    return sum * vec3(1.0, 2.0, 8.0);
}

fn buckling_law(parameters: vec4<f32>, rest_length: f32, length: f32) -> EdgeLaw {
    let z = min((rest_length - length) / rest_length, 1.0);
    if z <= 0.0 {
        return EdgeLaw(0.0, 0.0, 0.0);
    }
    let moves = select(0.0, 1.0, length >= 0.0);
    let straight = -parameters.y * rest_length * z;
    let fitted = arc(z);
    let force_scale = 2.0 * parameters.x / (rest_length * rest_length);
    let bent = -force_scale * fitted.y;
    if bent > straight {
        return EdgeLaw(bent, bent, moves * force_scale / rest_length * fitted.z);
    }
    return EdgeLaw(straight, straight, moves * parameters.y);
}

// Smallest q for which U'(z) = q z has a solution on [0, 1]: its line touches U' at z = 0.72.
const BUCKLING_TANGENT: f32 = 15.7356;

// A Newton step for U'(z) = q z. U' - q z is convex, so that every step from the positive side stays there.
fn towards_crossing(z: f32, q: f32) -> f32 {
    let fitted = arc(z);
    let slope = fitted.z - q;
    return z - select(0.0, (fitted.y - q * z) / slope, slope != 0.0);
}

// ∫ g dl from rest: straight up to z₁, bent up to z₂, then straight again. Six Newton steps are written out, because drivers count the turns of loops.
// Where they do not suffice, at a line that nearly touches, the two curves nearly coincide.
fn buckling_energy(parameters: vec4<f32>, rest_length: f32, length: f32) -> f32 {
    let z = clamp((rest_length - length) / rest_length, 0.0, 1.0);
    // In units of 2 k_b/L the straight fibre has the energy q z²/2, the bent one U(z).
    let scale = 2.0 * parameters.x / rest_length;
    if scale <= 0.0 {
        return 0.0;
    }
    let q = min(parameters.y * rest_length * rest_length / scale, 1e20);
    var crossings = vec2(1.0);
    if q > BUCKLING_TANGENT {
        crossings.x = 0.0;
        crossings.x = towards_crossing(crossings.x, q);
        crossings.x = towards_crossing(crossings.x, q);
        crossings.x = towards_crossing(crossings.x, q);
        crossings.x = towards_crossing(crossings.x, q);
        crossings.x = towards_crossing(crossings.x, q);
        crossings.x = towards_crossing(crossings.x, q);
        if arc(1.0).y > q {
            crossings.y = towards_crossing(crossings.y, q);
            crossings.y = towards_crossing(crossings.y, q);
            crossings.y = towards_crossing(crossings.y, q);
            crossings.y = towards_crossing(crossings.y, q);
            crossings.y = towards_crossing(crossings.y, q);
            crossings.y = towards_crossing(crossings.y, q);
        }
    }
    let before = min(z, crossings.x);
    let within = clamp(z, crossings.x, crossings.y);
    let beyond = max(z, crossings.y);
    let straight = 0.5 * q * (before * before + (beyond - crossings.y) * (beyond + crossings.y));
    let inverted = max(-length / rest_length, 0.0) * min(arc(1.0).y, q);
    return scale * (straight + arc(within).x - arc(crossings.x).x + inverted);
}
