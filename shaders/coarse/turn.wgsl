// When the coarse matrix is built: with each linearisation; in safe steps again where a solve that went on without the coarse level is tightened; in other steps after each
// contact pass; the constant matrix of the IMEX schemes once, until the length of the step or a constraint changes.
#import shared/params
#import shared/status

// True in the dispatches after a contact pass.
override AFTER_PASS: bool = false;

// True for the constant matrix of the IMEX schemes.
override CONSTANT_MATRIX: bool = false;

fn builds(status: Status) -> bool {
    if CONSTANT_MATRIX && !AFTER_PASS && status.coarse_step == status.scheme.stage_step {
        return false;
    }
    if status.search.action == ACTION_TIGHTEN && (params.flags & FLAG_SAFE) != 0u {
        return status.cg.coarse == COARSE_AGAIN;
    }
    return status.cg.newton_done == 0u && (!AFTER_PASS || status.cg.done == 0u);
}
