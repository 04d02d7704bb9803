// Search of a tree for everything near one vertex or edge. A pair is found if its boxes overlap, its sides share no particle, sewn ones included, and belong to bodies that meet, and its
// closest points may come within reach. The importing kernel binds `motion`, `tree`, `surface`, `meeting`, `search_part` and `surface_layout`, and provides
// `found(pair, place)`, which is called for each pair with its place among those of the query.
#import launch
#import collision/pair
#import collision/reach
#import collision/gather_motion
#import collision/meeting
#import collision/search_part

// Number of queries: one for each vertex, then one for each edge.
fn query_count() -> u32 {
    return surface_layout.vertex_count + surface_layout.edge_count;
}

// Whether there is anything to search: the second search of the guard follows a round that has stopped a pair.
fn is_needed() -> bool {
    return !GUARDS || (atomicLoad(&meeting[MEETING_GUARDING]) != 0u && (!APART || atomicLoad(&meeting[MEETING_FRESH]) != 0u));
}

// Searches for one query. Returns the number of pairs.
fn search(query: u32) -> u32 {
    if query < surface_layout.vertex_count {
        let row = surface[surface_layout.vertices + query];
        return visit(VERTEX_TRIANGLE, query, vec2(row, row), row_bounds(row));
    }
    let edge = query - surface_layout.vertex_count;
    let rows = edge_rows(edge);
    return visit(EDGE_EDGE, edge, rows, joined(row_bounds(rows.x), row_bounds(rows.y)));
}

// Visits the nodes of a part of a tree that overlap a box, in the order of the leaves.
fn visit(kind: u32, own: u32, rows: vec2<u32>, bounds: Bounds) -> u32 {
    let of_edges = kind == EDGE_EDGE;
    let leaves = select(surface_layout.triangle_leaves, surface_layout.edge_leaves, of_edges);
    let base = select(0u, edge_tree(), of_edges);
    var count = 0u;
    // A tree with fewer leaves than parts is one part.
    let parts = select(1u, search_part.parts, search_part.parts <= leaves);
    if search_part.part >= parts {
        return 0u;
    }
    let root = parts + search_part.part;
    var node = root;
    for (var turn = 0u; turn < MOST_VISITS; turn += 1u) {
        // Of two edges the one with the smaller number finds the other.
        let last = ((node + 1u) << (firstLeadingBit(leaves) - firstLeadingBit(node))) - 1u - leaves;
        if (!of_edges || last > own) && overlap(bounds, tree[base + node]) {
            if node < leaves {
                node = 2u * node;
                continue;
            }
            let pair = pair_with(kind, own, rows, node - leaves);
            if is_near(pair) {
                found(pair, count);
                count += 1u;
            }
        }
        // On to the next node that is not below this one, up to the end of the part.
        node = (node + 1u) >> countTrailingZeros(node + 1u);
        if node == 1u || node < parts || node >> (firstLeadingBit(node) - firstLeadingBit(root)) != root {
            return count;
        }
    }
    atomicStore(&meeting[MEETING_LOST], 1u);
    return count;
}

fn pair_with(kind: u32, own: u32, rows: vec2<u32>, other: u32) -> SurfacePair {
    if kind == EDGE_EDGE {
        return SurfacePair(vec4(rows, edge_rows(other)), own, other, kind, 0u);
    }
    return SurfacePair(vec4(rows.x, triangle_rows(other)), own, other, kind, 0u);
}

// Whether the sides of a pair belong to bodies that meet, share no particle, sewn ones included, and may come within reach.
fn is_near(pair: SurfacePair) -> bool {
    let own = vec4(sewn_to(pair.rows.x), sewn_to(pair.rows.y), sewn_to(pair.rows.z), sewn_to(pair.rows.w));
    let shared_first = any(own.xx == own.zw) || (pair.kind == VERTEX_TRIANGLE && own.x == own.y);
    let shared_second = pair.kind == EDGE_EDGE && any(own.yy == own.zw);
    let a = body_of(pair.rows.x);
    let b = body_of(pair.rows.w);
    if shared_first || shared_second || !meet(a, b) {
        return false;
    }
    let start = points_at_start(pair.rows);
    let gap = length(closest_of(pair.kind, start).offset);
    var way = 2.0 * relative_motion(start, points_at_end(pair.rows));
    if APART {
        let ways = vec4(longest_way(pair.rows.x), longest_way(pair.rows.y), longest_way(pair.rows.z), longest_way(pair.rows.w));
        way = select(max(ways.x, ways.y) + max(ways.z, ways.w), ways.x + max(ways.y, max(ways.z, ways.w)), pair.kind == VERTEX_TRIANGLE);
    }
    return gap <= reach() * (radius_of(a) + radius_of(b)) + way;
}

fn longest_way(row: u32) -> f32 {
    return max(length(motion[row].way.xyz), length(motion[row].velocity.xyz));
}
