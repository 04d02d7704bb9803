// Positions of skin vertices, one per thread (Teschner 6.1; over triangles Etzmuß 2.7):
//   x = x₀ + a (x₁ - x₀) + b (x₂ - x₀) + c t,   t = x₃ - x₀ in a tetrahedron, the unit normal over a triangle.
// The sum starts at the first corner: far from the origin a sum of weighted positions would round more.
// Runs on demand, never in a step. Reads published, skin_points. Writes skin_positions.
#import shared/params
#import launch

struct SkinPoint {
    // Particles of the tetrahedron or triangle, in the user's order.
    particles: vec4<u32>,
    // Weights a, b, c
    weights: vec3<f32>,
    // 1 for a tetrahedron, 0 for a triangle.
    solid: u32,
}

@group(0) @binding(1) var<storage, read> skin_points: array<SkinPoint>;
@group(0) @binding(2) var<storage, read> published: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> skin_positions: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let range = rows_among(params.skin_workgroups, group.x, local_ix, 0u, params.skin_count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let point = skin_points[ix];
        let first = published[point.particles.x].xyz;
        let u = published[point.particles.y].xyz - first;
        let v = published[point.particles.z].xyz - first;
        var third = published[point.particles.w].xyz - first;
        if point.solid == 0u {
            let normal = cross(u, v);
            let size = length(normal);
            third = select(vec3(0.0), normal / size, size > 0.0);
        }
        skin_positions[ix] = vec4(first + point.weights.x * u + point.weights.y * v + point.weights.z * third, 1.0);
    }
}
