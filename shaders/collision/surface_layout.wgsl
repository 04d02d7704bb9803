// Layout of the words of `surface`, which never change.

// Where the words of `surface` begin, and sizes of contact between bodies. Same layout as `gpu::layout::SurfaceLayout`.
struct SurfaceLayout {
    vertex_count: u32,
    edge_count: u32,
    triangle_count: u32,
    // Largest number of pairs.
    pair_capacity: u32,
    // First word of the rows of vertices, of edges (two each), of the vertices across the triangles beside each edge (two each), of triangles (three each), and of the
    // vertices beyond each triangle (three each).
    vertices: u32,
    edges: u32,
    wings: u32,
    triangles: u32,
    beyond: u32,
    // First word of: where the neighbours of each row begin, the neighbours, the body of each row, radius and friction of each body, and one bit per pair of bodies
    // that says whether they meet.
    offsets: u32,
    neighbours: u32,
    bodies: u32,
    skins: u32,
    meets: u32,
    // Number of bodies if some pairs of bodies do not meet, else 0.
    ignoring_bodies: u32,
    // Leaves of the trees over triangles and over edges, powers of two.
    triangle_leaves: u32,
    edge_leaves: u32,
    // Workgroups of the kernels that search the trees, and of those that take long for a pair.
    query_workgroups: u32,
    pair_workgroups: u32,
    // Workgroups of the kernels over struts with partial sums.
    strut_workgroups: u32,
    // Place of the stage within the step.
    stage_share: f32,
    // First word of the rows that ties and seams join to each row; 0 where nothing is joined.
    sewn: u32,
    padding_b: u32,
    padding_c: u32,
}
