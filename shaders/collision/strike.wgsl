// A sweep over all struts after an explicit step, one pair per thread: with the slip U and the gap G at the end of the step, each strut has the impulse P = J n + T,
//   J ← max(0, J + m_e (τ - G)/h),   T ← T - m_e U_t, at most μ J in size,   m_e = 1/Σ w² n/m
// Each of the n struts of a particle sees the n-th part of its mass, so that they do not push it several times over. `collision/receive` gathers the change of P.
// Reads pairs, motion, meeting. Writes struts (push: P), states, pulls.
#import shared/params
#import launch
#import collision/pair
#import collision/strut_motion
#import collision/meeting

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> motion: array<Motion>;
@group(0) @binding(3) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(4) var<storage, read> meeting: array<u32>;
@group(0) @binding(5) var<storage, read_write> struts: array<Strut>;
@group(0) @binding(6) var<storage, read_write> states: array<u32>;
@group(0) @binding(7) var<storage, read_write> pulls: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let range = rows_among(surface_layout.pair_workgroups, group.x, local_ix, 0u, meeting[MEETING_FOUND]);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        if state_of(states[ix]) != STRUT_NONE {
            strike(ix, pairs[ix]);
        }
    }
}

fn strike(ix: u32, pair: SurfacePair) {
    let strut = struts[ix];
    let rows = pair.rows;
    let normal = strut.normal.xyz;
    let inverse = dot(strut.weights * strut.weights, vec4(motion[rows.x].start.w, motion[rows.y].start.w, motion[rows.z].start.w, motion[rows.w].start.w));
    if !(inverse > 0.0) {
        pulls[ix] = vec4(0.0);
        return;
    }
    let before = strut.push.xyz;
    let pressed = dot(normal, before);
    let slip = slip_of(strut, pair);
    let pressing = max(0.0, pressed + missing_of(strut, pair) / (inverse * params.time_step));
    var rubbing = (before - pressed * normal) - (slip - dot(normal, slip) * normal) / inverse;
    let limit = strut.friction * pressing;
    let size = length(rubbing);
    if size > limit {
        rubbing *= limit / size;
    }
    let push = pressing * normal + rubbing;
    struts[ix].push = vec4(push, 0.0);
    states[ix] = select(STRUT_OFF, STRUT_ON, pressing > 0.0);
    pulls[ix] = vec4(push - before, 0.0);
}
