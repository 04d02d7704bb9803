// After a pass over all struts, one pair per thread: pairs that the solution brings too close get a strut, and those whose sides it leads through each other nevertheless a
// further one. The counts of `collision/revise` in `changes` grow by those that push.
// Reads pairs, motion, surface, rest, meeting, status. Writes struts, states, changes.
#import shared/params
#import shared/status
#import launch
#import collision/choose
#import collision/strut_motion
#import collision/meeting
#import contact/pass

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(3) var<storage, read> surface: array<u32>;
@group(0) @binding(4) var<storage, read> rest: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> motion: array<Motion>;
@group(0) @binding(6) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(7) var<storage, read> meeting: array<u32>;
@group(0) @binding(8) var<storage, read_write> struts: array<Strut>;
@group(0) @binding(9) var<storage, read_write> states: array<u32>;
@group(0) @binding(10) var<storage, read_write> changes: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if !pass_begins(group) {
        return;
    }
    var count = 0.0;
    let range = rows_among(surface_layout.strut_workgroups, group.x, local_ix, 0u, meeting[MEETING_FOUND]);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let layer = free_layer(ix);
        if layer < MOST_STRUTS && pairs[ix].kind != ON_COLLIDER {
            count += engage(layer * surface_layout.pair_capacity + ix, pairs[ix], layer > 0u);
        }
    }
    let total = reduce(local_ix, vec4(count, 0.0, count, 0.0));
    if local_ix < PARTIALS_PER_WORKGROUP {
        changes[params.partial_count + group.x * PARTIALS_PER_WORKGROUP + local_ix] += total;
    }
}

// Number of struts that a pair has.
fn free_layer(ix: u32) -> u32 {
    for (var layer = 0u; layer < MOST_STRUTS; layer += 1u) {
        if state_of(states[layer * surface_layout.pair_capacity + ix]) == STRUT_NONE {
            return layer;
        }
    }
    return MOST_STRUTS;
}

// Gives a strut to a pair, if it needs one. Returns 1 if it pushes.
fn engage(slot: u32, pair: SurfacePair, already: bool) -> f32 {
    var strut = choose(pair, already, true);
    if !(strut.mass > 0.0) {
        return 0.0;
    }
    let missing = missing_of(strut, pair);
    let pushes = missing > STRUT_SLACK * strut.thickness;
    if pushes {
        strut.push = vec4(impulse_of(strut, missing, status.scheme.stage_step, vec3(0.0)), 0.0);
    }
    struts[slot] = strut;
    states[slot] = select(STRUT_OFF, STRUT_ON, pushes);
    return select(0.0, 1.0, pushes);
}
