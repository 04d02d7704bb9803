// Boxes around the motion of triangles and edges, and of the nodes above them, one subtree per thread. Each dispatch climbs up to three levels of both trees.
// Reads motion, surface. Writes tree.
#import shared/params
#import launch
#import collision/tree
#import collision/reach

// Subtrees of a dispatch. Same layout as `gpu::layout::Refit`.
struct Refit {
    // Number of subtrees, which is also the index of the first root; and their depth.
    triangle_roots: u32,
    triangle_depth: u32,
    edge_roots: u32,
    edge_depth: u32,
}

// True in the dispatch that begins at the leaves.
override LEAVES: bool = false;

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<uniform> refit: Refit;
@group(0) @binding(3) var<storage, read> surface: array<u32>;
@group(0) @binding(4) var<storage, read> motion: array<Motion>;
@group(0) @binding(5) var<storage, read_write> tree: array<Bounds>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let rows = rows_among(surface_layout.query_workgroups, group.x, local_ix, 0u, refit.triangle_roots + refit.edge_roots);
    for (var ix = rows.first; ix < rows.end; ix += rows.stride) {
        if ix < refit.triangle_roots {
            climb(refit.triangle_roots + ix, refit.triangle_depth, 0u, true);
        } else {
            climb(refit.edge_roots + ix - refit.triangle_roots, refit.edge_depth, edge_tree(), false);
        }
    }
}

fn climb(root: u32, depth: u32, base: u32, of_triangles: bool) {
    if LEAVES {
        for (var ix = 0u; ix < (1u << depth); ix += 1u) {
            let node = (root << depth) + ix;
            if of_triangles {
                tree[base + node] = triangle_bounds(node - surface_layout.triangle_leaves);
            } else {
                tree[base + node] = edge_bounds(node - surface_layout.edge_leaves);
            }
        }
    }
    for (var above = 1u; above <= depth; above += 1u) {
        let level = depth - above;
        for (var ix = 0u; ix < (1u << level); ix += 1u) {
            let node = (root << level) + ix;
            tree[base + node] = joined(tree[base + 2u * node], tree[base + 2u * node + 1u]);
        }
    }
}

fn triangle_bounds(ix: u32) -> Bounds {
    if ix >= surface_layout.triangle_count {
        return no_bounds();
    }
    let rows = triangle_rows(ix);
    return joined(row_bounds(rows.x), joined(row_bounds(rows.y), row_bounds(rows.z)));
}

fn edge_bounds(ix: u32) -> Bounds {
    if ix >= surface_layout.edge_count {
        return no_bounds();
    }
    let rows = edge_rows(ix);
    return joined(row_bounds(rows.x), row_bounds(rows.y));
}
