// Ambient light at every vertex, front and back, with occlusion by the scene. Unlike screen-space methods it has no halos or
// noise, and darkens the inside of folds.
// Reads maps, heights, vertices, normals. Writes gathered (light from open directions; w: occluded fraction of the hemisphere).
#import picture/view
#import picture/rows
#import picture/openness

@group(0) @binding(3) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> normals: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> gathered: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var ix = id.x; ix < view.vertex_count + view.prop_count; ix += row_stride(groups)) {
        let point = vertices[ix].xyz;
        let normal = normals[ix].xyz;
        var front = vec4(0.0);
        var back = vec4(0.0);
        var weight = 1.0e-6;
        for (var map_ix = 0u; map_ix < view.axis_count; map_ix++) {
            let it = maps[map_ix];
            let cosine = dot(normal, it.toward);
            // The offset along the normal keeps a sloped texel from occluding itself.
            let offset = normal * (1.5 * it.texel);
            // One end of the axis lights the front, the other the back.
            let before = blocked(map_ix, it, point + offset, 2.0 * it.texel);
            let behind = blocked(map_ix, it, point - offset, 2.0 * it.texel);
            let is_above = cosine >= 0.0;
            let front_blocked = select(before.y, before.x, is_above);
            let back_blocked = select(behind.x, behind.y, is_above);
            let front_light = select(it.opposite_light, it.light, is_above);
            let back_light = select(it.light, it.opposite_light, is_above);
            front += abs(cosine) * vec4(front_light * (1.0 - front_blocked), front_blocked);
            back += abs(cosine) * vec4(back_light * (1.0 - back_blocked), back_blocked);
            weight += abs(cosine);
        }
        gathered[2u * ix] = front / weight;
        gathered[2u * ix + 1u] = back / weight;
    }
}
