// Eliminates a panel of the coarse matrix, a block of 4×4 words and its mirror image per thread: `coarse/panel`.
// Reads status, coarse_panel. Writes coarse_matrix.
#import launch
#import coarse/panel
#import coarse/turn

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> coarse_panel: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> coarse_matrix: array<vec4<f32>>;
@group(0) @binding(4) var<uniform> panel: Panel;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let ix = group.x * WORKGROUP_SIZE + local_ix;
    let band = panel.band;
    if !builds(status) || ix >= band / 2u * (band + 1u) {
        return;
    }
    // Rows r and band - 1 - r of the lower half have band + 1 blocks together; band is even.
    let pair = ix / (band + 1u);
    let place = ix % (band + 1u);
    let later = place < band - pair;
    let i = select(pair, band - 1u - pair, later);
    let j = select(place - (band - pair), place, later);
    let stride = params.coarse_stride;
    let first = panel.first;
    let i_within = i >= first && i < first + PANEL_VECTORS;
    let j_within = j >= first && j < first + PANEL_VECTORS;
    var rows: mat4x4<f32>;
    if i_within {
        // A row of the panel: D A_kj, or -D.
        let sign = select(1.0, -1.0, j_within);
        let at = 4u * (i - first) * stride + j;
        rows = sign * mat4x4(
            coarse_panel[at], coarse_panel[at + stride], coarse_panel[at + 2u * stride], coarse_panel[at + 3u * stride],
        );
    } else if j_within {
        let at = 4u * (j - first) * stride + i;
        rows = transpose(mat4x4(
            coarse_panel[at], coarse_panel[at + stride], coarse_panel[at + 2u * stride], coarse_panel[at + 3u * stride],
        ));
    } else {
        let at = 4u * i * stride + j;
        rows = mat4x4(
            coarse_matrix[at], coarse_matrix[at + stride], coarse_matrix[at + 2u * stride], coarse_matrix[at + 3u * stride],
        );
        for (var k = 0u; k < PANEL_ROWS; k += 1u) {
            let before = coarse_panel[(PANEL_ROWS + k) * stride + i];
            let product = coarse_panel[k * stride + j];
            rows -= mat4x4(before.x * product, before.y * product, before.z * product, before.w * product);
        }
    }
    let at = 4u * i * stride + j;
    coarse_matrix[at] = rows[0];
    coarse_matrix[at + stride] = rows[1];
    coarse_matrix[at + 2u * stride] = rows[2];
    coarse_matrix[at + 3u * stride] = rows[3];
    if i != j {
        let mirror = 4u * j * stride + i;
        let columns = transpose(rows);
        coarse_matrix[mirror] = columns[0];
        coarse_matrix[mirror + stride] = columns[1];
        coarse_matrix[mirror + 2u * stride] = columns[2];
        coarse_matrix[mirror + 3u * stride] = columns[3];
    }
}
