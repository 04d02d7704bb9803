// Draws the studio behind a view: a gradient, into which the ground with its shadow fades.
// Reads shadow.
#import view/shade

// Distances from the middle, in radii of the scene, between which the ground fades out.
const FADE_FROM: f32 = 1.6;
const FADE_TO: f32 = 3.5;

struct Corner {
    @builtin(position) place: vec4<f32>,
    @location(0) across: vec2<f32>,
}

// One triangle that covers the target, behind everything.
@vertex
fn vertex_main(@builtin(vertex_index) vertex_ix: u32) -> Corner {
    let place = vec2(f32(vertex_ix & 1u), f32(vertex_ix >> 1u)) * 4.0 - 1.0;
    return Corner(vec4(place, 0.0, 1.0), place);
}

@fragment
fn fragment_main(corner: Corner) -> @location(0) vec4<f32> {
    let place = 0.5 + 0.5 * vec2(corner.across.x, -corner.across.y);
    let from_middle = place - vec2(0.5, 0.55);
    let vignette = 1.0 - 0.30 * dot(from_middle, from_middle);
    let light = mix(vec3(0.60, 0.66, 0.73), vec3(0.84, 0.835, 0.82), smoothstep(0.0, 0.85, place.y)) * vignette;
    let ray = eye.forward + corner.across.x * eye.right + corner.across.y * eye.up;
    let drop = eye.place.y - eye.ground;
    if drop <= 0.0 || ray.y >= 0.0 {
        return vec4(compress(light), 1.0);
    }
    let point = eye.place + ray * (drop / -ray.y);
    let from_centre = distance(point.xz, eye.centre.xz) / eye.radius;
    let visibility = 1.0 - smoothstep(FADE_FROM, FADE_TO, from_centre);
    if visibility <= 0.0 {
        return vec4(compress(light), 1.0);
    }
    let shaded = 1.0 - vec3(0.52, 0.49, 0.45) * (1.0 - key_lit(point, vec3(0.0, 1.0, 0.0)));
    return vec4(compress(light * mix(vec3(1.0), shaded, visibility)), 1.0);
}
