// Counts the pairs of each row, one pair per thread. The counts begin and end each step at 0: `collision/scatter` counts down again.
// Reads pairs. Writes counts, meeting (pairs of a row, where they are too many).
#import shared/params
#import launch
#import collision/scan
#import collision/pair
#import collision/meeting

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(3) var<storage, read_write> meeting: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let first = surface_layout.vertex_count + surface_layout.edge_count;
    let range = rows_among(surface_layout.pair_workgroups, group.x, local_ix, 0u, atomicLoad(&meeting[MEETING_PAIRS]));
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let rows = pairs[ix].rows;
        let a = atomicAdd(&counts[first + rows.x], 1u);
        let b = atomicAdd(&counts[first + rows.y], 1u);
        let c = atomicAdd(&counts[first + rows.z], 1u);
        let d = atomicAdd(&counts[first + rows.w], 1u);
        let most = max(max(a, b), max(c, d)) + 1u;
        if most > MOST_PAIRS_OF_ROW {
            atomicMax(&meeting[MEETING_CROWD], most);
        }
    }
}
