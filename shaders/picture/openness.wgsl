// Occlusion of a point along one axis.
#import picture/map

@group(0) @binding(1) var<storage, read> maps: array<Map>;
@group(0) @binding(2) var heights: texture_2d<f32>;

// Occluded fraction, 0 to 1, of the light from the map's direction (x) and from its opposite (y), interpolated between texels and
// rising over `softness` metres.
fn blocked(map_ix: u32, it: Map, point: vec3<f32>, softness: f32) -> vec2<f32> {
    let place = locate(it, point) - 0.5;
    let base = floor(place);
    let part = place - base;
    let last = i32(view.map_side) - 1;
    // The map's border is empty: points beyond it read the border.
    let near = clamp(vec2<i32>(base), vec2(0), vec2(last));
    let far = clamp(vec2<i32>(base) + 1, vec2(0), vec2(last));
    let tile = vec2<i32>(vec2(map_ix % view.maps_across, map_ix / view.maps_across) * view.map_side);
    let height = height_in(it, point) * vec2(1.0, -1.0);
    let scale = vec2(1.0 / softness);
    let a = saturate((textureLoad(heights, tile + near, 0).xy * it.reach - height) * scale);
    let b = saturate((textureLoad(heights, tile + vec2(far.x, near.y), 0).xy * it.reach - height) * scale);
    let c = saturate((textureLoad(heights, tile + vec2(near.x, far.y), 0).xy * it.reach - height) * scale);
    let d = saturate((textureLoad(heights, tile + far, 0).xy * it.reach - height) * scale);
    return mix(mix(a, b, part.x), mix(c, d, part.x), part.y);
}
