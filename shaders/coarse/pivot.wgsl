// Inverts the diagonal block of a panel of the coarse matrix and multiplies the panel's rows by the inverse D, four columns per thread: `coarse/panel`.
// Every workgroup inverts the block anew, in workgroup memory. A pivot that is not positive belongs to a function that is zero, or that rounding has made dependent on
// others: the function is left out, so that E⁻¹ stays positive semi-definite.
// Reads status, coarse_matrix. Writes coarse_panel.
#import launch
#import coarse/panel
#import coarse/turn
#import shared/finite

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> coarse_matrix: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> coarse_panel: array<vec4<f32>>;
@group(0) @binding(4) var<uniform> panel: Panel;

// The block, which becomes -D.
var<workgroup> block: array<f32, PANEL_ROWS * PANEL_ROWS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // This kernel does not write status, so that an early return here never splits a workgroup before its barriers.
    if !builds(status) {
        return;
    }
    let stride = params.coarse_stride;
    for (var ix = local_ix; ix < PANEL_ROWS * PANEL_VECTORS; ix += WORKGROUP_SIZE) {
        let row = ix / PANEL_VECTORS;
        let column = ix % PANEL_VECTORS;
        let words = coarse_matrix[(4u * panel.first + row) * stride + panel.first + column];
        let at = row * PANEL_ROWS + 4u * column;
        block[at] = words.x;
        block[at + 1u] = words.y;
        block[at + 2u] = words.z;
        block[at + 3u] = words.w;
    }
    for (var k = 0u; k < PANEL_ROWS; k += 1u) {
        workgroupBarrier();
        let pivot = block[k * PANEL_ROWS + k];
        let inverse = select(0.0, 1.0 / pivot, pivot > 0.0 && is_finite(1.0 / pivot));
        workgroupBarrier();
        for (var ix = local_ix; ix < PANEL_ROWS * PANEL_ROWS; ix += WORKGROUP_SIZE) {
            let row = ix / PANEL_ROWS;
            let column = ix % PANEL_ROWS;
            if row != k && column != k {
                block[ix] -= block[row * PANEL_ROWS + k] * inverse * block[k * PANEL_ROWS + column];
            }
        }
        workgroupBarrier();
        for (var ix = local_ix; ix < PANEL_ROWS; ix += WORKGROUP_SIZE) {
            if ix != k {
                block[k * PANEL_ROWS + ix] *= inverse;
                block[ix * PANEL_ROWS + k] *= inverse;
            } else {
                block[k * PANEL_ROWS + k] = -inverse;
            }
        }
    }
    workgroupBarrier();
    let column = group.x * WORKGROUP_SIZE + local_ix;
    if column >= panel.band {
        return;
    }
    let own = column - panel.first;
    let within = column >= panel.first && own < PANEL_VECTORS;
    for (var row = 0u; row < PANEL_ROWS; row += 1u) {
        var product = vec4(0.0);
        if within {
            let at = row * PANEL_ROWS + 4u * own;
            product = -vec4(block[at], block[at + 1u], block[at + 2u], block[at + 3u]);
        } else {
            for (var k = 0u; k < PANEL_ROWS; k += 1u) {
                product -= block[row * PANEL_ROWS + k] * coarse_matrix[(4u * panel.first + k) * stride + column];
            }
        }
        coarse_panel[row * stride + column] = product;
        coarse_panel[(PANEL_ROWS + row) * stride + column] = coarse_matrix[(4u * panel.first + row) * stride + column];
    }
}
