// Depth of a solid ground, which hides everything below it.
// Reads frame.
#import picture/view
#import picture/frame
#import picture/project

@group(0) @binding(1) var<storage, read> frame: Frame;

@vertex
fn vertex_main(@builtin(vertex_index) vertex_ix: u32, @builtin(instance_index) instance_ix: u32) -> @builtin(position) vec4<f32> {
    // The margin keeps cloth on the ground from being hidden by rounding.
    let height = frame.ground - 0.002 * frame.radius;
    // The quad is large enough to lie between the eye and everything below the ground.
    let reach = 4.0 * frame.radius + 2.0 * distance(view.eye, frame.centre);
    let sign = vec2(select(-1.0, 1.0, (vertex_ix & 1u) != 0u), select(-1.0, 1.0, (vertex_ix & 2u) != 0u));
    var place = vec3(frame.centre.x + reach * sign.x, height, frame.centre.z + reach * sign.y);
    // A camera below the ground does not draw it.
    if view.eye.y <= height {
        place = frame.centre;
    }
    return project(place, frame.radius, instance_ix);
}

// Fragments write depth only.
@fragment
fn fragment_main() -> @location(0) vec4<f32> {
    return vec4(0.0);
}
