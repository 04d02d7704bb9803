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
/// Words of `solve/update` per row in scenes with a coarse level, besides [`UPDATE_ROW_WORDS`]: u.
pub const CORRECTED_ROW_WORDS: u64 = 4;
/// Words of `coarse/restrict` per row: its index, residual, u, its constraint, its functions.
pub const RESTRICT_ROW_WORDS: u64 = 1 + 4 + 4 + 1 + 3;
/// Words of `coarse/prolong` per row: its index, functions, constraint, u; u again.
pub const PROLONG_ROW_WORDS: u64 = 1 + 3 + 1 + 4 + 4;
/// Words of `coarse/restrict` and `coarse/prolong` per constrained row, besides the others: its constraint again, the free directions.
pub const FREE_DIRECTIONS_WORDS: u64 = 1 + 8;
/// Words of `coarse/prolong` for four columns of three rows of the coarse matrix: right side, matrix.
pub const COARSE_MATRIX_WORDS: u64 = 4 + 3 * 4;

/// Sizes of a coarse level that set its traffic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoarseSize {
    /// Number of unknowns.
    pub unknowns: u64,
    /// Number of columns of the coarse matrix, a multiple of four.
    pub columns: u64,
}

/// Bytes of one iteration.
pub fn iteration_bytes(
    row_count: u64,
    slot_count: u64,
    full_count: u64,
    scalar: bool,
    coarse: Option<CoarseSize>,
) -> u64 {
    let blocks = if scalar {
        slot_count * SPMV_SCALAR_WORDS
    } else {
        slot_count * SPMV_SLOT_WORDS + full_count * SPMV_FULL_WORDS
    };
    let coarse = coarse.map_or(0, |CoarseSize { unknowns, columns }| {
        let rows = row_count * (CORRECTED_ROW_WORDS + RESTRICT_ROW_WORDS + PROLONG_ROW_WORDS);
        rows + unknowns / 3 * (columns / 4) * COARSE_MATRIX_WORDS
    });
    4 * (blocks + row_count * (SPMV_ROW_WORDS + UPDATE_ROW_WORDS) + coarse)
}
