// A constraint C with energy ½ k C² and damping (Teschner 1 to 3), its Jacobian without the second derivative of C (Gauss–Newton):
//   f_i = -(k C + c Ċ) g_i,   df_i/dx_j = -k g_i g_jᵀ,   df_i/dv_j = -c g_i g_jᵀ,   g = dC/dx.
#import shared/element
#import shared/forces_only

// C and its gradients g; gradients of absent particles are 0.
struct ScalarConstraint {
    value: f32,
    gradients: array<vec3<f32>, 4>,
}

// Forces f on all particles of the constraint.
fn constraint_forces(
    stiffness: f32,
    damping: f32,
    constraint: ScalarConstraint,
    velocities: array<vec3<f32>, 4>,
) -> array<vec3<f32>, 4> {
    let g = constraint.gradients;
    var tension = stiffness * constraint.value;
    if !UNDAMPED {
        tension += damping
            * (dot(g[0], velocities[0]) + dot(g[1], velocities[1]) + dot(g[2], velocities[2]) + dot(g[3], velocities[3]));
    }
    return array(-tension * g[0], -tension * g[1], -tension * g[2], -tension * g[3]);
}

// Row of a constraint from gradients and motions as the particle sees them. The lead acts as damping, because Σ_j df_i/dx_j (v_j - v_i) = -k g_i Ċ.
fn constraint_row(
    stiffness: f32,
    damping: f32,
    value: f32,
    g: array<vec3<f32>, 4>,
    motions: array<vec3<f32>, 3>,
    weights: RowWeights,
) -> ElementRow {
    var tension = stiffness * value;
    if !UNDAMPED {
        let rate = dot(g[1], motions[0]) + dot(g[2], motions[1]) + dot(g[3], motions[2]);
        tension += (damping + weights.lead * stiffness) * rate;
    }
    let factor = -(weights.stiffness * stiffness + weights.damping * damping);
    // The factor comes last, so that both ends agree to the bit.
    return ElementRow(-tension * g[0], array(
        factor * outer_product(g[0], g[1]), factor * outer_product(g[0], g[2]), factor * outer_product(g[0], g[3])));
}

// Adds a part of df_i/dx_j to a row.
fn add_stiffness(row: ptr<function, ElementRow>, weights: RowWeights, k: u32, motion: vec3<f32>, part: mat3x3<f32>) {
    (*row).force += weights.lead * (part * motion);
    switch k {
        case 0u: { (*row).blocks[0] += weights.stiffness * part; }
        case 1u: { (*row).blocks[1] += weights.stiffness * part; }
        default: { (*row).blocks[2] += weights.stiffness * part; }
    }
}
