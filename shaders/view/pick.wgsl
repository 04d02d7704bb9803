// Nearest hits of a ray, one per thread: solves o + t d = a + u (b - a) + v (c - a) for every triangle of the thread
// (Möller and Trumbore 1997). An item with equal corners is a bead. The host takes the nearest of all threads.
// Runs on demand. Reads ray, items, vertices. Writes hits (t or -1, item, u, v).
#import picture/rows

struct Ray {
    origin: vec3<f32>,
    item_count: u32,
    direction: vec3<f32>,
    bead_radius: f32,
}

@group(0) @binding(0) var<uniform> ray: Ray;
@group(0) @binding(1) var<storage, read> items: array<u32>;
@group(0) @binding(2) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> hits: array<vec4<f32>>;

// Distance to a bead, or -1.
fn bead(centre: vec3<f32>) -> f32 {
    let toward = centre - ray.origin;
    let along = dot(toward, ray.direction);
    let across = toward - along * ray.direction;
    return select(-1.0, along, dot(across, across) <= ray.bead_radius * ray.bead_radius);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    var best = vec4(-1.0, 0.0, 0.0, 0.0);
    for (var ix = id.x; ix < ray.item_count; ix += row_stride(groups)) {
        let corners = vec3(items[3u * ix], items[3u * ix + 1u], items[3u * ix + 2u]);
        let a = vertices[corners.x].xyz;
        var found = vec3(-1.0, 0.0, 0.0);
        if corners.x == corners.y {
            found.x = bead(a);
        } else {
            let b = vertices[corners.y].xyz - a;
            let c = vertices[corners.z].xyz - a;
            let p = cross(ray.direction, c);
            let determinant = dot(b, p);
            if abs(determinant) > 1.0e-20 {
                let s = ray.origin - a;
                let q = cross(s, b);
                let u = dot(s, p) / determinant;
                let v = dot(ray.direction, q) / determinant;
                if u >= 0.0 && v >= 0.0 && u + v <= 1.0 {
                    found = vec3(dot(c, q) / determinant, u, v);
                }
            }
        }
        if found.x > 0.0 && (best.x < 0.0 || found.x < best.x) {
            best = vec4(found.x, bitcast<f32>(ix), found.y, found.z);
        }
    }
    hits[id.x] = best;
}
