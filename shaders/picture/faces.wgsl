// Drops triangles with a vertex that cannot be drawn.
// Reads corners, vertices. Writes indices (dropped triangles have no area), faces (area normal; w: 1 if drawn).
#import picture/view
#import picture/rows

@group(0) @binding(1) var<storage, read> corners: array<u32>;
@group(0) @binding(2) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> indices: array<u32>;
@group(0) @binding(4) var<storage, read_write> faces: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var ix = id.x; ix < view.triangle_count; ix += row_stride(groups)) {
        let names = vec3(corners[3u * ix], corners[3u * ix + 1u], corners[3u * ix + 2u]);
        let a = vertices[names.x];
        let b = vertices[names.y];
        let c = vertices[names.z];
        let drawn = a.w > 0.0 && b.w > 0.0 && c.w > 0.0;
        // The normal's length is twice the area, which weights vertex normals by area.
        let area_normal = cross(b.xyz - a.xyz, c.xyz - a.xyz);
        let kept = select(vec3(0u), names, drawn);
        indices[3u * ix] = kept.x;
        indices[3u * ix + 1u] = kept.y;
        indices[3u * ix + 2u] = kept.z;
        faces[ix] = select(vec4(0.0), vec4(area_normal, 1.0), drawn);
    }
}
