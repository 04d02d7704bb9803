// The preconditioner Q = P (P D P)⁺ P of a row from its diagonal block D; Q is also the filter of the row's constraint. It is computed as
//   Q = P (P D P + τ (I - P))⁻¹ P   with τ = trace(D) / 3,
// which is the same matrix, from one that can always be inverted. `flags` are those that `in_turn` returns.
#import shared/params
#import shared/symmetric

fn inverse_of(flags: u32, d: SymmetricBlock) -> SymmetricBlock {
    if (flags & FLAG_SCALAR_JACOBI) != 0u {
        return SymmetricBlock(vec4(1.0 / d.diagonal.xyz, 0.0), vec4(0.0));
    }
    let a = d.diagonal.xyz;
    let o = d.off_diagonal.xyz;
    // The matrix of cofactors, also stored as its diagonal and (12, 02, 01).
    let cofactor_diagonal = a.yxx * a.zzy - o * o;
    let cofactor_off = o.yxx * o.zzy - a * o;
    let determinant = a.x * cofactor_diagonal.x + o.z * cofactor_off.z + o.y * cofactor_off.y;
    return SymmetricBlock(vec4(cofactor_diagonal / determinant, 0.0), vec4(cofactor_off / determinant, 0.0));
}

fn filtered_inverse(flags: u32, d: SymmetricBlock, p: SymmetricBlock) -> SymmetricBlock {
    let tau = (d.diagonal.x + d.diagonal.y + d.diagonal.z) / 3.0;
    var inner = sandwich(p, d);
    inner = SymmetricBlock(
        inner.diagonal + vec4(tau * (vec3(1.0) - p.diagonal.xyz), 0.0),
        inner.off_diagonal - vec4(tau * p.off_diagonal.xyz, 0.0),
    );
    return sandwich(p, inverse_of(flags, inner));
}

// P B P for symmetric P and B.
fn sandwich(p: SymmetricBlock, b: SymmetricBlock) -> SymmetricBlock {
    let column_x = symmetric_times(p, symmetric_times(b, symmetric_times(p, vec3(1.0, 0.0, 0.0))));
    let column_y = symmetric_times(p, symmetric_times(b, symmetric_times(p, vec3(0.0, 1.0, 0.0))));
    let column_z = symmetric_times(p, symmetric_times(b, symmetric_times(p, vec3(0.0, 0.0, 1.0))));
    return symmetric_of(column_x, column_y, column_z);
}
