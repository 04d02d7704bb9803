// Linear spring: g(l) = k (l - L), g'(l) = k, E(l) = k/2 (l - L)².   k in N/m.

fn linear_law(material: EdgeMaterial, rest_length: f32, length: f32) -> EdgeLaw {
    let stretch = length - rest_length;
    let k = material.stiffness;
    return EdgeLaw(k * stretch, k, 0.5 * k * stretch * stretch);
}
