// After an explicit step, one constraint per thread: reaction constraints (Etzmuß 4.3) of particles in contact. With the method's
// velocity w, the speed `wanted` along the normals, and the tangential slip s:
//   λ = wanted - w,   Δv = Σ λ n - s min(1, μ λ/|s|)
// Tensile contacts are released. The new position is on the surface. The velocity that a method keeps for its next step changes
// by the same Δv, so that its previous position stays consistent. w is (x₁ - x₀)/h for the Verlet family, whose velocities may
// lag, and the new velocity for methods with x₁ = x₀ + h v + ½h² a, whose displacement friction changes by half. Explicit Euler
// moves by h v₀, which friction does not change.
// Reads contacts, order. Writes positions, velocities, previous (kept velocities), published, impulses.
#import shared/params
#import launch
#import integrate/kept
#import integrate/method
#import contact/contact

@group(0) @binding(1) var<storage, read_write> previous: array<Previous>;
@group(0) @binding(2) var<storage, read> contacts: array<Contact>;
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> published: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> impulses: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let h = params.time_step;
    let rows = rows_of(group.x, local_ix, 0u, params.constraint_count);
    for (var ix = rows.first; ix < rows.end; ix += rows.stride) {
        var contact = contacts[ix];
        if contact.state != CONTACT_STICKS && contact.state != CONTACT_SLIDES {
            impulses[ix] = vec4(0.0);
            continue;
        }
        let row = contact.row;
        let start = previous[row].position.xyz;
        let moved = (positions[row].xyz - start) / h;
        let old = velocities[row];
        let accelerated = METHOD == 0u || METHOD >= METHOD_BEEMAN;
        let pace = select(moved, old.xyz, accelerated);
        let euler = METHOD == METHOD_EXPLICIT_EULER;
        let pressing = release_normals(&contact, missing_speeds(contact, select(moved, pace, euler)));
        let missing = select(pressing, max(shares(contact, missing_speeds(contact, moved)), vec3(0.0)), euler);
        if contact.holding == 0u {
            impulses[ix] = vec4(vec3(0.0), f32(CONTACT_FREE));
            continue;
        }
        let lambda = max(shares(contact, missing_speeds(contact, pace)), vec3(0.0));
        let slip = without_normals(contact, pace - contact.surface_velocity.xyz);
        let limit = friction_limit(contact, lambda);
        let sticks = length(slip) <= limit;
        let braked = -slip * select(limit / length(slip), 1.0, sticks);
        let change = along_normals(contact, lambda) + braked;

        let gone_along = without_normals(contact, select(moved, contact.surface_velocity.xyz, sticks))
            + select(select(select(1.0, 0.5, accelerated), 0.0, euler) * braked, vec3(0.0), sticks);
        let gone = moved - without_normals(contact, moved) + along_normals(contact, missing) + gone_along;
        // Verlet's velocity lags by half a step.
        let lag = select(1.0, 0.5, METHOD == METHOD_VERLET);
        let carried = without_normals(contact, select(old.xyz + lag * braked, contact.surface_velocity.xyz, sticks));
        positions[row] = vec4(start + h * gone, 0.0);
        velocities[row] = vec4(gone - without_normals(contact, gone) + carried, old.w);
        published[order[row]] = vec4(start + h * gone, 1.0);
        previous[kept_at(row)].velocity += vec4(change, 0.0);
        impulses[ix] = vec4(old.w * change, f32(select(CONTACT_SLIDES, CONTACT_STICKS, sticks)));
    }
}
