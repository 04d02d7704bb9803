// A pair of a vertex and a triangle or of two edges that may come near each other in a step. Same layout as `gpu::layout::SurfacePair`.
struct SurfacePair {
    // Rows of the four particles.
    rows: vec4<u32>,
    // Number of the vertex or first edge, and of the triangle or second edge.
    first: u32,
    second: u32,
    // VERTEX_TRIANGLE or EDGE_EDGE
    kind: u32,
    padding: u32,
}
