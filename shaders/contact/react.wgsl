// After an explicit step, one constraint per thread: reaction constraints (Etzmuß 4.3) of particles that touch something. What the step
// lacks of the motion that is wanted along the normals, λ, is added; those that would pull are released; friction takes away the slip,
// or μ λ of it:
//   v = (x₁ - x₀)/h,   Δv = Σ λ n - s min(1, μ λ/|s|),   x₁ += h Δv
// The velocity a method remembers for its next step changes likewise, which keeps its previous position consistent.
// Reads previous, constraints, contacts. Writes positions, velocities, solution, impulses.
#import shared/params
#import launch
#import shared/constraint
#import integrate/previous
#import contact/contact

@group(0) @binding(1) var<storage, read> previous: array<Previous>;
@group(0) @binding(2) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(3) var<storage, read> contacts: array<Contact>;
@group(0) @binding(4) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> solution: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> impulses: array<vec4<f32>>;

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
        let wanted = (constraints[ix].target_position.xyz - start) / h;
        let lambda = release_normals(&contact, wanted - moved);
        if contact.holding == 0u {
            impulses[ix] = vec4(vec3(0.0), f32(CONTACT_FREE));
            continue;
        }
        let slip = without_normals(contact, moved - contact.surface_velocity.xyz);
        let limit = friction_limit(contact, lambda);
        let sticks = length(slip) <= limit;
        let braked = -slip * select(limit / length(slip), 1.0, sticks);
        let change = along_normals(contact, lambda) + braked;

        let old = velocities[row];
        // Along the normals the velocity is that of the step; across them it keeps what it is ahead of or behind it.
        let across = without_normals(contact, old.xyz);
        let carried = select(across + braked, without_normals(contact, contact.surface_velocity.xyz), sticks);
        let new = moved + change;
        positions[row] = vec4(start + h * new, 0.0);
        velocities[row] = vec4(new - without_normals(contact, new) + carried, old.w);
        solution[row] += vec4(change, 0.0);
        impulses[ix] = vec4(old.w * change, f32(select(CONTACT_SLIDES, CONTACT_STICKS, sticks)));
    }
}
