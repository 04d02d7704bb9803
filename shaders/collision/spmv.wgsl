// First half of a conjugate gradient iteration in scenes where bodies meet, one row per thread: `solve/spmv` with the struts of the row,
//   w_i = (A u)_i + Σ w q
// Reads pattern, values, u, residual, links, pulls, status. Writes solution (w, behind x), partials.
#import solve/spmv_rows
#import solve/matrix_row
#import collision/strut_row

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> pattern: array<u32>;
@group(0) @binding(3) var<storage, read> values: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> u: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> solution: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> partials: Partials;
@group(0) @binding(8) var<uniform> chunk: Chunk;
@group(0) @binding(9) var<storage, read> links: array<vec2<u32>>;
@group(0) @binding(10) var<storage, read> pulls: array<vec4<f32>>;

fn gathered(ix: u32) -> vec4<f32> {
    return u[ix];
}

fn row_product(row: u32, own: vec4<f32>) -> vec3<f32> {
    return matrix_row(row, own) + strut_row(row);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    multiply(local_ix, group);
}
