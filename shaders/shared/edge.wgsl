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
    // Multiplies the material's law.
    weight: f32,
    // Index into `materials`.
    material: u32,
    // The edge this slot is one end of, in the order of the topology.
    edge: u32,
}

// Same layout as `gpu::layout::EdgeMaterial`.
struct EdgeMaterial {
    // LAW_… in forces/law.wgsl
    law: u32,
    // Damping along the edge, N·s/m.
    damping: f32,
    // What the law makes of these stands in its own file.
    stiffness: f32,
    parameter: f32,
}

const MAX_MATERIALS: u32 = 256u;
