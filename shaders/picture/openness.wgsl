// How much light along an axis is kept from a point.
#import picture/map

@group(0) @binding(1) var<storage, read> maps: array<Map>;
@group(0) @binding(2) var heights: texture_2d<f32>;

// Light kept from a point, 0 to 1, out of the map's direction (x) and of its opposite (y): blended between texels, and growing over
// `softness` metres.
fn blocked(map_ix: u32, it: Map, point: vec3<f32>, softness: f32) -> vec2<f32> {
    let place = locate(it, point) - 0.5;
    let base = floor(place);
    let part = place - base;
    let last = i32(view.map_side) - 1;
    // A map's border is empty: what is beyond it is as if there.
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
