// Force and Jacobian of one edge, for every law. With d = x_i - x_j, l = |d|, n = d / l:
//   f_i       = -g n - c ⟨v_i - v_j, n⟩ n - s d - e (v_i - v_j)
//   df_i/dx_j = t I + (g' - t) n nᵀ + s I,   t = g / l       (elastic part; the damping's own dependence on x is left out)
//   df_i/dv_j = c n nᵀ + e I
// s is the slot's scalar, e the drag and s times its viscosity. Under compression t < 0, and where a law softens g' < 0; both make
// -df/dx indefinite. With the clamp on, both are at least 0 (Choi–Ko, Baraff–Witkin practice). s is never clamped: the
// scalars of a bending model are of either sign and positive only together.
#import shared/clamp
#import forces/law
#import shared/forces_only

struct EdgeResponse {
    // Force f_i, N.
    force: vec3<f32>,
    // Unit direction from j to i; zero for coincident particles, on which the law has no effect.
    direction: vec3<f32>,
    // Transverse stiffness t + s, and axial stiffness beyond t, g' - t, N/m.
    transverse: f32,
    axial_excess: f32,
    // Viscosities c and e, N·s/m.
    damping: f32,
    drag: f32,
}

// Fraction of the rest length below which the divisor of t is bounded: g / l would overflow.
const SHORTEST_FRACTION: f32 = 1e-6;

fn edge_response(slot: EdgeSlot, history: vec4<f32>, offset: vec3<f32>, relative_velocity: vec3<f32>) -> EdgeResponse {
    let ix = slot.material;
    let length = length(offset);
    let law = edge_law(slot, length, history);
    let direction = select(vec3(0.0), offset / length, length > 0.0);
    var transverse = 0.0;
    var axial_excess = 0.0;
    if !WITHOUT_BLOCKS {
        transverse = law.jacobian_tension / max(length, SHORTEST_FRACTION * slot.rest_length);
        var slope = law.slope;
        if is_clamped() {
            transverse = max(transverse, 0.0);
            slope = max(slope, 0.0);
        }
        axial_excess = slope - transverse;
        transverse += slot.scalar;
    }
    var damping = 0.0;
    var drag = 0.0;
    if !UNDAMPED {
        damping = slot.weight * materials[ix].damping;
        drag = slot.weight * materials[ix].drag;
        if slot.scalar != 0.0 {
            drag += slot.scalar * materials[ix].jacobian_parameters.w;
        }
    }
    let force = -(law.tension + damping * dot(relative_velocity, direction)) * direction
        - slot.scalar * offset - drag * relative_velocity;
    return EdgeResponse(force, direction, transverse, axial_excess, damping, drag);
}
