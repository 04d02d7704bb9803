// Soft light from all around at every vertex, in front and behind, with what the scene itself keeps out.
// That is smooth and free of the halos and noise of screen-space methods, and it darkens the inside of folds the way light really does.
// Reads maps, heights, vertices, normals. Writes gathered (light from open directions; w: part of the hemisphere that is blocked).
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
            // Stepping off the surface keeps a texel's own slope from counting as a blocker.
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
