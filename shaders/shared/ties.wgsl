// Groups of tied particles. The first `tie_count` words of `ties` are the index of each group's first row, one more word is the
// end of the last. The first row of a group is its master, which has the constraint and, in a solve, the residual of the group.
// The importing kernel binds `ties`.

struct TieGroup {
    master: u32,
    // Range in `ties` of the rows other than the master.
    first: u32,
    end: u32,
}

fn tie_group(ix: u32) -> TieGroup {
    return TieGroup(ties[ties[ix]], ties[ix] + 1u, ties[ix + 1u]);
}
