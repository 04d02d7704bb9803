// Draws surfaces, solids and beads: colour per fragment, and coverage.
// Reads frame, maps, shadow, vertices, normals, indices, ambient, details (rest coordinate, value or -1, finish), finishes.
#import picture/view
#import picture/key_light
#import picture/project
#import picture/finish
#import picture/weave
#import picture/unit

// Strength of the sheen of fibres at grazing angles.
const SHEEN: f32 = 0.55;
// Brightness of an occluded direction for white cloth, which shows more of the same cloth.
const BOUNCE: f32 = 0.30;

@group(0) @binding(5) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> normals: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read> indices: array<u32>;
@group(0) @binding(8) var<storage, read> ambient: array<vec4<f32>>;
@group(0) @binding(9) var<storage, read> details: array<vec4<f32>>;
@group(0) @binding(10) var<storage, read> finishes: array<Finish>;

struct Corner {
    @builtin(position) @invariant place: vec4<f32>,
    // Barycentric coordinates. Centroid interpolation keeps fragments of an edge inside the triangle.
    @location(0) @interpolate(perspective, centroid) weights: vec3<f32>,
    @location(1) @interpolate(perspective, centroid) soft_light: vec4<f32>,
    // Rest coordinate and value.
    @location(2) @interpolate(perspective, centroid) detail: vec3<f32>,
    // The whole triangle: its corners, their normals on the visible side, that side's albedo and check size.
    @location(3) @interpolate(flat) point_a: vec3<f32>,
    @location(4) @interpolate(flat) point_b: vec3<f32>,
    @location(5) @interpolate(flat) point_c: vec3<f32>,
    @location(6) @interpolate(flat) normal_a: vec3<f32>,
    @location(7) @interpolate(flat) normal_b: vec3<f32>,
    @location(8) @interpolate(flat) normal_c: vec3<f32>,
    @location(9) @interpolate(flat) albedo: vec4<f32>,
    // Approximate length of the triangle's edges in the world and in the flat fabric, and transmission.
    @location(10) @interpolate(flat) sizes: vec3<f32>,
    @location(11) @interpolate(flat) layer: u32,
}

@vertex
fn vertex_main(@builtin(vertex_index) vertex_ix: u32, @builtin(instance_index) instance_ix: u32) -> Corner {
    let first = vertex_ix / 3u * 3u;
    let names = vec3(indices[first], indices[first + 1u], indices[first + 2u]);
    let a = vertices[names.x].xyz;
    let b = vertices[names.y].xyz;
    let c = vertices[names.z].xyz;
    let area_normal = cross(b - a, c - a);
    let is_front = dot(area_normal, view.eye - a) >= 0.0;
    let side = select(-1.0, 1.0, is_front);
    let rest_a = details[names.x];
    let rest_b = details[names.y].xy - rest_a.xy;
    let rest_c = details[names.z].xy - rest_a.xy;
    let finish = finishes[bitcast<u32>(rest_a.w)];
    let own = names[vertex_ix % 3u];

    var corner: Corner;
    corner.place = project(vertices[own].xyz, frame.radius, instance_ix);
    corner.weights = vec3<f32>(vec3(vertex_ix % 3u) == vec3(0u, 1u, 2u));
    corner.soft_light = ambient[2u * own + select(1u, 0u, is_front)];
    corner.detail = details[own].xyz;
    corner.point_a = a;
    corner.point_b = b;
    corner.point_c = c;
    let face_normal = side * unit_or(area_normal, vec3(0.0, 1.0, 0.0));
    let is_faceted = finish.faceted != 0u;
    corner.normal_a = select(side * normals[names.x].xyz, face_normal, is_faceted);
    corner.normal_b = select(side * normals[names.y].xyz, face_normal, is_faceted);
    corner.normal_c = select(side * normals[names.z].xyz, face_normal, is_faceted);
    corner.albedo = vec4(select(finish.back, finish.front, is_front), finish.check);
    let rest_area = abs(rest_b.x * rest_c.y - rest_b.y * rest_c.x);
    corner.sizes = vec3(sqrt(length(area_normal)), sqrt(rest_area), finish.transmission);
    corner.layer = instance_ix % view.layer_count;
    return corner;
}

// Colour of a value from 0 to 1 in the colour map.
fn colour_of(value: f32) -> vec3<f32> {
    let place = 9.0 * saturate(value);
    let below = min(u32(place), 8u);
    return mix(view.colours[below].xyz, view.colours[below + 1u].xyz, place - f32(below));
}

fn albedo_of(corner: Corner, point: vec3<f32>, facing_eye: f32) -> vec3<f32> {
    if corner.detail.z >= 0.0 {
        return colour_of(corner.detail.z);
    }
    if corner.albedo.w <= 0.0 {
        return corner.albedo.xyz;
    }
    let pixel = distance(point, view.eye) / view.focal_length;
    let rest_scale = corner.sizes.y / max(corner.sizes.x, 1.0e-12);
    return corner.albedo.xyz * tint(corner.detail.xy, corner.albedo.w, pixel * rest_scale / max(facing_eye, 0.1));
}

// Point moved from the flat triangle to the curved surface of its smooth normals, on the lit side (1: the visible side; -1: the
// other). It removes jagged shadows at the terminator. Each corner's tangent plane raises the point as far as it lies below the
// plane (Hanika, "Hacking the shadow terminator", 2021).
fn rounded_point(corner: Corner, weights: vec3<f32>, point: vec3<f32>, side: f32) -> vec3<f32> {
    let below = vec3(
        dot(point - corner.point_a, corner.normal_a),
        dot(point - corner.point_b, corner.normal_b),
        dot(point - corner.point_c, corner.normal_c),
    );
    let lift = weights * min(side * below, vec3(0.0));
    return point - side * (corner.normal_a * lift.x + corner.normal_b * lift.y + corner.normal_c * lift.z);
}

@fragment
fn fragment_main(corner: Corner) -> @location(0) vec4<f32> {
    let inside = saturate(corner.weights);
    let weights = inside / max(inside.x + inside.y + inside.z, 1.0e-6);
    let point = corner.point_a * weights.x + corner.point_b * weights.y + corner.point_c * weights.z;
    let toward_eye = unit_or(view.eye - point, -view.forward);
    let blend = corner.normal_a * weights.x + corner.normal_b * weights.y + corner.normal_c * weights.z;
    let normal = unit_or(blend, corner.normal_a);
    let facing_eye = saturate(dot(normal, toward_eye));
    let albedo = albedo_of(corner, point, facing_eye);

    let open = corner.soft_light.xyz;
    // Bounced light has the albedo once more: folds glow instead of turning grey.
    let soft = open + albedo * (corner.soft_light.w * BOUNCE);
    // Key light reaches the front directly or the back through the cloth.
    let cosine = dot(normal, view.toward_key);
    let side = select(-1.0, 1.0, cosine >= 0.0);
    let strength = select(-cosine * corner.sizes.z, cosine, cosine >= 0.0);
    var key = vec3(0.0);
    if strength > 0.0 {
        let stride = view.layer_count;
        let lifted = rounded_point(corner, weights, point, side);
        let lit = key_lit(lifted, side * normal, corner.sizes.x, corner.layer, 2u * stride, stride);
        key = key_colour() * (strength * lit);
    }

    let edge = pow(1.0 - facing_eye, 4.0);
    let fibre_colour = mix(albedo, vec3((albedo.x + albedo.y + albedo.z) / 3.0), 0.5) + 0.02;
    return vec4(albedo * (soft + key) + fibre_colour * (SHEEN * edge) * (open + 0.35 * key), 1.0);
}
