// Counts the pairs of each vertex and each edge in a part of the trees, one query per thread.
// Reads motion, tree, surface. Writes counts, meeting.
#import shared/params
#import collision/query

@group(0) @binding(8) var<uniform> search_part: SearchPart;
@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> surface: array<u32>;
@group(0) @binding(4) var<storage, read> motion: array<Motion>;
@group(0) @binding(5) var<storage, read> tree: array<Bounds>;
@group(0) @binding(6) var<storage, read_write> counts: array<u32>;
@group(0) @binding(7) var<storage, read_write> meeting: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if !is_needed() {
        return;
    }
    let queries = rows_among(surface_layout.query_workgroups, group.x, local_ix, 0u, query_count());
    for (var query = queries.first; query < queries.end; query += queries.stride) {
        let before = select(counts[query], 0u, search_part.part == 0u);
        counts[query] = before + search(query);
    }
}

// Pairs are only counted here.
fn found(pair: SurfacePair, place: u32) {}
