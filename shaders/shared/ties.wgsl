// Groups of particles that are one: `tie_count` words say where each group's rows begin in `ties`, one more where the last ends. The first
// row of a group is its master, which has the constraint and, in a solve, the residual of all.
// The importing kernel binds `ties`.

struct TieGroup {
    master: u32,
    // Places of the others in `ties`.
    first: u32,
    end: u32,
}

fn tie_group(ix: u32) -> TieGroup {
    return TieGroup(ties[ties[ix]], ties[ix] + 1u, ties[ix + 1u]);
}
