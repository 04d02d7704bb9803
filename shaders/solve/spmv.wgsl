// First half of a conjugate gradient iteration, one row per thread:
//   w = A u   and partial sums of r·u and u·w.
// Reads pattern, values, u, residual, status. Writes solution (w, behind x), partials.
//
// Two of the eight storage buffers that every device has are free here and in `solve/spmv_scalars`, for contact rows: rows of up to four particles whose neighbours
// change every step, in buffers of a fixed capacity. Both ways to add them to w fit. (i) A kernel per contact row writes its impulse κ n (n · Σ w u) + …, and this
// kernel gathers the impulses through a list of the contact rows of each particle: one buffer holds the list, the other the impulses. (ii) Each contact row becomes
// compact blocks of the form of `values`: one buffer holds their pattern, the other the blocks. (i) moves about 60 words per contact row and iteration and takes one
// more dispatch; (ii) moves 108 words and takes none. `solve/single` has one free storage buffer and would not run in such scenes, as with ties and rigid bodies.
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
