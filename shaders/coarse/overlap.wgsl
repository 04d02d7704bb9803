// Takes from the coarse level what Q = P (P D P)⁺ P does for its functions already, one workgroup per aggregate: with
//   F = ZᵀP D P Z,
// whose blocks between aggregates are zero, the inverse E⁻¹ becomes E⁻¹ - F⁻¹. `coarse_matrix` holds the negative of both. Nothing is counted twice then, and a matrix of
// masses alone is solved at once; Q - P Z F⁻¹ Zᵀ P is positive semi-definite whatever Z is. D of a master contains that of rows tied to it: F, which counts those rows too,
// is then too large, which is safe. The diagonal of F is raised by REGULARISATION.
// Reads status, diagonal, constraint_ix, constraints, coarse_rows, coarse_lists, coarse_matrix. Writes coarse_matrix.
#import shared/params
#import launch
#import shared/reduction
#import shared/finite
#import coarse/blocks
#import coarse/turn

// Share of the diagonal of F that is added to it.
const REGULARISATION: f32 = 1e-4;
const MOST_UNKNOWNS: u32 = 12u;

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> diagonal: array<SymmetricBlock>;
@group(0) @binding(3) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(4) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(5) var<storage, read> coarse_rows: array<CoarseRow>;
@group(0) @binding(6) var<storage, read> coarse_lists: array<u32>;
@group(0) @binding(7) var<storage, read_write> coarse_matrix: array<f32>;

// The aggregate's block of F, which becomes -F⁻¹.
var<workgroup> block: array<f32, MOST_UNKNOWNS * MOST_UNKNOWNS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // This kernel does not write status, so that an early return here never splits a workgroup before its barriers.
    if !builds(status) {
        return;
    }
    let sums = sums_of(local_ix, group.x, false);
    hold(local_ix, 0u, 0u, sums.s00);
    hold(local_ix, 0u, 1u, sums.s01);
    hold(local_ix, 1u, 1u, sums.s11);
    hold(local_ix, 0u, 2u, sums.s02);
    hold(local_ix, 1u, 2u, sums.s12);
    hold(local_ix, 2u, 2u, sums.s22);
    if COARSE_FUNCTIONS == 4u {
        let fourth = sums_of(local_ix, group.x, true);
        hold(local_ix, 0u, 3u, fourth.s00);
        hold(local_ix, 1u, 3u, fourth.s01);
        hold(local_ix, 2u, 3u, fourth.s02);
        hold(local_ix, 3u, 3u, fourth.s22);
    }
    // By symmetric elimination, as in `coarse/pivot`.
    let size = 3u * max(COARSE_FUNCTIONS, 1u);
    for (var k = 0u; k < size; k += 1u) {
        workgroupBarrier();
        let pivot = block[k * size + k];
        let inverse = select(0.0, 1.0 / pivot, pivot > 0.0 && is_finite(1.0 / pivot));
        workgroupBarrier();
        for (var ix = local_ix; ix < size * size; ix += WORKGROUP_SIZE) {
            let row = ix / size;
            let column = ix % size;
            if row != k && column != k {
                block[ix] -= block[row * size + k] * inverse * block[k * size + column];
            }
        }
        workgroupBarrier();
        for (var ix = local_ix; ix < size; ix += WORKGROUP_SIZE) {
            if ix != k {
                block[k * size + ix] *= inverse;
                block[ix * size + k] *= inverse;
            } else {
                block[k * size + k] = -inverse;
            }
        }
    }
    workgroupBarrier();
    let first = group.x * size;
    for (var ix = local_ix; ix < size * size; ix += WORKGROUP_SIZE) {
        coarse_matrix[(first + ix / size) * 4u * params.coarse_stride + first + ix % size] -= block[ix];
    }
}

// Sums over the rows that a thread visits: of the first three functions, or of the fourth.
fn sums_of(local_ix: u32, aggregate: u32, fourth: bool) -> Sums {
    var sums = Sums();
    let end = coarse_lists[aggregate + 1u];
    for (var place = coarse_lists[aggregate] + local_ix; place < end; place += WORKGROUP_SIZE) {
        let row = coarse_lists[place];
        let d = diagonal[row].diagonal.xyz;
        let o = diagonal[row].off_diagonal.xyz;
        var image = mat3x3(d.x, o.z, o.y, o.z, d.y, o.x, o.y, o.x, d.z);
        if constraint_ix[row] != UNCONSTRAINED {
            image = projection(row) * image * projection(row);
        }
        let local = coarse_rows[row].local;
        if fourth {
            add_image(&sums, local, local.z * image);
        } else {
            add_images(&sums, local, image, local.x * image, local.y * image);
        }
    }
    return sums;
}

// Sums the block (k, l) over the workgroup, into `block` and its mirror image.
fn hold(local_ix: u32, k: u32, l: u32, sums: mat3x3<f32>) {
    hold_column(local_ix, k, 3u * l, sums[0]);
    hold_column(local_ix, k, 3u * l + 1u, sums[1]);
    hold_column(local_ix, k, 3u * l + 2u, sums[2]);
}

fn hold_column(local_ix: u32, k: u32, column: u32, sums: vec3<f32>) {
    let total = workgroup_sum(local_ix, vec4(sums, 0.0)).xyz;
    if local_ix == 0u {
        hold_word(3u * k, column, total.x);
        hold_word(3u * k + 1u, column, total.y);
        hold_word(3u * k + 2u, column, total.z);
    }
}

fn hold_word(i: u32, j: u32, value: f32) {
    let size = 3u * max(COARSE_FUNCTIONS, 1u);
    if i <= j {
        let word = select(value, value * (1.0 + REGULARISATION), i == j);
        block[i * size + j] = word;
        block[j * size + i] = word;
    }
}
