// Forces without a matrix, one row per thread, gathered: r = γh (m g + Σ_j f_ij + Σ f_e), with the element forces f_e of
// `assembly/element_forces`. Rayleigh damping adds -α m v - β K v. Outside Newton's loop this kernel overwrites the residual;
// inside, it adds to -M (v - v̂).
// Reads pattern, slots, history, positions, velocities, incidences, element_forces, status. Writes residual.
#import shared/params
#import shared/chunk
#import shared/status
#import launch
#import shared/incidence
#import forces/edge
#import shared/forces_only

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<uniform> materials: array<EdgeMaterial, MAX_MATERIALS>;
@group(0) @binding(3) var<uniform> chunk: Chunk;
@group(0) @binding(4) var<storage, read> pattern: array<u32>;
@group(0) @binding(5) var<storage, read> slots: array<EdgeSlot>;
// Memory of edges; of length one if no edge has memory.
@group(0) @binding(6) var<storage, read> history: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read> positions: array<vec3<f32>>;
// xyz: velocity, m/s; w: mass, kg
@group(0) @binding(8) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(9) var<storage, read> incidences: array<u32>;
@group(0) @binding(10) var<storage, read> element_forces: array<vec3<f32>>;
@group(0) @binding(11) var<storage, read_write> residual: array<vec4<f32>>;

// Bit mask of the scene's element models.
override ELEMENT_MODELS: u32 = 0xffffffffu;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if in_turn(status.cg.newton_done, group) != 0u && !STANDALONE {
        return;
    }
    let rows = rows_of(group.x, local_ix, chunk.first_row, chunk.end_row);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let velocity = velocities[row];
        var force = velocity.w * (params.gravity - params.mass_damping * velocity.xyz) + edge_forces(row, velocity.xyz);
        if ELEMENT_MODELS != 0u {
            let first = params.particle_count + 1u;
            let end = first + 4u * incidences[row + 1u];
            for (var at = first + 4u * incidences[row]; at < end; at += 4u) {
                let word = incidences[at];
                force += element_forces[4u * (word & ELEMENT_MASK) + (word >> OWN_SHIFT)];
            }
        }
        let gathered = vec4(status.scheme.stage_step * force, 0.0);
        if STANDALONE {
            residual[row] = gathered;
        } else {
            residual[row] += gathered;
        }
    }
}

fn edge_forces(row: u32, velocity: vec3<f32>) -> vec3<f32> {
    let position = positions[row];
    var force = vec3(0.0);
    let slice = row / SLICE_ROWS;
    // Loads hoisted out of the loop, which not every compiler does.
    let first_slot = chunk.first_slot;
    let to_index = params.pattern_header + first_slot;
    let end = pattern[slice + 1u] - first_slot;
    for (var slot_ix = pattern[slice] - first_slot + row % SLICE_ROWS; slot_ix < end; slot_ix += SLICE_ROWS) {
        let neighbour = pattern[to_index + slot_ix] & INDEX_MASK;
        if neighbour == row {
            continue;
        }
        let slot = slot_at(slot_ix);
        var relative_velocity = vec3(0.0);
        if !UNDAMPED {
            relative_velocity = velocity - velocities[neighbour].xyz;
        }
        var remembered = vec4(0.0);
        if remembers(slot) {
            remembered = history[slot_ix];
        }
        let edge = edge_response(slot, remembered, position - positions[neighbour], relative_velocity);
        force += edge.force;
        if !WITHOUT_BLOCKS {
            let n = edge.direction;
            let k_times_v = edge.transverse * relative_velocity + edge.axial_excess * dot(n, relative_velocity) * n;
            force -= params.stiffness_damping * k_times_v;
        }
    }
    return force;
}
