// Before a solve, one constraint per thread: copies the diagonal block D of its row into the contact, where `contact/respond` and `contact/revise` have it
// at hand, puts the friction found so far on the residual, and sets the constrained part of the residual aside.
// Reads diagonal, constraints, status. Writes contacts, residual.
#import shared/params
#import shared/status
#import launch
#import shared/constraint
#import contact/contact

// Outside Newton's loop: forces for their own sake want the friction, too.
override STANDALONE: bool = false;

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> diagonal: array<SymmetricBlock>;
@group(0) @binding(3) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(4) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(5) var<storage, read_write> residual: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if status.cg.newton_done != 0u && !STANDALONE {
        return;
    }
    let rows = rows_of(group.x, local_ix, 0u, params.constraint_count);
    for (var ix = rows.first; ix < rows.end; ix += rows.stride) {
        if contacts[ix].state == CONTACT_HELD && contacts[ix].body == NO_BODY {
            continue;
        }
        let row = contacts[ix].row;
        contacts[ix].block = diagonal[row];
        if contacts[ix].state != CONTACT_HELD {
            let whole = residual[row].xyz + contacts[ix].friction.xyz;
            // What a rigid body passes on has to stay.
            let free = select(whole, symmetric_times(constraints[ix].free, whole), contacts[ix].body == NO_BODY);
            residual[row] = vec4(free, 0.0);
            contacts[ix].aside = vec4(whole - free, 0.0);
        }
    }
}
