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
#import forces/material

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
    let weights = RowWeights(h * (h + params.stiffness_damping), h, lead + params.stiffness_damping);
    var force = vec3(0.0);
    var own_block: SymmetricBlock;

    let end = incidences[row + 1u];
    // The first element that reaches a block sets it, the others add: slots are reached in the order of the incidences.
    for (var ix = incidences[row]; ix < end; ix += 1u) {
        let at = params.particle_count + 1u + 4u * ix;
        let word = incidences[at];
        let own = word >> OWN_SHIFT;
        let element = elements[word & ELEMENT_MASK];
        let material = material_of(element);
        let r = element.rows;
        var state: ElementState;
        state.x = array(positions[r.x].xyz, positions[r.y].xyz, positions[r.z].xyz, positions[r.w].xyz);
        state.v = array(velocities[r.x].xyz, velocities[r.y].xyz, velocities[r.z].xyz, velocities[r.w].xyz);
        if material.needs_normals != 0u {
            state.normals = array(normals[r.x].xyz, normals[r.y].xyz, normals[r.z].xyz, normals[r.w].xyz);
        }
        let response = element_row(material, element, state, own, weights);
        force += response.force;
        add_block(&own_block, incidences[at + 1u], response.blocks[0]);
        if material.particle_count > 2u {
            add_block(&own_block, incidences[at + 2u], response.blocks[1]);
        }
        if material.particle_count > 3u {
            add_block(&own_block, incidences[at + 3u], response.blocks[2]);
        }
    }
    residual[row] += vec4(h * force, 0.0);
    let before = diagonal[row];
    diagonal[row] = SymmetricBlock(before.diagonal + own_block.diagonal, before.off_diagonal + own_block.off_diagonal);
}

// Adds a block to its slot and to the diagonal block; a pair without a slot, whose model has no Jacobian, adds nothing.
fn add_block(own_block: ptr<function, SymmetricBlock>, slot: u32, block: mat3x3<f32>) {
    if (slot & SLOT_MASK) != SLOT_MASK {
        let at = chunk.full_base + (slot & SLOT_MASK) - chunk.first_full;
        let first = (slot & FIRST_IN_SLOT) != 0u;
        add_column(at, block[0], first);
        add_column(at + chunk.full_count, block[1], first);
        add_column(at + 2u * chunk.full_count, block[2], first);
        (*own_block).diagonal += vec4(block[0].x, block[1].y, block[2].z, 0.0);
        // The sum is symmetric but for rounding; the mean keeps the diagonal block, and with it the preconditioner, so.
        (*own_block).off_diagonal += 0.5 * vec4(block[1].z + block[2].y, block[0].z + block[2].x, block[0].y + block[1].x, 0.0);
    }
}

fn add_column(at: u32, column: vec3<f32>, first: bool) {
    var sum = vec4(column, 0.0);
    if !first {
        sum += values[at];
    }
    values[at] = sum;
}
