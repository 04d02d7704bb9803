// Stable neo-Hookean tetrahedron, Smith, de Goes and Kim 2018. F = Σ_k x_k b_kᵀ is the deformation gradient, b_k the gradients of the
// corners' shape functions at rest, I_C = |F|², J = det F = V/V₀. With t = I_C - 3 and the Green strain ε = ½ (FᵀF - I)
//   E = |V₀| (½ μ (t/4 - log(1 + t/4)) + ⅜ μ (t - 2 (J - 1)) + ½ λ (J - 1)²),
// where near rest t - 2 (J - 1) = (J - 1)² - 4 ε_II - 8 ε_III and J - 1 = (2 ε_I + 4 ε_II + 8 ε_III)/(J + 1), by the invariants of ε: every
// term vanishes at rest to second order, so that small strains keep their digits.
//   f_i = -|V₀| (μ t/(4 (t + 4)) F b_i + λ (J - 1) g_i + ¾ μ (F b_i - g_i)),   g_i = dJ/dx_i.
// rest: V₀ (m³, negative for corners in the other order), then as for volumes the inverse of the matrix of edges from corner 0 (1/m, by
// columns), whose rows are b₁, b₂, b₃. parameters: μ = 4/3 μ_L, λ = λ_L + 5/6 μ_L of Lamé's constants (Pa), μ_v, λ_v (Pa·s).
// Jacobian: -|V₀| (a ⟨b_i, b_j⟩ I + β (F b_i)(F b_j)ᵀ + λ g_i g_jᵀ + c d²J/dx_i dx_j), a = μ I_C/(I_C + 1), β = 2 μ/(I_C + 1)²,
// c = λ (J - 1) - ¾ μ. Clamped: a grows by 2 √(I_C/3) (|c| - a/s) where |c| exceeds a/s, with s² = I_C/3 + √⅔ |dev FᵀF| an upper bound of
// the squared singular values of F. At rest |c| = a/s, and the Jacobian is exact.
// Viscosity: second Piola–Kirchhoff stress 2 μ_v ε' + λ_v tr(ε') I of the strain rate ε' = sym(Fᵀ F'). Its Jacobian:
//   -|V₀| (μ_v ((F b_j)(F b_i)ᵀ + ⟨b_i, b_j⟩ F Fᵀ) + λ_v (F b_i)(F b_j)ᵀ).
#import shared/clamp
#import shared/element
#import shared/forces_only
#import forces/strain
#import forces/volume

// Inverse of the matrix of edges from corner 0 at rest.
fn neo_hookean_shape(element: Element) -> mat3x3<f32> {
    return mat3x3(vec3(element.rest_a.zw, element.rest_b.x), element.rest_b.yzw, element.rest_c);
}

// F, or its rate from velocities.
fn neo_hookean_gradient(shape: mat3x3<f32>, x: array<vec3<f32>, 4>) -> mat3x3<f32> {
    return mat3x3(x[1] - x[0], x[2] - x[0], x[3] - x[0]) * shape;
}

// Green strains along the axes.
fn neo_hookean_diagonal(f: mat3x3<f32>) -> vec3<f32> {
    return vec3(green_strain(length(f[0])), green_strain(length(f[1])), green_strain(length(f[2])));
}

// s: an upper bound of the singular values of F.
fn neo_hookean_stretch(f: mat3x3<f32>) -> f32 {
    let squares = vec3(dot(f[0], f[0]), dot(f[1], f[1]), dot(f[2], f[2]));
    let mixed = vec3(dot(f[1], f[2]), dot(f[0], f[2]), dot(f[0], f[1]));
    let mean = (squares.x + squares.y + squares.z) / 3.0;
    let deviator = squares - mean;
    return sqrt(mean + sqrt((dot(deviator, deviator) + 2.0 * dot(mixed, mixed)) * (2.0 / 3.0)));
}

// Terms of the derivatives of a tetrahedron's force.
struct NeoHookeanState {
    // Weights of closeness, of the product of both F b, of that of both gradients and of the matrix of the opposite edge: -|V₀| times a, β, λ and c over the
    // determinant of the edges at rest.
    elastic: vec4<f32>,
    // -|V₀| μ_v, -|V₀| λ_v
    viscous: vec2<f32>,
    // F Fᵀ
    left: mat3x3<f32>,
}

// b, F b and g = dJ/dx of a corner.
struct NeoHookeanCorner {
    weight: vec3<f32>,
    along: vec3<f32>,
    gradient: vec3<f32>,
}

// Derivatives of the force on corner i by corner j, whose opposite edge is that of the other two corners.
fn add_neo_hookean_pair(
    row: ptr<function, ElementRow>,
    weights: RowWeights,
    k: u32,
    motion: vec3<f32>,
    solid: NeoHookeanState,
    i: NeoHookeanCorner,
    j: NeoHookeanCorner,
    opposite: vec3<f32>,
) {
    let closeness = dot(i.weight, j.weight);
    let turn = solid.elastic.w * opposite;
    (*row).force += weights.lead * (solid.elastic.x * closeness * motion + solid.elastic.y * dot(j.along, motion) * i.along
        + solid.elastic.z * dot(j.gradient, motion) * i.gradient + cross(turn, motion));
    let elastic = weights.stiffness * solid.elastic;
    let viscous = weights.damping * solid.viscous;
    set_block(row, k, scaled_identity(elastic.x * closeness)
        + (elastic.y + viscous.y) * outer_product(i.along, j.along)
        + elastic.z * outer_product(i.gradient, j.gradient)
        + cross_matrix(weights.stiffness * turn)
        + viscous.x * (outer_product(j.along, i.along) + closeness * solid.left));
}

fn neo_hookean_row(material: ElementMaterial, element: Element, state: ElementState, own: u32, weights: RowWeights) -> ElementRow {
    let mu = material.parameters_a.x;
    let lambda = material.parameters_a.y;
    let rest_volume = element.rest_a.x;
    let size = abs(rest_volume);
    let shape = neo_hookean_shape(element);
    let f = neo_hookean_gradient(shape, state.x);
    let rows = transpose(shape);
    let b = seen_from(own, array(-(rows[0] + rows[1] + rows[2]), rows[0], rows[1], rows[2]));
    let p = state.x[1] - state.x[0];
    let q = state.x[2] - state.x[0];
    let r = state.x[3] - state.x[0];
    let scale = 1.0 / (6.0 * rest_volume);
    let g1 = scale * cross(q, r);
    let g2 = scale * cross(r, p);
    let g3 = scale * cross(p, q);
    let g = seen_from(own, array(-(g1 + g2 + g3), g1, g2, g3));
    let growth = dot(p, g1) - 1.0;
    let diagonal = neo_hookean_diagonal(f);
    let t = 2.0 * (diagonal.x + diagonal.y + diagonal.z);
    let corner = NeoHookeanCorner(b[0], f * b[0], g[0]);
    var stress = mu * t / (4.0 * (t + 4.0)) * corner.along + lambda * growth * corner.gradient
        + 0.75 * mu * (corner.along - corner.gradient);
    let viscous_mu = material.parameters_a.z;
    let viscous_lambda = material.parameters_a.w;
    if !UNDAMPED {
        let rate = neo_hookean_gradient(shape, state.v);
        let shear_rate = transpose(f) * (rate * corner.weight) + transpose(rate) * corner.along;
        let volume_rate = dot(f[0], rate[0]) + dot(f[1], rate[1]) + dot(f[2], rate[2]);
        stress += f * (viscous_mu * shear_rate + viscous_lambda * volume_rate * corner.weight);
    }
    var row: ElementRow;
    row.force = -size * stress;
    if WITHOUT_BLOCKS {
        return row;
    }
    let squared = dot(f[0], f[0]) + dot(f[1], f[1]) + dot(f[2], f[2]);
    var a = mu * squared / (squared + 1.0);
    let beta = 2.0 * mu / ((squared + 1.0) * (squared + 1.0));
    let c = lambda * growth - 0.75 * mu;
    if is_clamped() {
        let bound = a / max(neo_hookean_stretch(f), 1e-18);
        a += 2.0 * sqrt(squared / 3.0) * max(abs(c) - bound, 0.0);
    }
    let left = outer_product(f[0], f[0]) + outer_product(f[1], f[1]) + outer_product(f[2], f[2]);
    let solid = NeoHookeanState(-size * vec4(a, beta, lambda, c * scale), -size * vec2(viscous_mu, viscous_lambda), left);
    let motions = motions_seen_from(own, state.v);
    let edges = opposite_edges(own, state.x);
    add_neo_hookean_pair(&row, weights, 0u, motions[0], solid, corner, NeoHookeanCorner(b[1], f * b[1], g[1]), edges[0]);
    add_neo_hookean_pair(&row, weights, 1u, motions[1], solid, corner, NeoHookeanCorner(b[2], f * b[2], g[2]), edges[1]);
    add_neo_hookean_pair(&row, weights, 2u, motions[2], solid, corner, NeoHookeanCorner(b[3], f * b[3], g[3]), edges[2]);
    return row;
}

// Square of the size of the Green strain below which its invariants keep more digits than volume and trace.
const NEO_HOOKEAN_NEAR_REST: f32 = 0.01;

fn neo_hookean_energy(material: ElementMaterial, element: Element, state: ElementState) -> f32 {
    let mu = material.parameters_a.x;
    let lambda = material.parameters_a.y;
    let rest_volume = element.rest_a.x;
    let f = neo_hookean_gradient(neo_hookean_shape(element), state.x);
    let p = state.x[1] - state.x[0];
    let q = state.x[2] - state.x[0];
    let r = state.x[3] - state.x[0];
    let volume = dot(p, cross(q, r)) / (6.0 * rest_volume);
    let diagonal = neo_hookean_diagonal(f);
    let t = 2.0 * (diagonal.x + diagonal.y + diagonal.z);
    // Entries (1, 2), (0, 2), (0, 1) of the Green strain.
    let mixed = 0.5 * vec3(dot(f[1], f[2]), dot(f[0], f[2]), dot(f[0], f[1]));
    // J - 1, and t - 2 (J - 1).
    var growth = volume - 1.0;
    var distortion = t - 2.0 * growth;
    if volume > 0.5 && dot(diagonal, diagonal) + 2.0 * dot(mixed, mixed) < NEO_HOOKEAN_NEAR_REST {
        let second = dot(diagonal, diagonal.yzx) - dot(mixed, mixed);
        let third = diagonal.x * diagonal.y * diagonal.z + 2.0 * mixed.x * mixed.y * mixed.z - dot(diagonal, mixed * mixed);
        growth = (t + 4.0 * second + 8.0 * third) / (volume + 1.0);
        distortion = growth * growth - 4.0 * second - 8.0 * third;
    }
    // t/4 > -1 but for rounding.
    let stretch = neo_hookean_logarithm(max(0.25 * t, -0.75));
    return abs(rest_volume) * (0.5 * mu * stretch + 0.375 * mu * distortion + 0.5 * lambda * growth * growth);
}

// u - log(1 + u). For small u by z = u/(2 + u): log(1 + u) = 2 (z + z³/3 + z⁵/5 + …) and u - 2 z = u z.
fn neo_hookean_logarithm(u: f32) -> f32 {
    if abs(u) > 0.5 {
        return u - log(1.0 + u);
    }
    let z = u / (2.0 + u);
    let s = z * z;
    let series = 1.0 / 3.0 + s * (1.0 / 5.0 + s * (1.0 / 7.0 + s * (1.0 / 9.0 + s * (1.0 / 11.0 + s * (1.0 / 13.0)))));
    return u * z - 2.0 * z * s * series;
}

// Principal strain of largest magnitude.
fn neo_hookean_strain(element: Element, x: array<vec3<f32>, 4>) -> f32 {
    return tetrahedron_strain(neo_hookean_gradient(neo_hookean_shape(element), x));
}
