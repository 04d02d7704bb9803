// Gathers what struts have changed in a sweep after an explicit step, one row per thread: Σ w ΔP, and in w the number of struts of the row.
// Reads offsets, incidents, struts, states, pulls. Writes u.
#import shared/params
#import launch
#import collision/scan
#import collision/strut

// True before the first sweep, when struts are only counted.
override FIRST: bool = false;

@group(0) @binding(1) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(3) var<storage, read> incidents: array<u32>;
@group(0) @binding(4) var<storage, read> struts: array<Strut>;
@group(0) @binding(5) var<storage, read> states: array<u32>;
@group(0) @binding(6) var<storage, read> pulls: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> u: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let list = surface_layout.vertex_count + surface_layout.edge_count + 1u;
    // A row may have hundreds of pairs, more than a thread of a software driver may visit for all of its rows.
    let rows = rows_among(surface_layout.pair_workgroups, group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        var sum = vec4(0.0);
        for (var ix = offsets[list + row]; ix < offsets[list + row + 1u]; ix += 1u) {
            let word = incidents[ix];
            if state_of(states[word / 4u]) == STRUT_NONE {
                continue;
            }
            sum.w += 1.0;
            if !FIRST {
                sum += vec4(struts[word / 4u].weights[word % 4u] * pulls[word / 4u].xyz, 0.0);
            }
        }
        u[row] = sum;
    }
}
