// Averages each vertex normal with those of its neighbours. Across a sharp crease one triangle wide, area-weighted normals
// alternate along the diagonals of the grid, and the crease looks jagged.
// Reads fans, corners, faces, plain_normals. Writes normals, vertices (w: 1 if used).
#import picture/view
#import picture/rows
#import picture/fans
#import picture/unit

@group(0) @binding(2) var<storage, read> corners: array<u32>;
@group(0) @binding(3) var<storage, read> faces: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> plain_normals: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> normals: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> vertices: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var ix = id.x; ix < view.vertex_count; ix += row_stride(groups)) {
        let own = plain_normals[ix];
        var sum = 2.0 * own.xyz;
        let fan = fan_of(ix);
        for (var k = fan.x; k < fan.y; k++) {
            let triangle = fans[k];
            if faces[triangle].w > 0.0 {
                sum += plain_normals[corners[3u * triangle]].xyz;
                sum += plain_normals[corners[3u * triangle + 1u]].xyz;
                sum += plain_normals[corners[3u * triangle + 2u]].xyz;
            }
        }
        normals[ix] = vec4(unit_or(sum, own.xyz), 0.0);
        vertices[ix].w = own.w;
    }
}
