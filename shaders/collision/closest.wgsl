// Closest points of a vertex and a triangle or of two edges, and directions that separate them. A pair has four points: a vertex and the corners of a triangle, or the
// ends of two edges. All numbers come from differences to the first point, so that large coordinates round away little.

const VERTEX_TRIANGLE: u32 = 0u;
const EDGE_EDGE: u32 = 1u;

// Squared sine of the angle between two edges below which they count as parallel.
const PARALLEL: f32 = 1e-6;

// Offsets of the other points from the first, m.
struct Points {
    b: vec3<f32>,
    c: vec3<f32>,
    d: vec3<f32>,
}

// Weights of the four points in the offset between both closest points, and that offset, m.
struct Closest {
    weights: vec4<f32>,
    offset: vec3<f32>,
}

fn weighted(weights: vec4<f32>, x: Points) -> vec3<f32> {
    return weights.y * x.b + weights.z * x.c + weights.w * x.d;
}

fn closest_of(kind: u32, x: Points) -> Closest {
    var weights = vec4(0.0);
    if kind == VERTEX_TRIANGLE {
        weights = vec4(1.0, -on_triangle(x.b, x.c, x.d));
    } else {
        let t = on_edges(x.b, x.d - x.c, -x.c);
        weights = vec4(1.0 - t.x, t.x, t.y - 1.0, -t.y);
    }
    return Closest(weights, weighted(weights, x));
}

// Barycentric weights of the point of a triangle that is closest to the origin.
fn on_triangle(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> vec3<f32> {
    let ab = b - a;
    let ac = c - a;
    let d1 = -dot(ab, a);
    let d2 = -dot(ac, a);
    if d1 <= 0.0 && d2 <= 0.0 {
        return vec3(1.0, 0.0, 0.0);
    }
    let d3 = -dot(ab, b);
    let d4 = -dot(ac, b);
    if d3 >= 0.0 && d4 <= d3 {
        return vec3(0.0, 1.0, 0.0);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return vec3(1.0 - t, t, 0.0);
    }
    let d5 = -dot(ab, c);
    let d6 = -dot(ac, c);
    if d6 >= 0.0 && d5 <= d6 {
        return vec3(0.0, 0.0, 1.0);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return vec3(1.0 - t, 0.0, t);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return vec3(0.0, 1.0 - t, t);
    }
    let v = vb / (va + vb + vc);
    let w = vc / (va + vb + vc);
    return vec3(1.0 - v - w, v, w);
}

// Parameters of the closest points of two edges: the first from the origin of `offset` along `first`, the second along `second`.
fn on_edges(first: vec3<f32>, second: vec3<f32>, offset: vec3<f32>) -> vec2<f32> {
    let a = dot(first, first);
    let e = dot(second, second);
    let b = dot(first, second);
    let c = dot(first, offset);
    let f = dot(second, offset);
    let determinant = a * e - b * b;
    var s = 0.5;
    if determinant > PARALLEL * a * e {
        s = unit_share((b * f - c * e) / determinant);
    }
    let t = (b * s + f) / e;
    if t > 1.0 {
        return vec2(unit_share((b - c) / a), 1.0);
    }
    if t > 0.0 {
        return vec2(s, t);
    }
    return vec2(unit_share(-c / a), 0.0);
}

// A number between 0 and 1; 0 for NaN.
fn unit_share(value: f32) -> f32 {
    return select(0.0, min(value, 1.0), value > 0.0);
}

// Separation of both sides of a pair along a direction, m: positive if a plane across it parts them.
fn separation(kind: u32, x: Points, direction: vec3<f32>) -> f32 {
    let b = dot(direction, x.b);
    let c = dot(direction, x.c);
    let d = dot(direction, x.d);
    return select(min(b, 0.0) - max(c, d), -max(b, max(c, d)), kind == VERTEX_TRIANGLE);
}

// The unit vector along v, or zero.
fn unit_or_zero(v: vec3<f32>) -> vec3<f32> {
    // Scaled first: squares of short vectors would vanish.
    let size = max(abs(v.x), max(abs(v.y), abs(v.z)));
    if !(size > 0.0) {
        return vec3(0.0);
    }
    return normalize(v / size);
}

// Normal of the triangle, or common perpendicular of the edges, towards the first side; zero if there is none.
fn natural(kind: u32, x: Points) -> vec3<f32> {
    var across = cross(x.b, x.d - x.c);
    if kind == VERTEX_TRIANGLE {
        across = cross(x.c - x.b, x.d - x.b);
    }
    let normal = unit_or_zero(across);
    return select(normal, -normal, separation(kind, x, normal) < 0.0);
}

// Directions that may separate a pair: between its closest points and across its features, at the start and at the end, and the mean of the first and the third. Zero
// where there is none.
struct Directions {
    first: vec3<f32>,
    across_first: vec3<f32>,
    last: vec3<f32>,
    across_last: vec3<f32>,
    mean: vec3<f32>,
}

fn directions_of(kind: u32, start: Points, end: Points) -> Directions {
    let first = unit_or_zero(closest_of(kind, start).offset);
    let last = unit_or_zero(closest_of(kind, end).offset);
    return Directions(first, natural(kind, start), last, natural(kind, end), unit_or_zero(first + last));
}
