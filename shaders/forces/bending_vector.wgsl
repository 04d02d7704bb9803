// Volino's bending vector R = Σ α_k x_k (4), or its rate; from differences, which round better and are invariant under translations
// whatever the sum of α.

fn bending_vector(alpha: vec4<f32>, x: array<vec3<f32>, 4>) -> vec3<f32> {
    return alpha.x * (x[0] - x[2]) + alpha.y * (x[1] - x[2]) + alpha.w * (x[3] - x[2]);
}
