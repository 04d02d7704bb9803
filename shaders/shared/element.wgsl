// Elements of two to four particles. Same layouts as `gpu::layout::Element` and `gpu::layout::ElementMaterial`.

struct Element {
    // As many as the model has; the rest repeat the last.
    rows: vec4<u32>,
    // Rest measures. What the model makes of these stands in its own file.
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
    // 1 when `normals` are read.
    needs_normals: u32,
    padding: u32,
    // What the model makes of these stands in its own file.
    parameters_a: vec4<f32>,
    parameters_b: vec4<f32>,
}

const MAX_ELEMENT_MATERIALS: u32 = 256u;

// Positions, velocities and surface normals of an element's particles; those it does not have repeat the last.
struct ElementState {
    x: array<vec3<f32>, 4>,
    v: array<vec3<f32>, 4>,
    // At the start of the step; only where the model needs them.
    normals: array<vec3<f32>, 4>,
}

// What an element does to its particle i.
struct ElementRow {
    // f_i, elastic and viscous, N
    force: vec3<f32>,
    // df_i/dx_j, N/m. That of i itself is not read: it is minus the sum of the others, because translations cost nothing.
    stiffness: array<mat3x3<f32>, 4>,
    // df_i/dv_j, N·s/m, likewise.
    damping: array<mat3x3<f32>, 4>,
}

// a bᵀ
fn outer_product(a: vec3<f32>, b: vec3<f32>) -> mat3x3<f32> {
    return mat3x3(a * b.x, a * b.y, a * b.z);
}

// The matrix of a × ·
fn cross_matrix(a: vec3<f32>) -> mat3x3<f32> {
    return mat3x3(vec3(0.0, a.z, -a.y), vec3(-a.z, 0.0, a.x), vec3(a.y, -a.x, 0.0));
}

// v / |v|, or zero.
fn unit_or_zero(v: vec3<f32>) -> vec3<f32> {
    let size = length(v);
    return select(vec3(0.0), v / size, size > 0.0);
}

// a I
fn scaled_identity(a: f32) -> mat3x3<f32> {
    return mat3x3(a, 0.0, 0.0, 0.0, a, 0.0, 0.0, 0.0, a);
}
