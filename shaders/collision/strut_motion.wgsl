// What a strut sees of the present motion. The importing kernel binds `motion` and `surface_layout`.
#import collision/gather_motion
#import collision/strut
#import collision/surface_layout

// The gap that a strut lacks at the present stage, τ - G, m. Differences to the first particle are small numbers, which round away little.
fn missing_of(strut: Strut, rows: vec4<u32>) -> f32 {
    let start = points_at_start(rows);
    let end = points_at_end(rows);
    return strut.goal - dot(strut.normal.xyz, weighted(strut.weights, between(start, end, surface_layout.stage_share)));
}

// Velocity of the first side relative to the second, U = Σ w v, m/s.
fn slip_of(strut: Strut, rows: vec4<u32>) -> vec3<f32> {
    return strut.weights.x * motion[rows.x].velocity.xyz + strut.weights.y * motion[rows.y].velocity.xyz
        + strut.weights.z * motion[rows.z].velocity.xyz + strut.weights.w * motion[rows.w].velocity.xyz;
}

// That at the start of the step, m/s.
fn slip_before(strut: Strut, rows: vec4<u32>) -> vec3<f32> {
    return strut.weights.x * motion[rows.x].before.xyz + strut.weights.y * motion[rows.y].before.xyz
        + strut.weights.z * motion[rows.z].before.xyz + strut.weights.w * motion[rows.w].before.xyz;
}
