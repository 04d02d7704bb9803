// When corrections of u = Q r act: where `solve/precondition` has begun or tightened a solve, and after every iteration of one under way. Where u is given, after contacts
// have engaged and in a warm start, the next iteration makes u = Q r first.
#import shared/params
#import shared/status

// True in the dispatches that follow `solve/precondition`.
override AT_START: bool = false;

fn corrects(status: Status) -> bool {
    let given = status.cg.fresh == FRESH_ENGAGE || status.cg.fresh == FRESH_WARM;
    let tightens = (params.flags & FLAG_SAFE) != 0u && status.search.action == ACTION_TIGHTEN;
    return status.cg.done == 0u && !given && (!AT_START || status.cg.newton_done == 0u || tightens);
}
