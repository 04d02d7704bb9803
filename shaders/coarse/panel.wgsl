// A panel: PANEL_ROWS rows of the coarse matrix that are eliminated together. `coarse_panel` has two sets of these rows: D times them, with D the inverse of the
// panel's own block and that block itself replaced by D, and then the rows as they were.
// The coarse matrix is inverted in place by symmetric elimination (sweeping), panel after panel, and ends as -E⁻¹:
//   A_kk ← -D,   A_kj ← D A_kj,   A_ij ← A_ij - A_ik D A_kj
// Panels see a band alone: rows beyond the last one that is coupled to those of a panel or before it are still as assembled.
// Same layout as `gpu::layout::Panel`.
#import shared/params

// A multiple of 4, and of 8 in the length of the active band; an inverse of 48 rows takes 9 of the 16 KiB of workgroup memory that every device has.
const PANEL_ROWS: u32 = 48u;
const PANEL_VECTORS: u32 = PANEL_ROWS / 4u;

struct Panel {
    // First row of the panel, and number of rows up to the end of the band; in vec4.
    first: u32,
    band: u32,
    padding_a: u32,
    padding_b: u32,
}
