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

// Force on one particle.
fn constraint_force(
    own: u32,
    stiffness: f32,
    damping: f32,
    constraint: ScalarConstraint,
    velocities: array<vec3<f32>, 4>,
) -> vec3<f32> {
    return seen_from(own, constraint_forces(stiffness, damping, constraint, velocities))[0];
}
