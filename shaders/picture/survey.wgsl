// Bounds of the drawn triangles and number of triangles with sharp edges, per block.
// Reads blocks, corners, faces, vertices, normals. Writes surveys.
#import picture/view
#import picture/rows
#import picture/blocks
#import picture/unit

// Cosine between a triangle's normal and its corners' normals below which its edges are sharp.
const SHARP: f32 = 0.62;

@group(0) @binding(1) var<storage, read> blocks: array<Block>;
@group(0) @binding(2) var<storage, read> corners: array<u32>;
@group(0) @binding(3) var<storage, read> faces: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> normals: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> surveys: array<Survey>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var ix = id.x; ix < view.block_count; ix += row_stride(groups)) {
        let block = blocks[ix];
        let far = vec3(2.0 * FARTHEST);
        var found = Survey(far, 0u, -far, 0u, far, 0u, -far, 0u);
        for (var triangle = block.first; triangle < block.end; triangle++) {
            let face = faces[triangle];
            if face.w == 0.0 {
                continue;
            }
            let face_normal = unit_or(face.xyz, vec3(0.0));
            var is_sharp = false;
            for (var k = 0u; k < 3u; k++) {
                let corner = corners[3u * triangle + k];
                let place = vertices[corner].xyz;
                let by_key = vec3(dot(place, view.key_right), dot(place, view.key_up), dot(place, view.toward_key));
                found.minimum = min(found.minimum, place);
                found.maximum = max(found.maximum, place);
                found.key_minimum = min(found.key_minimum, by_key);
                found.key_maximum = max(found.key_maximum, by_key);
                is_sharp = is_sharp || dot(normals[corner].xyz, face_normal) < SHARP;
            }
            found.sharp_count += select(0u, 1u, is_sharp);
            found.smooth_count += select(1u, 0u, is_sharp);
        }
        surveys[ix] = found;
    }
}
