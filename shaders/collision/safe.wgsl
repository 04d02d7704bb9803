// Whether the sides of a pair stay apart on straight ways: one fixed direction separates them at the start and at the end, or each quarter of the step has its own.
// Separation along a direction is concave in time, so that sides apart at both ends are apart in between.
#import collision/gather_motion

// Gap that the guard keeps, as a share of the thickness of a pair, and share of a smaller gap at the start that it keeps.
const FLOOR: f32 = 0.1;
const KEPT: f32 = 0.98;
// Share of the kept gap by which a direction has to separate a pair before the end.
const PARTED: f32 = 0.3;
// Parts of a step in which different directions may separate a pair.
const PARTS: u32 = 4u;

// Gap that the guard keeps between the sides of a pair, m.
fn kept_gap(thickness: f32, gap_at_start: f32) -> f32 {
    return min(FLOOR * thickness, KEPT * gap_at_start);
}

fn is_safe(kind: u32, start: Points, end: Points, least: f32) -> bool {
    let gap = length(closest_of(kind, start).offset);
    if gap - 2.0 * relative_motion(start, end) > least {
        return true;
    }
    // The whole step first, then its parts: one place in the code for both, which is long.
    for (var part = 0u; part <= PARTS; part += 1u) {
        let whole = part == 0u;
        let here = between(start, end, select(f32(part - 1u) / f32(PARTS), 0.0, whole));
        let next = between(start, end, select(f32(part) / f32(PARTS), 1.0, whole));
        let apart = parted(kind, here, next, least, select(PARTED * least, least, whole || part == PARTS));
        if apart == whole {
            return apart;
        }
    }
    return true;
}

// Whether a direction separates a pair at two moments.
fn parted(kind: u32, here: Points, next: Points, least: f32, then: f32) -> bool {
    let directions = directions_of(kind, here, next);
    return separates(kind, here, next, directions.first, least, then) || separates(kind, here, next, directions.across_first, least, then)
        || separates(kind, here, next, directions.last, least, then) || separates(kind, here, next, directions.across_last, least, then)
        || separates(kind, here, next, directions.mean, least, then);
}

fn separates(kind: u32, here: Points, next: Points, direction: vec3<f32>, least: f32, then: f32) -> bool {
    return separation(kind, here, direction) > PARTED * least && separation(kind, next, direction) >= then;
}
