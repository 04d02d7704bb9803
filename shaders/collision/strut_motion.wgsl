// What a strut sees of the present motion. The importing kernel binds `motion` and `surface_layout`.
#import collision/gather_motion
#import collision/pair
#import collision/strut
#import collision/surface_layout

// The gap that a strut lacks at the present stage, τ - G, m. Differences to the first particle, and displacements, are small numbers, which round away little.
fn missing_of(strut: Strut, pair: SurfacePair) -> f32 {
    let rows = pair.rows;
    if pair.kind == ON_COLLIDER {
        let way = strut.weights.x * motion[rows.x].way.xyz + strut.weights.y * motion[rows.y].way.xyz + strut.weights.z * motion[rows.z].way.xyz;
        return strut.goal - surface_layout.stage_share * dot(strut.normal.xyz, way);
    }
    let start = points_at_start(rows);
    let end = points_at_end(rows);
    return strut.goal - dot(strut.normal.xyz, weighted(strut.weights, between(start, end, surface_layout.stage_share)));
}

// Velocity of the first side relative to the second, U = Σ w v, m/s.
fn slip_of(strut: Strut, pair: SurfacePair) -> vec3<f32> {
    let rows = pair.rows;
    let slip = strut.weights.x * motion[rows.x].velocity.xyz + strut.weights.y * motion[rows.y].velocity.xyz
        + strut.weights.z * motion[rows.z].velocity.xyz + strut.weights.w * motion[rows.w].velocity.xyz;
    return slip - surface_velocity(pair);
}

// That at the start of the step, m/s.
fn slip_before(strut: Strut, pair: SurfacePair) -> vec3<f32> {
    let rows = pair.rows;
    let slip = strut.weights.x * motion[rows.x].before.xyz + strut.weights.y * motion[rows.y].before.xyz
        + strut.weights.z * motion[rows.z].before.xyz + strut.weights.w * motion[rows.w].before.xyz;
    return slip - surface_velocity(pair);
}
