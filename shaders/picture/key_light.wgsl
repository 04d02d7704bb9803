// Shadows of the key light: sharp at contact, softer with distance from the occluder.
#import picture/view
#import picture/map
#import picture/frame

// Tangent of the light's angular radius, which sets how fast shadows soften.
const KEY_SOFTNESS: f32 = 0.07;

@group(0) @binding(1) var<storage, read> frame: Frame;
@group(0) @binding(2) var<storage, read> maps: array<Map>;
// The depth map as plain numbers: GLSL loads no single texels from a texture_depth_2d.
@group(0) @binding(3) var shadow: texture_2d<f32>;
@group(0) @binding(4) var nearest: sampler;

fn key_colour() -> vec3<f32> {
    return vec3(1.25, 1.19375, 1.1);
}

// Heights of the occluders nearest to the light, m above the middle of the map.
fn blockers(it: Map, depths: vec4<f32>) -> vec4<f32> {
    return select(vec4(NOTHING), (depths - 0.5) * (it.reach / 0.499), depths > vec4(0.0));
}

// Fraction of the light occluded at a height and position, interpolated between texels and rising over `softness` metres. The
// map's border, and everything beyond it, is empty.
fn key_blocked(it: Map, place: vec2<f32>, height: f32, softness: f32) -> f32 {
    let shifted = place - 0.5;
    let base = floor(shifted);
    let part = shifted - base;
    // The sample point lies between four texels. Gather returns them anticlockwise from the lower left, and rows run down.
    let heights = blockers(it, textureGather(0, shadow, nearest, (base + 1.0) / f32(view.shadow_side)));
    let kept = saturate((heights - height) / softness);
    return mix(mix(kept.w, kept.z, part.x), mix(kept.x, kept.y, part.x), part.y);
}

fn search_radius() -> f32 {
    return 0.03 * frame.radius;
}

// Whether a point is on the map, or near enough to it for a soft shadow.
fn is_near_shadow(point: vec3<f32>) -> bool {
    let it = maps[view.axis_count];
    let margin = search_radius() / it.texel;
    let place = locate(it, point);
    return all(place >= vec2(-margin)) && all(place <= vec2(margin + f32(view.shadow_side)));
}

// Fraction of the light that reaches a point on the side of its normal, from every `stride`th tap, starting with `first`. Every
// `search_stride`th tap searches for occluders.
//
// `coarseness` is the size of the triangles there, m. Flat triangles protrude from the smooth surface by a fraction of it, which
// must not cause self-shadowing.
fn key_lit(point: vec3<f32>, normal: vec3<f32>, coarseness: f32, first: u32, search_stride: u32, stride: u32) -> f32 {
    let it = maps[view.axis_count];
    let most_clearance = max(2.0 * it.texel, 0.02 * frame.radius);
    let least_radius = max(1.5 * it.texel, 0.002 * frame.radius);
    let clearance = clamp(0.35 * coarseness, 2.0 * it.texel, most_clearance);
    let cosine = max(dot(normal, it.toward), 0.25);
    let start = point + normal * clearance;
    let place = locate(it, start);
    let height = height_in(it, start);
    // Height of the surface's tangent plane per metre across the map. Taps away from the point compare against this plane, so
    // that a slope does not shadow itself.
    let slope = -vec2(dot(normal, it.right), dot(normal, it.up)) / cosine;

    var blocker_sum = 0.0;
    var blocker_count = 0.0;
    var search_count = 0.0;
    var deep_count = 0.0;
    let softness = 0.5 * clearance;
    let last = i32(view.shadow_side) - 1;
    // The search reaches further than the filter: it has fewer taps, and a shadow should not begin abruptly.
    let reach = 1.25 * search_radius();
    for (var tap = first; tap < 32u; tap += search_stride) {
        let across = view.taps[tap].xy * reach;
        let texel = clamp(vec2<i32>(floor(place + across / it.texel)), vec2(0), vec2(last));
        let found = blockers(it, textureLoad(shadow, texel, 0)).x;
        let excess = found - (height + dot(slope, across)) - 0.15 * view.taps[tap].z * reach;
        if excess > 0.0 {
            blocker_sum += found - height;
            blocker_count += 1.0;
            // Only another surface counts here, not the rest of this curved one.
            deep_count += select(0.0, 1.0, excess > 4.0 * clearance);
        }
        search_count += 1.0;
    }
    // Most points are fully lit or fully in shadow.
    if blocker_count == 0.0 {
        return 1.0;
    }
    let radius = clamp(blocker_sum / blocker_count * KEY_SOFTNESS, least_radius, search_radius());
    if deep_count == search_count && radius < 0.7 * search_radius() {
        return 0.0;
    }
    var kept = 0.0;
    var count = 0.0;
    for (var tap = first; tap < 32u; tap += stride) {
        let across = view.taps[tap].xy * radius;
        let bias = dot(slope, across) + 0.15 * view.taps[tap].z * radius;
        kept += key_blocked(it, place + across / it.texel, height + bias, softness);
        count += 1.0;
    }
    return 1.0 - kept / count;
}
