// What a constrained particle may do: the one mechanism behind pins and contacts (Baraff–Witkin; Etzmuß algorithm 7).
// Same layout as `gpu::layout::Constraint`.

struct Constraint {
    // Where the constrained directions are led to by the end of the step, m.
    target_position: vec4<f32>,
    // P, the projection onto the free directions: 0 for a pin, I - n nᵀ on a plane, n nᵀ on a line.
    free: SymmetricBlock,
    // The three w: along which direction a scheme must not look back, see `remembered`.
}

// In `constraint_ix`, which has a word per particle and behind them the user's index of each: this particle is free.
const UNCONSTRAINED: u32 = 0xffffffffu;

// What is left of a change over the last step. A velocity that a contact has changed is no trend to go on with: along the contact's
// normal the last step is forgotten; wholly, where that vector is longer than a normal.
fn remembered(constraint: Constraint, change: vec3<f32>) -> vec3<f32> {
    let normal = vec3(constraint.target_position.w, constraint.free.diagonal.w, constraint.free.off_diagonal.w);
    return select(change - dot(normal, change) * normal, vec3(0.0), dot(normal, normal) > 2.0);
}

// The free part of a velocity that the midpoint rule continues from its stage to the end of the step. Friction stops what it acts on half way
// and would have turned it round by the end: where something is touched, what has turned is at rest.
fn continued(constraint: Constraint, velocity: vec3<f32>, stage: vec3<f32>) -> vec3<f32> {
    let along = symmetric_times(constraint.free, velocity - stage);
    let touches = constraint.target_position.w != 0.0 || constraint.free.diagonal.w != 0.0 || constraint.free.off_diagonal.w != 0.0;
    let half_way = symmetric_times(constraint.free, stage);
    return stage + select(along, -half_way, touches && dot(half_way + along, half_way) < 0.0);
}
