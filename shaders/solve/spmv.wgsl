// First half of a conjugate gradient iteration, one row per thread:
//   w = A u   and partial sums of r·u and u·w.
// Reads pattern, values, u, residual, status. Writes solution (w, behind x), partials.
// `collision/spmv` is this kernel for scenes where bodies meet; it takes the two storage buffers that are free here.
#import solve/spmv_rows
#import solve/matrix_row

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> pattern: array<u32>;
@group(0) @binding(3) var<storage, read> values: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> u: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> solution: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> partials: Partials;
@group(0) @binding(8) var<uniform> chunk: Chunk;

fn gathered(ix: u32) -> vec4<f32> {
    return u[ix];
}

fn row_product(row: u32, own: vec4<f32>) -> vec3<f32> {
    return matrix_row(row, own);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    multiply(local_ix, group);
}
