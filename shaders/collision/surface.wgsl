// Surfaces that meet: vertices, edges and triangles by row, and the numbers of each body. The importing kernel binds `surface` and `surface_layout`.
#import collision/surface_layout

// No vertex.
const NOBODY: u32 = 0xffffffffu;
fn edge_rows(ix: u32) -> vec2<u32> {
    let first = surface_layout.edges + 2u * ix;
    return vec2(surface[first], surface[first + 1u]);
}

fn triangle_rows(ix: u32) -> vec3<u32> {
    let first = surface_layout.triangles + 3u * ix;
    return vec3(surface[first], surface[first + 1u], surface[first + 2u]);
}

fn body_of(row: u32) -> u32 {
    return surface[surface_layout.bodies + row];
}

// The first row of those that ties and seams join to a row.
fn sewn_to(row: u32) -> u32 {
    if surface_layout.sewn == 0u {
        return row;
    }
    return surface[surface_layout.sewn + row];
}

// Half of the distance that a body keeps, m.
fn radius_of(body: u32) -> f32 {
    return bitcast<f32>(surface[surface_layout.skins + 2u * body]);
}

// Coulomb's coefficient of a body.
fn friction_of(body: u32) -> f32 {
    return bitcast<f32>(surface[surface_layout.skins + 2u * body + 1u]);
}

// Whether two bodies meet.
fn meet(a: u32, b: u32) -> bool {
    if surface_layout.ignoring_bodies == 0u {
        return true;
    }
    let bit = a * surface_layout.ignoring_bodies + b;
    return ((surface[surface_layout.meets + bit / 32u] >> (bit % 32u)) & 1u) != 0u;
}
