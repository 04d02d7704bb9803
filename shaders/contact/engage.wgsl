// In a step of one linearisation, after `contact/shift` and the product w = A Δv, one row per thread: x += Δv, r -= w, and the search begins anew with u = Q r.
// Reads constraint_ix, constraints, preconditioner, solution (w, behind x), status. Writes contacts, solution, residual, u.
#import shared/params
#import shared/status
#import launch
#import shared/constraint
#import contact/contact
#import solve/product

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(3) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(4) var<storage, read> preconditioner: array<SymmetricBlock>;
@group(0) @binding(5) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(6) var<storage, read_write> solution: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> residual: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> u: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if in_turn(status.cg.done, group) != 0u {
        return;
    }
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        solution[row] += vec4(u[row].xyz, 0.0);
        var r = residual[row].xyz - solution[product_at(row)].xyz;
        let ix = constraint_ix[row];
        // Of tied particles the master has the contact.
        if ix != UNCONSTRAINED && contacts[ix].row == row && contacts[ix].state != CONTACT_HELD && contacts[ix].body == NO_BODY {
            let whole = r + contacts[ix].aside.xyz;
            r = symmetric_times(constraints[ix].free, whole);
            contacts[ix].aside = vec4(whole - r, 0.0);
        }
        residual[row] = vec4(r, 0.0);
        u[row] = vec4(symmetric_times(preconditioner[row], r), u[row].w);
    }
}
