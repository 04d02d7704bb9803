// Sorts the pairs of each row, one pair per thread: each finds its place by counting those before it. Sums over the pairs of a row then have the same order in every run.
// Reads pairs, meeting, offsets, scattered. Writes incidents.
#import shared/params
#import collision/scan
#import collision/put_rows

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(3) var<storage, read> meeting: array<u32>;
@group(0) @binding(4) var<storage, read> offsets: array<u32>;
@group(0) @binding(5) var<storage, read> scattered: array<u32>;
@group(0) @binding(6) var<storage, read_write> incidents: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    put_rows(group.x, local_ix);
}

fn put(row: u32, word: u32) {
    let list = surface_layout.vertex_count + surface_layout.edge_count + 1u + row;
    let first = offsets[list];
    var place = first;
    for (var ix = first; ix < offsets[list + 1u]; ix += 1u) {
        place += select(0u, 1u, scattered[ix] < word);
    }
    incidents[place] = word;
}
