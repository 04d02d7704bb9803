// Sparsity pattern and edge data of a row, in slices of 32 rows (sliced ELL).
// Slot k of row `32 s + lane` is at `pattern[s] + 32 k + lane`: neighbouring rows, read together, lie side by side.
// Rows shorter than their slice are filled up with slots that name the row itself.

const SLICE_ROWS: u32 = 32u;

// In the slot's index word: the sign of b in the block a·I + b·n nᵀ.
const NEGATIVE_BLOCK: u32 = 0x80000000u;
const INDEX_MASK: u32 = 0x7fffffffu;

// One end of an edge. Same layout as `gpu::layout::EdgeSlot`.
struct EdgeSlot {
    // m
    rest_length: f32,
    // Multiplies the material's law, damping and drag.
    weight: f32,
    // Index into `materials`, and STRUCTURAL_EDGE.
    material: u32,
    // s of a linear coupling -s (x_i - x_j) besides the law, N/m; of either sign.
    scalar: f32,
}

// Same layout as `gpu::layout::EdgeMaterial`. Wherever edges are evaluated the kernel binds `materials`.
struct EdgeMaterial {
    // LAW_… in forces/law.wgsl
    law: u32,
    // MEMORY_… in forces/memory.wgsl
    memory: u32,
    // Damping along the edge, N·s/m.
    damping: f32,
    // Damping along the relative velocity, N·s/m.
    drag: f32,
    // What the law makes of these stands in its own file.
    law_parameters: vec4<f32>,
    // What the Jacobian leaves out of the law, likewise; w: viscosity of the slot's scalar, as a time, s.
    jacobian_parameters: vec4<f32>,
    // What the memory makes of these stands in its own file.
    memory_parameters: array<vec4<f32>, 2>,
}

const MAX_MATERIALS: u32 = 256u;

// In the slot's material word: the edge's length tells how far the material is stretched. The index lies below.
const STRUCTURAL_EDGE: u32 = 0x80000000u;
const MATERIAL_MASK: u32 = MAX_MATERIALS - 1u;
