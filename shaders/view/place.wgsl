// Vertices of a view, one per thread: positions of particles and skins as they are, colliders moved to their poses, x = R x₀ + p.
// Runs once per frame, never in a step. Reads published, skin_positions, hulls, poses (rows of [R | p]). Writes vertices.
#import view/eye
#import picture/rows

@group(0) @binding(1) var<storage, read> published: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> skin_positions: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> hulls: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> poses: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> vertices: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let skins_end = eye.particle_count + eye.skin_count;
    for (var ix = id.x; ix < eye.vertex_count; ix += row_stride(groups)) {
        if ix < eye.particle_count {
            vertices[ix] = published[ix];
        } else if ix < skins_end {
            vertices[ix] = skin_positions[ix - eye.particle_count];
        } else {
            let hull = hulls[ix - skins_end];
            let pose = 3u * bitcast<u32>(hull.w);
            let own = vec4(hull.xyz, 1.0);
            vertices[ix] = vec4(dot(poses[pose], own), dot(poses[pose + 1u], own), dot(poses[pose + 2u], own), 1.0);
        }
    }
}
