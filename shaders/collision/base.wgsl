// Offsets of blocks of counts, one workgroup: each thread takes a range of blocks, and adds up those before it by itself. Pairs follow the edges and triangles near colliders
// that the host lists. Their end is the number of pairs; if `pairs` cannot hold them, there are none, and the step is repeated with more room.
// Reads blocks. Writes starts, meeting.
#import shared/params
#import launch
#import collision/scan
#import collision/meeting

// True for the search of the guard, whose pairs do not follow those that the host lists.
override GUARDS: bool = false;

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> blocks: array<u32>;
@group(0) @binding(3) var<storage, read_write> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> meeting: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32) {
    let list = counts_of();
    let each = (list.blocks + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let first = min(list.blocks, local_ix * each);
    var offset = select(meeting[MEETING_SUPPORTS], 0u, OF_ROWS || GUARDS);
    for (var block = 0u; block < first; block += 1u) {
        offset += blocks[list.block + block];
    }
    for (var block = first; block < min(list.blocks, first + each); block += 1u) {
        starts[list.block + block] = offset;
        offset += blocks[list.block + block];
    }
    if !OF_ROWS && local_ix == WORKGROUP_SIZE - 1u {
        let fits = offset <= surface_layout.pair_capacity;
        meeting[MEETING_PAIRS] = select(0u, offset, fits);
        if !fits {
            meeting[MEETING_NEEDED] = max(meeting[MEETING_NEEDED], offset);
        }
    }
}
