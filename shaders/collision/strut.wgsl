// Struts: one-sided springs that keep the sides of a pair apart, with friction across. With weights w, normal n, U = Σ w v and the gap G = n · Σ w x at the end of the
// stage, a strut that pushes has the impulse J = κ/γh (τ - G) along n and the friction -a U_t. Its matrix is w_i w_j [κ n nᵀ + a (I - n nᵀ)].

// The strut of a pair. Same layout as `gpu::layout::Strut`.
struct Strut {
    // Weights w of the four particles.
    weights: vec4<f32>,
    // Unit normal n towards the first side. w: κ, spring constant times (γh)², kg.
    normal: vec4<f32>,
    // Change of its impulse on the first side since the last gathering, N·s. w: friction coefficient a, kg.
    push: vec4<f32>,
    // Gap τ that it aims at, m.
    goal: f32,
    // Thickness of the pair, m.
    thickness: f32,
    // Effective mass 1/Σ(w²/m), kg.
    mass: f32,
    // Coulomb's coefficient μ.
    friction: f32,
}

// Words of `states`, one per pair: a state, and the number of its changes in this step above STATE_BITS.
const STRUT_NONE: u32 = 0u;
const STRUT_OFF: u32 = 1u;
const STRUT_ON: u32 = 2u;
const STATE_BITS: u32 = 4u;

// Part of the thickness by which a gap may miss its goal before a strut changes state.
const STRUT_SLACK: f32 = 1e-4;

// Largest number of struts of a pair. The first struts of all pairs come first in `struts`, `states` and `pulls`, then the second ones, and so on.
const MOST_STRUTS: u32 = 3u;

fn state_of(word: u32) -> u32 {
    return word & 3u;
}

// (κ n nᵀ + a (I - n nᵀ)) y
fn pull_of(normal: vec4<f32>, drag: f32, y: vec3<f32>) -> vec3<f32> {
    let along = dot(normal.xyz, y) * normal.xyz;
    return normal.w * along + drag * (y - along);
}

// Impulse n J - a U_t, N·s.
fn impulse_of(strut: Strut, missing: f32, stage_step: f32, slip: vec3<f32>) -> vec3<f32> {
    let across = slip - dot(strut.normal.xyz, slip) * strut.normal.xyz;
    return strut.normal.w / stage_step * missing * strut.normal.xyz - strut.push.w * across;
}
