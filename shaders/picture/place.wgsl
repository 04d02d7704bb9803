// Copies positions; those that cannot be drawn are marked and moved to the origin.
// Reads sources. Writes vertices (w: 1 if it can be drawn).
#import picture/view
#import picture/rows
#import shared/finite

@group(0) @binding(1) var<storage, read> sources: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> vertices: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var ix = id.x; ix < view.vertex_count; ix += row_stride(groups)) {
        let place = sources[ix].xyz;
        if all_finite(place) && all(abs(place) <= vec3(FARTHEST)) {
            vertices[ix] = vec4(place, 1.0);
        } else {
            vertices[ix] = vec4(0.0);
        }
    }
}
