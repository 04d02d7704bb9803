// After struts have changed in a contact pass, one row per thread: the preconditioner of the changed diagonal blocks, and their copies in contacts.
// Reads diagonal, constraint_ix, constraints, status. Writes preconditioner, contacts.
#import shared/params
#import shared/status
#import launch
#import shared/constraint
#import solve/filter
#import contact/contact
#import contact/pass

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> diagonal: array<SymmetricBlock>;
@group(0) @binding(3) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(4) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(5) var<storage, read_write> preconditioner: array<SymmetricBlock>;
@group(0) @binding(6) var<storage, read_write> contacts: array<Contact>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if !pass_has_revised(group) {
        return;
    }
    let flags = in_turn(params.flags, group);
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let d = diagonal[row];
        let ix = constraint_ix[row];
        var q: SymmetricBlock;
        if ix == UNCONSTRAINED {
            q = inverse_of(flags, d);
        } else {
            q = filtered_inverse(flags, d, constraints[ix].free);
            // In a group of tied particles only the master has the contact.
            if contacts[ix].row == row {
                contacts[ix].block = d;
            }
        }
        q.diagonal.w = d.diagonal.w;
        preconditioner[row] = q;
    }
}
