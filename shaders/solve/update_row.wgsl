// The vector half of an iteration, for one row:
//   p = u + β p,   s = w + β s,   x += α p,   r -= α s,   u = Q r.
// The old u is not loaded: it is Q r again, unless particles are linked to others or to rigid bodies: `solve/ties` and `solve/rigid` then
// have the last word on u.
// Where contacts have engaged, p is their Δv, which `contact/shift` has left there.
// The importing kernel binds `preconditioner`, `direction`, `solution`, `residual`, `u`. Returns the new u, mass in w.
#import shared/symmetric
#import solve/direction

// Set when the pipeline is made for a scene with ties or rigid bodies.
override LINKED: bool = false;

fn update_row(row: u32, w: vec3<f32>, alpha: f32, beta: f32, engages: bool) -> vec4<f32> {
    let q = preconditioner[row];
    let r = residual[row].xyz;
    var searched = vec3(0.0);
    if LINKED {
        searched = u[row].xyz;
    } else {
        searched = symmetric_times(q, r);
    }
    let last = direction[row].p.xyz;
    let p = select(searched + beta * last, last, engages);
    let s = w + beta * direction[row].s.xyz;
    direction[row] = Direction(vec4(p, 0.0), vec4(s, 0.0));
    solution[row] += vec4(alpha * p, 0.0);
    let next = r - alpha * s;
    residual[row] = vec4(next, 0.0);
    return vec4(symmetric_times(q, next), q.diagonal.w);
}
