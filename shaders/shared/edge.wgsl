// Sparsity pattern and edge data of a row, in slices of 32 rows (sliced ELL).
// Slot k of row `32 s + lane` is at `pattern[s] + 32 k + lane`: rows read together are adjacent in memory.
// Rows shorter than their slice are padded with slots that name the row itself.

const SLICE_ROWS: u32 = 32u;

// Bit of the slot's index word: the sign of b in the block a·I + b·n nᵀ.
const NEGATIVE_BLOCK: u32 = 0x80000000u;
const INDEX_MASK: u32 = 0x7fffffffu;

// One end of an edge. Same layout as `gpu::layout::EdgeSlot`.
struct EdgeSlot {
    // Rest length, m.
    rest_length: f32,
    // Factor of the material's law, damping and drag.
    weight: f32,
    // Index into `materials`, with the bit STRUCTURAL_EDGE.
    material: u32,
    // Coefficient s of a linear coupling -s (x_i - x_j) added to the law, N/m; of either sign.
    scalar: f32,
}

// Material of an edge. Same layout as `gpu::layout::EdgeMaterial`. Kernels that evaluate edges bind `materials`.
struct EdgeMaterial {
    // LAW_… in forces/law.wgsl
    law: u32,
    // MEMORY_… in forces/memory.wgsl
    memory: u32,
    // Damping along the edge, N·s/m.
    damping: f32,
    // Damping along the relative velocity, N·s/m.
    drag: f32,
    // Parameters of the law, described in the law's file.
    law_parameters: vec4<f32>,
    // Parameters of the law that the Jacobian omits, described in the law's file; w: viscosity of the slot's `scalar`, as a time,
    // s.
    jacobian_parameters: vec4<f32>,
    // Parameters of the memory, described in the memory's file.
    memory_parameters: array<vec4<f32>, 2>,
}

// As many as fit the smallest uniform binding that devices may have, 16 384 bytes.
const MAX_MATERIALS: u32 = 204u;

// Bit of the slot's material word: the edge's strain is the material's strain. The lower bits are the index.
const STRUCTURAL_EDGE: u32 = 0x80000000u;
const MATERIAL_MASK: u32 = 0xffu;
