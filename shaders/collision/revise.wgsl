// One pass over all struts after a solve, one pair per thread: those that pull let go, those whose gap has closed push, and friction follows the slip.
//   on: τ - G > ∓slack,   a → min(MOST_DRAG m_e, μ κ/γh (τ - G) / max(|U_t|, LEAST_SLIP))
// A strut that has changed too often does not push again. `changes`, behind those of contacts: number of changed states, 0, number of struts that push, and of those whose
// friction changed.
// Reads pairs, motion, meeting, status. Writes struts, states, changes.
#import shared/params
#import shared/status
#import launch
#import collision/pair
#import collision/strut_motion
#import collision/meeting
#import contact/pass

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(5) var<storage, read> motion: array<Motion>;
@group(0) @binding(6) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(7) var<storage, read> meeting: array<u32>;
@group(0) @binding(8) var<storage, read_write> struts: array<Strut>;
@group(0) @binding(9) var<storage, read_write> states: array<u32>;
@group(0) @binding(10) var<storage, read_write> changes: array<vec4<f32>>;

// Number of state changes of a strut in a step after which it does not push again.
const MOST_FLIPS: u32 = 6u;
// Largest friction coefficient over the effective mass.
const MOST_DRAG: f32 = 1000.0;
// Slip below which friction sticks, m/s: up to there it grows with the slip.
const LEAST_SLIP: f32 = 5e-5;
// What a strut that sticks counts for among those whose friction changed: sums tell whether any of them slides.
const STICKING: f32 = 1.0 / 1048576.0;
// Change of friction below which it has converged, relative to Coulomb's limit.
const FRICTION_SLACK: f32 = 0.01;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if !pass_begins(group) {
        return;
    }
    var counts = vec4(0.0);
    let range = rows_among(surface_layout.strut_workgroups, group.x, local_ix, 0u, meeting[MEETING_FOUND]);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        counts += revise_pair(ix);
    }
    let total = reduce(local_ix, counts);
    if local_ix < PARTIALS_PER_WORKGROUP {
        changes[params.partial_count + group.x * PARTIALS_PER_WORKGROUP + local_ix] = total;
    }
}

// Revises the struts of a pair.
fn revise_pair(ix: u32) -> vec4<f32> {
    let pair = pairs[ix];
    var counts = vec4(0.0);
    for (var layer = 0u; layer < MOST_STRUTS; layer += 1u) {
        let slot = layer * surface_layout.pair_capacity + ix;
        if state_of(states[slot]) == STRUT_NONE {
            break;
        }
        counts += revise(slot, pair);
    }
    return counts;
}

fn revise(slot: u32, pair: SurfacePair) -> vec4<f32> {
    let h = status.scheme.stage_step;
    let word = states[slot];
    var strut = struts[slot];
    let slip = slip_of(strut, pair);
    let missing = missing_of(strut, pair);
    let pushed = state_of(word) == STRUT_ON;
    let flips = word >> STATE_BITS;
    let slack = STRUT_SLACK * strut.thickness;
    let pushes = select(flips < MOST_FLIPS && missing > slack, missing > -slack, pushed);
    let before = select(vec3(0.0), impulse_of(strut, missing, h, slip), pushed);
    let across = across_length(strut, slip);
    let limit = strut.friction * strut.normal.w / h * max(missing, 0.0);
    // Friction begins with the slip at the start of the step: what was at rest sticks. Later it changes by more than the ratio, since the slip counteracts the change.
    var wanted = limit / max(across_length(strut, slip_before(strut, pair)), LEAST_SLIP);
    if strut.push.w > 0.0 {
        let ratio = limit / (strut.push.w * max(across, LEAST_SLIP));
        wanted = strut.push.w * ratio * sqrt(ratio);
    }
    let most = min(MOST_DRAG * strut.mass, limit / LEAST_SLIP);
    let drag = select(0.0, min(wanted, most), pushes);
    let rubs = pushed && pushes && abs(drag - strut.push.w) * across > FRICTION_SLACK * limit;
    strut.push.w = drag;
    let after = select(vec3(0.0), impulse_of(strut, missing, h, slip), pushes);
    struts[slot].push = vec4(after - before, drag);
    let flipped = pushes != pushed;
    states[slot] = ((flips + select(0u, 1u, flipped)) << STATE_BITS) | select(STRUT_OFF, STRUT_ON, pushes);
    return vec4(select(0.0, 1.0, flipped), 0.0, select(0.0, 1.0, pushes), select(0.0, select(STICKING, 1.0, drag < most), rubs));
}

// Speed across the normal, m/s.
fn across_length(strut: Strut, slip: vec3<f32>) -> f32 {
    return length(slip - dot(strut.normal.xyz, slip) * strut.normal.xyz);
}
