// Boxes around the motion of a row, widened by the distance within which pairs are looked for. The importing kernel binds `motion`, `surface` and `surface_layout`.
#import collision/motion
#import collision/surface
#import collision/tree

// True in the search for the guard, which looks at the motion as it happened.
override GUARDS: bool = false;

// Distance within which pairs are found, as a share of their thickness.
const REACH: f32 = 2.0;
// Gap that the guard keeps, as a share of the thickness of a pair.
const FLOOR: f32 = 0.1;

fn reach() -> f32 {
    return select(REACH, FLOOR, GUARDS);
}

fn row_bounds(row: u32) -> Bounds {
    let start = motion[row].start.xyz;
    let end = start + motion[row].way.xyz;
    let margin = vec3(reach() * radius_of(body_of(row)));
    return Bounds(vec4(min(start, end) - margin, 0.0), vec4(max(start, end) + margin, 0.0));
}
