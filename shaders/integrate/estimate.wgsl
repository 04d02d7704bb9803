// After a step of adaptive length, one particle per thread: local error of the position, from velocities before and after,
//   e = a (v₁ - v₀) + b (v₀ - v₋₁)
// with the weights of the method, see `Integrator::estimate`. Constrained directions have no error.
// Reads velocities, previous (v₀), older (v₋₁), constraints. Writes checks (in z the largest |e|).
#import shared/params
#import launch
#import shared/symmetric
#import shared/constraint
#import integrate/previous

@group(0) @binding(1) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> previous: array<Previous>;
@group(0) @binding(3) var<storage, read> older: array<Previous>;
@group(0) @binding(4) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(5) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(6) var<storage, read_write> checks: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    var largest = 0.0;
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let start = previous[row].velocity.xyz;
        var error = params.error_new * (velocities[row].xyz - start);
        if params.error_old != 0.0 {
            error += params.error_old * (start - older[row].velocity.xyz);
        }
        if constraint_ix[row] != UNCONSTRAINED {
            error = symmetric_times(constraints[constraint_ix[row]].free, error);
        }
        largest = max(largest, length(error));
    }
    let total = reduce_max(local_ix, largest);
    if local_ix < PARTIALS_PER_WORKGROUP {
        checks[group.x * PARTIALS_PER_WORKGROUP + local_ix].z = total;
    }
}
