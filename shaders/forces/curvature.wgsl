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
#import shared/params
#import shared/element
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

fn curvature_row(element: Element, state: ElementState, own: u32) -> ElementRow {
    var alpha = element.rest_a;
    var along = HINGE_EDGE;
    var wide = hinge_across(alpha);
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
    var transverse = stiffness * (1.0 + square);
    var slope = stiffness * (1.0 + 3.0 * square);

    // dz/de and dz/dw, then z_i and g_i.
    let by_edge = cross(hinge.across, q);
    let by_across = cross(q, hinge.edge);
    var gradients: array<vec3<f32>, 4>;
    var pulls: array<vec3<f32>, 4>;
    for (var j = 0u; j < 4u; j += 1u) {
        let turning = along[j] * by_edge + wide[j] * by_across;
        gradients[j] = alpha[j] * normal + turning;
        pulls[j] = alpha[j] * offset - rest_length * turning;
    }
    let rate = dot(normal, bending_vector(alpha, state.v)) + dot(by_edge, state.v[3] - state.v[2])
        + dot(by_across, alpha.x * (state.v[0] - state.v[2]) - alpha.y * (state.v[1] - state.v[2]));
    var row: ElementRow;
    row.force = -transverse * pulls[own] - damping * rate * gradients[own];

    let side = scaled_identity(1.0) - outer_product(normal, normal);
    let edge_matrix = -1.0 * cross_matrix(hinge.across);
    let across_matrix = cross_matrix(hinge.edge);
    let normal_by_edge = hinge.inverse * (side * edge_matrix);
    let normal_by_across = hinge.inverse * (side * across_matrix);
    let clamped = (params.flags & FLAG_CLAMP) != 0u;
    // G and D̂ᵀ G, or the parts of d²z.
    var parts: array<mat3x3<f32>, 4>;
    var along_offset: array<vec3<f32>, 4>;
    var edge_edge: mat3x3<f32>;
    var across_across: mat3x3<f32>;
    var edge_across: mat3x3<f32>;
    if clamped {
        transverse = max(transverse, 0.0);
        slope = max(slope, 0.0);
        let direction = unit_or_zero(offset);
        for (var j = 0u; j < 4u; j += 1u) {
            parts[j] = scaled_identity(alpha[j]) - rest_length * (along[j] * normal_by_edge + wide[j] * normal_by_across);
            along_offset[j] = direction * parts[j];
        }
    } else {
        let curve = outer_product(q, normal) + outer_product(normal, q) + lift * hinge.inverse * side;
        edge_edge = -hinge.inverse * (transpose(edge_matrix) * curve * edge_matrix);
        across_across = -hinge.inverse * (transpose(across_matrix) * curve * across_matrix);
        edge_across = -hinge.inverse * (transpose(edge_matrix) * curve * across_matrix) - cross_matrix(q);
    }
    // All pairs are summed at every particle, from the lower to the higher: drivers regroup sums, and both ends must agree to the bit.
    for (var high = 1u; high < 4u; high += 1u) {
        for (var low = 0u; low < high; low += 1u) {
            var block: mat3x3<f32>;
            if clamped {
                block = -transverse * (transpose(parts[low]) * parts[high])
                    - (slope - transverse) * outer_product(along_offset[low], along_offset[high]);
            } else {
                let second = alpha[low] * along[high] * normal_by_edge + along[low] * alpha[high] * transpose(normal_by_edge)
                    + (alpha[low] * wide[high] * normal_by_across + wide[low] * alpha[high] * transpose(normal_by_across))
                    + (along[low] * along[high] * edge_edge + wide[low] * wide[high] * across_across)
                    + (along[low] * wide[high] * edge_across + wide[low] * along[high] * transpose(edge_across));
                block = -transverse * (scaled_identity(alpha[low] * alpha[high]) - rest_length * second)
                    - 2.0 * stiffness * hardening * outer_product(pulls[low], pulls[high]);
            }
            let viscous = -damping * outer_product(gradients[low], gradients[high]);
            if own == low {
                row.stiffness[high] = block;
                row.damping[high] = viscous;
            }
            if own == high {
                row.stiffness[low] = transpose(block);
                row.damping[low] = transpose(viscous);
            }
        }
    }
    return row;
}

fn curvature_energy(element: Element, state: ElementState) -> f32 {
    let bending = bending_vector(element.rest_a, state.x);
    let hinge = hinge_normal(element.rest_a, state.x, bending, element.rest_b.y);
    let offset = bending - element.rest_b.y * hinge.normal;
    let square = dot(offset, offset);
    return element.rest_b.x * square * (0.5 + 0.25 * element.rest_b.w * square);
}
