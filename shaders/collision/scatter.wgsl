// Lists the pairs of each row in any order, one pair per thread: four times the number of the pair, plus the place of the row in it.
// Reads pairs, meeting, offsets. Writes counts, scattered.
#import shared/params
#import launch
#import collision/scan
#import collision/pair
#import collision/meeting

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(3) var<storage, read> meeting: array<u32>;
@group(0) @binding(4) var<storage, read> offsets: array<u32>;
@group(0) @binding(5) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> scattered: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let range = rows_among(surface_layout.pair_workgroups, group.x, local_ix, 0u, meeting[MEETING_PAIRS]);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let rows = pairs[ix].rows;
        put(rows.x, 4u * ix);
        put(rows.y, 4u * ix + 1u);
        put(rows.z, 4u * ix + 2u);
        put(rows.w, 4u * ix + 3u);
    }
}

fn put(row: u32, word: u32) {
    let queries = surface_layout.vertex_count + surface_layout.edge_count;
    let place = atomicSub(&counts[queries + row], 1u) - 1u;
    scattered[offsets[queries + 1u + row] + place] = word;
}
