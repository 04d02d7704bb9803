// Lists the pairs of each row in any order, one pair per thread: four times the number of the pair, plus the place of the row in it.
// Reads pairs, meeting, offsets. Writes counts, scattered.
#import shared/params
#import collision/scan
#import collision/put_rows

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(3) var<storage, read> meeting: array<u32>;
@group(0) @binding(4) var<storage, read> offsets: array<u32>;
@group(0) @binding(5) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> scattered: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    put_rows(group.x, local_ix);
}

fn put(row: u32, word: u32) {
    let queries = surface_layout.vertex_count + surface_layout.edge_count;
    let place = atomicSub(&counts[queries + row], 1u) - 1u;
    scattered[offsets[queries + 1u + row] + place] = word;
}
