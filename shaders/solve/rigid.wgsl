// A correction of u = Q r for rigid bodies, one workgroup per body. Particles in contact with a body are slaved to it along the normal, or in all directions where
// they stick: with their slaved part S and R (V, Ω) = V + Ω × arm,
//   u_p = Q_p r_p + S R u_b,   u_b = Q_b (r_b + Σ Rᵀ Sᵀ r_p),   Q_b = (B + Σ Rᵀ Sᵀ D S R)⁻¹
// Sums of r·u and u·w over all particles are then those of the reduced system, except the body's own, r_b·u_b and u_b·B u_b, which go to a
// partial sum of their own. p, s, x and r of the body follow the last iteration of `solve/update`.
// When a solve begins or resumes, friction of particles that slide on the body acts on it, contacts with the world release, stick or slide by their impulse, and
// Q_b is computed again.
// Reads status, contacts, preconditioner, residual. Writes rigids, rigid_contacts, u, partials.
#import shared/params
#import solve/corrects
#import launch
#import shared/reduction
#import solve/partials
#import solve/rigid_body
#import contact/contact

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> contacts: array<Contact>;
@group(0) @binding(3) var<storage, read> preconditioner: array<SymmetricBlock>;
@group(0) @binding(4) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> rigids: array<Rigid>;
@group(0) @binding(6) var<storage, read_write> rigid_contacts: array<RigidContact>;
@group(0) @binding(7) var<storage, read_write> u: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> partials: Partials;

// A 6-vector, or a row of Rᵀ.
struct Six {
    linear: vec3<f32>,
    angular: vec3<f32>,
}

// The lower half of a symmetric 6×6 matrix, row by row, and three words of padding.
alias Half = array<vec4<f32>, 6>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // This kernel does not write status, so that an early return here never splits a workgroup before its barriers.
    let over = status.cg.newton_done != 0u && (params.flags & FLAG_SAFE) == 0u;
    if over || !corrects(status) {
        return;
    }
    let body = group.x;
    let first = rigids[body].first_constraint;
    let end = first + rigids[body].constraint_count;
    if status.cg.fresh != FRESH_NOT {
        begin(body, local_ix, first, end);
    } else if local_ix == 0u {
        follow(body);
    }
    storageBarrier();
    workgroupBarrier();

    var linear = vec3(0.0);
    var angular = vec3(0.0);
    for (var ix = first + local_ix; ix < end; ix += WORKGROUP_SIZE) {
        let force = slaved_force(contacts[ix], residual[contacts[ix].row].xyz);
        linear += force;
        angular += cross(contacts[ix].arm.xyz, force);
    }
    linear = workgroup_sum(local_ix, vec4(linear, 0.0)).xyz;
    angular = workgroup_sum(local_ix, vec4(angular, 0.0)).xyz;
    let r = Six(six_at(rigids[body].residual, 0u), six_at(rigids[body].residual, 3u));
    let next = times(body, true, Six(r.linear + linear, r.angular + angular));
    for (var ix = first + local_ix; ix < end; ix += WORKGROUP_SIZE) {
        let contact = contacts[ix];
        let q = preconditioner[contact.row];
        let own = symmetric_times(q, residual[contact.row].xyz);
        let carried = slaved_velocity(contact, next.linear + cross(next.angular, contact.arm.xyz));
        u[contact.row] = vec4(own + carried, q.diagonal.w);
    }
    if local_ix == 0u {
        let image = times(body, false, next);
        store_u(body, next);
        let sums = vec2(
            dot(r.linear, next.linear) + dot(r.angular, next.angular),
            dot(image.linear, next.linear) + dot(image.angular, next.angular),
        );
        partials.sums[params.partial_count * params.chunk_count + body] = sums;
    }
}

// Updates the body after an iteration: p = u + β p, s = B u + β s, x += α p, r -= α s.
fn follow(body: u32) {
    let alpha = status.cg.alpha;
    let beta = status.cg.beta;
    let before = Six(six_at(rigids[body].u, 0u), six_at(rigids[body].u, 3u));
    let image = times(body, false, before);
    for (var ix = 0u; ix < 6u; ix += 1u) {
        let p = component(before, ix) + beta * rigids[body].p[ix];
        let s = component(image, ix) + beta * rigids[body].s[ix];
        rigids[body].p[ix] = p;
        rigids[body].s[ix] = s;
        rigids[body].x[ix] += alpha * p;
        rigids[body].residual[ix] -= alpha * s;
    }
}

// Begins a solve, or resumes it with changed contacts.
fn begin(body: u32, local_ix: u32, first: u32, end: u32) {
    var block: Half;
    var rubbed = vec3(0.0);
    var twisted = vec3(0.0);
    for (var ix = first + local_ix; ix < end; ix += WORKGROUP_SIZE) {
        let contact = contacts[ix];
        rubbed += contact.friction.xyz;
        twisted += cross(contact.arm.xyz, contact.friction.xyz);
        add_block(&block, contact);
    }
    for (var ix = 0u; ix < 6u; ix += 1u) {
        block[ix] = workgroup_sum(local_ix, block[ix]);
    }
    rubbed = workgroup_sum(local_ix, vec4(rubbed, 0.0)).xyz;
    twisted = workgroup_sum(local_ix, vec4(twisted, 0.0)).xyz;
    if local_ix != 0u {
        return;
    }
    for (var ix = 0u; ix < 6u; ix += 1u) {
        let friction = component(Six(rubbed, twisted), ix);
        rigids[body].residual[ix] -= friction - rigids[body].rubbed[ix];
        rigids[body].rubbed[ix] = friction;
        rigids[body].p[ix] = 0.0;
        rigids[body].s[ix] = 0.0;
        if status.cg.fresh == FRESH_SOLVE {
            rigids[body].total[ix] += rigids[body].x[ix];
            rigids[body].x[ix] = 0.0;
        }
    }
    if status.cg.fresh == FRESH_SEARCH {
        for (var ix = 0u; ix < rigids[body].contact_count; ix += 1u) {
            touch_world(body, rigids[body].first_contact + ix);
        }
    }
    invert(body, &block);
}

// Updates the state of a contact with the world from its impulse.
fn touch_world(body: u32, ix: u32) {
    let contact = rigid_contacts[ix];
    let lacking = lacking_at(contact, velocity_of(rigids[body], contact.arm.xyz));
    let pressed = dot(lacking, contact.normal.xyz);
    let next = answer(contact, lacking);
    if contact.state == CONTACT_STICKS && next.state != contact.state {
        remove_across(body, contact, lacking - pressed * contact.normal.xyz);
    }
    if next.state == CONTACT_FREE && next.state != contact.state {
        remove(body, contact.arm.xyz, contact.normal.xyz, contact.normal.w, pressed);
    }
    push(body, contact.arm.xyz, next.friction.xyz - contact.friction.xyz);
    rigid_contacts[ix] = next;
}

// Removes one direction of a contact with the world from the body's block, and its impulse from the residual.
fn remove(body: u32, arm: vec3<f32>, direction: vec3<f32>, stiffness: f32, impulse: f32) {
    let row = Six(direction, cross(arm, direction));
    for (var i = 0u; i < 6u; i += 1u) {
        rigids[body].residual[i] -= impulse * component(row, i);
        for (var j = 0u; j < 6u; j += 1u) {
            rigids[body].own[i][j] -= stiffness * component(row, i) * component(row, j);
        }
    }
}

fn remove_across(body: u32, contact: RigidContact, across: vec3<f32>) {
    let normal = contact.normal.xyz;
    // Two tangents across the normal.
    let other = select(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), abs(normal.x) > 0.7);
    let a = normalize(cross(normal, other));
    let b = cross(normal, a);
    remove(body, contact.arm.xyz, a, contact.normal.w, dot(across, a));
    remove(body, contact.arm.xyz, b, contact.normal.w, dot(across, b));
}

fn push(body: u32, arm: vec3<f32>, impulse: vec3<f32>) {
    let row = Six(impulse, cross(arm, impulse));
    for (var ix = 0u; ix < 6u; ix += 1u) {
        rigids[body].residual[ix] += component(row, ix);
    }
}

// S v: the slaved part of the velocity that the body gives a particle.
fn slaved_velocity(contact: Contact, v: vec3<f32>) -> vec3<f32> {
    if contact.state == CONTACT_STICKS || contact.state == CONTACT_HELD {
        return v;
    }
    if contact.state != CONTACT_SLIDES || (contact.holding & 1u) == 0u {
        return vec3(0.0);
    }
    return along_normals(contact, shares(contact, vec3(1.0, 0.0, 0.0))) * dot(contact.normals[0].xyz, v);
}

// Sᵀ f: the force that a slaved particle passes to the body.
fn slaved_force(contact: Contact, f: vec3<f32>) -> vec3<f32> {
    if contact.state == CONTACT_STICKS || contact.state == CONTACT_HELD {
        return f;
    }
    if contact.state != CONTACT_SLIDES || (contact.holding & 1u) == 0u {
        return vec3(0.0);
    }
    return contact.normals[0].xyz * dot(along_normals(contact, shares(contact, vec3(1.0, 0.0, 0.0))), f);
}

// Adds Rᵀ Sᵀ D S R of one particle.
fn add_block(block: ptr<function, Half>, contact: Contact) {
    for (var axis = 0u; axis < 3u; axis += 1u) {
        let unit = vec3(f32(axis == 0u), f32(axis == 1u), f32(axis == 2u));
        // A column of Sᵀ D S, which is symmetric: one factor S on each side.
        let column = slaved_force(contact, symmetric_times(contact.block, slaved_velocity(contact, unit)));
        let image = Six(column, cross(contact.arm.xyz, column));
        let row = Six(unit, cross(contact.arm.xyz, unit));
        var place = 0u;
        for (var i = 0u; i < 6u; i += 1u) {
            for (var j = 0u; j <= i; j += 1u) {
                (*block)[place / 4u][place % 4u] += component(image, i) * component(row, j);
                place += 1u;
            }
        }
    }
}

// Computes Q_b by Cholesky factorisation: L Lᵀ = B + the particles' blocks, then the inverse column by column.
fn invert(body: u32, block: ptr<function, Half>) {
    var l: array<array<f32, 6>, 6>;
    var place = 0u;
    for (var i = 0u; i < 6u; i += 1u) {
        for (var j = 0u; j <= i; j += 1u) {
            var sum = rigids[body].own[i][j] + (*block)[place / 4u][place % 4u];
            place += 1u;
            for (var k = 0u; k < j; k += 1u) {
                sum -= l[i][k] * l[j][k];
            }
            if i == j {
                l[i][i] = sqrt(max(sum, 1e-30));
            } else {
                l[i][j] = sum / l[j][j];
            }
        }
    }
    for (var column = 0u; column < 6u; column += 1u) {
        var y: array<f32, 6>;
        for (var i = 0u; i < 6u; i += 1u) {
            var sum = f32(i == column);
            for (var k = 0u; k < i; k += 1u) {
                sum -= l[i][k] * y[k];
            }
            y[i] = sum / l[i][i];
        }
        for (var down = 0u; down < 6u; down += 1u) {
            let i = 5u - down;
            var sum = y[i];
            for (var k = i + 1u; k < 6u; k += 1u) {
                sum -= l[k][i] * y[k];
            }
            y[i] = sum / l[i][i];
        }
        for (var i = 0u; i < 6u; i += 1u) {
            rigids[body].inverse[i][column] = y[i];
        }
    }
}

// Q_b v, or B v.
fn times(body: u32, inverse: bool, v: Six) -> Six {
    var product: array<f32, 6>;
    for (var i = 0u; i < 6u; i += 1u) {
        var sum = 0.0;
        for (var j = 0u; j < 6u; j += 1u) {
            sum += select(rigids[body].own[i][j], rigids[body].inverse[i][j], inverse) * component(v, j);
        }
        product[i] = sum;
    }
    return Six(vec3(product[0], product[1], product[2]), vec3(product[3], product[4], product[5]));
}

fn store_u(body: u32, v: Six) {
    for (var ix = 0u; ix < 6u; ix += 1u) {
        rigids[body].u[ix] = component(v, ix);
    }
}

fn component(v: Six, ix: u32) -> f32 {
    if ix < 3u {
        return v.linear[ix];
    }
    return v.angular[ix - 3u];
}

fn six_at(v: array<f32, 6>, first: u32) -> vec3<f32> {
    var all = v;
    return vec3(all[first], all[first + 1u], all[first + 2u]);
}
