// Offsets of blocks of counts, one workgroup: each thread takes a range of blocks. After the last block of queries follows the number of pairs; if `pairs` cannot hold
// them, there are none, and the step is repeated with more room.
// Reads and Writes blocks, meeting.
#import shared/params
#import launch
#import collision/scan
#import collision/meeting

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read_write> blocks: array<u32>;
@group(0) @binding(3) var<storage, read_write> meeting: array<u32>;

var<workgroup> sums: array<u32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32) {
    let list = counts_of();
    let each = (list.blocks + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let first = min(list.blocks, local_ix * each);
    let end = min(list.blocks, first + each);
    var sum = 0u;
    for (var block = first; block < end; block += 1u) {
        sum += blocks[list.block + block];
    }
    sums[local_ix] = sum;
    workgroupBarrier();
    var offset = 0u;
    for (var before = 0u; before < local_ix; before += 1u) {
        offset += sums[before];
    }
    for (var block = first; block < end; block += 1u) {
        let own = blocks[list.block + block];
        blocks[list.block + block] = offset;
        offset += own;
    }
    if !OF_ROWS && local_ix == WORKGROUP_SIZE - 1u {
        let fits = offset <= surface_layout.pair_capacity;
        meeting[MEETING_PAIRS] = select(0u, offset, fits);
        if !fits {
            meeting[MEETING_NEEDED] = max(meeting[MEETING_NEEDED], offset);
        }
    }
}
