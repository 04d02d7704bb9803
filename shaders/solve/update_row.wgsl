// Vectors of a conjugate gradient iteration, for one row:
//   p = u + β p,   s = w + β s,   x += α p,   r -= α s,   u = Q r.
// The first iteration of a solve takes p, s and x as 0 and does not read values of earlier solves.
// The old u is not loaded: it is Q r, unless a correction (`solve/ties`, `solve/rigid`, `solve/tie_copies`) has changed it.
// After contacts have engaged, p holds their Δv, which `contact/shift` has written; in a warm start that of the last step, which `solve/warm` has written.
// The importing kernel binds `preconditioner`, `direction`, `solution`, `residual`, `u`. Returns Q r, with the scalar part of the diagonal block in w.
#import shared/status
#import shared/symmetric
#import solve/direction

// True in pipelines for scenes with corrections of u = Q r.
override CORRECTED: bool = false;

// Clears x = p = s = 0, where a solve ends before its first iteration.
fn clear_row(row: u32) {
    solution[row] = vec4(0.0);
    direction[row] = Direction(vec4(0.0), vec4(0.0));
}

// Updates one row. `fresh`: FRESH_… of the state before the iteration.
fn update_row(row: u32, w: vec3<f32>, alpha: f32, beta: f32, fresh: u32) -> vec4<f32> {
    let given = fresh == FRESH_ENGAGE || fresh == FRESH_WARM;
    let begins = fresh == FRESH_SOLVE || fresh == FRESH_WARM;
    let q = preconditioner[row];
    let r = residual[row].xyz;
    var searched = vec3(0.0);
    if CORRECTED {
        searched = u[row].xyz;
    } else {
        searched = symmetric_times(q, r);
    }
    let last = select(direction[row].p.xyz, vec3(0.0), begins && !given);
    let p = select(searched + beta * last, last, given);
    let s = w + beta * select(direction[row].s.xyz, vec3(0.0), begins);
    direction[row] = Direction(vec4(p, 0.0), vec4(s, 0.0));
    solution[row] = select(solution[row], vec4(0.0), begins) + vec4(alpha * p, 0.0);
    let next = r - alpha * s;
    residual[row] = vec4(next, 0.0);
    return vec4(symmetric_times(q, next), q.diagonal.w);
}
