// Draws the surfaces of a view: cloth, solids, skins and colliders, with smooth normals.
// Reads vertices, normals, details (rest coordinate, value or -1, finish), finishes, shadow.
#import view/shade
#import picture/weave

struct Coat {
    // Albedo of the front.
    front: vec3<f32>,
    // Length of one check of the weave in rest coordinates; 0 for a plain surface.
    check: f32,
    back: vec3<f32>,
    // Fraction of the key light transmitted through the surface.
    through: f32,
}

@group(0) @binding(3) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> normals: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> details: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> coats: array<Coat>;

struct Corner {
    @builtin(position) place: vec4<f32>,
    @location(0) point: vec3<f32>,
    @location(1) normal: vec3<f32>,
    // Rest coordinate and value.
    @location(2) detail: vec3<f32>,
    @location(3) @interpolate(flat) front: vec4<f32>,
    @location(4) @interpolate(flat) back: vec4<f32>,
}

@vertex
fn vertex_main(@builtin(vertex_index) vertex_ix: u32) -> Corner {
    let point = vertices[vertex_ix].xyz;
    let detail = details[vertex_ix];
    let coat = coats[bitcast<u32>(detail.w)];
    return Corner(eye.clip * vec4(point, 1.0), point, normals[vertex_ix].xyz, detail.xyz, vec4(coat.front, coat.check), vec4(coat.back, coat.through));
}

// Colour of a value from 0 to 1 in the colour map.
fn colour_of(value: f32) -> vec3<f32> {
    let place = 9.0 * saturate(value);
    let below = min(u32(place), 8u);
    return mix(eye.colours[below].xyz, eye.colours[below + 1u].xyz, place - f32(below));
}

@fragment
fn fragment_main(corner: Corner, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    let rest_size = length(fwidth(corner.detail.xy));
    let side = select(-1.0, 1.0, is_front);
    let normal = side * unit_or(corner.normal, vec3(0.0, 1.0, 0.0));
    var albedo = select(corner.back.xyz, corner.front.xyz, is_front);
    if corner.detail.z >= 0.0 && eye.value_scale >= 0.0 {
        albedo = colour_of(corner.detail.z * eye.value_scale);
    } else if corner.front.w > 0.0 {
        albedo *= tint(corner.detail.xy, corner.front.w, rest_size);
    }
    return vec4(shade(corner.point, normal, albedo, corner.back.w), 1.0);
}
