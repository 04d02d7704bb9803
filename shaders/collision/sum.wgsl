// Sums of blocks of counts, one block per thread.
// Reads counts. Writes blocks.
#import shared/params
#import launch
#import collision/scan

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> blocks: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let list = counts_of();
    let range = rows_of(group.x, local_ix, 0u, list.blocks);
    for (var block = range.first; block < range.end; block += range.stride) {
        var sum = 0u;
        for (var ix = block * BLOCK; ix < min(list.length, (block + 1u) * BLOCK); ix += 1u) {
            sum += counts[list.first + ix];
        }
        blocks[list.block + block] = sum;
    }
}
