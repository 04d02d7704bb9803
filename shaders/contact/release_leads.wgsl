// After the active-set passes of a safe linearisation, one constraint per thread. Along directions that are free now, x̂ returns
// from following the surface to the scheme's own, x̂ += P c, with c the displacement by `integrate/begin`; the speed that reaches
// the surface changes with it. Also writes the constraint impulse J = (P - I) r + friction, for the audit and the host. w:
// CONTACT_….
// Reads constraints, residual, status. Writes contacts, anchor, impulses.
#import shared/params
#import shared/status
#import launch
#import shared/constraint
#import integrate/previous
#import contact/contact

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(3) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(5) var<storage, read_write> anchor: array<Previous>;
@group(0) @binding(6) var<storage, read_write> impulses: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if status.search.action != ACTION_SEARCH || status.search.tried != 0u {
        return;
    }
    let rows = rows_of(group.x, local_ix, 0u, params.constraint_count);
    for (var ix = rows.first; ix < rows.end; ix += rows.stride) {
        let row = contacts[ix].row;
        let whole = residual[row].xyz + contacts[ix].aside.xyz;
        let held = symmetric_times(constraints[ix].free, whole) - whole;
        impulses[ix] = vec4(held + contacts[ix].friction.xyz, f32(contacts[ix].state));
        let back = symmetric_times(constraints[ix].free, contacts[ix].led.xyz);
        anchor[row].position += vec4(back, 0.0);
        contacts[ix].led -= vec4(back, 0.0);
        contacts[ix].wanted -= vec4(normal_products(contacts[ix], back / status.scheme.stage_step), 0.0);
    }
}
