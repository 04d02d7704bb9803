// Force and Jacobian of one edge, for every model alike. With d = x_i - x_j, l = |d|, n = d / l:
//   f_i       = -g n - c ⟨v_i - v_j, n⟩ n
//   df_i/dx_j = t I + (g' - t) n nᵀ,   t = g / l       (elastic part; the damping's own dependence on x is left out)
//   df_i/dv_j = c n nᵀ
// Under compression t < 0 makes -df/dx indefinite; with the clamp on, t = max(t, 0) (Choi–Ko, Baraff–Witkin practice).
#import forces/law

struct EdgeResponse {
    // f_i, N
    force: vec3<f32>,
    // Unit direction from j to i; zero for coincident particles, which then feel no force.
    direction: vec3<f32>,
    // t and g' - t above, N/m
    transverse: f32,
    axial_excess: f32,
    // c, N·s/m
    damping: f32,
}

// Below this fraction of the rest length t is not divided further: g / l would overflow.
const SHORTEST_FRACTION: f32 = 1e-6;

fn edge_response(material: EdgeMaterial, slot: EdgeSlot, offset: vec3<f32>, relative_velocity: vec3<f32>) -> EdgeResponse {
    let length = length(offset);
    let law = edge_law(material, slot, length);
    let direction = select(vec3(0.0), offset / length, length > 0.0);
    var transverse = law.tension / max(length, SHORTEST_FRACTION * slot.rest_length);
    if (params.flags & FLAG_CLAMP) != 0u {
        transverse = max(transverse, 0.0);
    }
    let damping = slot.weight * material.damping;
    let force = -(law.tension + damping * dot(relative_velocity, direction)) * direction;
    return EdgeResponse(force, direction, transverse, law.slope - transverse, damping);
}
