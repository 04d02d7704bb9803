// Offsets within blocks of counts, one block per thread. Behind the last offset follows the end of the list.
// Reads counts, starts. Writes offsets.
#import shared/params
#import launch
#import collision/scan

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> offsets: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let list = counts_of();
    let range = rows_of(group.x, local_ix, 0u, list.blocks);
    for (var block = range.first; block < range.end; block += range.stride) {
        var offset = starts[list.block + block];
        let end = min(list.length, (block + 1u) * BLOCK);
        for (var ix = block * BLOCK; ix < end; ix += 1u) {
            offsets[list.offset + ix] = offset;
            offset += counts[list.first + ix];
        }
        if end == list.length {
            offsets[list.offset + end] = offset;
        }
    }
}
