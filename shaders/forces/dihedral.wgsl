// Bending by the angle between normals: E = ½ k (θ - θ₀)², f_i = -(k (θ - θ₀) + c θ̇) dθ/dx_i. Particles: wings A, B, common edge
// C, D. θ is 0 when flat and positive when the wings bend towards the normals of triangles A, C, D and B, D, C (as r₀ in
// forces/curvature_printed), in (-π, π]: past ±π it jumps.
// rest: k (N·m), θ₀, c (N·m·s); areas A₀ of the triangles of A and B (m²), 0 for triangles that may collapse without a factor.
// Seen along the edge each wing is a point in polar coordinates. With ê the edge's direction, L its length, and of a wing p the
// height, u the direction from the edge, n the normal, t the foot's place along the edge, ω = (1, -(1 - t), -t) for (wing, C, D)
// and ψ = (0, -1, 1):
//   dθ/dx_i = Σ_wings ω_i n / p,
//   d²θ/dx_i dx_j = Σ_wings (ω_i ω_j + ψ_i ψ_j p² / 2L²) Q - ω_i ψ_j Kᵀ - ψ_i ω_j K, Q = -(u nᵀ + n uᵀ) / p², K = n êᵀ / pL.
// Clamped: Gauss–Newton. Where a triangle has no height or the edge no length, there is no angle and no force.
// A triangle that collapses turns its normal over, and θ jumps. So that the energy does not, E has the factor W = w(A_a²/A_a0²) w(A_b²/A_b0²)
// of the areas A, w(t) = (t/τ)(2 - t/τ) below τ = 1/16, and 1 above: it acts below a quarter of the area. Its gradient counts in the force;
// the Jacobian, exact too, has W alone.
#import shared/clamp
#import shared/angle
#import forces/constraint_row

// Doubled area over the sum of squared sides below which a triangle counts as degenerate.
const THINNEST: f32 = 1e-6;

// τ: squared part of the area below which a triangle counts as collapsing.
const COLLAPSING: f32 = 0.0625;

// w of a triangle, and its slope by the squared area.
fn collapse_factor(square: f32, rest_area: f32) -> vec2<f32> {
    let ratio = square / max(COLLAPSING * rest_area * rest_area, 1e-37);
    let whole = rest_area <= 0.0 || ratio >= 1.0;
    let slope = 2.0 * (1.0 - ratio) / max(COLLAPSING * rest_area * rest_area, 1e-37);
    return select(vec2(ratio * (2.0 - ratio), slope), vec2(1.0, 0.0), whole);
}

// The factor W of collapsing triangles, and its gradients by the four particles.
struct Collapse {
    factor: f32,
    gradients: array<vec3<f32>, 4>,
}

fn collapse_of(areas: vec2<f32>, x: array<vec3<f32>, 4>) -> Collapse {
    let a = x[0] - x[2];
    let b = x[1] - x[2];
    let e = x[3] - x[2];
    let normal_a = 0.5 * cross(e, a);
    let normal_b = 0.5 * cross(b, e);
    let first = collapse_factor(dot(normal_a, normal_a), areas.x);
    let second = collapse_factor(dot(normal_b, normal_b), areas.y);
    let by_a = first.y * second.x;
    let by_b = second.y * first.x;
    let g0 = by_a * cross(normal_a, e);
    let g1 = by_b * cross(e, normal_b);
    let g3 = by_a * cross(a, normal_a) + by_b * cross(normal_b, b);
    return Collapse(first.x * second.x, array(g0, g1, -(g0 + g1 + g3), g3));
}

// One of the two triangles, seen from the common edge.
struct Wing {
    normal: vec3<f32>,
    // Unit direction from the edge to the wing.
    outward: vec3<f32>,
    height: f32,
    // ω of A, B, C, D; 0 for the other wing.
    weights: vec4<f32>,
}

// Two triangles with a common edge.
struct Hinge {
    defined: bool,
    angle: f32,
    // Unit direction ê of the edge.
    edge: vec3<f32>,
    edge_length: f32,
    first: Wing,
    second: Wing,
}

fn hinge_of(x: array<vec3<f32>, 4>) -> Hinge {
    let a = x[0] - x[2];
    let b = x[1] - x[2];
    let e = x[3] - x[2];
    let normal_a = cross(e, a);
    let normal_b = cross(b, e);
    let size_a = length(normal_a);
    let size_b = length(normal_b);
    let edge_square = dot(e, e);
    var hinge: Hinge;
    if size_a <= THINNEST * (edge_square + dot(a, a)) || size_b <= THINNEST * (edge_square + dot(b, b)) {
        return hinge;
    }
    hinge.defined = true;
    hinge.edge_length = sqrt(edge_square);
    hinge.edge = e / hinge.edge_length;
    // ⟨N_B × N_A, ê⟩ = L ⟨b, N_A⟩, which avoids a difference of products of normals.
    let unit_a = normal_a / size_a;
    let unit_b = normal_b / size_b;
    let height_a = size_a / hinge.edge_length;
    let height_b = size_b / hinge.edge_length;
    // Sine and cosine: both terms divided by |N_A| |N_B|.
    hinge.angle = angle_of(dot(unit_a, unit_b), dot(b, unit_a) / height_b);
    let foot_a = dot(a, e) / edge_square;
    let foot_b = dot(b, e) / edge_square;
    // Both vectors are normal to the edge: one is the other turned by a right angle.
    hinge.first = Wing(unit_a, cross(unit_a, hinge.edge), height_a, vec4(1.0, 0.0, foot_a - 1.0, -foot_a));
    hinge.second = Wing(unit_b, cross(hinge.edge, unit_b), height_b, vec4(0.0, 1.0, foot_b - 1.0, -foot_b));
    return hinge;
}

// Contribution of a wing to d²θ/dx_i dx_j, from its weights ω and the edge's ψ at i and j.
fn hinge_block(hinge: Hinge, wing: Wing, weight: vec2<f32>, along: vec2<f32>) -> mat3x3<f32> {
    let turned = outer_product(wing.outward, wing.normal) + outer_product(wing.normal, wing.outward);
    let sheared = outer_product(wing.normal, hinge.edge) * (1.0 / (wing.height * hinge.edge_length));
    let ratio = wing.height / hinge.edge_length;
    let polar = (weight.x * weight.y + along.x * along.y * 0.5 * ratio * ratio) / (wing.height * wing.height);
    // Grouped so that the result is symmetric in i and j to the bit.
    return -polar * turned - (weight.x * along.y * transpose(sheared) + along.x * weight.y * sheared);
}

// d²θ/dx_i dx_j from the weights ω in both wings and ψ of i and j.
fn hinge_stiffness(hinge: Hinge, i: vec3<f32>, j: vec3<f32>) -> mat3x3<f32> {
    let ends = vec2(i.z, j.z);
    return hinge_block(hinge, hinge.first, vec2(i.x, j.x), ends) + hinge_block(hinge, hinge.second, vec2(i.y, j.y), ends);
}

fn dihedral_row(element: Element, state: ElementState, own: u32, weights: RowWeights) -> ElementRow {
    let hinge = hinge_of(state.x);
    if !hinge.defined {
        return ElementRow();
    }
    let collapse = collapse_of(element.rest_b.xy, state.x);
    let stiffness = collapse.factor * element.rest_a.x;
    let damping = collapse.factor * element.rest_a.z;
    let excess = hinge.angle - element.rest_a.y;
    let first = numbers_seen_from(own, hinge.first.weights);
    let second = numbers_seen_from(own, hinge.second.weights);
    let by_first = hinge.first.normal / hinge.first.height;
    let by_second = hinge.second.normal / hinge.second.height;
    let gradients = array(
        first.x * by_first + second.x * by_second,
        first.y * by_first + second.y * by_second,
        first.z * by_first + second.z * by_second,
        first.w * by_first + second.w * by_second,
    );
    let motions = motions_seen_from(own, state.v);
    var row = constraint_row(stiffness, damping, excess, gradients, motions, weights);
    row.force -= 0.5 * element.rest_a.x * excess * excess * seen_from(own, collapse.gradients)[0];
    if !WITHOUT_BLOCKS && !is_clamped() {
        let along = numbers_seen_from(own, vec4(0.0, 0.0, -1.0, 1.0));
        let mine = vec3(first.x, second.x, along.x);
        let tension = -stiffness * excess;
        add_stiffness(&row, weights, 0u, motions[0], tension * hinge_stiffness(hinge, mine, vec3(first.y, second.y, along.y)));
        add_stiffness(&row, weights, 1u, motions[1], tension * hinge_stiffness(hinge, mine, vec3(first.z, second.z, along.z)));
        add_stiffness(&row, weights, 2u, motions[2], tension * hinge_stiffness(hinge, mine, vec3(first.w, second.w, along.w)));
    }
    return row;
}

fn dihedral_energy(element: Element, state: ElementState) -> f32 {
    let hinge = hinge_of(state.x);
    if !hinge.defined {
        return 0.0;
    }
    let excess = hinge.angle - element.rest_a.y;
    return 0.5 * collapse_of(element.rest_b.xy, state.x).factor * element.rest_a.x * excess * excess;
}
