// Fits one orthographic depth map per axis, and the key light's after them, to the scene, and computes the light that arrives
// along each.
// Reads frame. Writes maps.
#import picture/view
#import picture/rows
#import picture/frame
#import picture/map

const PI: f32 = 3.14159265;

@group(0) @binding(1) var<storage, read> frame: Frame;
@group(0) @binding(2) var<storage, read_write> maps: array<Map>;

// Radiance of the surroundings from a direction: sky, ground and rim light.
fn surround(direction: vec3<f32>) -> vec3<f32> {
    let horizon = vec3(0.23, 0.25, 0.28);
    if direction.y < 0.0 {
        return mix(horizon, vec3(0.21, 0.195, 0.175), min(-4.0 * direction.y, 1.0));
    }
    let rim = pow(max(dot(direction, view.toward_rim), 0.0), 12.0);
    return mix(horizon, vec3(0.38, 0.41, 0.46), direction.y) + vec3(1.0, 0.97, 0.92) * (0.9 * rim);
}

// Directions spread evenly over the upper half of a sphere, along a golden spiral.
fn axis(ix: u32) -> vec3<f32> {
    let height = (f32(ix) + 0.5) / f32(view.axis_count);
    // The fraction of a turn is taken first, so that the angle stays small.
    let azimuth = 2.0 * PI * fract(f32(ix) * 0.381966011);
    let across = sqrt(1.0 - height * height);
    return vec3(across * cos(azimuth), height, across * sin(azimuth));
}

// Width of a texel for an extent. A border of two texels lets lookups blend towards NOTHING.
fn texel_of(extent: vec2<f32>, side: u32) -> f32 {
    return max(max(extent.x, extent.y), 1.0e-4) / f32(side - 4u);
}

// The map with its projection: in a texture of `side` texels the map starts `offset` texels from the corner.
fn drawn(plain: Map, offset: vec2<f32>, side: f32) -> Map {
    var it = plain;
    let scale = 2.0 / side;
    let start = scale * (offset - it.corner / it.texel) - 1.0;
    it.draw_x = vec4(it.right * (scale / it.texel), start.x);
    it.draw_y = -vec4(it.up * (scale / it.texel), start.y);
    it.draw_height = vec4(it.toward, -it.middle) / it.reach;
    return it;
}

fn soft_map(ix: u32) -> Map {
    let toward = axis(ix);
    let helper = select(vec3(0.0, 1.0, 0.0), vec3(1.0, 0.0, 0.0), toward.y > 0.9);
    let right = normalize(cross(helper, toward));
    let up = cross(toward, right);
    let extent = 2.0 * vec2(dot(abs(right), frame.half_size), dot(abs(up), frame.half_size));
    let texel = texel_of(extent, view.map_side);
    let corner = vec2(dot(frame.centre, right), dot(frame.centre, up)) - 0.5 * texel * f32(view.map_side);
    let reach = 1.001 * dot(abs(toward), frame.half_size) + 1.0e-5;
    let middle = dot(frame.centre, toward);
    var it: Map;
    it.right = right;
    it.texel = texel;
    it.up = up;
    it.reach = reach;
    it.toward = toward;
    it.middle = middle;
    it.corner = corner;
    it.light = surround(toward);
    it.opposite_light = surround(-toward);
    let place = vec2(f32(ix % view.maps_across), f32(ix / view.maps_across)) * f32(view.map_side);
    return drawn(it, place, f32(view.maps_across * view.map_side));
}

fn key_map() -> Map {
    let size = frame.key_maximum - frame.key_minimum;
    let centre = 0.5 * (frame.key_maximum + frame.key_minimum);
    let texel = texel_of(size.xy, view.shadow_side);
    let corner = centre.xy - 0.5 * texel * f32(view.shadow_side);
    let reach = 0.501 * size.z + 1.0e-5;
    var it: Map;
    it.right = view.key_right;
    it.texel = texel;
    it.up = view.key_up;
    it.reach = reach;
    it.toward = view.toward_key;
    it.middle = centre.z;
    it.corner = corner;
    return drawn(it, vec2(0.0), f32(view.shadow_side));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var ix = id.x; ix <= view.axis_count; ix += row_stride(groups)) {
        if ix == view.axis_count {
            maps[ix] = key_map();
        } else {
            maps[ix] = soft_map(ix);
        }
    }
}
