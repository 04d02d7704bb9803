// Sky visibility of the ground: the soft, wide shadow under the scene.
// Reads maps, heights, frame. Writes sky.
#import picture/view
#import picture/rows
#import picture/openness
#import picture/sky_grid

@group(0) @binding(3) var<storage, read> frame: Frame;
@group(0) @binding(4) var<storage, read_write> sky: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var ix = id.x; ix < SKY_SIDE * SKY_SIDE; ix += row_stride(groups)) {
        let flat_place = sky_corner(frame) + sky_cell(frame) * vec2(f32(ix % SKY_SIDE), f32(ix / SKY_SIDE));
        let point = vec3(flat_place.x, frame.ground, flat_place.y);
        var open = 0.0;
        var weight = 1.0e-6;
        for (var map_ix = 0u; map_ix < view.axis_count; map_ix++) {
            let it = maps[map_ix];
            let place = locate(it, point);
            // Most of the ground is far from the map.
            var kept = 0.0;
            if all(place > vec2(0.0)) && all(place < vec2(f32(view.map_side))) {
                kept = blocked(map_ix, it, point, it.texel).x;
            }
            open += it.toward.y * (1.0 - kept);
            weight += it.toward.y;
        }
        sky[ix] = open / weight;
    }
}
