// One group of tied particles per thread: copies the master's x̂ and v̂ to the others. Needed after the θ-scheme's forces at the
// start, which round differently for different masses, and after the release of a contact.
// Reads ties. Writes anchor.
#import shared/params
#import launch
#import integrate/previous
#import shared/ties

@group(0) @binding(1) var<storage, read> ties: array<u32>;
@group(0) @binding(2) var<storage, read_write> anchor: array<Previous>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let range = rows_of(group.x, local_ix, 0u, params.tie_count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let tied = tie_group(ix);
        let united = anchor[tied.master];
        for (var place = tied.first; place < tied.end; place += 1u) {
            let row = ties[place];
            anchor[row] = Previous(united.position, vec4(united.velocity.xyz, anchor[row].velocity.w));
        }
    }
}
