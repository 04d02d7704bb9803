// St. Venant–Kirchhoff membrane: a triangle in weft (u), warp (v) and shear, after Volino 2009. F_u = Σ_k b_k^u x_k and F_v = Σ_k b_k^v x_k
// are the weft and warp vectors; with Green strains e_u = ½ (|F_u|² - 1), e_v and shear γ = ⟨F_u, F_v⟩,
//   E = area · ½ (C_u e_u² + C_v e_v² + 2 C_uv e_u e_v + C_s γ²).
// rest: b₁ᵘ, b₂ᵘ, b₁ᵛ, b₂ᵛ (1/m, b₀ = -(b₁ + b₂)), area (m²). parameters: C_u, C_v, C_uv, C_s (N/m), D_u, D_v, D_uv, D_s (N·s/m),
// where viscous stresses are D times the strain rates. C_uv² ≤ C_u C_v is expected, and D_uv² ≤ D_u D_v.
// Jacobian: -area · (material part + ⟨b_i, S b_j⟩ I) with S the elastic stresses [[s_u, τ], [τ, s_v]].
// Clamped: S without its negative eigenvalues.
#import shared/clamp
#import shared/element
#import forces/strain

// F_u and F_v, or their rates.
fn membrane_vectors(rest: vec4<f32>, x: array<vec3<f32>, 4>) -> array<vec3<f32>, 2> {
    let p = x[1] - x[0];
    let q = x[2] - x[0];
    return array(rest.x * p + rest.y * q, rest.z * p + rest.w * q);
}

// Green strains e_u, e_v and shear γ.
fn membrane_strains(weft: vec3<f32>, warp: vec3<f32>) -> vec3<f32> {
    return vec3(green_strain(length(weft)), green_strain(length(warp)), dot(weft, warp));
}

// Stresses s_u, s_v, τ of strains or of strain rates, moduli (u, v, uv, s).
fn membrane_stresses(moduli: vec4<f32>, strains: vec3<f32>) -> vec3<f32> {
    return vec3(
        moduli.x * strains.x + moduli.z * strains.y,
        moduli.y * strains.y + moduli.z * strains.x,
        moduli.w * strains.z,
    );
}

// Material block Σ moduli · (strain gradient at i)(strain gradient at j)ᵀ and geometric block ⟨b_i, S b_j⟩ I, from the weights (u, v) of both corners. Grouped
// so that the result is symmetric in i and j to the bit.
fn membrane_block(
    moduli: vec4<f32>,
    stress: vec3<f32>,
    i: vec2<f32>,
    j: vec2<f32>,
    weft: vec3<f32>,
    warp: vec3<f32>,
) -> mat3x3<f32> {
    let u = i.x * weft;
    let v = i.y * warp;
    let other_u = j.x * weft;
    let other_v = j.y * warp;
    let geometric = stress.x * (i.x * j.x) + stress.y * (i.y * j.y) + stress.z * (i.x * j.y + i.y * j.x);
    return moduli.x * outer_product(u, other_u)
        + moduli.y * outer_product(v, other_v)
        + moduli.z * (outer_product(u, other_v) + outer_product(v, other_u))
        + moduli.w * outer_product(i.x * warp + i.y * weft, j.x * warp + j.y * weft)
        + scaled_identity(geometric);
}

// The symmetric matrix [[x, z], [z, y]] without its negative eigenvalues.
fn without_negative(stress: vec3<f32>) -> vec3<f32> {
    let mean = 0.5 * (stress.x + stress.y);
    let difference = 0.5 * (stress.x - stress.y);
    let radius = length(vec2(difference, stress.z));
    if mean >= radius {
        return stress;
    }
    let largest = mean + radius;
    if largest <= 0.0 {
        return vec3(0.0);
    }
    let scale = largest / (2.0 * radius);
    return scale * vec3(max(radius + difference, 0.0), max(radius - difference, 0.0), stress.z);
}

fn membrane_row(material: ElementMaterial, element: Element, state: ElementState, own: u32, weights: RowWeights) -> ElementRow {
    let moduli = material.parameters_a;
    let viscosities = material.parameters_b;
    let area = element.rest_b.x;
    let vectors = membrane_vectors(element.rest_a, state.x);
    let weft = vectors[0];
    let warp = vectors[1];
    let vector_rates = membrane_vectors(element.rest_a, state.v);
    let rates = vec3(
        dot(weft, vector_rates[0]),
        dot(warp, vector_rates[1]),
        dot(vector_rates[0], warp) + dot(weft, vector_rates[1]),
    );
    let elastic = membrane_stresses(moduli, membrane_strains(weft, warp));
    var stress = elastic;
    if is_clamped() {
        stress = without_negative(elastic);
    }
    // Weights of the corners in F_u and F_v, 1/m, as this one sees them.
    let u = numbers_seen_from(own, vec4(-(element.rest_a.x + element.rest_a.y), element.rest_a.xy, 0.0));
    let v = numbers_seen_from(own, vec4(-(element.rest_a.z + element.rest_a.w), element.rest_a.zw, 0.0));
    let mine = vec2(u.x, v.x);
    // The lead takes the material part of the Jacobian for a viscosity, and the geometric part for stresses on the rates of F_u and F_v.
    let total = elastic + membrane_stresses(viscosities + weights.lead * moduli, rates);
    let led = weights.lead * stress;
    let force = (total.x * mine.x + total.z * mine.y) * weft + (total.y * mine.y + total.z * mine.x) * warp
        + (led.x * mine.x + led.z * mine.y) * vector_rates[0] + (led.y * mine.y + led.z * mine.x) * vector_rates[1];
    let material_part = -area * (weights.stiffness * moduli + weights.damping * viscosities);
    let geometric = -area * weights.stiffness * stress;
    var row: ElementRow;
    row.force = -area * force;
    row.blocks[0] = membrane_block(material_part, geometric, mine, vec2(u.y, v.y), weft, warp);
    row.blocks[1] = membrane_block(material_part, geometric, mine, vec2(u.z, v.z), weft, warp);
    return row;
}

fn membrane_energy(material: ElementMaterial, element: Element, state: ElementState) -> f32 {
    let vectors = membrane_vectors(element.rest_a, state.x);
    let strains = membrane_strains(vectors[0], vectors[1]);
    return 0.5 * element.rest_b.x * dot(strains, membrane_stresses(material.parameters_a, strains));
}

// Principal strain of largest magnitude.
fn membrane_strain(element: Element, x: array<vec3<f32>, 4>) -> f32 {
    let vectors = membrane_vectors(element.rest_a, x);
    return triangle_strain(vectors[0], vectors[1]);
}
