// Forces and system matrix of all edges, one row per thread, gathered: no atomics, every word has one writer.
//   A = M - h D - h² K,   b = h (f + h K v) - M (v - v₀)
// The kernel computes
//   off-diagonal blocks  A_ij = -(a I + b n nᵀ),  a = h² (t + s) + h e,  b = h² (g' - t) + h c     as (√|b| n, a) and the sign of b
//   diagonal blocks      A_ii = m I + Σ_j (a I + b n nᵀ)
//   residual             r += h (m g + Σ_j f_ij + h Σ_j K_ij (v_j - v_i));   `integrate/begin` and `integrate/relinearise` put -M (v - v₀) there.
// Rayleigh damping adds -α m v - β K v to f, h α m to the diagonal, h β K to the blocks; K is the Jacobian's, clamped if the
// Jacobian is. The term h K v belongs to the first linearisation, about the old positions (Baraff–Witkin eq. 6). Later
// linearisations (Newton) are about x₀ + h v and have none.
// Reads pattern, slots, history, positions, velocities. Writes pattern (sign bits), values, diagonal,
// residual.
#import shared/params
#import shared/chunk
#import shared/status
#import launch
#import shared/symmetric
#import forces/edge

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<uniform> materials: array<EdgeMaterial, MAX_MATERIALS>;
@group(0) @binding(3) var<storage, read> slots: array<EdgeSlot>;
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;
// xyz: velocity, m/s; w: mass, kg
@group(0) @binding(5) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> pattern: array<u32>;
@group(0) @binding(7) var<storage, read_write> values: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> diagonal: array<SymmetricBlock>;
@group(0) @binding(9) var<storage, read_write> residual: array<vec4<f32>>;
@group(0) @binding(10) var<uniform> chunk: Chunk;
// Memory of edges; of length one if no edge has memory.
@group(0) @binding(11) var<storage, read> history: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if in_turn(status.cg.newton_done, group) != 0u {
        return;
    }
    let rows = rows_of(group.x, local_ix, chunk.first_row, chunk.end_row);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        assemble(row);
    }
}

fn assemble(row: u32) {
    let h = status.scheme.stage_step;
    let lead = select(0.0, status.scheme.lead, status.cg.linearisation == 0u);
    let position = positions[row].xyz;
    let velocity = velocities[row];
    let mass = velocity.w;

    // Terms of the diagonal without neighbours: mass and mass-proportional damping.
    let scalar = mass + h * params.mass_damping * mass;
    var force = mass * (params.gravity - params.mass_damping * velocity.xyz);
    var block_diagonal = vec3(scalar);
    var block_off_diagonal = vec3(0.0);

    let slice = row / SLICE_ROWS;
    let end = pattern[slice + 1u];
    for (var slot_ix = pattern[slice] + row % SLICE_ROWS; slot_ix < end; slot_ix += SLICE_ROWS) {
        let neighbour = pattern[params.pattern_header + slot_ix] & INDEX_MASK;
        if neighbour == row {
            continue;
        }
        let slot = slot_at(slot_ix - chunk.first_slot);
        let relative_velocity = velocity.xyz - velocities[neighbour].xyz;
        var remembered = vec4(0.0);
        if remembers(slot) {
            remembered = history[slot_ix - chunk.first_slot];
        }
        let edge = edge_response(slot, remembered, position - positions[neighbour].xyz, relative_velocity);
        let n = edge.direction;
        let k_times_v = edge.transverse * relative_velocity + edge.axial_excess * dot(n, relative_velocity) * n;
        force += edge.force;
        force -= (lead + params.stiffness_damping) * k_times_v;
        let stiff = h * (h + params.stiffness_damping);
        let a = stiff * edge.transverse + h * edge.drag;
        let b = stiff * edge.axial_excess + h * edge.damping;
        block_diagonal += a + b * n * n;
        block_off_diagonal += b * n.yxx * n.zzy;
        values[slot_ix - chunk.first_slot] = vec4(sqrt(abs(b)) * n, a);
        pattern[params.pattern_header + slot_ix] = neighbour | select(0u, NEGATIVE_BLOCK, b < 0.0);
    }
    diagonal[row] = SymmetricBlock(vec4(block_diagonal, scalar), vec4(block_off_diagonal, 0.0));
    residual[row] += vec4(h * force, 0.0);
}
