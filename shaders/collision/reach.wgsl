// Boxes around the motion of a row, widened by the distance within which pairs are looked for. The importing kernel binds `motion`, `surface` and `surface_layout`.
#import collision/motion
#import collision/surface
#import collision/tree
#import collision/safe

// True in the search for the guard, which looks at the motion as it happened.
override GUARDS: bool = false;

// Distance within which pairs are found, as a share of their thickness.
const REACH: f32 = 2.0;

// True in the second search for the guard: particles may move any part of their free way, each its own.
override APART: bool = false;

fn reach() -> f32 {
    return select(REACH, FLOOR, GUARDS);
}

fn row_bounds(row: u32) -> Bounds {
    let start = motion[row].start.xyz;
    let end = start + motion[row].way.xyz;
    var low = min(start, end);
    var high = max(start, end);
    if APART {
        let led = start + motion[row].velocity.xyz;
        low = min(low, led);
        high = max(high, led);
    }
    let margin = vec3(reach() * radius_of(body_of(row)));
    return Bounds(vec4(low - margin, 0.0), vec4(high + margin, 0.0));
}
