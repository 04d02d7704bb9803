// Constraint of one particle, the mechanism of pins and contacts (Baraff–Witkin; Etzmuß algorithm 7).
// Same layout as `gpu::layout::Constraint`.

struct Constraint {
    // Target of the constrained directions at the end of the step, m.
    target_position: vec4<f32>,
    // P, the projection onto the free directions: 0 for a pin, I - n nᵀ on a plane, n nᵀ on a line.
    free: SymmetricBlock,
    // The three w components: direction in which a scheme forgets the last step, see `remembered`.
}

// Entry of `constraint_ix` for an unconstrained particle. `constraint_ix` has one word per row, followed by the user's index of
// each row.
const UNCONSTRAINED: u32 = 0xffffffffu;

// Part of a change over the last step that a multistep scheme may extrapolate. Along the contact's normal the last step is
// forgotten, because a velocity changed by contact is no trend. A vector longer than a unit normal forgets the step completely.
fn remembered(constraint: Constraint, change: vec3<f32>) -> vec3<f32> {
    let normal = vec3(constraint.target_position.w, constraint.free.diagonal.w, constraint.free.off_diagonal.w);
    return select(change - dot(normal, change) * normal, vec3(0.0), dot(normal, normal) > 2.0);
}

// Free part of a velocity that the midpoint rule extrapolates from its stage to the end of the step. In contact, a velocity
// component that would reverse becomes 0, because friction stops motion but does not reverse it.
fn continued(constraint: Constraint, velocity: vec3<f32>, stage: vec3<f32>) -> vec3<f32> {
    let along = symmetric_times(constraint.free, velocity - stage);
    let touches = constraint.target_position.w != 0.0 || constraint.free.diagonal.w != 0.0 || constraint.free.off_diagonal.w != 0.0;
    let half_way = symmetric_times(constraint.free, stage);
    return stage + select(along, -half_way, touches && dot(half_way + along, half_way) < 0.0);
}
