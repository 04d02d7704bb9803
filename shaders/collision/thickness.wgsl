// Distance that the features of a pair keep. The importing kernel binds `surface`, `rest` and `surface_layout`.
#import collision/surface
#import collision/closest
#import collision/pair

// Share of the rest gap that features of one body keep where it is less than their thickness.
const REST_SHARE: f32 = 0.9;

fn pair_thickness(pair: SurfacePair) -> f32 {
    let a = body_of(pair.rows.x);
    let b = body_of(pair.rows.w);
    let full = radius_of(a) + radius_of(b);
    if a != b {
        return full;
    }
    let origin = rest[pair.rows.x].xyz;
    let points = Points(rest[pair.rows.y].xyz - origin, rest[pair.rows.z].xyz - origin, rest[pair.rows.w].xyz - origin);
    return min(full, REST_SHARE * length(closest_of(pair.kind, points).offset));
}
