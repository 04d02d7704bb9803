// After the last solve of a step, one constraint per thread: with which impulse it has acted on its particle,
//   J = (P - I) r + friction,
// for the host to read. w: CONTACT_….
// Reads constraints, contacts, residual. Writes impulses.
#import shared/params
#import launch
#import shared/constraint
#import contact/contact

@group(0) @binding(1) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(2) var<storage, read> contacts: array<Contact>;
@group(0) @binding(3) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> impulses: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let rows = rows_of(group.x, local_ix, 0u, params.constraint_count);
    for (var ix = rows.first; ix < rows.end; ix += rows.stride) {
        let r = residual[contacts[ix].row].xyz;
        let held = symmetric_times(constraints[ix].free, r) - r;
        impulses[ix] = vec4(held + contacts[ix].friction.xyz, f32(contacts[ix].state));
    }
}
