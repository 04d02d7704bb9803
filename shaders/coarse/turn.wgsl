// When the coarse matrix is built: with each linearisation, and after each contact pass that has changed the state of a contact.
#import shared/params
#import shared/status

// True in the dispatches after a contact pass.
override AFTER_PASS: bool = false;

fn builds(status: Status) -> bool {
    if AFTER_PASS && (params.flags & FLAG_SAFE) != 0u {
        return status.search.action == ACTION_RESUME && status.search.flips > 0u && status.cg.done == 0u;
    }
    return status.cg.newton_done == 0u && (!AFTER_PASS || status.cg.done == 0u);
}
