// Whether a normal leans over a feature beside the touched one: then another pair has the closest points, and this one gets no strut. The importing kernel binds
// `surface`, `motion` and `surface_layout`.
#import collision/surface
#import collision/pair
#import collision/closest
#import collision/motion

// Largest sine of the angle by which a normal may lean over a feature beside the touched one.
const LEAN: f32 = 0.02;

// Position of a row when a share of the step has passed.
fn at(time: f32, row: u32) -> vec3<f32> {
    return motion[row].start.xyz + time * motion[row].way.xyz;
}

fn leans(pair: SurfacePair, time: f32, weights: vec4<f32>, normal: vec3<f32>) -> bool {
    if pair.kind == VERTEX_TRIANGLE {
        return vertex_leans(time, pair.rows.x, -normal) || triangle_leans(time, pair.second, weights.yzw, normal);
    }
    return edge_leans(time, pair.first, weights.xy, -normal) || edge_leans(time, pair.second, weights.zw, normal);
}

// Whether an edge from a vertex rises along a direction.
fn vertex_leans(time: f32, row: u32, out: vec3<f32>) -> bool {
    let own = at(time, row);
    let end = surface[surface_layout.offsets + row + 1u];
    for (var ix = surface[surface_layout.offsets + row]; ix < end; ix += 1u) {
        let along = at(time, surface[surface_layout.neighbours + ix]) - own;
        if dot(along, out) > LEAN * length(along) {
            return true;
        }
    }
    return false;
}

// Whether a face beside an edge rises along a direction, or, where an end is touched, an edge from there.
fn edge_leans(time: f32, edge: u32, weights: vec2<f32>, out: vec3<f32>) -> bool {
    let ends = edge_rows(edge);
    if weights.y == 0.0 {
        return vertex_leans(time, ends.x, out);
    }
    if weights.x == 0.0 {
        return vertex_leans(time, ends.y, out);
    }
    let wings = surface_layout.wings + 2u * edge;
    return beside_leans(time, ends, surface[wings], out) || beside_leans(time, ends, surface[wings + 1u], out);
}

// Whether, where a border of a triangle is touched, the face beyond it rises along a direction, or, where a corner is touched, an edge from there.
fn triangle_leans(time: f32, triangle: u32, weights: vec3<f32>, out: vec3<f32>) -> bool {
    let corners = triangle_rows(triangle);
    let none = weights == vec3(0.0);
    if none.y && none.z {
        return vertex_leans(time, corners.x, out);
    }
    if none.z && none.x {
        return vertex_leans(time, corners.y, out);
    }
    if none.x && none.y {
        return vertex_leans(time, corners.z, out);
    }
    let beyond = surface_layout.beyond + 3u * triangle;
    return (none.x && beside_leans(time, corners.yz, surface[beyond], out))
        || (none.y && beside_leans(time, corners.zx, surface[beyond + 1u], out))
        || (none.z && beside_leans(time, corners.xy, surface[beyond + 2u], out));
}

// Whether the face between an edge and a vertex rises along a direction.
fn beside_leans(time: f32, ends: vec2<u32>, across: u32, out: vec3<f32>) -> bool {
    if across == NOBODY {
        return false;
    }
    let origin = at(time, ends.x);
    let along = at(time, ends.y) - origin;
    let towards = at(time, across) - origin;
    let inward = towards - dot(towards, along) / dot(along, along) * along;
    return dot(inward, out) > LEAN * length(inward);
}
