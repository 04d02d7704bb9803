// v at unit length, or `otherwise` if v is zero.
fn unit_or(v: vec3<f32>, otherwise: vec3<f32>) -> vec3<f32> {
    // Scaled by the largest coordinate first: squares of small triangles' normals underflow.
    let largest = max(max(abs(v.x), abs(v.y)), abs(v.z));
    if largest < 1.0e-30 {
        return otherwise;
    }
    return normalize(v / largest);
}
