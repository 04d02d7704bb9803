// Volume of a tetrahedron, Teschner (6), with signed volume V = (x₁ - x₀)·((x₂ - x₀) × (x₃ - x₀)) / 6, so that what is inverted
// comes back: C = (V - V₀) / Ṽ₀, E = ½ k C².
// rest: V₀, Ṽ₀ (m³). parameters: k (N·m), damping (N·m·s).
// Clamped: Gauss–Newton. Exact: less k C d²C/dx², whose blocks are cross products with the opposite edge.
#import shared/params
#import forces/constraint_row

struct Volume {
    volume: f32,
    gradients: array<vec3<f32>, 4>,
}

fn volume_and_gradients(x: array<vec3<f32>, 4>) -> Volume {
    let a = x[1] - x[0];
    let b = x[2] - x[0];
    let c = x[3] - x[0];
    let g1 = cross(b, c) / 6.0;
    let g2 = cross(c, a) / 6.0;
    let g3 = cross(a, b) / 6.0;
    return Volume(dot(a, g1), array(-(g1 + g2 + g3), g1, g2, g3));
}

fn volume_row(material: ElementMaterial, element: Element, state: ElementState, own: u32) -> ElementRow {
    let normaliser = element.rest_a.y;
    let measured = volume_and_gradients(state.x);
    let constraint = (measured.volume - element.rest_a.x) / normaliser;
    let g = measured.gradients;
    let gradients = array(g[0] / normaliser, g[1] / normaliser, g[2] / normaliser, g[3] / normaliser);
    let stiffness = material.parameters_a.x;
    var row = constraint_row(own, stiffness, material.parameters_a.y, constraint, gradients, state.v);
    if !WITHOUT_BLOCKS && (params.flags & FLAG_CLAMP) == 0u {
        let tension = stiffness * constraint / (6.0 * normaliser);
        var x = state.x;
        // The own block comes out wrong; nobody reads it.
        for (var j = 0u; j < 4u; j += 1u) {
            row.stiffness[j] -= tension * cross_matrix(opposite_edge(&x, own, j));
        }
    }
    return row;
}

fn volume_energy(material: ElementMaterial, element: Element, state: ElementState) -> f32 {
    let constraint = (volume_and_gradients(state.x).volume - element.rest_a.x) / element.rest_a.y;
    return 0.5 * material.parameters_a.x * constraint * constraint;
}

// The edge of the other two corners, in the order that makes (i, j, k, l) an even permutation: d²V/dx_i dx_j = [x_k - x_l]× / 6.
fn opposite_edge(x: ptr<function, array<vec3<f32>, 4>>, i: u32, j: u32) -> vec3<f32> {
    // The smallest and the largest of the others.
    let low = select(select(2u, 1u, i != 1u && j != 1u), 0u, i != 0u && j != 0u);
    let high = min(6u - i - j - low, 3u);
    let edge = (*x)[low] - (*x)[high];
    // Inversions of (i, j, low, high) with low < high: i and j against each other, and each against low and high.
    let inversions = u32(i > j) + u32(i > low) + u32(i > high) + u32(j > low) + u32(j > high);
    return select(-edge, edge, inversions % 2u == 0u);
}
