// Bending along Volino's bending vector R = Σ α_k x_k (4), with rest curvature, hardening and viscosity (16 to 18) as an
// energy:
//     D = R - r₀ N,   E = λ (½ |D|² + ¼ η |D|⁴),   f_i = -λ (1 + η |D|²) (α_i R - r₀ z_i) - c ż z_i
// with z = ⟨R, N⟩, z_i = dz/dx_i and N = unit(e × w), e = x_D - x_C, w = α_A (x_A - x_C) - α_B (x_B - x_C). N bisects the angle
// of the wings' normals; as long as the heights keep their ratio, R is along N, D = (±|R| - r₀) N, and the force is along R.
// E is smooth where the sheet is flat: R has no direction there, but N has. The printed forces omit dN/dx and exert a torque on the
// body; E and ż are invariant under rigid motions, so that both momenta are conserved. Viscosity is that of z for the same reasons.
// rest: α of wings A, B and edge C, D (their sum is 0), λ (N/m), r₀ (m; above 0 it curves towards the normals of triangles A,
// C, D and B, D, C), c (N·s/m), η (1/m²).
// Jacobian: -(t (α_i α_j I - r₀ d²z/dx_i dx_j) + 2 λ η g_i g_jᵀ), t = λ (1 + η |D|²), g_i = α_i R - r₀ z_i; for r₀ = η = 0
// Volino's constant -λ α_i α_j I (14). With n = e × w, q = (R - z N) / |n|, H = q Nᵀ + N qᵀ + z (I - N Nᵀ) / |n|, the blocks of
// d²z are
//     (R, e) dN/de, (R, w) dN/dw, (e, e) -n_eᵀ H n_e / |n|, (w, w) -n_wᵀ H n_w / |n|, (e, w) -n_eᵀ H n_w / |n| - (q ×).
// Clamped (Gauss–Newton): -G_iᵀ (t I + (g' - t) D̂ D̂ᵀ) G_j, G = dD/dx, g' = λ (1 + 3 η |D|²), t ≥ 0 and g' ≥ 0.
// Where n vanishes (the pair closed, or without a height) N is taken along R, on the side of r₀: force and energy are those of
// |R|, the Jacobian omits the rotation of R, and E need not be smooth.
#import shared/clamp
#import shared/element
#import shared/forces_only
#import forces/bending_vector

// |e × w| over |e|² + |w|² below which the hinge has no normal.
const FLATTEST_HINGE: f32 = 1e-6;

// The normal N and the vectors that it depends on.
struct HingeNormal {
    edge: vec3<f32>,
    across: vec3<f32>,
    normal: vec3<f32>,
    // 1 / |e × w|, or 0 where N does not depend on it.
    inverse: f32,
}

fn hinge_normal(alpha: vec4<f32>, x: array<vec3<f32>, 4>, bending: vec3<f32>, rest_length: f32) -> HingeNormal {
    let edge = x[3] - x[2];
    let across = alpha.x * (x[0] - x[2]) - alpha.y * (x[1] - x[2]);
    let doubled = cross(edge, across);
    let size = length(doubled);
    if size > FLATTEST_HINGE * (dot(edge, edge) + dot(across, across)) {
        return HingeNormal(edge, across, doubled / size, 1.0 / size);
    }
    return HingeNormal(edge, across, select(1.0, -1.0, rest_length < 0.0) * unit_or_zero(bending), 0.0);
}

// Weights of the corners in e and w.
const HINGE_EDGE: vec4<f32> = vec4(0.0, 0.0, -1.0, 1.0);

fn hinge_across(alpha: vec4<f32>) -> vec4<f32> {
    return vec4(alpha.x, -alpha.y, alpha.y - alpha.x, 0.0);
}

// Terms of the derivatives of a hinge's force.
struct CurvatureRow {
    // t, g', r₀, 2 λ η, c
    transverse: f32,
    slope: f32,
    rest_length: f32,
    hardening: f32,
    damping: f32,
    normal: vec3<f32>,
    // D
    offset: vec3<f32>,
    // dz/de and dz/dw
    by_edge: vec3<f32>,
    by_across: vec3<f32>,
    // dN/de and dN/dw
    normal_by_edge: mat3x3<f32>,
    normal_by_across: mat3x3<f32>,
}

// Blocks (e, e), (w, w), (e, w) of d²z.
struct CurvatureTurns {
    edge_edge: mat3x3<f32>,
    across_across: mat3x3<f32>,
    edge_across: mat3x3<f32>,
}

// z_i of a particle with these weights in R, e and w.
fn curvature_gradient(at: CurvatureRow, weights: vec3<f32>) -> vec3<f32> {
    return weights.x * at.normal + (weights.y * at.by_edge + weights.z * at.by_across);
}

// g_i of a particle.
fn curvature_pull(at: CurvatureRow, weights: vec3<f32>) -> vec3<f32> {
    return weights.x * at.offset - at.rest_length * (weights.y * at.by_edge + weights.z * at.by_across);
}

// G_i = dD/dx_i
fn curvature_part(at: CurvatureRow, weights: vec3<f32>) -> mat3x3<f32> {
    return scaled_identity(weights.x) - at.rest_length * (weights.y * at.normal_by_edge + weights.z * at.normal_by_across);
}

// Derivatives of the force on a particle by another one, from the weights of both.
fn clamped_curvature(at: CurvatureRow, i: vec3<f32>, j: vec3<f32>) -> mat3x3<f32> {
    let first = curvature_part(at, i);
    let second = curvature_part(at, j);
    let direction = unit_or_zero(at.offset);
    let transverse = max(at.transverse, 0.0);
    return -transverse * (transpose(first) * second)
        - (max(at.slope, 0.0) - transverse) * outer_product(direction * first, direction * second);
}

fn exact_curvature(at: CurvatureRow, turns: CurvatureTurns, i: vec3<f32>, j: vec3<f32>) -> mat3x3<f32> {
    let second = i.x * j.y * at.normal_by_edge + i.y * j.x * transpose(at.normal_by_edge)
        + (i.x * j.z * at.normal_by_across + i.z * j.x * transpose(at.normal_by_across))
        + (i.y * j.y * turns.edge_edge + i.z * j.z * turns.across_across)
        + (i.y * j.z * turns.edge_across + i.z * j.y * transpose(turns.edge_across));
    return -at.transverse * (scaled_identity(i.x * j.x) - at.rest_length * second)
        - at.hardening * outer_product(curvature_pull(at, i), curvature_pull(at, j));
}

// The block of a pair, computed from the lower to the higher particle, as the own particle sees it: both ends must agree to the bit.
fn turned_for(is_low: bool, block: mat3x3<f32>) -> mat3x3<f32> {
    let turned = transpose(block);
    return mat3x3(select(turned[0], block[0], is_low), select(turned[1], block[1], is_low), select(turned[2], block[2], is_low));
}

// Derivatives of the force on particle i by the k-th other, with the Jacobian that the clamp chooses.
fn add_curvature_pair(
    row: ptr<function, ElementRow>,
    weights: RowWeights,
    k: u32,
    motion: vec3<f32>,
    at: CurvatureRow,
    turns: CurvatureTurns,
    i: vec3<f32>,
    j: vec3<f32>,
    is_low: bool,
) {
    let low = select(j, i, is_low);
    let high = select(i, j, is_low);
    var block: mat3x3<f32>;
    if is_clamped() {
        block = clamped_curvature(at, low, high);
    } else {
        block = exact_curvature(at, turns, low, high);
    }
    let viscous = -at.damping * outer_product(curvature_gradient(at, i), curvature_gradient(at, j));
    add_pair(row, weights, k, motion, turned_for(is_low, block), viscous);
}

fn curvature_row(element: Element, state: ElementState, own: u32, weights: RowWeights) -> ElementRow {
    let alpha = element.rest_a;
    let stiffness = element.rest_b.x;
    let rest_length = element.rest_b.y;
    let damping = element.rest_b.z;
    let hardening = element.rest_b.w;
    let bending = bending_vector(alpha, state.x);
    let hinge = hinge_normal(alpha, state.x, bending, rest_length);
    let normal = hinge.normal;
    let lift = dot(bending, normal);
    let q = hinge.inverse * (bending - lift * normal);
    let offset = bending - rest_length * normal;
    let square = hardening * dot(offset, offset);
    var at: CurvatureRow;
    at.transverse = stiffness * (1.0 + square);
    at.slope = stiffness * (1.0 + 3.0 * square);
    at.rest_length = rest_length;
    at.hardening = 2.0 * stiffness * hardening;
    at.damping = damping;
    at.normal = normal;
    at.offset = offset;
    at.by_edge = cross(hinge.across, q);
    at.by_across = cross(q, hinge.edge);
    let rate = dot(normal, bending_vector(alpha, state.v)) + dot(at.by_edge, state.v[3] - state.v[2])
        + dot(at.by_across, alpha.x * (state.v[0] - state.v[2]) - alpha.y * (state.v[1] - state.v[2]));
    // Weights in R, e and w.
    let in_bending = numbers_seen_from(own, alpha);
    let in_edge = numbers_seen_from(own, HINGE_EDGE);
    let in_across = numbers_seen_from(own, hinge_across(alpha));
    let mine = vec3(in_bending.x, in_edge.x, in_across.x);
    var row: ElementRow;
    row.force = -at.transverse * curvature_pull(at, mine) - damping * rate * curvature_gradient(at, mine);
    if WITHOUT_BLOCKS {
        return row;
    }

    let side = scaled_identity(1.0) - outer_product(normal, normal);
    let edge_matrix = -1.0 * cross_matrix(hinge.across);
    let across_matrix = cross_matrix(hinge.edge);
    at.normal_by_edge = hinge.inverse * (side * edge_matrix);
    at.normal_by_across = hinge.inverse * (side * across_matrix);
    var turns: CurvatureTurns;
    if !is_clamped() {
        let curve = outer_product(q, normal) + outer_product(normal, q) + lift * hinge.inverse * side;
        turns.edge_edge = -hinge.inverse * (transpose(edge_matrix) * curve * edge_matrix);
        turns.across_across = -hinge.inverse * (transpose(across_matrix) * curve * across_matrix);
        turns.edge_across = -hinge.inverse * (transpose(edge_matrix) * curve * across_matrix) - cross_matrix(q);
    }
    let motions = motions_seen_from(own, state.v);
    add_curvature_pair(&row, weights, 0u, motions[0], at, turns, mine, vec3(in_bending.y, in_edge.y, in_across.y), own < 1u);
    add_curvature_pair(&row, weights, 1u, motions[1], at, turns, mine, vec3(in_bending.z, in_edge.z, in_across.z), own < 2u);
    add_curvature_pair(&row, weights, 2u, motions[2], at, turns, mine, vec3(in_bending.w, in_edge.w, in_across.w), own < 3u);
    return row;
}

fn curvature_energy(element: Element, state: ElementState) -> f32 {
    let bending = bending_vector(element.rest_a, state.x);
    let hinge = hinge_normal(element.rest_a, state.x, bending, element.rest_b.y);
    let offset = bending - element.rest_b.y * hinge.normal;
    let square = dot(offset, offset);
    return element.rest_b.x * square * (0.5 + 0.25 * element.rest_b.w * square);
}
