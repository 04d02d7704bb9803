// Elements of two to four particles. Same layouts as `gpu::layout::Element` and `gpu::layout::ElementMaterial`.

struct Element {
    // Rows of the element's particles; unused entries repeat the last.
    rows: vec4<u32>,
    // Rest measures, described in the model's file.
    rest_a: vec4<f32>,
    rest_b: vec4<f32>,
    rest_c: vec3<f32>,
    // Index into `element_materials`.
    material: u32,
}

struct ElementMaterial {
    // MODEL_… in forces/element.wgsl
    model: u32,
    particle_count: u32,
    // 1 if the model reads `normals`.
    needs_normals: u32,
    padding: u32,
    // Parameters of the model, described in the model's file.
    parameters_a: vec4<f32>,
    parameters_b: vec4<f32>,
}

const MAX_ELEMENT_MATERIALS: u32 = 256u;

// Positions, velocities and surface normals of an element's particles; unused entries repeat the last.
struct ElementState {
    x: array<vec3<f32>, 4>,
    v: array<vec3<f32>, 4>,
    // Surface normals at the start of the step, only for models that need them.
    normals: array<vec3<f32>, 4>,
}

// Weights with which a kernel takes the derivatives of a force.
struct RowWeights {
    // Weights of df_i/dx_j and of df_i/dv_j in a block.
    stiffness: f32,
    damping: f32,
    // Weight of Σ_j df_i/dx_j (v_j - v_i) in the force, s.
    lead: f32,
}

// Force on particle i of an element, and its derivatives with the weights of the kernel that asks. Private arrays that are indexed at run time lie in memory on
// GPUs; so the other particles j are those of the element in order without i, and `seen_from` brings what belongs to particles into this order.
struct ElementRow {
    // f_i, elastic and viscous, and lead Σ_j df_i/dx_j (v_j - v_i), N
    force: vec3<f32>,
    // stiffness · df_i/dx_j + damping · df_i/dv_j. By translation invariance the block of i itself is minus the sum of the others.
    blocks: array<mat3x3<f32>, 3>,
}

// Sets the block of the k-th other particle.
fn set_block(row: ptr<function, ElementRow>, k: u32, block: mat3x3<f32>) {
    switch k {
        case 0u: { (*row).blocks[0] = block; }
        case 1u: { (*row).blocks[1] = block; }
        default: { (*row).blocks[2] = block; }
    }
}

// Adds to the row of particle i its derivatives by the k-th other particle, which moves with v_j - v_i.
fn add_pair(
    row: ptr<function, ElementRow>,
    weights: RowWeights,
    k: u32,
    motion: vec3<f32>,
    stiffness: mat3x3<f32>,
    damping: mat3x3<f32>,
) {
    (*row).force += weights.lead * (stiffness * motion);
    set_block(row, k, weights.stiffness * stiffness + weights.damping * damping);
}

// Number in the element of the k-th particle other than `own`.
fn other_than(own: u32, k: u32) -> u32 {
    return k + u32(k >= own);
}

// Vectors of an element's particles, that of `own` first, then those of the others. WGSL has no generic functions: the same selection follows for numbers and for rows.
fn seen_from(own: u32, all: array<vec3<f32>, 4>) -> array<vec3<f32>, 4> {
    return array(
        select(select(all[0], all[1], own == 1u), select(all[2], all[3], own == 3u), own >= 2u),
        select(all[0], all[1], own == 0u),
        select(all[1], all[2], own <= 1u),
        select(all[2], all[3], own <= 2u),
    );
}

// Numbers of an element's particles, that of `own` first, then those of the others.
fn numbers_seen_from(own: u32, all: vec4<f32>) -> vec4<f32> {
    return vec4(
        select(select(all.x, all.y, own == 1u), select(all.z, all.w, own == 3u), own >= 2u),
        select(all.x, all.y, own == 0u),
        select(all.y, all.z, own <= 1u),
        select(all.z, all.w, own <= 2u),
    );
}

// Rows of an element's particles, that of `own` first, then those of the others.
fn rows_seen_from(own: u32, rows: vec4<u32>) -> vec4<u32> {
    return vec4(
        select(select(rows.x, rows.y, own == 1u), select(rows.z, rows.w, own == 3u), own >= 2u),
        select(rows.x, rows.y, own == 0u),
        select(rows.y, rows.z, own <= 1u),
        select(rows.z, rows.w, own <= 2u),
    );
}

// Velocities v_j - v_i of the other particles.
fn motions_seen_from(own: u32, v: array<vec3<f32>, 4>) -> array<vec3<f32>, 3> {
    let seen = seen_from(own, v);
    return array(seen[1] - seen[0], seen[2] - seen[0], seen[3] - seen[0]);
}

// a bᵀ
fn outer_product(a: vec3<f32>, b: vec3<f32>) -> mat3x3<f32> {
    return mat3x3(a * b.x, a * b.y, a * b.z);
}

// Matrix of the linear map b ↦ a × b
fn cross_matrix(a: vec3<f32>) -> mat3x3<f32> {
    return mat3x3(vec3(0.0, a.z, -a.y), vec3(-a.z, 0.0, a.x), vec3(a.y, -a.x, 0.0));
}

// v / |v|, or zero if v is zero.
fn unit_or_zero(v: vec3<f32>) -> vec3<f32> {
    let size = length(v);
    return select(vec3(0.0), v / size, size > 0.0);
}

// a I
fn scaled_identity(a: f32) -> mat3x3<f32> {
    return mat3x3(a, 0.0, 0.0, 0.0, a, 0.0, 0.0, 0.0, a);
}
