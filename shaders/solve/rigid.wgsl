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

// A symmetric 6×6 matrix of linear and angular parts, [[linear, mixedᵀ], [mixed, angular]].
struct SixBlock {
    linear: SymmetricBlock,
    mixed: mat3x3<f32>,
    angular: SymmetricBlock,
}

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
    let r = six_of(rigids[body].residual);
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
    let before = six_of(rigids[body].u);
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
    var block: SixBlock;
    var rubbed = vec3(0.0);
    var twisted = vec3(0.0);
    for (var ix = first + local_ix; ix < end; ix += WORKGROUP_SIZE) {
        let contact = contacts[ix];
        rubbed += contact.friction.xyz;
        twisted += cross(contact.arm.xyz, contact.friction.xyz);
        add_block(&block, contact);
    }
    block.linear = symmetric_sum(local_ix, block.linear);
    block.mixed[0] = workgroup_sum(local_ix, vec4(block.mixed[0], 0.0)).xyz;
    block.mixed[1] = workgroup_sum(local_ix, vec4(block.mixed[1], 0.0)).xyz;
    block.mixed[2] = workgroup_sum(local_ix, vec4(block.mixed[2], 0.0)).xyz;
    block.angular = symmetric_sum(local_ix, block.angular);
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
    invert(body, block);
}

fn symmetric_sum(local_ix: u32, block: SymmetricBlock) -> SymmetricBlock {
    return SymmetricBlock(workgroup_sum(local_ix, block.diagonal), workgroup_sum(local_ix, block.off_diagonal));
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
fn add_block(block: ptr<function, SixBlock>, contact: Contact) {
    // Sᵀ D S, which is symmetric: one factor S on each side.
    let slaved = mat3x3(
        slaved_force(contact, symmetric_times(contact.block, slaved_velocity(contact, vec3(1.0, 0.0, 0.0)))),
        slaved_force(contact, symmetric_times(contact.block, slaved_velocity(contact, vec3(0.0, 1.0, 0.0)))),
        slaved_force(contact, symmetric_times(contact.block, slaved_velocity(contact, vec3(0.0, 0.0, 1.0)))),
    );
    // Rᵀ is the unit matrix above [arm]×.
    let mixed = cross_columns(contact.arm.xyz, slaved);
    let angular = cross_columns(contact.arm.xyz, transpose(mixed));
    let linear_part = symmetric_of(slaved[0], slaved[1], slaved[2]);
    let angular_part = symmetric_of(angular[0], angular[1], angular[2]);
    (*block).linear.diagonal += linear_part.diagonal;
    (*block).linear.off_diagonal += linear_part.off_diagonal;
    (*block).mixed += mixed;
    (*block).angular.diagonal += angular_part.diagonal;
    (*block).angular.off_diagonal += angular_part.off_diagonal;
}

// [a]× B
fn cross_columns(a: vec3<f32>, b: mat3x3<f32>) -> mat3x3<f32> {
    return mat3x3(cross(a, b[0]), cross(a, b[1]), cross(a, b[2]));
}

// L of the Cholesky factorisation of a symmetric 3×3 matrix.
struct Cholesky {
    // (L₀₀, L₁₁, L₂₂)
    diagonal: vec3<f32>,
    // (L₂₁, L₂₀, L₁₀)
    lower: vec3<f32>,
}

fn factorise(a: SymmetricBlock) -> Cholesky {
    let first = sqrt(max(a.diagonal.x, 1e-30));
    let below = a.off_diagonal.zy / first;
    let second = sqrt(max(a.diagonal.y - below.x * below.x, 1e-30));
    let last = (a.off_diagonal.x - below.y * below.x) / second;
    let third = sqrt(max(a.diagonal.z - below.y * below.y - last * last, 1e-30));
    return Cholesky(vec3(first, second, third), vec3(last, below.y, below.x));
}

// L⁻¹ v
fn down(l: Cholesky, v: vec3<f32>) -> vec3<f32> {
    let x = v.x / l.diagonal.x;
    let y = (v.y - l.lower.z * x) / l.diagonal.y;
    return vec3(x, y, (v.z - l.lower.y * x - l.lower.x * y) / l.diagonal.z);
}

// L⁻ᵀ v
fn up(l: Cholesky, v: vec3<f32>) -> vec3<f32> {
    let z = v.z / l.diagonal.z;
    let y = (v.y - l.lower.x * z) / l.diagonal.y;
    return vec3((v.x - l.lower.z * y - l.lower.y * z) / l.diagonal.x, y, z);
}

// Computes Q_b by Cholesky factorisation in blocks: L Lᵀ = B + the particles' blocks, then the inverse column by column.
fn invert(body: u32, block: SixBlock) {
    let own = rigids[body].own;
    let linear = SymmetricBlock(
        block.linear.diagonal + vec4(own[0][0], own[1][1], own[2][2], 0.0),
        block.linear.off_diagonal + vec4(own[2][1], own[2][0], own[1][0], 0.0),
    );
    let angular = SymmetricBlock(
        block.angular.diagonal + vec4(own[3][3], own[4][4], own[5][5], 0.0),
        block.angular.off_diagonal + vec4(own[5][4], own[5][3], own[4][3], 0.0),
    );
    // Rows of the mixed block as columns.
    let mixed = transpose(block.mixed)
        + mat3x3(vec3(own[3][0], own[3][1], own[3][2]), vec3(own[4][0], own[4][1], own[4][2]), vec3(own[5][0], own[5][1], own[5][2]));
    // L = [[upper, 0], [betweenᵀ, lower]].
    let upper = factorise(linear);
    let between = mat3x3(down(upper, mixed[0]), down(upper, mixed[1]), down(upper, mixed[2]));
    let gone = transpose(between) * between;
    let gone_part = symmetric_of(gone[0], gone[1], gone[2]);
    let lower = factorise(SymmetricBlock(angular.diagonal - gone_part.diagonal, angular.off_diagonal - gone_part.off_diagonal));
    for (var column = 0u; column < 6u; column += 1u) {
        let unit = vec3(f32(column % 3u == 0u), f32(column % 3u == 1u), f32(column % 3u == 2u));
        let linear_unit = select(vec3(0.0), unit, column < 3u);
        let y = down(upper, linear_unit);
        let z = up(lower, down(lower, unit - linear_unit - y * between));
        let inverse = Six(up(upper, y - between * z), z);
        for (var i = 0u; i < 6u; i += 1u) {
            rigids[body].inverse[i][column] = component(inverse, i);
        }
    }
}

// Q_b v, or B v.
fn times(body: u32, inverse: bool, v: Six) -> Six {
    return Six(
        vec3(row_times(body, inverse, 0u, v), row_times(body, inverse, 1u, v), row_times(body, inverse, 2u, v)),
        vec3(row_times(body, inverse, 3u, v), row_times(body, inverse, 4u, v), row_times(body, inverse, 5u, v)),
    );
}

fn row_times(body: u32, inverse: bool, i: u32, v: Six) -> f32 {
    var row: Six;
    if inverse {
        row = six_of(rigids[body].inverse[i]);
    } else {
        row = six_of(rigids[body].own[i]);
    }
    return dot(row.linear, v.linear) + dot(row.angular, v.angular);
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
