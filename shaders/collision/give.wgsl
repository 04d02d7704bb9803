// Gives each row the impulse that it has received in a sweep after an explicit step, one row per thread,
//   Δw = P Σ/m,   d += h Δw
// and tells struts n/m, its inverse mass for each of its n struts. Other bodies do not push a particle into its collider.
// Reads u, constraint_ix, constraints, contacts. Writes motion.
#import shared/params
#import launch
#import shared/symmetric
#import shared/constraint
#import contact/contact
#import collision/motion

@group(0) @binding(1) var<storage, read> u: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(3) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(4) var<storage, read> contacts: array<Contact>;
@group(0) @binding(5) var<storage, read_write> motion: array<Motion>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        if u[row].w == 0.0 {
            continue;
        }
        let given = u[row] / motion[row].before.w;
        var change = given.xyz;
        let ix = constraint_ix[row];
        if ix != UNCONSTRAINED {
            if contacts[ix].state == CONTACT_HELD {
                change = symmetric_times(constraints[ix].free, change);
            } else {
                change -= along_normals(contacts[ix], min(shares(contacts[ix], normal_products(contacts[ix], change)), vec3(0.0)));
            }
        }
        motion[row].start.w = select(given.w, 0.0, motion[row].start.w == 0.0);
        motion[row].velocity += vec4(change, 0.0);
        motion[row].way += params.time_step * vec4(change, 0.0);
    }
}
