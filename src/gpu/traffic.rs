//! Words that one conjugate gradient iteration reads and writes. A test counts them in the shaders.

/// Words of `solve/spmv` per neighbour: index, block a·I + b·n nᵀ, gathered vector.
pub const SPMV_SLOT_WORDS: u64 = 1 + 4 + 4;
/// Words of `solve/spmv` per neighbour through elements: index, full block, gathered vector.
pub const SPMV_FULL_WORDS: u64 = 1 + 12 + 4;
/// Words of `solve/spmv_scalars` per neighbour: index, value, gathered vector.
pub const SPMV_SCALAR_WORDS: u64 = 1 + 1 + 4;
/// Words of `solve/spmv` per row, only in scenes with elements: two slice offsets.
pub const SPMV_FULL_ROW_WORDS: u64 = 2;
/// Words of `solve/spmv` and `solve/spmv_scalars` per row: two slice offsets, own vector, residual; the product.
pub const SPMV_ROW_WORDS: u64 = 2 + 4 + 4 + 4;
/// Words of `solve/update` per row: product, preconditioner, residual, direction, solution; the last three again, and u.
pub const UPDATE_ROW_WORDS: u64 = (4 + 8 + 4 + 8 + 4) + (4 + 8 + 4 + 4);

/// Bytes of one iteration.
pub fn iteration_bytes(row_count: u64, slot_count: u64, full_count: u64, scalar: bool) -> u64 {
    let blocks = if scalar {
        slot_count * SPMV_SCALAR_WORDS
    } else {
        slot_count * SPMV_SLOT_WORDS + full_count * SPMV_FULL_WORDS
    };
    4 * (blocks + row_count * (SPMV_ROW_WORDS + UPDATE_ROW_WORDS))
}
