// Lists the pairs of each vertex and each edge from the offset of the query on, one query per thread. The pairs have no struts. Where there are several parts, `counts` holds how
// many pairs of a query are listed.
// Reads motion, tree, surface, offsets. Writes pairs, counts, meeting.
#import shared/params
#import collision/query

@group(0) @binding(9) var<uniform> search_part: SearchPart;
@group(0) @binding(10) var<storage, read_write> counts: array<u32>;
@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> surface: array<u32>;
@group(0) @binding(4) var<storage, read> motion: array<Motion>;
@group(0) @binding(5) var<storage, read> tree: array<Bounds>;
@group(0) @binding(6) var<storage, read> offsets: array<u32>;
@group(0) @binding(7) var<storage, read_write> pairs: array<SurfacePair>;
@group(0) @binding(8) var<storage, read_write> meeting: array<atomic<u32>>;

var<private> first_pair: u32;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if !is_needed() || atomicLoad(&meeting[MEETING_PAIRS]) == 0u {
        return;
    }
    let queries = rows_among(surface_layout.query_workgroups, group.x, local_ix, 0u, query_count());
    for (var query = queries.first; query < queries.end; query += queries.stride) {
        first_pair = offsets[query];
        // Most queries find nothing, and need not look again.
        if offsets[query + 1u] > first_pair {
            let before = select(counts[query], 0u, search_part.part == 0u);
            first_pair += before;
            counts[query] = before + search(query);
        }
    }
}

fn found(pair: SurfacePair, place: u32) {
    pairs[first_pair + place] = pair;
}
