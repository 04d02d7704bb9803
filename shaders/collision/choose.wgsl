// Which pairs get a strut, along which normal and between which points: those whose sides the present motion brings closer than their thickness. The importing kernel
// binds `surface`, `rest`, `motion` and `surface_layout`.
#import shared/params
#import collision/thickness
#import collision/gather_motion
#import collision/lean
#import collision/safe
#import collision/strut

// Share of the separation at the start that a direction has to keep there.
const KEPT_AT_START: f32 = 0.5;
// Share of the way to a crossing at which the points of a pair that would cross are taken.
const BEFORE_CROSSING: f32 = 0.95;
// Stiffness of a strut over its effective mass, times the step squared.
const STIFFNESS: f32 = 100.0;
// Largest factor by which a strut that is compressed at the start is stiffer.
const MOST_STIFFENING: f32 = 100.0;
// Rate at which a strut restores a missing gap, 1/s, and the largest share of it in a step.
const RECOVERY_RATE: f32 = 20.0;
const MOST_RECOVERY: f32 = 0.5;

// A direction, and the separation along it at the end.
struct Choice {
    direction: vec3<f32>,
    apart: f32,
}

fn better(best: Choice, kind: u32, start: Points, end: Points, direction: vec3<f32>, least: f32) -> Choice {
    let after = separation(kind, end, direction);
    if after > best.apart && separation(kind, start, direction) > least {
        return Choice(direction, after);
    }
    return best;
}

// Chooses the strut of a pair; without mass if it needs none. A pair that has one `already`, or whose normal leans over a feature beside the touched one, gets one only where
// its sides would pass through each other after a solve.
fn choose(pair: SurfacePair, already: bool, solved: bool) -> Strut {
    var none: Strut;
    let kind = pair.kind;
    let start = points_at_start(pair.rows);
    let end = points_at_end(pair.rows);
    let thickness = pair_thickness(pair);
    let gap = length(closest_of(kind, start).offset);
    let least = KEPT_AT_START * min(gap, thickness);
    let directions = directions_of(kind, start, end);
    var best = Choice(vec3(0.0), -FARTHEST_APART);
    best = better(best, kind, start, end, directions.first, least);
    best = better(best, kind, start, end, directions.across_first, least);
    best = better(best, kind, start, end, directions.last, least);
    best = better(best, kind, start, end, directions.across_last, least);
    best = better(best, kind, start, end, directions.mean, least);
    var normal = best.direction;
    if all(normal == vec3(0.0)) || best.apart >= thickness {
        return none;
    }
    var time = 1.0;
    if best.apart < 0.0 {
        let before = separation(kind, start, normal);
        time = BEFORE_CROSSING * before / (before - best.apart);
    }
    let closest = closest_of(kind, between(start, end, time));
    if best.apart < 0.0 {
        let direction = unit_or_zero(closest.offset);
        normal = select(normal, direction, separation(kind, start, direction) > least);
    }
    let rows = pair.rows;
    let spare = already || leans(pair, time, closest.weights, normal);
    if spare && (!solved || is_safe(kind, start, end, kept_gap(thickness, gap))) {
        return none;
    }
    let masses = vec4(motion[rows.x].start.w, motion[rows.y].start.w, motion[rows.z].start.w, motion[rows.w].start.w);
    let inverse = dot(closest.weights * closest.weights, masses);
    if !(inverse > 0.0) {
        return none;
    }
    let mass = 1.0 / inverse;
    let squeezed = thickness / gap;
    let stiffness = STIFFNESS * mass * clamp(squeezed * squeezed, 1.0, MOST_STIFFENING);
    let recovered = gap + min(RECOVERY_RATE * params.time_step, MOST_RECOVERY) * (thickness - gap);
    let goal = select(thickness, recovered, gap < thickness);
    // A stage in the middle of the step reaches half of the way from the start to the goal.
    let before = dot(normal, weighted(closest.weights, start));
    let friction = 0.5 * (friction_of(body_of(rows.x)) + friction_of(body_of(rows.w)));
    return Strut(
        closest.weights, vec4(normal, stiffness), vec4(0.0), mix(before, goal, surface_layout.stage_share), thickness, mass, friction,
    );
}

const FARTHEST_APART: f32 = 3e38;
