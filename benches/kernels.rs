//! Kernel by kernel, on the GPU and in f64: `cargo bench --bench kernels`. Whole steps are `tenter bench`.

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use std::time::Duration;
use tenter::{
    Error, Gpu,
    internals::{
        bench::{
            self,
            copy::CopyBench,
            kernels::{Kernel, KernelBench},
            workload::hanging_cloth,
        },
        reference::{CgState, Parameters, State, assembly, integrate, solve},
        topology::Topology,
    },
};

const SIZES: [u32; 2] = [64, 128];

/// Most repeats asked for at once: their number is a `u32`.
fn repeats(iterations: u64) -> u32 {
    u32::try_from(iterations).unwrap_or(u32::MAX)
}

fn kernels(criterion: &mut Criterion) {
    if let Err(error) = time_kernels(criterion) {
        eprintln!("kernels: not timed: {error}");
    }
}

fn time_kernels(criterion: &mut Criterion) -> Result<(), Error> {
    let gpu = Gpu::headless()?;
    let mut group = criterion.benchmark_group("kernels");
    let mut failure = None;
    let mut keep = |result: Result<Duration, Error>| {
        result.unwrap_or_else(|error| {
            failure.get_or_insert(error);
            // Criterion wants to see time pass.
            Duration::from_secs(1)
        })
    };
    for size in SIZES {
        let workload = hanging_cloth(size);
        let mut bench = KernelBench::new(&gpu, &workload)?;
        for kernel in Kernel::ALL {
            group.bench_function(BenchmarkId::new(kernel.name(), &workload.name), |bencher| {
                bencher.iter_custom(|iterations| keep(bench.time(kernel, repeats(iterations))));
            });
        }
    }
    let mut copy = CopyBench::yardstick(&gpu)?;
    group.bench_function("copy/1Mi", |bencher| {
        bencher.iter_custom(|iterations| keep(copy.time(repeats(iterations))));
    });
    group.finish();
    failure.map_or(Ok(()), Err)
}

/// Forces and matrix of every model, and whole iterations, on the same cloth: compare with `force-linear` and `bend-none`.
fn forces(criterion: &mut Criterion) {
    if let Err(error) = time_forces(criterion) {
        eprintln!("forces: not timed: {error}");
    }
}

fn time_forces(criterion: &mut Criterion) -> Result<(), Error> {
    let gpu = Gpu::headless()?;
    let mut group = criterion.benchmark_group("forces");
    let mut failure = None;
    for workload in bench::forces::all() {
        let mut bench = KernelBench::new(&gpu, &workload)?;
        for kernel in [Kernel::Assembly, Kernel::Iteration] {
            group.bench_function(BenchmarkId::new(kernel.name(), &workload.name), |bencher| {
                bencher.iter_custom(|iterations| {
                    bench.time(kernel, repeats(iterations)).unwrap_or_else(|error| {
                        failure.get_or_insert(error);
                        Duration::from_secs(1)
                    })
                });
            });
        }
    }
    group.finish();
    failure.map_or(Ok(()), Err)
}

fn reference(criterion: &mut Criterion) {
    if let Err(error) = time_reference(criterion) {
        eprintln!("reference: not timed: {error}");
    }
}

fn time_reference(criterion: &mut Criterion) -> Result<(), Error> {
    let mut group = criterion.benchmark_group("reference");
    for size in SIZES {
        let workload = hanging_cloth(size);
        let topology = Topology::build(&workload.scene, &workload.options)?;
        let parameters = Parameters::new(&workload.options, workload.scene.gravity.as_dvec3());
        let mut assembled = State::new(&topology, &parameters);
        integrate::begin(&topology, &topology.constraints, &parameters, &mut assembled);
        assembly::edges(&topology, &parameters, 0, &mut assembled);
        let mut begun = assembled.clone();
        let mut cg = CgState::default();
        solve::precondition(&topology, &topology.constraints, &parameters, &mut begun, &mut cg);

        let twin = |kernel: Kernel, state: &mut State| match kernel {
            Kernel::Assembly => assembly::edges(&topology, &parameters, 0, state),
            Kernel::Precondition => {
                solve::precondition(&topology, &topology.constraints, &parameters, state, &mut CgState::default());
            }
            Kernel::Iteration => {
                let (gamma, delta) = solve::spmv(&topology, state);
                let (next, beta) =
                    solve::advance(&parameters, cg, solve::Sums { gamma, product: gamma, delta, coarse: false });
                solve::update(state, next.alpha, beta);
            }
            Kernel::Euler => {
                std::hint::black_box(integrate::stage(state));
            }
        };
        for kernel in Kernel::ALL {
            let start = if kernel == Kernel::Precondition { &assembled } else { &begun };
            group.bench_function(BenchmarkId::new(kernel.name(), &workload.name), |bencher| {
                bencher.iter_batched_ref(|| start.clone(), |state| twin(kernel, state), BatchSize::LargeInput);
            });
        }
    }
    group.finish();
    Ok(())
}

fn short() -> Criterion {
    let criterion = Criterion::default().sample_size(10);
    criterion.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1))
}

criterion_group! { name = benches; config = short(); targets = kernels, forces, reference }
criterion_main!(benches);
