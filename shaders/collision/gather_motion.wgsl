// Positions of a pair's particles at the start and at the end of a step. The importing kernel binds `motion`.
#import collision/motion
#import collision/closest

fn points_at_start(rows: vec4<u32>) -> Points {
    let origin = motion[rows.x].start.xyz;
    return Points(motion[rows.y].start.xyz - origin, motion[rows.z].start.xyz - origin, motion[rows.w].start.xyz - origin);
}

fn points_at_end(rows: vec4<u32>) -> Points {
    let start = points_at_start(rows);
    let way = motion[rows.x].way.xyz;
    return Points(start.b + (motion[rows.y].way.xyz - way), start.c + (motion[rows.z].way.xyz - way), start.d + (motion[rows.w].way.xyz - way));
}

// Points of a pair on the way from the start to the end.
fn between(start: Points, end: Points, share: f32) -> Points {
    return Points(start.b + share * (end.b - start.b), start.c + share * (end.c - start.c), start.d + share * (end.d - start.d));
}

// Largest motion of a pair's particles relative to the first, m.
fn relative_motion(start: Points, end: Points) -> f32 {
    return max(length(end.b - start.b), max(length(end.c - start.c), length(end.d - start.d)));
}
