// The γ at which a solve of the safe step has reached the tolerance of the step, but at least LEAST_FALL of its own start: in f32 the rest is rounding.
#import shared/params
#import shared/status

const LEAST_FALL: f32 = 1e-12;

fn tight_goal(cg: CgState) -> f32 {
    return goal_within(cg, params.tolerance_squared);
}

// That of another squared tolerance.
fn goal_within(cg: CgState, tolerance_squared: f32) -> f32 {
    return max(max(tolerance_squared * cg.newton_reference, cg.floor), LEAST_FALL * cg.reference);
}
