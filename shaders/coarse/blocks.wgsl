// Sums over rows of 3×3 blocks of an aggregate's functions, for the coarse matrix and what it overlaps with.
// The importing kernel binds `constraint_ix`, `constraints`, `coarse_rows` and `coarse_lists`.
#import shared/symmetric
#import shared/constraint
#import coarse/aggregates

// Blocks (k, l), k ≤ l ≤ 2, of the first three functions. The blocks (0, l) to (3, l) of one function l, of a fourth function or of two aggregates, are in s00, s01, s02
// and s22. Six blocks are as many as a thread has registers for.
struct Sums {
    s00: mat3x3<f32>,
    s01: mat3x3<f32>,
    s11: mat3x3<f32>,
    s02: mat3x3<f32>,
    s12: mat3x3<f32>,
    s22: mat3x3<f32>,
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

// Adds z_k times the images of the functions l ≥ k of the first three.
fn add_images(
    sums: ptr<function, Sums>,
    local: vec3<f32>,
    constant: mat3x3<f32>,
    along_x: mat3x3<f32>,
    along_y: mat3x3<f32>,
) {
    (*sums).s00 += constant;
    (*sums).s01 += along_x;
    (*sums).s11 += local.x * along_x;
    (*sums).s02 += along_y;
    (*sums).s12 += local.x * along_y;
    (*sums).s22 += local.y * along_y;
}

// Adds z_k times the image of one function.
fn add_image(sums: ptr<function, Sums>, local: vec3<f32>, image: mat3x3<f32>) {
    (*sums).s00 += image;
    (*sums).s01 += local.x * image;
    (*sums).s02 += local.y * image;
    if COARSE_FUNCTIONS == 4u {
        (*sums).s22 += local.z * image;
    }
}
