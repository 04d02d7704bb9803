// A round of the guard, one pair per thread. Both sides of an unsafe pair give up their approach beyond the gap, each in proportion to its own; a side that goes away leaves
// room for the other, so that common motion is not shortened. After MOVING_ROUNDS sides stop at planes that do not move, and finally where they are.
// Reads motion, pairs, surface, rest, masters. Writes fractions, states (whether a pair is driven), meeting.
#import shared/params
#import launch
#import collision/thickness
#import collision/gather_motion
#import collision/reached
#import collision/share_at
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

// Number of rounds in which a side that goes away makes room for the other.
const MOVING_ROUNDS: u32 = 12u;
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
        // The second search, after the first round, has listed other pairs.
        if round <= 1u {
            states[ix] = 0u;
        } else if states[ix] != 0u {
            continue;
        }
        test(ix, round);
    }
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
    let least = kept_gap(pair_thickness(pair), gap);
    if is_safe(pair.kind, start, end, least) {
        return;
    }
    let directions = directions_of(pair.kind, start, end);
    let shares = vec4(share_of(words.x), share_of(words.y), share_of(words.z), share_of(words.w));
    let stays = round >= MOVING_ROUNDS;
    var best = Stop(vec4(0.0), -1.0);
    if round < MOST_ROUNDS {
        best = better_stop(best, pair, start, shares, stays, directions.first, gap, least, 0.0);
        best = better_stop(best, pair, start, shares, stays, directions.across_first, gap, least, 0.5 * gap);
        best = better_stop(best, pair, start, shares, stays, directions.last, gap, least, 0.5 * gap);
        best = better_stop(best, pair, start, shares, stays, directions.across_last, gap, least, 0.5 * gap);
        best = better_stop(best, pair, start, shares, stays, directions.mean, gap, least, 0.5 * gap);
    }
    if best.least < 0.0 && all(words == vec4(0u)) {
        // Prescribed motion drives the sides through each other.
        states[ix] = 1u;
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

// Limits of t at a plane, and the smallest of them; negative without a plane.
struct Stop {
    limits: vec4<f32>,
    least: f32,
}

fn better_stop(
    best: Stop, pair: SurfacePair, start: Points, shares: vec4<f32>, stays: bool, direction: vec3<f32>, gap: f32, least: f32, most: f32,
) -> Stop {
    let apart = separation(pair.kind, start, direction);
    if !(apart > least && (most == 0.0 || apart > most)) {
        return best;
    }
    let found = plane(pair, start, shares, stays, direction, apart - least);
    if found.least > best.least {
        return found;
    }
    return best;
}

// Limits of t that leave each side of a pair its part of the gap along a normal; none if prescribed motion exceeds it. A side that goes away makes room for the other,
// unless both are to stop at a plane that stays where it is.
fn plane(pair: SurfacePair, start: Points, shares: vec4<f32>, stays: bool, normal: vec3<f32>, gap: f32) -> Stop {
    let rows = pair.rows;
    let of_edges = pair.kind == EDGE_EDGE;
    let first = vec4(true, of_edges, false, false);
    let side = select(vec4(-1.0), vec4(1.0), first);
    // Of each particle: distance behind the nearest of its side at the start; approach, prescribed and free.
    let at = side * vec4(0.0, dot(normal, start.b), dot(normal, start.c), dot(normal, start.d));
    let behind = at - select(vec4(least_of(at, !first)), vec4(least_of(at, first)), first);
    let led = -side * vec4(
        dot(normal, motion[rows.x].velocity.xyz), dot(normal, motion[rows.y].velocity.xyz),
        dot(normal, motion[rows.z].velocity.xyz), dot(normal, motion[rows.w].velocity.xyz),
    );
    let free = -side * vec4(
        dot(normal, free_motion(rows.x)), dot(normal, free_motion(rows.y)), dot(normal, free_motion(rows.z)), dot(normal, free_motion(rows.w)),
    );
    // Approach of both sides: of all motion, and what remains if free approach stops.
    let all_motion = led + shares * free - behind;
    let remaining = led + min(shares * free, vec4(0.0)) - behind;
    let lowest = select(-3e38, 0.0, stays);
    let whole = max(vec2(most_of(all_motion, first), most_of(all_motion, !first)), vec2(lowest));
    let led_alone = max(vec2(most_of(remaining, first), most_of(remaining, !first)), vec2(lowest));
    let excess = whole.x + whole.y - gap;
    let most = whole - led_alone;
    if excess > most.x + most.y {
        return Stop(vec4(0.0), -1.0);
    }
    let part = select(0.0, most.x / (most.x + most.y), most.x + most.y > 0.0);
    let approach = select(vec4(whole.y - (1.0 - part) * excess), vec4(whole.x - part * excess), first);
    let room = approach + behind - led;
    let limited = clamp(WITHIN * room / free, vec4(0.0), vec4(1.0));
    let limits = select(limited, vec4(1.0), (shares * free <= room) | (free <= vec4(0.0)));
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
