// A sum and a maximum with known answers, one workgroup, run once per device: some drivers have wrong barriers.
// Writes sums (of each thread its sum and its maximum).
#import shared/params
#import launch

@group(0) @binding(1) var<storage, read_write> sums: array<vec2<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32) {
    let value = f32(local_ix + params.particle_count);
    let total = reduce(local_ix, vec4(value));
    let largest = reduce_max(local_ix, value);
    sums[local_ix] = vec2(total.w, largest);
}
