// A round of the guard, one pair per thread. A pair is safe if one fixed direction separates its sides at the start and at the end: separation along a direction is
// concave in time, so that the sides are then apart in between. Both sides of an unsafe pair stop at a plane between them, which each keeps to whatever happens to the
// other.
// Reads motion, pairs, surface, rest, masters. Writes fractions, states (whether a pair is stopped), meeting.
#import shared/params
#import launch
#import collision/thickness
#import collision/gather_motion
#import collision/reached
#import collision/meeting
#import collision/reach

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> surface: array<u32>;
@group(0) @binding(3) var<storage, read> rest: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> masters: array<u32>;
@group(0) @binding(5) var<storage, read> motion: array<Motion>;
@group(0) @binding(6) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(7) var<storage, read_write> fractions: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> states: array<u32>;
@group(0) @binding(9) var<storage, read_write> meeting: array<atomic<u32>>;

// Share of a smaller gap at the start that is kept.
const KEPT: f32 = 0.98;
// Share of the gap at the start by which a direction has to separate it.
const PARTED: f32 = 0.3;
// Least share of a gap that either side may use up.
const LEAST_SHARE: f32 = 0.05;
// Number of rounds after which unsafe pairs stop where they are.
const MOST_ROUNDS: u32 = 50u;
// Share of a limit that is used, so that rounding does not exceed it.
const WITHIN: f32 = 0.9999;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if atomicLoad(&meeting[MEETING_GUARDING]) == 0u {
        return;
    }
    let round = atomicLoad(&meeting[MEETING_ROUNDS]);
    let range = rows_among(surface_layout.pair_workgroups, group.x, local_ix, 0u, atomicLoad(&meeting[MEETING_PAIRS]));
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        if round == 0u {
            states[ix] = 0u;
        } else if states[ix] != 0u {
            // A stopped pair keeps to its plane.
            continue;
        }
        test(ix, round);
    }
}

fn word_at(row: u32, half: u32) -> u32 {
    return atomicLoad(&fractions[half * params.particle_count + masters[row]]);
}

fn lower(row: u32, half: u32, share: f32) {
    if share < 1.0 {
        atomicMin(&fractions[half * params.particle_count + masters[row]], share_word(share));
    }
}

fn test(ix: u32, round: u32) {
    let pair = pairs[ix];
    let rows = pair.rows;
    let half = round & 1u;
    let words = vec4(word_at(rows.x, half), word_at(rows.y, half), word_at(rows.z, half), word_at(rows.w, half));
    let start = points_at_start(rows);
    let way = way_reached(rows.x, words.x);
    let end = Points(
        start.b + (way_reached(rows.y, words.y) - way), start.c + (way_reached(rows.z, words.z) - way), start.d + (way_reached(rows.w, words.w) - way),
    );
    let gap = length(closest_of(pair.kind, start).offset);
    let least = min(FLOOR * pair_thickness(pair), KEPT * gap);
    if gap - 2.0 * relative_motion(start, end) > least {
        return;
    }
    let directions = directions_of(pair.kind, start, end);
    if is_safe(pair.kind, start, end, directions.first, least) || is_safe(pair.kind, start, end, directions.across_first, least)
        || is_safe(pair.kind, start, end, directions.last, least) || is_safe(pair.kind, start, end, directions.across_last, least)
        || is_safe(pair.kind, start, end, directions.mean, least) {
        return;
    }
    var best = Stop(vec4(0.0), -1.0);
    if round < MOST_ROUNDS {
        best = better_stop(best, pair, start, directions.first, gap, least, 0.0);
        best = better_stop(best, pair, start, directions.across_first, gap, least, 0.5 * gap);
        best = better_stop(best, pair, start, directions.last, gap, least, 0.5 * gap);
        best = better_stop(best, pair, start, directions.across_last, gap, least, 0.5 * gap);
        best = better_stop(best, pair, start, directions.mean, gap, least, 0.5 * gap);
    }
    states[ix] = 1u;
    if best.least < 0.0 && all(words == vec4(0u)) {
        // Prescribed motion drives the sides through each other.
        atomicAdd(&meeting[MEETING_DRIVEN], 1u);
        return;
    }
    // Without any plane, or where rounds do not end, what is free stops at once.
    let limits = select(best.limits, vec4(0.0), best.least < 0.0);
    lower(rows.x, 1u - half, limits.x);
    lower(rows.y, 1u - half, limits.y);
    lower(rows.z, 1u - half, limits.z);
    lower(rows.w, 1u - half, limits.w);
    atomicStore(&meeting[MEETING_FRESH], 1u);
}

fn is_safe(kind: u32, start: Points, end: Points, direction: vec3<f32>, least: f32) -> bool {
    return separation(kind, start, direction) > PARTED * least && separation(kind, end, direction) >= least;
}

// Limits of t at a plane, and the smallest of them; negative without a plane.
struct Stop {
    limits: vec4<f32>,
    least: f32,
}

fn better_stop(best: Stop, pair: SurfacePair, start: Points, direction: vec3<f32>, gap: f32, least: f32, most: f32) -> Stop {
    let apart = separation(pair.kind, start, direction);
    if !(apart > least && (most == 0.0 || apart > most)) {
        return best;
    }
    let found = plane(pair, start, direction, apart - least);
    if found.least > best.least {
        return found;
    }
    return best;
}

// Limits of t at a plane that leaves each side its part of the gap; none if prescribed motion crosses it.
fn plane(pair: SurfacePair, start: Points, normal: vec3<f32>, gap: f32) -> Stop {
    let rows = pair.rows;
    let of_edges = pair.kind == EDGE_EDGE;
    let side = vec4(1.0, select(-1.0, 1.0, of_edges), -1.0, -1.0);
    // Distance to the other side at the start, and approach, prescribed and free.
    let distance = side * vec4(0.0, dot(normal, start.b), dot(normal, start.c), dot(normal, start.d));
    let led = -side * vec4(
        dot(normal, motion[rows.x].velocity.xyz), dot(normal, motion[rows.y].velocity.xyz),
        dot(normal, motion[rows.z].velocity.xyz), dot(normal, motion[rows.w].velocity.xyz),
    );
    let free = -side * vec4(
        dot(normal, free_motion(rows.x)), dot(normal, free_motion(rows.y)), dot(normal, free_motion(rows.z)), dot(normal, free_motion(rows.w)),
    );
    let first = vec4(true, of_edges, false, false);
    let nearest = vec2(least_of(distance, first), least_of(distance, !first));
    let spare = distance - select(vec4(nearest.y), vec4(nearest.x), first);
    let led_needs = max(vec2(most_of(led - spare, first), most_of(led - spare, !first)), vec2(0.0));
    let all_of = led + max(free, vec4(0.0)) - spare;
    let all_needs = max(vec2(most_of(all_of, first), most_of(all_of, !first)), vec2(0.0));
    let left = gap - led_needs.x - led_needs.y;
    if left < 0.0 {
        return Stop(vec4(0.0), -1.0);
    }
    let want = all_needs - led_needs;
    var part = 0.5;
    if want.x > 0.0 && want.y > 0.0 {
        part = clamp(want.x / (want.x + want.y), LEAST_SHARE, 1.0 - LEAST_SHARE);
    } else if want.x > 0.0 {
        part = 1.0;
    } else if want.y > 0.0 {
        part = 0.0;
    }
    let room = select(vec4(led_needs.y + (1.0 - part) * left), vec4(led_needs.x + part * left), first) + spare;
    let limited = clamp(WITHIN * (room - led) / free, vec4(0.0), vec4(1.0));
    let limits = select(limited, vec4(1.0), led + free <= room | free <= vec4(0.0));
    return Stop(limits, min(min(limits.x, limits.y), min(limits.z, limits.w)));
}

fn free_motion(row: u32) -> vec3<f32> {
    return motion[row].way.xyz - motion[row].velocity.xyz;
}

fn least_of(values: vec4<f32>, which: vec4<bool>) -> f32 {
    let v = select(vec4(3e38), values, which);
    return min(min(v.x, v.y), min(v.z, v.w));
}

fn most_of(values: vec4<f32>, which: vec4<bool>) -> f32 {
    let v = select(vec4(-3e38), values, which);
    return max(max(v.x, v.y), max(v.z, v.w));
}
