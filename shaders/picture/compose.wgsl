// Composites the layers over a light studio background, into which the ground fades, and compresses highlights. The render target
// encodes to sRGB.
// Reads frame, maps, shadow, sky, first_layer, second_layer.
#import picture/view
#import picture/key_light
#import picture/sky_grid

// Distances from the middle, in radii of the frame, between which the ground fades out.
const FADE_FROM: f32 = 1.6;
const FADE_TO: f32 = 3.0;
// Radiance above which highlights are compressed to stay below white.
const SHOULDER: f32 = 0.72;

@group(0) @binding(5) var<storage, read> sky: array<f32>;
@group(0) @binding(6) var first_layer: texture_2d<f32>;
@group(0) @binding(7) var second_layer: texture_2d<f32>;

struct Corner {
    @builtin(position) place: vec4<f32>,
    @location(0) @interpolate(flat) tile: u32,
}

// One triangle that covers the target.
@vertex
fn vertex_main(@builtin(vertex_index) vertex_ix: u32, @builtin(instance_index) tile: u32) -> Corner {
    let place = vec2(f32(vertex_ix & 1u), f32(vertex_ix >> 1u)) * 4.0 - 1.0;
    return Corner(vec4(place, 0.0, 1.0), tile);
}

// Background colour at a pixel, in linear light.
fn background(pixel: vec2<f32>) -> vec3<f32> {
    let place = pixel / vec2(view.width, view.height);
    let from_middle = place - vec2(0.5, 0.55);
    let vignette = 1.0 - 0.30 * dot(from_middle, from_middle);
    return mix(vec3(0.60, 0.66, 0.73), vec3(0.84, 0.835, 0.82), smoothstep(0.0, 0.85, place.y)) * vignette;
}

// Fraction of the sky visible from a point of the ground.
fn sky_at(point: vec3<f32>) -> f32 {
    let place = (point.xz - sky_corner(frame)) / sky_cell(frame);
    let base = clamp(floor(place), vec2(0.0), vec2(f32(SKY_SIDE) - 2.0));
    let part = saturate(place - base);
    let ix = u32(base.y) * SKY_SIDE + u32(base.x);
    let near = mix(sky[ix], sky[ix + 1u], part.x);
    let far = mix(sky[ix + SKY_SIDE], sky[ix + SKY_SIDE + 1u], part.x);
    return mix(near, far, part.y);
}

// Radiance of ground and background at a pixel.
fn behind(pixel: vec2<f32>) -> vec3<f32> {
    let light = background(pixel);
    let across = (pixel - 0.5 * vec2(view.width, view.height)) / view.focal_length;
    let ray = view.forward + view.right * across.x - view.up * across.y;
    // A camera below the ground does not draw it: the ground would hide the scene.
    let drop = view.eye.y - frame.ground;
    if drop <= 0.0 || ray.y >= 0.0 {
        return light;
    }
    let point = view.eye + ray * (drop / -ray.y);
    let visibility = 1.0 - smoothstep(FADE_FROM, FADE_TO, distance(point.xz, frame.centre.xz) / frame.radius);
    if visibility <= 0.0 {
        return light;
    }
    var lit = 1.0;
    if is_near_shadow(point) {
        lit = key_lit(point, vec3(0.0, 1.0, 0.0), 0.0, 0u, 2u, 1u);
    }
    // The background equals the fully lit ground. Shading multiplies it, so there is no seam where the ground ends.
    let shaded = (1.0 - vec3(0.52, 0.49, 0.45) * (1.0 - lit)) * pow(saturate(sky_at(point)), 0.8);
    return light * mix(vec3(1.0), shaded, visibility);
}

// Compresses highlights above SHOULDER.
fn compress(light: vec3<f32>) -> vec3<f32> {
    let room = 1.0 - SHOULDER;
    let excess = max(light - SHOULDER, vec3(0.0)) / room;
    return clamp(light, vec3(0.0), vec3(SHOULDER)) + room * excess / (1.0 + excess);
}

@fragment
fn fragment_main(corner: Corner) -> @location(0) vec4<f32> {
    let texel = vec2<i32>(floor(corner.place.xy));
    let sum = 0.5 * (textureLoad(first_layer, texel, 0) + textureLoad(second_layer, texel, 0));
    var light = sum.xyz;
    if sum.w < 0.999 {
        let tile = vec2(f32(corner.tile % view.tiles_across), f32(corner.tile / view.tiles_across));
        // Ground and background have no sharp edges: one sample per pixel is enough.
        light += (1.0 - sum.w) * behind(corner.place.xy + tile * vec2(view.tile_width, view.tile_height));
    }
    return vec4(compress(light), 1.0);
}
