// Blurs the sky visibility of the ground along one axis: each sampled direction alone casts a hard shadow.
// Reads source. Writes destination.
#import picture/view
#import picture/rows
#import picture/sky_grid

// Distance between samples: 1 blurs along x; the side of the grid, along z.
override STRIDE: u32 = 1u;

// Filter weights from the middle outwards: [1 2 1] / 4 applied three times.
const WEIGHTS = array<f32, 4>(0.3125, 0.234375, 0.09375, 0.015625);

@group(0) @binding(1) var<storage, read> source: array<f32>;
@group(0) @binding(2) var<storage, read_write> destination: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    var weights = WEIGHTS;
    for (var ix = id.x; ix < SKY_SIDE * SKY_SIDE; ix += row_stride(groups)) {
        let along = i32(ix / STRIDE % SKY_SIDE);
        var sum = weights[0] * source[ix];
        var weight = weights[0];
        for (var k = 1; k < 4; k++) {
            let before = min(k, along);
            let after = min(k, i32(SKY_SIDE) - 1 - along);
            sum += weights[k] * (source[ix - u32(before) * STRIDE] + source[ix + u32(after) * STRIDE]);
            weight += 2.0 * weights[k];
        }
        destination[ix] = sum / weight;
    }
}
