// Copies one vec4 per thread: the yardstick for every other kernel. 4 words in, 4 words out.
// Reads source. Writes destination.
#import shared/params
#import launch

@group(0) @binding(1) var<storage, read> source: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> destination: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) invocation: vec3<u32>) {
    let stride = params.workgroup_count * WORKGROUP_SIZE;
    for (var ix = invocation.x; ix < params.particle_count; ix += stride) {
        destination[ix] = source[ix];
    }
}
