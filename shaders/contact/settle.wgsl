// After the last solve of a linearisation, one constraint per thread. Along directions that are free now, x̂ returns from
// following the surface to the scheme's own, x̂ += P c, with c the displacement by `integrate/begin`. Also writes the constraint
// impulse for the host,
//   J = (P - I) r + friction,   w: CONTACT_….
// A particle that the solve still sends into a collider is stopped at the surface by an additional Δv, without its neighbours.
// Reads constraints, residual, velocities, status. Writes contacts, anchor, solution, impulses.
#import shared/params
#import shared/status
#import launch
#import shared/constraint
#import integrate/previous
#import contact/contact

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(3) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> contacts: array<Contact>;
@group(0) @binding(6) var<storage, read_write> anchor: array<Previous>;
@group(0) @binding(7) var<storage, read_write> solution: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> impulses: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let rows = rows_of(group.x, local_ix, 0u, params.constraint_count);
    for (var ix = rows.first; ix < rows.end; ix += rows.stride) {
        let row = contacts[ix].row;
        let whole = residual[row].xyz + contacts[ix].aside.xyz;
        let held = symmetric_times(constraints[ix].free, whole) - whole;
        let stop = stopped(ix, row);
        solution[row] += vec4(stop, 0.0);
        impulses[ix] = vec4(held + contacts[ix].friction.xyz + velocities[row].w * stop, f32(contacts[ix].state));
        // The displacement is undone once, however many linearisations there are.
        let back = symmetric_times(constraints[ix].free, contacts[ix].led.xyz);
        anchor[row].position += vec4(back, 0.0);
        contacts[ix].led -= vec4(back, 0.0);
    }
}

// Δv that stops a penetrating particle at the surface, m/s. Zero for tied particles, which would separate, and on rigid bodies,
// whose current velocity is not known here.
fn stopped(ix: u32, row: u32) -> vec3<f32> {
    var contact = contacts[ix];
    if contact.state == CONTACT_HELD || contact.body != NO_BODY || params.tie_count > 0u || status.cg.newton_done != 0u {
        return vec3(0.0);
    }
    let velocity = velocities[row].xyz + solution[row].xyz;
    let held = contact.holding;
    if !take_hold(&contact, ~held, velocity, status.scheme.stage_step) {
        return vec3(0.0);
    }
    let off = vec3((held & 1u) == 0u, (held & 2u) == 0u, (held & 4u) == 0u);
    let short = select(vec3(0.0), lacking(contact, velocity, status.scheme.stage_step), off);
    return along_normals(contact, shares(contact, short));
}
