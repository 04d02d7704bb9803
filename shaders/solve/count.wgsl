// Counts the iterations of a solve that has ended. The importing kernel binds `status`; one thread calls it.
#import shared/status

fn count_iterations() {
    status.iterations += status.cg.iteration;
    if status.cg.resumed == 0u {
        status.most_iterations = max(status.most_iterations, status.cg.iteration);
    } else {
        status.later_iterations = max(status.later_iterations, status.cg.iteration);
    }
    status.cg.iteration = 0u;
}

// Adds a solve of a safe step that has ended to the profile of the step, one word per line-search point: 16 bits for the iterations of the first solve after the
// previous point, above them 6 bits for the number of solves resumed after contacts had changed, and 10 bits for their iterations. Points beyond the last word share it.
fn note_solve() {
    let place = min(status.search.searches, 15u);
    let word = status.search.profile[place / 4u][place % 4u];
    let iterations = status.cg.iteration;
    let is_first = status.search.passes == 0u;
    let first = max(word & 0xffffu, select(0u, min(iterations, 0xffffu), is_first));
    let later = min(((word >> 16u) & 0x3fu) + select(1u, 0u, is_first), 0x3fu);
    let later_iterations = min((word >> 22u) + select(iterations, 0u, is_first), 0x3ffu);
    status.search.profile[place / 4u][place % 4u] = first | (later << 16u) | (later_iterations << 22u);
}
