// The block of the coarse matrix E = ZᵀPAPZ between two aggregates a and b, one workgroup per pair:
//   E_kl = Σ over i in a of z_k(i) P_i ((m_i + Σ_j B_ij) P_i z_l(i) [a = b] - Σ over j in b of B_ij P_j z_l(j))
// with the blocks B of the row's neighbours, from differences as in `solve/matrix_row`. The diagonal of E is raised by REGULARISATION. The block and its mirror image
// are written. Each further chunk of the matrix adds its rows.
// The importing kernel binds `status`, `coarse_rows`, `coarse_lists`, `constraint_ix`, `constraints`, `diagonal`, `coarse_matrix` and `chunk`, and provides
// `images(row, b, function)`.
#import shared/params
#import shared/status
#import launch
#import shared/reduction
#import shared/chunk
#import shared/symmetric
#import shared/constraint
#import coarse/aggregates
#import coarse/turn

// Share of the diagonal of E that is added to it.
const REGULARISATION: f32 = 1e-4;

// Sums over the neighbours of a row.
struct Images {
    // Σ B_ij
    own: mat3x3<f32>,
    // Σ over j in b of B_ij P_j z_l(j)
    others: mat3x3<f32>,
}

fn identity() -> mat3x3<f32> {
    return mat3x3(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
}

// P of a row.
fn projection(row: u32) -> mat3x3<f32> {
    let ix = constraint_ix[row];
    if ix == UNCONSTRAINED {
        return identity();
    }
    let free = constraints[ix].free;
    let d = free.diagonal.xyz;
    let o = free.off_diagonal.xyz;
    return mat3x3(d.x, o.z, o.y, o.z, d.y, o.x, o.y, o.x, d.z);
}

// B P z, where P is nearly always the identity.
fn filtered(block: mat3x3<f32>, row: u32, z: f32) -> mat3x3<f32> {
    if constraint_ix[row] == UNCONSTRAINED {
        return z * block;
    }
    return z * (block * projection(row));
}

// Adds the block of a neighbour to the sums of a row.
fn add(sums: ptr<function, Images>, neighbour: u32, b: u32, function: u32, block: mat3x3<f32>) {
    (*sums).own += block;
    let place = coarse_rows[neighbour];
    if place.aggregate == b {
        (*sums).others += filtered(block, neighbour, function_at(place.local, function));
    }
}

fn assemble_pair(local_ix: u32, ix: u32) {
    let pair = pair_at(ix);
    for (var l = 0u; l < COARSE_FUNCTIONS; l += 1u) {
        var sums_0 = mat3x3<f32>();
        var sums_1 = mat3x3<f32>();
        var sums_2 = mat3x3<f32>();
        var sums_3 = mat3x3<f32>();
        for (var place = pair.first + local_ix; place < pair.end; place += WORKGROUP_SIZE) {
            let row = coarse_lists[place];
            if row < chunk.first_row || row >= chunk.end_row {
                continue;
            }
            let known = images(row, pair.b, l);
            let own = coarse_rows[row].local;
            var column = -1.0 * known.others;
            let free = projection(row);
            if pair.a == pair.b {
                let m = diagonal[row].diagonal.w;
                column += function_at(own, l) * ((m * identity() + known.own) * free);
            }
            column = free * column;
            sums_0 += column;
            sums_1 += own.x * column;
            sums_2 += own.y * column;
            if COARSE_FUNCTIONS == 4u {
                sums_3 += own.z * column;
            }
        }
        store(local_ix, pair, 0u, l, sums_0);
        store(local_ix, pair, 1u, l, sums_1);
        store(local_ix, pair, 2u, l, sums_2);
        if COARSE_FUNCTIONS == 4u {
            store(local_ix, pair, 3u, l, sums_3);
        }
    }
}

// Sums a 3×3 block over the workgroup, and writes it and its mirror image.
fn store(local_ix: u32, pair: Pair, k: u32, l: u32, sums: mat3x3<f32>) {
    store_column(local_ix, pair, k, l, 0u, sums[0]);
    store_column(local_ix, pair, k, l, 1u, sums[1]);
    store_column(local_ix, pair, k, l, 2u, sums[2]);
}

fn store_column(local_ix: u32, pair: Pair, k: u32, l: u32, column: u32, sums: vec3<f32>) {
    let total = workgroup_sum(local_ix, vec4(sums, 0.0)).xyz;
    let i = 3u * (pair.a * COARSE_FUNCTIONS + k);
    let j = 3u * (pair.b * COARSE_FUNCTIONS + l) + column;
    if local_ix == 0u {
        store_word(pair, i, j, total.x);
        store_word(pair, i + 1u, j, total.y);
        store_word(pair, i + 2u, j, total.z);
    }
}

fn store_word(pair: Pair, i: u32, j: u32, value: f32) {
    // Within an aggregate one half is the mirror image of the other.
    if pair.a == pair.b && i > j {
        return;
    }
    var word = value;
    if i == j {
        word *= 1.0 + REGULARISATION;
    }
    let ix = i * 4u * params.coarse_stride + j;
    let mirror = j * 4u * params.coarse_stride + i;
    if chunk.first_row > 0u {
        word += coarse_matrix[ix];
    }
    coarse_matrix[ix] = word;
    coarse_matrix[mirror] = word;
}
