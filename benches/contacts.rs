//! Particles against colliders, on the CPU: `cargo bench --bench contacts`. The throughput is in pairs of a particle and a collider.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::time::Duration;
use tenter::internals::bench::contacts::{ContactBench, Situation};

const SIZE: u32 = 512;

fn contacts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("contacts");
    for situation in Situation::ALL {
        let bench = ContactBench::new(situation, SIZE);
        group.throughput(Throughput::Elements(bench.pairs() as u64));
        group.bench_function(BenchmarkId::new(situation.name(), SIZE), |bencher| bencher.iter(|| bench.run()));
    }
    group.finish();
}

fn short() -> Criterion {
    let criterion = Criterion::default().sample_size(10);
    criterion.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1))
}

criterion_group! { name = benches; config = short(); targets = contacts }
criterion_main!(benches);
