// The energy audit at the end of a safe step, one row per thread: the contribution of rows to the energy rise beyond the external work, as partial sums,
//   ½ m (v₁ - v₀)·(v₁ + v₀) - m g·(x₁ - x₀) - J·s / γh
// J is the impulse of a constraint and s the displacement that it imposes: that of the particle for a pin or a rigid body; that of the surface, plus the push-out, for
// a collider. A collider at rest that does not push a particle out does no work, whatever energy it dissipates. Components held by a pin count as external: with
// H = I - P their kinetic energy and the work of their inertia, m H (v₁ - v̂)·s / γh, are left out. For the θ-scheme v̂ includes forces, which do count.
// The kernel also counts particles whose gain of velocity would carry them out of the scene within this step.
// Reads previous, anchor, velocities, constraints, residual, contacts, status. Writes row_sums.
#import shared/params
#import shared/status
#import launch
#import shared/constraint
#import integrate/previous
#import contact/contact

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> previous: array<Previous>;
@group(0) @binding(3) var<storage, read> anchor: array<Previous>;
@group(0) @binding(4) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(6) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(7) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read> contacts: array<Contact>;
@group(0) @binding(9) var<storage, read_write> row_sums: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // Status is a uniform buffer here, so that an early return never splits a workgroup before its barriers.
    if in_turn(status.search.mode, group) != MODE_FINISHED {
        return;
    }
    let passes = in_turn(params.contact_passes, group);
    var rise = 0.0;
    var runaways = 0.0;
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let before = previous[row];
        let now = velocities[row].xyz;
        let moved = anchor[row].position.xyz - before.position.xyz + status.scheme.stage_step * now;
        let then = before.velocity.xyz;
        rise += before.velocity.w * (0.5 * dot(now - then, now + then) - dot(params.gravity, moved));
        runaways += select(0.0, 1.0, params.time_step * length(now - then) > params.reach);
        if constraint_ix[row] != UNCONSTRAINED {
            rise -= driven(constraint_ix[row], row, moved, passes) / status.scheme.stage_step;
            if (passes == 0u || contacts[constraint_ix[row]].state == CONTACT_HELD) && params.explicit_share == 0.0 {
                rise -= before.velocity.w * held_inertia(constraints[constraint_ix[row]].free, now, then, anchor[row].velocity.xyz, moved);
            }
        }
    }
    let total = reduce(local_ix, vec4(rise, runaways, 0.0, 0.0));
    if local_ix < PARTIALS_PER_WORKGROUP {
        row_sums[group.x * PARTIALS_PER_WORKGROUP + local_ix] = total;
    }
}

// Inertial term of a pin in the energy balance, over the mass.
fn held_inertia(free: SymmetricBlock, now: vec3<f32>, then: vec3<f32>, predicted: vec3<f32>, moved: vec3<f32>) -> f32 {
    let kinetic = 0.5 * (held_product(free, now, now) - held_product(free, then, then));
    return kinetic - held_product(free, now - predicted, moved) / status.scheme.stage_step;
}

// a·H b with H = I - P.
fn held_product(free: SymmetricBlock, a: vec3<f32>, b: vec3<f32>) -> f32 {
    return dot(a, b - symmetric_times(free, b));
}

// J·s of a constraint.
fn driven(ix: u32, row: u32, moved: vec3<f32>, passes: u32) -> f32 {
    let r = residual[row].xyz;
    let free = constraints[ix].free;
    if passes == 0u {
        return dot(symmetric_times(free, r) - r, moved);
    }
    // The contact belongs to the master of a group of tied particles.
    if contacts[ix].row != row {
        return 0.0;
    }
    let whole = r + contacts[ix].aside.xyz;
    let impulse = symmetric_times(free, whole) - whole + contacts[ix].friction.xyz;
    if contacts[ix].state == CONTACT_HELD || contacts[ix].body != NO_BODY {
        return dot(impulse, moved);
    }
    let surface = contacts[ix].surface_velocity.xyz;
    let led = params.time_step * surface;
    let out = max(normal_products(contacts[ix], moved - led), vec3(0.0));
    return dot(impulse, led + along_normals(contacts[ix], out));
}
