//! A few runs of the storm, `examples/storm.rs`: ordinary scenes with default options.

use tenter::{
    Backend,
    internals::bench::storm::{self, Row},
};

/// Runs of the sample.
const RUNS: usize = 5;

/// The first runs of the draw at 32×32 in steps of 10 ms and more.
#[test]
fn a_sample_of_the_storm_has_no_faults() {
    let drawn = storm::draw(storm::COUNT, storm::SEED);
    let small = drawn.iter().enumerate().filter(|(_, drawn)| drawn.resolution() == 32 && drawn.time_step() > 0.005);
    println!("{}", storm::head());
    let rows: Vec<Row> = small
        .take(RUNS)
        .map(|(index, combination)| {
            let row = storm::run(&Backend::Cpu, index, combination, false);
            println!("{row}");
            row
        })
        .collect();
    assert_eq!(rows.len(), RUNS);
    let faulty: Vec<String> = rows.iter().filter(|row| !row.faults().is_empty()).map(Row::to_string).collect();
    assert!(faulty.is_empty(), "{faulty:#?}");
}
