// Shear and transverse contraction of a cell of a quadrilateral grid, after Etzmuß (2.21), (2.22), as energies. Particles p₀₀, p₁₀,
// p₀₁, p₁₁. s_u and s_v are the means of the cell's two u and two v edges over their rest lengths, ē_u and ē_v the mean strains:
//   s_u = ½ ((p₁₀ - p₀₀) / L_u0 + (p₁₁ - p₀₁) / L_u1), ē_u = ½ (|p₁₀ - p₀₀| / L_u0 + |p₁₁ - p₀₁| / L_u1) - 1, v likewise,
//   E = area · (½ μ (⟨s_u, s_v⟩ - c₀)² + C ē_u ē_v).
// rest: L_u0, L_u1, L_v0, L_v1 (m), area (m²), c₀. parameters: μ, C (N/m), D_shear, D_contraction (N·s/m).
// Viscous: the shear stress has D_shear times its rate, the contraction stresses σ_u, σ_v have D_contraction times the rates of
// ē_v, ē_u. C ē_u ē_v has no minimum and its viscosity dissipates nothing by itself: both need tension along the edges with moduli
// (viscosities) of at least |C| (|D_contraction|), which belong to the edges.
//
// Clamped: Gauss–Newton for shear; of the cross terms C (g_u g_vᵀ + g_v g_uᵀ) the part ½ |C| (g_u ± g_v)(g_u ± g_v)ᵀ with the sign of
// C, D_contraction likewise; edges under tension only keep their transverse stiffness. An edge without length has no direction.
#import shared/clamp
#import shared/element

// Fraction of an edge's rest length below which the divisor of its transverse stiffness is bounded.
const SHORTEST_CELL_FRACTION: f32 = 1e-6;

// The edges u0, u1, v0, v1.
fn cell_edges(x: array<vec3<f32>, 4>) -> array<vec3<f32>, 4> {
    return array(x[1] - x[0], x[3] - x[2], x[2] - x[0], x[3] - x[1]);
}

// Rate of a function with these gradients.
fn rate_of(gradients: array<vec3<f32>, 4>, v: array<vec3<f32>, 4>) -> f32 {
    return dot(gradients[0], v[0]) + dot(gradients[1], v[1]) + dot(gradients[2], v[2]) + dot(gradients[3], v[3]);
}

// The projection I - n nᵀ.
fn across(n: vec3<f32>) -> mat3x3<f32> {
    return scaled_identity(1.0) - outer_product(n, n);
}

// Mean strain of two edges; the strain of each is computed by itself, so that small ones keep their digits.
fn mean_strain(lengths: vec2<f32>, rest_lengths: vec2<f32>) -> f32 {
    let strains = (lengths - rest_lengths) / rest_lengths;
    return 0.5 * (strains.x + strains.y);
}

// modulus · (g_u g_vᵀ + g_v g_uᵀ), or its documented positive part, as (square, mixed) of
// square · (g_u g_uᵀ + g_v g_vᵀ) + mixed · (g_u g_vᵀ + g_v g_uᵀ): numbers instead of a branch per block.
fn cell_cross_term(modulus: f32, clamped: bool) -> vec2<f32> {
    return select(vec2(0.0, modulus), 0.5 * vec2(abs(modulus), modulus), clamped);
}

// Transverse stiffness of an edge of this rest length and length under a stress.
fn cell_transverse(stress: f32, rest_length: f32, size: f32, clamped: bool) -> f32 {
    let transverse = 0.5 * stress / (rest_length * max(size, SHORTEST_CELL_FRACTION * rest_length));
    return select(transverse, max(transverse, 0.0), clamped);
}

// Terms of the derivatives of a cell's force.
struct CellRow {
    // Moduli of shear and of the square and mixed cross terms, times the area: elastic, and viscous.
    elastic: vec3<f32>,
    viscous: vec3<f32>,
    // Tension of d²⟨s_u, s_v⟩/dx_i dx_j, 0 when clamped.
    tension: f32,
    // Transverse stiffness of the u edge and the v edge that end at the particle.
    across_u: mat3x3<f32>,
    across_v: mat3x3<f32>,
}

// Gradients of ⟨s_u, s_v⟩, ē_u and ē_v at a corner, and its weights in s_u and s_v, 1/m.
struct CellCorner {
    s: vec3<f32>,
    u: vec3<f32>,
    v: vec3<f32>,
    weights: vec2<f32>,
}

// Derivatives of the force on a corner by another one, which may be the other end of its u edge or of its v edge.
fn add_cell_pair(
    row: ptr<function, ElementRow>,
    weights: RowWeights,
    k: u32,
    motion: vec3<f32>,
    at: CellRow,
    i: CellCorner,
    j: CellCorner,
    ends: vec2<f32>,
) {
    let second = at.tension * (i.weights.x * j.weights.y + i.weights.y * j.weights.x);
    let rates = vec3(dot(j.s, motion), dot(j.u, motion), dot(j.v, motion));
    let transverse = ends.x * at.across_u + ends.y * at.across_v - scaled_identity(second);
    (*row).force += weights.lead * (transverse * motion - at.elastic.x * rates.x * i.s
        - (at.elastic.y * rates.y + at.elastic.z * rates.z) * i.u - (at.elastic.y * rates.z + at.elastic.z * rates.y) * i.v);
    let moduli = weights.stiffness * at.elastic + weights.damping * at.viscous;
    let square = outer_product(i.u, j.u) + outer_product(i.v, j.v);
    let mixed = outer_product(i.u, j.v) + outer_product(i.v, j.u);
    set_block(row, k, weights.stiffness * transverse - (moduli.x * outer_product(i.s, j.s) + moduli.y * square + moduli.z * mixed));
}

// Whether the k-th other corner is the other end of the u edge, and of the v edge, of a corner: they differ in the first bit for u, in the second for v.
fn cell_ends(own: u32, k: u32) -> vec2<f32> {
    let other = other_than(own, k);
    return vec2(f32(other == (own ^ 1u)), f32(other == (own ^ 2u)));
}

fn weave_cell_row(material: ElementMaterial, element: Element, state: ElementState, own: u32, weights: RowWeights) -> ElementRow {
    let clamped = is_clamped();
    let shear = material.parameters_a.x;
    let contraction = material.parameters_a.y;
    let shear_damping = material.parameters_a.z;
    let contraction_damping = material.parameters_a.w;
    let area = element.rest_b.x;
    let half = 0.5 / element.rest_a;
    let edges = cell_edges(state.x);

    // Weights of the corners in s_u and s_v, 1/m.
    let a = vec4(-half.x, half.x, -half.y, half.y);
    let b = vec4(-half.z, -half.w, half.z, half.w);
    let u = half.x * edges[0] + half.y * edges[1];
    let v = half.z * edges[2] + half.w * edges[3];
    let stretched = dot(u, v) - element.rest_b.y;
    // Gradients of ⟨s_u, s_v⟩, ē_u, ē_v. Each corner is an end of one u edge and one v edge.
    let directions = array(unit_or_zero(edges[0]), unit_or_zero(edges[1]), unit_or_zero(edges[2]), unit_or_zero(edges[3]));
    let g_s = array(a.x * v + b.x * u, a.y * v + b.y * u, a.z * v + b.z * u, a.w * v + b.w * u);
    let g_u = array(a.x * directions[0], a.y * directions[0], a.z * directions[1], a.w * directions[1]);
    let g_v = array(b.x * directions[2], b.y * directions[3], b.z * directions[2], b.w * directions[3]);
    // Rates of ⟨s_u, s_v⟩, ē_u, ē_v.
    let rates = vec3(rate_of(g_s, state.v), rate_of(g_u, state.v), rate_of(g_v, state.v));
    let lengths = vec4(length(edges[0]), length(edges[1]), length(edges[2]), length(edges[3]));
    let strain_u = mean_strain(lengths.xy, element.rest_a.xy);
    let strain_v = mean_strain(lengths.zw, element.rest_a.zw);

    let s_seen = seen_from(own, g_s);
    let u_seen = seen_from(own, g_u);
    let v_seen = seen_from(own, g_v);
    let a_seen = numbers_seen_from(own, a);
    let b_seen = numbers_seen_from(own, b);
    let corner = CellCorner(s_seen[0], u_seen[0], v_seen[0], vec2(a_seen.x, b_seen.x));
    let shear_stress = shear * stretched + shear_damping * rates.x;
    let stress_u = contraction * strain_v + contraction_damping * rates.z;
    let stress_v = contraction * strain_u + contraction_damping * rates.y;
    var row: ElementRow;
    row.force = -area * (shear_stress * corner.s + stress_u * corner.u + stress_v * corner.v);

    // d²⟨s_u, s_v⟩/dx_i dx_j, omitted with the clamp.
    let tension = select(area * shear * stretched, 0.0, clamped);
    let lower = own < 2u;
    let even = own % 2u == 0u;
    // d²ē/dx_i dx_j of the two edges that end at this corner: the other end differs in the first bit of the corner for u, the second for v.
    let along = vec4(lengths.x, element.rest_a.x, lengths.z, element.rest_a.z);
    let opposite = vec4(lengths.y, element.rest_a.y, lengths.w, element.rest_a.w);
    let edge_u = select(opposite.xy, along.xy, lower);
    let edge_v = select(opposite.zw, along.zw, even);
    let transverse_u = cell_transverse(area * contraction * strain_v, edge_u.y, edge_u.x, clamped);
    let transverse_v = cell_transverse(area * contraction * strain_u, edge_v.y, edge_v.x, clamped);
    let across_u = transverse_u * across(select(directions[1], directions[0], lower));
    let across_v = transverse_v * across(select(directions[3], directions[2], even));
    let elastic = area * vec3(shear, cell_cross_term(contraction, clamped));
    let viscous = area * vec3(shear_damping, cell_cross_term(contraction_damping, clamped));
    let at = CellRow(elastic, viscous, tension, across_u, across_v);
    let motions = motions_seen_from(own, state.v);
    let others = array(
        CellCorner(s_seen[1], u_seen[1], v_seen[1], vec2(a_seen.y, b_seen.y)),
        CellCorner(s_seen[2], u_seen[2], v_seen[2], vec2(a_seen.z, b_seen.z)),
        CellCorner(s_seen[3], u_seen[3], v_seen[3], vec2(a_seen.w, b_seen.w)),
    );
    add_cell_pair(&row, weights, 0u, motions[0], at, corner, others[0], cell_ends(own, 0u));
    add_cell_pair(&row, weights, 1u, motions[1], at, corner, others[1], cell_ends(own, 1u));
    add_cell_pair(&row, weights, 2u, motions[2], at, corner, others[2], cell_ends(own, 2u));
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
