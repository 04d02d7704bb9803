// A constraint C with energy ½ k C² and damping (Teschner 1 to 3), its Jacobian without the second derivative of C (Gauss–Newton):
//   f_i = -(k C + c Ċ) g_i,   df_i/dx_j = -k g_i g_jᵀ,   df_i/dv_j = -c g_i g_jᵀ,   g = dC/dx.
#import shared/element
#import shared/forces_only

fn constraint_row(
    own: u32,
    stiffness: f32,
    damping: f32,
    constraint: f32,
    gradients: array<vec3<f32>, 4>,
    velocities: array<vec3<f32>, 4>,
) -> ElementRow {
    var g = gradients;
    // Written out: some drivers keep arrays that a loop goes through in memory.
    let rate = dot(gradients[0], velocities[0]) + dot(gradients[1], velocities[1])
        + dot(gradients[2], velocities[2]) + dot(gradients[3], velocities[3]);
    let mine = g[own];
    var row: ElementRow;
    row.force = -(stiffness * constraint + damping * rate) * mine;
    if WITHOUT_BLOCKS {
        return row;
    }
    for (var j = 0u; j < 4u; j += 1u) {
        let product = outer_product(mine, g[j]);
        row.stiffness[j] = -stiffness * product;
        row.damping[j] = -damping * product;
    }
    return row;
}
