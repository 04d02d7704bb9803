// Principal strains σ - 1, σ the singular values of the deformation gradient F, for reports only. They follow from the eigenvalues e = ½ (σ² - 1) of
// the Green strain ½ (FᵀF - I), so that small strains keep their digits. The strain of largest magnitude counts.

// Green strain ½ (s² - 1) of a stretch s, as (s - 1)(s + 1).
fn green_strain(stretch: f32) -> f32 {
    return 0.5 * (stretch - 1.0) * (stretch + 1.0);
}

// σ - 1 of an eigenvalue of the Green strain. Rounding may leave the eigenvalue below -½, where σ is 0.
fn strain_of_green(eigenvalue: f32) -> f32 {
    let bounded = max(eigenvalue, -0.5);
    return 2.0 * bounded / (1.0 + sqrt(1.0 + 2.0 * bounded));
}

// The strain of larger magnitude.
fn larger_strain(a: f32, b: f32) -> f32 {
    return select(a, b, abs(b) > abs(a));
}

// Principal strain of a triangle from the columns of F, the images of unit vectors along weft and warp.
fn triangle_strain(weft: vec3<f32>, warp: vec3<f32>) -> f32 {
    let along_weft = green_strain(length(weft));
    let along_warp = green_strain(length(warp));
    let mean = 0.5 * (along_weft + along_warp);
    let radius = length(vec2(0.5 * (along_weft - along_warp), 0.5 * dot(weft, warp)));
    return larger_strain(strain_of_green(mean + radius), strain_of_green(mean - radius));
}

const THIRD_OF_A_TURN: f32 = 2.0943951;

// Principal strain of a tetrahedron. An inverted one has one negative σ, the smallest: its strain is below -1.
fn tetrahedron_strain(f: mat3x3<f32>) -> f32 {
    let diagonal = vec3(green_strain(length(f[0])), green_strain(length(f[1])), green_strain(length(f[2])));
    // Entries (1, 2), (0, 2), (0, 1) of the Green strain.
    let mixed = 0.5 * vec3(dot(f[1], f[2]), dot(f[0], f[2]), dot(f[0], f[1]));
    let mean = (diagonal.x + diagonal.y + diagonal.z) / 3.0;
    let deviator = diagonal - mean;
    // The eigenvalues are mean + 2 s cos(φ + 2πk/3) with cos 3φ = ½ det(deviator / s).
    let s = sqrt((dot(deviator, deviator) + 2.0 * dot(mixed, mixed)) / 6.0);
    var largest = mean;
    var smallest = mean;
    if s > 0.0 {
        let d = deviator / s;
        let m = mixed / s;
        let product = d.x * d.y * d.z + 2.0 * m.x * m.y * m.z - dot(d, m * m);
        let angle = acos(clamp(0.5 * product, -1.0, 1.0)) / 3.0;
        largest += 2.0 * s * cos(angle);
        smallest += 2.0 * s * cos(angle + THIRD_OF_A_TURN);
    }
    let determinant = dot(f[0], cross(f[1], f[2]));
    var least = strain_of_green(smallest);
    if least < -0.5 {
        // The smallest σ of a nearly flat tetrahedron follows from |det F| = σ₁ σ₂ σ₃: the root of an eigenvalue that nearly cancels has no digits.
        let first = 1.0 + strain_of_green(largest);
        let second = 1.0 + strain_of_green(3.0 * mean - largest - smallest);
        least = min(abs(determinant) / max(first * second, 1e-30), second) - 1.0;
    }
    return larger_strain(strain_of_green(largest), select(least, -2.0 - least, determinant < 0.0));
}
