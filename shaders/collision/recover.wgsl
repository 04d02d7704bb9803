// Work of struts that widen gaps which were less than the thickness at the start of the step, one pair per thread, as partial sums: like the push-out of a collider it is
// no error of the step. With the impulse J = κ/γh (τ - G) of a strut that pushes,
//   W = Σ J/γh max(0, G - G₀)   where G₀ < thickness
// and of colliders that push or drag: G₀ = 0, and the work of friction -a U_t where it is positive.
// The search of the guard overwrites the pairs: this kernel runs once, before the guard begins.
// Reads motion, anchor, velocities, pairs, struts, states, meeting, status. Writes weights.
#import shared/params
#import shared/status
#import launch
#import integrate/previous
#import collision/pair
#import collision/strut
#import collision/gather_motion
#import collision/meeting
#import collision/surface_layout
#import contact/pass

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(3) var<storage, read> motion: array<Motion>;
@group(0) @binding(4) var<storage, read> anchor: array<Previous>;
@group(0) @binding(5) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(7) var<storage, read> struts: array<Strut>;
@group(0) @binding(8) var<storage, read> states: array<u32>;
@group(0) @binding(9) var<storage, read> meeting: array<u32>;
@group(0) @binding(10) var<storage, read_write> weights: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // Neither word is written in this dispatch, so that an early return never splits a workgroup before its barriers.
    if (in_turn(status.search.mode, group) != MODE_FINISHED && !FIXED_PASSES) || meeting[MEETING_GUARDING] != 0u {
        return;
    }
    var work = 0.0;
    let range = rows_among(surface_layout.strut_workgroups, group.x, local_ix, 0u, meeting[MEETING_FOUND]);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        for (var layer = 0u; layer < MOST_STRUTS; layer += 1u) {
            let slot = layer * surface_layout.pair_capacity + ix;
            let state = state_of(states[slot]);
            if state == STRUT_ON {
                work += work_of(struts[slot], pairs[ix]);
            } else if state == STRUT_NONE {
                break;
            }
        }
    }
    let total = reduce(local_ix, vec4(0.0, 0.0, work, 0.0));
    if local_ix < PARTIALS_PER_WORKGROUP {
        weights[params.measure_count - params.strut_partials + group.x * PARTIALS_PER_WORKGROUP + local_ix] = total;
    }
}

fn work_of(strut: Strut, pair: SurfacePair) -> f32 {
    let h = status.scheme.stage_step;
    let rows = pair.rows;
    if pair.kind == ON_COLLIDER {
        return work_of_collider(strut, pair);
    }
    let before = dot(strut.normal.xyz, weighted(strut.weights, points_at_start(rows)));
    if before >= strut.thickness {
        return 0.0;
    }
    let origin = anchor[rows.x].position.xyz;
    let led = Points(anchor[rows.y].position.xyz - origin, anchor[rows.z].position.xyz - origin, anchor[rows.w].position.xyz - origin);
    let slip = strut.weights.x * velocities[rows.x].xyz + strut.weights.y * velocities[rows.y].xyz
        + strut.weights.z * velocities[rows.z].xyz + strut.weights.w * velocities[rows.w].xyz;
    let gap = dot(strut.normal.xyz, weighted(strut.weights, led) + h * slip);
    return strut.normal.w / (h * h) * max(strut.goal - gap, 0.0) * max(gap - before, 0.0);
}

fn work_of_collider(strut: Strut, pair: SurfacePair) -> f32 {
    let h = status.scheme.stage_step;
    let rows = pair.rows;
    let velocity = strut.weights.x * velocities[rows.x].xyz + strut.weights.y * velocities[rows.y].xyz + strut.weights.z * velocities[rows.z].xyz;
    let led = strut.weights.x * (anchor[rows.x].position.xyz - motion[rows.x].start.xyz) + strut.weights.y * (anchor[rows.y].position.xyz - motion[rows.y].start.xyz)
        + strut.weights.z * (anchor[rows.z].position.xyz - motion[rows.z].start.xyz);
    let normal = strut.normal.xyz;
    let offset = led + h * velocity;
    let gap = dot(normal, offset);
    let slip = velocity - surface_velocity(pair);
    let rubbed = -strut.push.w * (slip - dot(normal, slip) * normal);
    let pushed = strut.normal.w / (h * h) * max(strut.goal - gap, 0.0) * max(gap, 0.0);
    return pushed + max(dot(rubbed, offset), 0.0) / h;
}
