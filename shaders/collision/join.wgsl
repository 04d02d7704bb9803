// Gathers struts into their rows, one row per thread: adds their impulses to the residual and their blocks to the diagonal blocks, and lists those that push with the
// weight of the row, for the product with the matrix.
//   r_i += Σ w J,   D_i = B_i + Σ w² [κ n nᵀ + a (I - n nᵀ)]
// Reads offsets, incidents, struts, states, status. Writes residual, diagonal, bare (blocks without struts), links.
#import shared/params
#import shared/status
#import launch
#import shared/symmetric
#import collision/scan
#import collision/strut
#import contact/pass

// True in a contact pass, where blocks without struts are known.
override SOLVED: bool = false;
// True where forces are evaluated once more at the same stage, outside its solve.
override STANDALONE: bool = false;

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<uniform> surface_layout: SurfaceLayout;
@group(0) @binding(3) var<storage, read> offsets: array<u32>;
@group(0) @binding(4) var<storage, read> incidents: array<u32>;
@group(0) @binding(5) var<storage, read> struts: array<Strut>;
@group(0) @binding(6) var<storage, read> states: array<u32>;
@group(0) @binding(7) var<storage, read_write> residual: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> diagonal: array<SymmetricBlock>;
@group(0) @binding(9) var<storage, read_write> bare: array<SymmetricBlock>;
@group(0) @binding(10) var<storage, read_write> links: array<vec2<u32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if SOLVED {
        if !pass_has_revised(group) {
            return;
        }
    } else if in_turn(status.cg.newton_done, group) != 0u && !STANDALONE {
        return;
    }
    let list = surface_layout.vertex_count + surface_layout.edge_count + 1u;
    // A row may have hundreds of pairs, more than a thread of a software driver may visit for all of its rows.
    let rows = rows_among(surface_layout.pair_workgroups, group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        var block = diagonal[row];
        if SOLVED {
            block = bare[row];
        } else {
            bare[row] = block;
        }
        var sum = residual[row].xyz;
        let first = offsets[list + row];
        let end = offsets[list + row + 1u];
        let first_link = params.particle_count + MOST_STRUTS * first;
        var place = first_link;
        for (var ix = first; ix < end; ix += 1u) {
            let word = incidents[ix];
            for (var layer = 0u; layer < MOST_STRUTS; layer += 1u) {
                let slot = layer * surface_layout.pair_capacity + word / 4u;
                let state = state_of(states[slot]);
                if state == STRUT_NONE {
                    break;
                }
                let weight = struts[slot].weights[word % 4u];
                let push = struts[slot].push;
                sum += weight * push.xyz;
                if state == STRUT_ON {
                    let normal = struts[slot].normal;
                    let n = normal.xyz;
                    let excess = normal.w - push.w;
                    block.diagonal += weight * weight * vec4(excess * n * n + vec3(push.w), 0.0);
                    block.off_diagonal += weight * weight * excess * vec4(n.y * n.z, n.x * n.z, n.x * n.y, 0.0);
                    links[place] = vec2(slot, bitcast<u32>(weight));
                    place += 1u;
                }
            }
        }
        links[row] = vec2(first_link, place);
        residual[row] = vec4(sum, 0.0);
        diagonal[row] = block;
    }
}
