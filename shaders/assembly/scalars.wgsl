// Constant matrix of the IMEX schemes (Etzmuß 3.24, 3.31), one row per thread: springs with rest length 0 and isotropic dampers,
// so that the three coordinates decouple:
//   A_ij = -a_ij,   a = (γh)² k + γh (d + β k),   A_ii = m (1 + γh α) + Σ a          α, β: Rayleigh damping
// The matrix is computed when the step length has changed, otherwise `scalar_values` are reused. The right-hand side gets the term of a
// stage that lies ahead of x₀,
//   r -= γh · lead · Σ_j k (v_i - v_j)     in the first linearisation.
// `assembly/edges` and `assembly/elements` have added the nonlinear forces to the residual.
// Reads pattern, couplings, velocities, status. Writes scalar_values, diagonal, residual.
#import shared/params
#import shared/chunk
#import shared/status
#import launch
#import shared/symmetric
#import shared/edge

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<uniform> chunk: Chunk;
@group(0) @binding(3) var<storage, read> pattern: array<u32>;
// (k, d): stiffness, N/m, and damping, N·s/m
@group(0) @binding(4) var<storage, read> couplings: array<vec2<f32>>;
@group(0) @binding(5) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> scalar_values: array<f32>;
@group(0) @binding(7) var<storage, read_write> diagonal: array<SymmetricBlock>;
@group(0) @binding(8) var<storage, read_write> residual: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if status.cg.newton_done != 0u {
        return;
    }
    let h = status.scheme.stage_step;
    // Forces at the predicted stage need no term for the lead.
    let lead = select(0.0, status.scheme.lead, status.cg.linearisation == 0u && params.extrapolate == 0u);
    let changed = status.matrix_step != h;
    let rows = rows_of(group.x, local_ix, chunk.first_row, chunk.end_row);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let velocity = velocities[row];
        let scalar = velocity.w + h * params.mass_damping * velocity.w;
        var sum = scalar;
        var k_times_v = vec3(0.0);
        let slice = row / SLICE_ROWS;
        let end = pattern[slice + 1u];
        for (var slot_ix = pattern[slice] + row % SLICE_ROWS; slot_ix < end; slot_ix += SLICE_ROWS) {
            let place = slot_ix - chunk.first_slot;
            var a: f32;
            if changed || lead != 0.0 {
                let coupling = couplings[place];
                a = h * (h + params.stiffness_damping) * coupling.x + h * coupling.y;
                if changed {
                    scalar_values[place] = a;
                }
                if lead != 0.0 {
                    let neighbour = pattern[params.pattern_header + slot_ix] & INDEX_MASK;
                    k_times_v += coupling.x * (velocity.xyz - velocities[neighbour].xyz);
                }
            } else {
                a = scalar_values[place];
            }
            sum += a;
        }
        diagonal[row] = SymmetricBlock(vec4(sum, sum, sum, scalar), vec4(0.0));
        if lead != 0.0 {
            residual[row] -= vec4(h * lead * k_times_v, 0.0);
        }
    }
}
