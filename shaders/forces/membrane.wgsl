// St. Venant–Kirchhoff membrane: a triangle in weft (u), warp (v) and shear, after Volino 2009. F_u = Σ_k b_k^u x_k and F_v = Σ_k b_k^v x_k
// are the weft and warp vectors; with Green strains e_u = ½ (|F_u|² - 1), e_v and shear γ = ⟨F_u, F_v⟩,
//   E = area · ½ (C_u e_u² + C_v e_v² + 2 C_uv e_u e_v + C_s γ²).
// rest: b₁ᵘ, b₂ᵘ, b₁ᵛ, b₂ᵛ (1/m, b₀ = -(b₁ + b₂)), area (m²). parameters: C_u, C_v, C_uv, C_s (N/m), D_u, D_v, D_uv, D_s (N·s/m),
// where viscous stresses are D times the strain rates. C_uv² ≤ C_u C_v is expected, and D_uv² ≤ D_u D_v.
// Jacobian: -area · (material part + ⟨b_i, S b_j⟩ I) with S the elastic stresses [[s_u, τ], [τ, s_v]].
// Clamped: S without its negative eigenvalues.
#import shared/params
#import shared/element
#import forces/strain

// Weights (u, v) of a corner, 1/m.
fn membrane_weight(rest: vec4<f32>, corner: u32) -> vec2<f32> {
    switch corner {
        case 0u: { return -(rest.xz + rest.yw); }
        case 1u: { return rest.xz; }
        default: { return rest.yw; }
    }
}

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

// Material block: Σ moduli · (strain gradient at i)(strain gradient at j)ᵀ.
fn membrane_block(moduli: vec4<f32>, i: vec2<f32>, j: vec2<f32>, weft: vec3<f32>, warp: vec3<f32>) -> mat3x3<f32> {
    let u = i.x * weft;
    let v = i.y * warp;
    let other_u = j.x * weft;
    let other_v = j.y * warp;
    return moduli.x * outer_product(u, other_u)
        + moduli.y * outer_product(v, other_v)
        + moduli.z * (outer_product(u, other_v) + outer_product(v, other_u))
        + moduli.w * outer_product(i.x * warp + i.y * weft, j.x * warp + j.y * weft);
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

fn membrane_row(material: ElementMaterial, element: Element, state: ElementState, own: u32) -> ElementRow {
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
    let total = elastic + membrane_stresses(viscosities, rates);
    let own_weight = membrane_weight(element.rest_a, own);
    let along_weft = total.x * own_weight.x + total.z * own_weight.y;
    let along_warp = total.y * own_weight.y + total.z * own_weight.x;
    var row: ElementRow;
    row.force = -area * (along_weft * weft + along_warp * warp);
    var stress = elastic;
    if (params.flags & FLAG_CLAMP) != 0u {
        stress = without_negative(elastic);
    }
    for (var j = 0u; j < 3u; j += 1u) {
        let weight = membrane_weight(element.rest_a, j);
        // Grouped so that the result is symmetric in i and j to the bit.
        let geometric = stress.x * (own_weight.x * weight.x) + stress.y * (own_weight.y * weight.y)
            + stress.z * (own_weight.x * weight.y + own_weight.y * weight.x);
        let material_part = membrane_block(moduli, own_weight, weight, weft, warp);
        row.stiffness[j] = -area * (material_part + scaled_identity(geometric));
        row.damping[j] = -area * membrane_block(viscosities, own_weight, weight, weft, warp);
    }
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
