// Whether Jacobians are clamped. It is known when a pipeline is made, so that compilers leave out what the other Jacobian needs.
#import shared/params

// 0: exact, 1: clamped, 2: as the flag says.
override CLAMPED: u32 = 2u;

fn is_clamped() -> bool {
    var clamped = (params.flags & FLAG_CLAMP) != 0u;
    if CLAMPED < 2u {
        clamped = CLAMPED == 1u;
    }
    return clamped;
}
