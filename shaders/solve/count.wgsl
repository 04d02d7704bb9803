// Counts the iterations of the solve that has ended. The importing kernel binds `status`; one thread calls it.
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
