// Kind of an edge or triangle that may touch a collider: the host lists these first, each with its strut.
const ON_COLLIDER: u32 = 2u;

// A pair of a vertex and a triangle or of two edges that may come near each other in a step, or an edge or triangle near a collider. Same layout as `gpu::layout::SurfacePair`.
struct SurfacePair {
    // Rows of the four particles.
    rows: vec4<u32>,
    // Number of the vertex or first edge, and of the triangle or second edge. Near a collider: bits of the velocity of its surface, m/s, x and y.
    first: u32,
    second: u32,
    // VERTEX_TRIANGLE, EDGE_EDGE or ON_COLLIDER
    kind: u32,
    // Near a collider: bits of the velocity of its surface, z.
    third: u32,
}

// Velocity of the surface of a collider that a pair is near to, m/s; 0 for other pairs.
fn surface_velocity(pair: SurfacePair) -> vec3<f32> {
    return select(vec3(0.0), bitcast<vec3<f32>>(vec3(pair.first, pair.second, pair.third)), pair.kind == ON_COLLIDER);
}
