// Forces and system matrix of all elements, one row per thread, gathered: each row sums over its elements, and adds to blocks
// that no other thread writes. Runs after `assembly/edges`, which initialises the diagonal blocks.
//   off-diagonal blocks  A_ij = -B_ij,  B_ij = h² df_i/dx_j + h df_i/dv_j,   summed over the elements that i and j share
//   diagonal blocks      A_ii += Σ_j B_ij
//   residual             r += h (f_i - h Σ_j df_i/dx_j (v_i - v_j)),  the second term in the first linearisation only
// Rayleigh damping adds -β df_i/dx_j (v_i - v_j) to f and h β df_i/dx_j to B.
// Reads elements, incidences, positions, velocities, normals. Writes values (full blocks), diagonal,
// residual.
#import shared/params
#import shared/chunk
#import shared/status
#import launch
#import shared/symmetric
#import shared/edge
#import shared/incidence
#import forces/element

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<uniform> element_materials: array<ElementMaterial, MAX_ELEMENT_MATERIALS>;
@group(0) @binding(3) var<uniform> chunk: Chunk;
@group(0) @binding(4) var<storage, read> elements: array<Element>;
@group(0) @binding(5) var<storage, read> incidences: array<u32>;
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read> velocities: array<vec4<f32>>;
// Surface normals; of length one if no element needs them.
@group(0) @binding(11) var<storage, read> normals: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> values: array<vec4<f32>>;
@group(0) @binding(9) var<storage, read_write> diagonal: array<SymmetricBlock>;
@group(0) @binding(10) var<storage, read_write> residual: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if in_turn(status.cg.newton_done, group) != 0u {
        return;
    }
    let rows = rows_among(params.element_workgroups, group.x, local_ix, chunk.first_row, chunk.end_row);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        assemble(row);
    }
}

fn assemble(row: u32) {
    let h = status.scheme.stage_step;
    let lead = select(0.0, status.scheme.lead, status.cg.linearisation == 0u);
    var force = vec3(0.0);
    var own_block = mat3x3<f32>();

    let end = incidences[row + 1u];
    // The first element that reaches a block sets it, the others add: slots are reached in the order of the incidences.
    for (var ix = incidences[row]; ix < end; ix += 1u) {
        let at = params.particle_count + 1u + 4u * ix;
        let word = incidences[at];
        let own = word >> OWN_SHIFT;
        let element = elements[word & ELEMENT_MASK];
        let material = element_materials[min(element.material, MAX_ELEMENT_MATERIALS - 1u)];
        var state: ElementState;
        for (var j = 0u; j < material.particle_count; j += 1u) {
            state.x[j] = positions[element.rows[j]].xyz;
            state.v[j] = velocities[element.rows[j]].xyz;
        }
        if material.needs_normals != 0u {
            for (var j = 0u; j < 4u; j += 1u) {
                state.normals[j] = normals[element.rows[j]].xyz;
            }
        }
        var response = element_row(material, element, state, own);
        force += response.force;
        var other = 0u;
        for (var j = 0u; j < material.particle_count; j += 1u) {
            if j == own {
                continue;
            }
            let slot = incidences[at + 1u + other];
            other += 1u;
            if (slot & SLOT_MASK) == SLOT_MASK {
                continue;
            }
            force -= (lead + params.stiffness_damping) * (response.stiffness[j] * (state.v[own] - state.v[j]));
            let block = h * (h + params.stiffness_damping) * response.stiffness[j] + h * response.damping[j];
            own_block += block;
            add_block((slot & SLOT_MASK) - chunk.first_full, block, (slot & FIRST_IN_SLOT) != 0u);
        }
    }
    residual[row] += vec4(h * force, 0.0);
    let before = diagonal[row];
    diagonal[row] = SymmetricBlock(
        before.diagonal + vec4(own_block[0].x, own_block[1].y, own_block[2].z, 0.0),
        // Symmetric but for rounding; the mean keeps the diagonal block, and with it the preconditioner, so.
        before.off_diagonal + 0.5 * vec4(
            own_block[1].z + own_block[2].y, own_block[0].z + own_block[2].x, own_block[0].y + own_block[1].x, 0.0),
    );
}

fn add_block(slot: u32, block: mat3x3<f32>, first: bool) {
    for (var column = 0u; column < 3u; column += 1u) {
        let at = chunk.full_base + column * chunk.full_count + slot;
        var sum = vec4(block[column], 0.0);
        if !first {
            sum += values[at];
        }
        values[at] = sum;
    }
}
