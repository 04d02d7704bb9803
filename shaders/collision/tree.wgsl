// Trees of boxes over triangles and over edges, each a binary heap: node k has the children 2k and 2k + 1, the root is 1, and the leaves follow the order of the
// features, in which neighbours in space are neighbours in number. The tree over edges follows that over triangles. Boxes of leaves without a feature are empty.
// The importing kernel binds `surface_layout`.
#import collision/surface_layout

// Same layout as `gpu::layout::Bounds`.
struct Bounds {
    low: vec4<f32>,
    high: vec4<f32>,
}

const FARTHEST: f32 = 3e38;

fn no_bounds() -> Bounds {
    return Bounds(vec4(FARTHEST), vec4(-FARTHEST));
}

fn joined(a: Bounds, b: Bounds) -> Bounds {
    return Bounds(min(a.low, b.low), max(a.high, b.high));
}

fn overlap(a: Bounds, b: Bounds) -> bool {
    return all(a.low.xyz <= b.high.xyz) && all(b.low.xyz <= a.high.xyz);
}

// Index of the first node of the tree over edges, less 1.
fn edge_tree() -> u32 {
    return 2u * surface_layout.triangle_leaves;
}
