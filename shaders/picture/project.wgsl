// Perspective projection into a tile of the picture. An instance is a layer of a tile.

// Depth of the near plane, in radii of the frame.
const NEAR: f32 = 1.0e-3;

fn project(point: vec3<f32>, radius: f32, instance_ix: u32) -> vec4<f32> {
    let offset = point - view.eye;
    let local = vec3(dot(offset, view.right), dot(offset, view.up), dot(offset, view.forward));
    let tile_ix = instance_ix / view.layer_count;
    let tile = vec2(view.tile_width, view.tile_height);
    let corner = vec2(f32(tile_ix % view.tiles_across), f32(tile_ix / view.tiles_across)) * tile;
    // Pixels from the tile's middle, times the depth; y runs down.
    let middle = 0.5 * vec2(view.width, view.height) - corner - 0.5 * tile + view.shifts[instance_ix % view.layer_count].xy;
    let pixel = view.focal_length * vec2(local.x, -local.y) + middle * local.z;
    // Reversed depth, from one at the near plane to zero at infinity, has the least rounding error.
    return vec4(2.0 * pixel.x / tile.x, -2.0 * pixel.y / tile.y, NEAR * radius, local.z);
}
