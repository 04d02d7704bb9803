// When kernels of a contact pass have something to do. The importing kernel binds `status`.
#import shared/params
#import shared/status

// True in steps without line search, which have a fixed number of passes.
override FIXED_PASSES: bool = false;

// After a solve: whether a pass begins. Kernels that sum over a workgroup bind the status as uniform, or read it in this condition alone, so that an early return never
// splits a workgroup before its barriers.
fn pass_begins(group: vec3<u32>) -> bool {
    if in_turn(status.cg.outcome, group) == OUTCOME_NON_FINITE {
        return false;
    }
    if FIXED_PASSES {
        return in_turn(status.cg.newton_done, group) == 0u;
    }
    return in_turn(status.search.mode, group) == MODE_SOLVING && in_turn(status.cg.done, group) != 0u
        && in_turn(status.search.passes, group) < most_passes(params.contact_passes, in_turn(status.cg.loose, group));
}

// After the decision on a pass: whether it has revised contacts and struts.
fn pass_has_revised(group: vec3<u32>) -> bool {
    if FIXED_PASSES {
        return in_turn(status.cg.newton_done, group) == 0u;
    }
    return in_turn(status.search.revised, group) != 0u;
}
