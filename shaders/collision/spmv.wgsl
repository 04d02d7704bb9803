// First half of a conjugate gradient iteration in scenes where bodies meet, one row per thread: `solve/spmv` with the struts of the row,
//   w_i = (A u)_i + Σ w q
// Reads pattern, values, u, residual, links, pulls, status. Writes solution (w, behind x), partials.
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
// Range of the struts of each row, then struts, each with the weight of the row.
@group(0) @binding(9) var<storage, read> links: array<vec2<u32>>;
// What each strut contributes: `collision/pull`.
@group(0) @binding(10) var<storage, read> pulls: array<vec4<f32>>;

fn gathered(ix: u32) -> vec4<f32> {
    return u[ix];
}

fn row_product(row: u32, own: vec4<f32>) -> vec3<f32> {
    var sum = matrix_row(row, own);
    let range = links[row];
    for (var ix = range.x; ix < range.y; ix += 1u) {
        let link = links[ix];
        sum += bitcast<f32>(link.y) * pulls[link.x].xyz;
    }
    return sum;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    multiply(local_ix, group);
}
