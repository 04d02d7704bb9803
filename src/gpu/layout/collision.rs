//! Structs of contact between bodies.

use bytemuck::{Pod, Zeroable};

shared_struct! {
    /// Layout of the words of `surface`, and sizes of contact between bodies: `shaders/collision/surface_layout.wgsl`.
    SurfaceLayout {
        /// Number of vertices.
        vertex_count: u32,
        /// Number of edges.
        edge_count: u32,
        /// Number of triangles.
        triangle_count: u32,
        /// Largest number of pairs.
        pair_capacity: u32,
        /// First word of the rows of vertices.
        vertices: u32,
        /// First word of the rows of edges.
        edges: u32,
        /// First word of the vertices across the triangles beside each edge.
        wings: u32,
        /// First word of the rows of triangles.
        triangles: u32,
        /// First word of the vertices beyond each triangle.
        beyond: u32,
        /// First word of where the neighbours of each row begin.
        offsets: u32,
        /// First word of the neighbours.
        neighbours: u32,
        /// First word of the bodies of rows.
        bodies: u32,
        /// First word of the numbers of bodies.
        skins: u32,
        /// First word of the bits that say which bodies meet.
        meets: u32,
        /// Number of bodies if some pairs do not meet, else 0.
        ignoring_bodies: u32,
        /// Number of leaves of the tree over triangles, a power of two.
        triangle_leaves: u32,
        /// Number of leaves of the tree over edges, a power of two.
        edge_leaves: u32,
        /// Number of workgroups of kernels that search the trees.
        query_workgroups: u32,
        /// Number of workgroups of kernels that take long for a pair.
        pair_workgroups: u32,
        /// Number of workgroups of kernels over struts with partial sums.
        strut_workgroups: u32,
        /// Place of the stage within the step.
        stage_share: f32,
        /// First word of the rows that ties and seams join to each row; 0 where nothing is joined.
        sewn: u32,
        /// Keeps the size a multiple of 16.
        padding_b: u32,
        /// Keeps the size a multiple of 16.
        padding_c: u32,
    }
}

shared_struct! {
    /// Subtrees of a dispatch: `shaders/collision/refit.wgsl`.
    Refit {
        /// Number of subtrees over triangles.
        triangle_roots: u32,
        /// Depth of the subtrees over triangles.
        triangle_depth: u32,
        /// Number of subtrees over edges.
        edge_roots: u32,
        /// Depth of the subtrees over edges.
        edge_depth: u32,
    }
}

shared_struct! {
    /// Part of the trees that a dispatch searches: `shaders/collision/search_part.wgsl`.
    SearchPart {
        /// Number of this part.
        part: u32,
        /// Number of parts, a power of two.
        parts: u32,
        /// Keeps the size a multiple of 16.
        padding_a: u32,
        /// Keeps the size a multiple of 16.
        padding_b: u32,
    }
}

shared_struct! {
    /// Motion of a row in a step: `shaders/collision/motion.wgsl`.
    Motion {
        /// Position at the start, m; w: inverse mass, 1/kg.
        start: [f32; 4],
        /// Displacement in the step, m.
        way: [f32; 4],
        /// Velocity at the present stage, m/s, or prescribed displacement, m.
        velocity: [f32; 4],
        /// Velocity at the start of the step, m/s.
        before: [f32; 4],
    }
}

shared_struct! {
    /// Node of a tree of boxes: `shaders/collision/tree.wgsl`.
    Bounds {
        /// Smallest coordinates, m.
        low: [f32; 4],
        /// Largest coordinates, m.
        high: [f32; 4],
    }
}

shared_struct! {
    /// Pair of a vertex and a triangle or of two edges: `shaders/collision/pair.wgsl`.
    SurfacePair {
        /// Rows of the four particles.
        rows: [u32; 4],
        /// Number of the vertex or first edge; near a collider, bits of the velocity of its surface, x.
        first: u32,
        /// Number of the triangle or second edge; near a collider, bits of the velocity of its surface, y.
        second: u32,
        /// 0: vertex and triangle; 1: two edges; 2: an edge or triangle near a collider.
        kind: u32,
        /// Near a collider, bits of the velocity of its surface, z.
        third: u32,
    }
}

shared_struct! {
    /// One-sided spring that keeps the sides of a pair apart: `shaders/collision/strut.wgsl`.
    Strut {
        /// Weights of the four particles.
        weights: [f32; 4],
        /// Unit normal; w: κ, kg.
        normal: [f32; 4],
        /// Change of its impulse, N·s; w: friction coefficient a, kg.
        push: [f32; 4],
        /// Gap that it aims at, m.
        goal: f32,
        /// Thickness of the pair, m.
        thickness: f32,
        /// Effective mass, kg.
        mass: f32,
        /// Coulomb's coefficient.
        friction: f32,
    }
}
