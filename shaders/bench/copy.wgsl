// Copies one vec4 per thread, the reference for the bandwidth of every other kernel. 4 words in, 4 words out.
// Reads source. Writes destination.
#import shared/params
#import launch

@group(0) @binding(1) var<storage, read> source: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> destination: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var ix = rows.first; ix < rows.end; ix += rows.stride) {
        destination[ix] = source[ix];
    }
}
