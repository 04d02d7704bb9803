// Depth pre-pass: hidden fragments are not shaded afterwards.
// Reads frame, vertices.
#import picture/view
#import picture/frame
#import picture/project

@group(0) @binding(1) var<storage, read> frame: Frame;
@group(0) @binding(2) var<storage, read> vertices: array<vec4<f32>>;

@vertex
fn vertex_main(
    @builtin(vertex_index) vertex_ix: u32,
    @builtin(instance_index) instance_ix: u32,
) -> @builtin(position) @invariant vec4<f32> {
    return project(vertices[vertex_ix].xyz, frame.radius, instance_ix);
}

// Fragments write depth only.
@fragment
fn fragment_main() -> @location(0) vec4<f32> {
    return vec4(0.0);
}
