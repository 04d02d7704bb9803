// After contacts have engaged, one row per thread: u = p = Δv of those that did, 0 for others, so that `solve/spmv` finds A Δv.
// Reads constraint_ix, contacts, diagonal (the scalar part, which goes into w of u), status. Writes u, direction.
#import shared/params
#import shared/status
#import launch
#import shared/constraint
#import contact/contact
#import solve/direction

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(3) var<storage, read> contacts: array<Contact>;
@group(0) @binding(4) var<storage, read> diagonal: array<SymmetricBlock>;
@group(0) @binding(5) var<storage, read_write> u: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> direction: array<Direction>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if status.cg.done != 0u || ((in_turn(params.flags, group) & FLAG_SAFE) != 0u && status.search.action != ACTION_RESUME) {
        return;
    }
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        var change = vec3(0.0);
        if constraint_ix[row] != UNCONSTRAINED {
            change = contacts[constraint_ix[row]].shift.xyz;
        }
        u[row] = vec4(change, diagonal[row].diagonal.w);
        direction[row] = Direction(vec4(change, 0.0), vec4(0.0));
    }
}
