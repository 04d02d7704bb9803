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

// Force on particle i of an element, and its derivatives.
struct ElementRow {
    // f_i, elastic and viscous, N
    force: vec3<f32>,
    // df_i/dx_j, N/m. The entry of i itself is not read: by translation invariance it is minus the sum of the others.
    stiffness: array<mat3x3<f32>, 4>,
    // df_i/dv_j, N·s/m. The entry of i itself is not read.
    damping: array<mat3x3<f32>, 4>,
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
