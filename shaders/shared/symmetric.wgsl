// A symmetric 3×3 block and one word beside it. Same layout as `gpu::layout::SymmetricBlock`.

struct SymmetricBlock {
    // (a00, a11, a22, scalar): beside D and Q the scalar part of the diagonal block, which no difference has: mass, air resistance, handles.
    diagonal: vec4<f32>,
    // (a12, a02, a01, 0); beside D of a master the scalars of what is tied to it.
    off_diagonal: vec4<f32>,
}

fn symmetric_times(a: SymmetricBlock, v: vec3<f32>) -> vec3<f32> {
    return a.diagonal.xyz * v
        + vec3(a.off_diagonal.z, a.off_diagonal.z, a.off_diagonal.y) * v.yxx
        + vec3(a.off_diagonal.y, a.off_diagonal.x, a.off_diagonal.x) * v.zzy;
}

// From the columns of a matrix that is symmetric.
fn symmetric_of(x: vec3<f32>, y: vec3<f32>, z: vec3<f32>) -> SymmetricBlock {
    return SymmetricBlock(vec4(x.x, y.y, z.z, 0.0), vec4(z.y, z.x, y.x, 0.0));
}
