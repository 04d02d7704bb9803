// Reference quantities of a safe step, once, after its first preconditioner, one row per thread:
//   γ of the weight and of the momentum,  Σ m² (γh g · Q γh g + ¼ v₀ · Q v₀),   Σ ½ m (v₀² + (g h)²),
//   γ of the residual that rounded positions leave,  Σ (d - m) ulp² / (γh)²  with d for 1 / q,   Σ m
// Reads preconditioner, previous, status. Writes row_sums; `search/scale` folds them.
#import shared/params
#import shared/status
#import launch
#import shared/symmetric
#import integrate/previous

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> preconditioner: array<SymmetricBlock>;
@group(0) @binding(3) var<storage, read> previous: array<Previous>;
@group(0) @binding(4) var<storage, read_write> row_sums: array<vec4<f32>>;

// Share of the squared momentum: half of the momentum, so that a fast scene does not ignore its weight.
const MOMENTUM_SHARE: f32 = 0.25;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let fall = status.scheme.stage_step * params.gravity;
    let gained = 0.5 * dot(params.gravity, params.gravity) * params.time_step * params.time_step;
    // The last digit of a position as a velocity; the residual that it leaves is the row's stiffness times it.
    let ulp = 0.02 * params.rounding / status.scheme.stage_step;
    var sums = vec4(0.0);
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let q = preconditioner[row];
        let velocity = previous[row].velocity.xyz;
        let mass = previous[row].velocity.w;
        let both = dot(symmetric_times(q, fall), fall) + MOMENTUM_SHARE * dot(symmetric_times(q, velocity), velocity);
        let trace = q.diagonal.x + q.diagonal.y + q.diagonal.z;
        // Stiffness without the mass, but for rounding.
        let stiffness = select(0.0, max(3.0 / trace - 1.00001 * mass, 0.0), trace > 0.0);
        sums += vec4(mass * mass * both, mass * (0.5 * dot(velocity, velocity) + gained), stiffness * ulp * ulp, mass);
    }
    let total = reduce(local_ix, sums);
    if local_ix < PARTIALS_PER_WORKGROUP {
        row_sums[group.x * PARTIALS_PER_WORKGROUP + local_ix] = total;
    }
}
