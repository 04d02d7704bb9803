// Forces on single particles, one load per thread; no two loads have the same row:
//   f = F - k (x - x̄) - c v
// a point force, and the spring of a handle with rest length 0. Its matrix is (h² k + h c) I.
// Reads loads, positions, velocities. Writes diagonal (with the scalar part in w), residual.
#import shared/params
#import shared/status
#import launch
#import shared/symmetric
#import shared/forces_only
#import shared/load

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> loads: array<Load>;
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> diagonal: array<SymmetricBlock>;
@group(0) @binding(6) var<storage, read_write> residual: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if status.cg.newton_done != 0u && !STANDALONE {
        return;
    }
    let h = status.scheme.stage_step;
    let lead = select(0.0, status.scheme.lead, status.cg.linearisation == 0u && !FORCES_ONLY);
    let range = rows_of(group.x, local_ix, 0u, params.load_count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let load = loads[ix];
        let row = load.row;
        let stiffness = load.force.w;
        let damping = load.goal.w;
        let velocity = velocities[row].xyz;
        let force = load.force.xyz - stiffness * (positions[row].xyz - load.goal.xyz) - (damping + lead * stiffness) * velocity;
        if !FORCES_ONLY {
            diagonal[row].diagonal += vec4(h * h * stiffness + h * damping);
        }
        residual[row] += vec4(h * force, 0.0);
    }
}
