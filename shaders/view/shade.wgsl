// Light of a view: the studio of the pictures (`picture/aim`, `picture/cloth`) with one shadow map and without occlusion of soft light.
#import view/eye
#import picture/unit

const SHEEN: f32 = 0.55;
const SHOULDER: f32 = 0.72;

// The depth map as plain numbers: GLSL loads no single texels from a texture_depth_2d.
@group(0) @binding(1) var shadow: texture_2d<f32>;
@group(0) @binding(2) var nearest: sampler;

fn key_colour() -> vec3<f32> {
    return vec3(1.25, 1.19375, 1.1);
}

// Mean radiance of the surroundings over the hemisphere about a normal, weighted by the cosine.
fn soft_light(normal: vec3<f32>) -> vec3<f32> {
    let rim = max(dot(normal, eye.toward_rim), 0.0);
    return mix(vec3(0.19, 0.185, 0.18), vec3(0.33, 0.355, 0.395), 0.5 + 0.5 * normal.y) + vec3(0.138, 0.134, 0.127) * rim;
}

// Fraction of the key light that four texels around a place let through, interpolated.
fn lit_at(place: vec2<f32>, depth: f32) -> f32 {
    let shifted = place * eye.shadow_side - 0.5;
    let base = floor(shifted);
    let part = shifted - base;
    let depths = textureGather(0, shadow, nearest, (base + 1.0) / eye.shadow_side);
    let lit = select(vec4(0.0), vec4(1.0), depths <= vec4(depth));
    return mix(mix(lit.w, lit.z, part.x), mix(lit.x, lit.y, part.x), part.y);
}

// Fraction of the key light that reaches a point on the side of its normal.
fn key_lit(point: vec3<f32>, normal: vec3<f32>) -> f32 {
    let cosine = max(dot(normal, eye.toward_key), 0.0);
    let lifted = point + (eye.shadow_texel * (1.5 + 2.0 * (1.0 - cosine))) * normal + (0.5 * eye.shadow_texel) * eye.toward_key;
    let clip = eye.shadow_clip * vec4(lifted, 1.0);
    // Beyond the far end of the map everything that is in it lies before the point.
    let depth = max(clip.z, 0.0);
    let place = vec2(0.5 + 0.5 * clip.x, 0.5 - 0.5 * clip.y);
    if any(place < vec2(0.0)) || any(place > vec2(1.0)) {
        return 1.0;
    }
    let step = 0.75 / eye.shadow_side;
    return 0.25 * (lit_at(place + vec2(step, step), depth) + lit_at(place + vec2(-step, step), depth)
        + lit_at(place + vec2(step, -step), depth) + lit_at(place + vec2(-step, -step), depth));
}

// Compresses highlights above SHOULDER.
fn compress(light: vec3<f32>) -> vec3<f32> {
    let room = 1.0 - SHOULDER;
    let excess = max(light - SHOULDER, vec3(0.0)) / room;
    return clamp(light, vec3(0.0), vec3(SHOULDER)) + room * excess / (1.0 + excess);
}

// Radiance of a surface towards the eye. `through`: fraction of the key light that passes through it from behind.
fn shade(point: vec3<f32>, normal: vec3<f32>, albedo: vec3<f32>, through: f32) -> vec3<f32> {
    let facing_eye = saturate(dot(normal, unit_or(eye.place - point, -eye.forward)));
    let soft = soft_light(normal);
    let cosine = dot(normal, eye.toward_key);
    let side = select(-1.0, 1.0, cosine >= 0.0);
    let strength = select(-cosine * through, cosine, cosine >= 0.0);
    var key = vec3(0.0);
    if strength > 0.0 {
        key = key_colour() * (strength * key_lit(point, side * normal));
    }
    let edge = pow(1.0 - facing_eye, 4.0);
    let fibre_colour = mix(albedo, vec3((albedo.x + albedo.y + albedo.z) / 3.0), 0.5) + 0.02;
    return compress(albedo * (soft + key) + fibre_colour * (SHEEN * edge) * (soft + 0.35 * key));
}
