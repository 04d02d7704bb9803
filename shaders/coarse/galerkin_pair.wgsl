// The block of the coarse matrix E = ZᵀPAPZ between two aggregates a and b, one workgroup per pair:
//   E_kl = Σ over i in a of z_k(i) P_i (m_i P_i z_l(i) + Σ_j B_ij (P_i z_l(i) - P_j z_l(j) [j in a]))    for b = a
//   E_kl = -Σ over i in a of z_k(i) P_i Σ over j in b of B_ij P_j z_l(j)                                 for other b
// with the blocks B of the row's neighbours, from differences as in `solve/matrix_row`. An aggregate's own block sums three functions in one visit to its rows, and a fourth
// in a dispatch of its own, with a workgroup per aggregate; its half k > l is the mirror image of the other. A pair of aggregates has few rows and visits them once for each function l. More sums at once would not
// fit a thread's registers. The diagonal of E is raised by REGULARISATION. The block and its mirror image are written. Each further chunk of the matrix adds its rows.
// The importing kernel binds `status`, `coarse_rows`, `coarse_lists`, `constraint_ix`, `constraints`, `diagonal`, `coarse_matrix` and `chunk`, and provides
// `visit(sums, row)`, which calls `add` for each neighbour that `concerns` the row's sums.
#import shared/params
#import shared/status
#import launch
#import shared/reduction
#import shared/chunk
#import shared/symmetric
#import shared/constraint
#import coarse/blocks
#import coarse/turn

// True in the dispatch for the fourth function of each aggregate's own block.
override FOURTH_FUNCTION: bool = false;

// Share of the diagonal of E that is added to it.
const REGULARISATION: f32 = 1e-4;

// A row i of an aggregate a.
struct Row {
    ix: u32,
    // Its functions but the constant.
    local: vec3<f32>,
    // Whether P_i is the identity.
    free: bool,
    // The other aggregate of the pair, and whether that is a.
    b: u32,
    within: bool,
    // The function l of b.
    function: u32,
}

// Whether the sums of a row have a part of this neighbour.
fn concerns(row: Row, neighbour: u32) -> bool {
    return row.within || coarse_rows[neighbour].aggregate == row.b;
}

// Adds the block B_ij of a neighbour j.
fn add(sums: ptr<function, Sums>, row: Row, neighbour: u32, block: mat3x3<f32>) {
    let place = coarse_rows[neighbour];
    let free = row.free && constraint_ix[neighbour] == UNCONSTRAINED;
    if !row.within {
        var image = -function_at(place.local, row.function) * block;
        if !free {
            image = projection(row.ix) * image * projection(neighbour);
        }
        add_image(sums, row.local, image);
        return;
    }
    let share = select(0.0, 1.0, place.aggregate == row.b);
    if free {
        let difference = row.local - share * place.local;
        if FOURTH_FUNCTION {
            add_image(sums, row.local, difference.z * block);
        } else {
            add_images(sums, row.local, (1.0 - share) * block, difference.x * block, difference.y * block);
        }
        return;
    }
    let left = projection(row.ix) * block;
    let own = left * projection(row.ix);
    let other = share * (left * projection(neighbour));
    if FOURTH_FUNCTION {
        add_image(sums, row.local, row.local.z * own - place.local.z * other);
        return;
    }
    let x = row.local.x * own - place.local.x * other;
    let y = row.local.y * own - place.local.y * other;
    add_images(sums, row.local, own - other, x, y);
}

// Adds m_i P_i.
fn add_mass(sums: ptr<function, Sums>, row: Row) {
    let own = diagonal[row.ix].diagonal.w * projection(row.ix);
    if FOURTH_FUNCTION {
        add_image(sums, row.local, row.local.z * own);
    } else {
        add_images(sums, row.local, own, row.local.x * own, row.local.y * own);
    }
}

// Sums over the rows that a thread visits.
fn sums_of(local_ix: u32, pair: Pair, function: u32) -> Sums {
    var sums = Sums();
    for (var place = pair.first + local_ix; place < pair.end; place += WORKGROUP_SIZE) {
        let ix = coarse_lists[place];
        if ix < chunk.first_row || ix >= chunk.end_row {
            continue;
        }
        let free = constraint_ix[ix] == UNCONSTRAINED;
        let row = Row(ix, coarse_rows[ix].local, free, pair.b, pair.a == pair.b, function);
        visit(&sums, row);
        if row.within {
            add_mass(&sums, row);
        }
    }
    return sums;
}

fn assemble_pair(local_ix: u32, group: u32) {
    if FOURTH_FUNCTION {
        let pair = pair_at(group * (group + 3u) / 2u);
        if pair.first != pair.end {
            store_function(local_ix, pair, 3u, sums_of(local_ix, pair, 3u));
        }
        return;
    }
    let pair = pair_at(group);
    if pair.first == pair.end {
        clear(local_ix, pair);
    } else if pair.a == pair.b {
        let sums = sums_of(local_ix, pair, 0u);
        store(local_ix, pair, 0u, 0u, sums.s00);
        store(local_ix, pair, 0u, 1u, sums.s01);
        store(local_ix, pair, 1u, 1u, sums.s11);
        store(local_ix, pair, 0u, 2u, sums.s02);
        store(local_ix, pair, 1u, 2u, sums.s12);
        store(local_ix, pair, 2u, 2u, sums.s22);
    } else {
        // The number of turns is known when a pipeline is made: llvmpipe takes minutes to compile sums over a workgroup in other loops.
        for (var l = 0u; l < COARSE_FUNCTIONS; l += 1u) {
            store_function(local_ix, pair, l, sums_of(local_ix, pair, l));
        }
    }
}

// Writes the blocks (k, l) of one function l.
fn store_function(local_ix: u32, pair: Pair, l: u32, sums: Sums) {
    store(local_ix, pair, 0u, l, sums.s00);
    store(local_ix, pair, 1u, l, sums.s01);
    store(local_ix, pair, 2u, l, sums.s02);
    if COARSE_FUNCTIONS == 4u {
        store(local_ix, pair, 3u, l, sums.s22);
    }
}

// Writes zeros between aggregates that are not coupled.
fn clear(local_ix: u32, pair: Pair) {
    let size = 3u * max(COARSE_FUNCTIONS, 1u);
    for (var ix = local_ix; ix < size * size; ix += WORKGROUP_SIZE) {
        store_word(pair, pair.a * size + ix / size, pair.b * size + ix % size, 0.0);
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
