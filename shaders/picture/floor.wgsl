// A solid ground as depth alone: it hides what is below it.
// Reads frame.
#import picture/view
#import picture/frame
#import picture/project

@group(0) @binding(1) var<storage, read> frame: Frame;

@vertex
fn vertex_main(@builtin(vertex_index) vertex_ix: u32, @builtin(instance_index) instance_ix: u32) -> @builtin(position) vec4<f32> {
    // Cloth that lies on the ground is not to sink into it by rounding.
    let height = frame.ground - 0.002 * frame.radius;
    // Wide enough to lie between the eye and everything.
    let reach = 4.0 * frame.radius + 2.0 * distance(view.eye, frame.centre);
    let sign = vec2(select(-1.0, 1.0, (vertex_ix & 1u) != 0u), select(-1.0, 1.0, (vertex_ix & 2u) != 0u));
    var place = vec3(frame.centre.x + reach * sign.x, height, frame.centre.z + reach * sign.y);
    // Seen from below it would hide everything.
    if view.eye.y <= height {
        place = frame.centre;
    }
    return project(place, frame.radius, instance_ix);
}

// As if nothing had been drawn.
@fragment
fn fragment_main() -> @location(0) vec4<f32> {
    return vec4(0.0);
}
