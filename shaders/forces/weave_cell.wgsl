// Shear and transverse contraction of a cell of a quadrilateral grid, after Etzmuß (2.21), (2.22), as energies. Particles p₀₀, p₁₀,
// p₀₁, p₁₁. s_u and s_v are the means of the cell's two u and two v edges over their rest lengths, ē_u and ē_v the mean strains:
//   s_u = ½ ((p₁₀ - p₀₀) / L_u0 + (p₁₁ - p₀₁) / L_u1), ē_u = ½ (|p₁₀ - p₀₀| / L_u0 + |p₁₁ - p₀₁| / L_u1) - 1, v likewise,
//   E = area · (½ μ (⟨s_u, s_v⟩ - c₀)² + C ē_u ē_v).
// rest: L_u0, L_u1, L_v0, L_v1 (m), area (m²), c₀. parameters: μ, C (N/m), D_shear, D_contraction (N·s/m).
// Viscous: the shear stress has D_shear times its rate, the contraction stresses σ_u, σ_v have D_contraction times the rates of
// ē_v, ē_u. C ē_u ē_v has no minimum and its viscosity dissipates nothing by itself: both need tension along the edges with moduli
// (viscosities) of at least |C| (|D_contraction|), which live with the edges.
//
// Clamped: Gauss–Newton for shear; of the cross terms C (g_u g_vᵀ + g_v g_uᵀ) the part ½ |C| (g_u ± g_v)(g_u ± g_v)ᵀ with the sign of
// C, D_contraction likewise; edges under tension only keep their transverse stiffness. An edge without length has no direction.
#import shared/params
#import forces/constraint_row

// Below this fraction of an edge's rest length its transverse stiffness is not divided further.
const SHORTEST_CELL_FRACTION: f32 = 1e-6;

// The edges u0, u1, v0, v1.
fn cell_edges(x: array<vec3<f32>, 4>) -> array<vec3<f32>, 4> {
    return array(x[1] - x[0], x[3] - x[2], x[2] - x[0], x[3] - x[1]);
}

// Mean strain of two edges; that of each by itself, so that small ones keep their digits.
fn mean_strain(lengths: vec2<f32>, rest_lengths: vec2<f32>) -> f32 {
    let strains = (lengths - rest_lengths) / rest_lengths;
    return 0.5 * (strains.x + strains.y);
}

// modulus · (g_u g_vᵀ + g_v g_uᵀ), or its documented positive part.
fn cell_cross_term(
    modulus: f32,
    u: vec3<f32>,
    v: vec3<f32>,
    other_u: vec3<f32>,
    other_v: vec3<f32>,
    clamped: bool,
) -> mat3x3<f32> {
    if clamped {
        let side = select(1.0, -1.0, modulus < 0.0);
        return 0.5 * abs(modulus) * outer_product(u + side * v, other_u + side * other_v);
    }
    return modulus * (outer_product(u, other_v) + outer_product(v, other_u));
}

fn weave_cell_row(material: ElementMaterial, element: Element, state: ElementState, own: u32) -> ElementRow {
    let clamped = (params.flags & FLAG_CLAMP) != 0u;
    let shear = material.parameters_a.x;
    let contraction = material.parameters_a.y;
    let contraction_damping = material.parameters_a.w;
    let area = element.rest_b.x;
    let half = 0.5 / element.rest_a;
    var edges = cell_edges(state.x);

    // Weights of the corners in s_u and s_v, 1/m.
    var a = vec4(-half.x, half.x, -half.y, half.y);
    var b = vec4(-half.z, -half.w, half.z, half.w);
    let u = half.x * edges[0] + half.y * edges[1];
    let v = half.z * edges[2] + half.w * edges[3];
    let stretched = dot(u, v) - element.rest_b.y;
    var gradients: array<vec3<f32>, 4>;
    for (var k = 0u; k < 4u; k += 1u) {
        gradients[k] = a[k] * v + b[k] * u;
    }
    var row = constraint_row(own, area * shear, area * material.parameters_a.z, stretched, gradients, state.v);
    if !clamped {
        for (var j = 0u; j < 4u; j += 1u) {
            let second = a[own] * b[j] + b[own] * a[j];
            row.stiffness[j] -= scaled_identity(area * shear * stretched * second);
        }
    }

    var directions: array<vec3<f32>, 4>;
    var lengths: vec4<f32>;
    for (var edge = 0u; edge < 4u; edge += 1u) {
        directions[edge] = unit_or_zero(edges[edge]);
        lengths[edge] = length(edges[edge]);
    }
    let strain_u = mean_strain(lengths.xy, element.rest_a.xy);
    let strain_v = mean_strain(lengths.zw, element.rest_a.zw);
    // g_u, g_v: each corner ends one u edge, k / 2, and one v edge, k % 2.
    var g_u: array<vec3<f32>, 4>;
    var g_v: array<vec3<f32>, 4>;
    var velocities = state.v;
    var rate_u = 0.0;
    var rate_v = 0.0;
    for (var k = 0u; k < 4u; k += 1u) {
        g_u[k] = a[k] * directions[k / 2u];
        g_v[k] = b[k] * directions[2u + k % 2u];
        rate_u += dot(g_u[k], velocities[k]);
        rate_v += dot(g_v[k], velocities[k]);
    }
    let stress_u = contraction * strain_v + contraction_damping * rate_v;
    let stress_v = contraction * strain_u + contraction_damping * rate_u;
    row.force -= area * (stress_u * g_u[own] + stress_v * g_v[own]);
    for (var j = 0u; j < 4u; j += 1u) {
        row.stiffness[j] -= area * cell_cross_term(contraction, g_u[own], g_v[own], g_u[j], g_v[j], clamped);
        row.damping[j] -= area * cell_cross_term(contraction_damping, g_u[own], g_v[own], g_u[j], g_v[j], clamped);
    }
    // d²ē/dx_i dx_j of the two edges that end here: the other end differs in the first bit of the corner for u, the second for v.
    var rest_lengths = element.rest_a;
    for (var axis = 0u; axis < 2u; axis += 1u) {
        let edge = select(2u + own % 2u, own / 2u, axis == 0u);
        let other = own ^ (axis + 1u);
        let size = max(lengths[edge], SHORTEST_CELL_FRACTION * rest_lengths[edge]);
        let other_strain = select(strain_u, strain_v, axis == 0u);
        var transverse = area * contraction * other_strain * 0.5 / (rest_lengths[edge] * size);
        if clamped {
            transverse = max(transverse, 0.0);
        }
        let direction = directions[edge];
        row.stiffness[other] += transverse * (scaled_identity(1.0) - outer_product(direction, direction));
    }
    return row;
}

fn weave_cell_energy(material: ElementMaterial, element: Element, state: ElementState) -> f32 {
    let half = 0.5 / element.rest_a;
    let edges = cell_edges(state.x);
    let u = half.x * edges[0] + half.y * edges[1];
    let v = half.z * edges[2] + half.w * edges[3];
    let stretched = dot(u, v) - element.rest_b.y;
    let strain_u = mean_strain(vec2(length(edges[0]), length(edges[1])), element.rest_a.xy);
    let strain_v = mean_strain(vec2(length(edges[2]), length(edges[3])), element.rest_a.zw);
    let shear_energy = 0.5 * material.parameters_a.x * stretched * stretched;
    return element.rest_b.x * (shear_energy + material.parameters_a.y * strain_u * strain_v);
}
