// Blurs the sky visibility of the ground along one axis: each sampled direction alone casts a hard shadow.
// Reads source. Writes destination.
#import picture/view
#import picture/rows
#import picture/sky_grid

// Distance between samples: 1 blurs along x; the side of the grid, along z.
override STRIDE: u32 = 1u;

// Filter weights from the middle outwards: [1 2 1] / 4 applied three times.
const WEIGHTS: vec4<f32> = vec4(0.3125, 0.234375, 0.09375, 0.015625);

@group(0) @binding(1) var<storage, read> source: array<f32>;
@group(0) @binding(2) var<storage, read_write> destination: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var ix = id.x; ix < SKY_SIDE * SKY_SIDE; ix += row_stride(groups)) {
        let along = i32(ix / STRIDE % SKY_SIDE);
        let sum = WEIGHTS.x * source[ix] + WEIGHTS.y * both_sides(ix, along, 1) + WEIGHTS.z * both_sides(ix, along, 2)
            + WEIGHTS.w * both_sides(ix, along, 3);
        destination[ix] = sum / (WEIGHTS.x + 2.0 * (WEIGHTS.y + WEIGHTS.z + WEIGHTS.w));
    }
}

// Sum of the samples at a distance on both sides, within the grid.
fn both_sides(ix: u32, along: i32, distance: i32) -> f32 {
    let before = min(distance, along);
    let after = min(distance, i32(SKY_SIDE) - 1 - along);
    return source[ix - u32(before) * STRIDE] + source[ix + u32(after) * STRIDE];
}
