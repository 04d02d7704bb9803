use std::time::Duration;
use tenter::{Backend, Gpu, bench};
fn main() {
    let gpu = Gpu::headless().unwrap();
    let w = if gpu.is_software() { 16 } else { 1024 };
    let c = bench::copy::time(&gpu, w).unwrap();
    println!("{} {:?}", gpu.info().name, c);
    let names: Vec<String> = std::env::args().skip(1).collect();
    for wl in bench::workload::all() {
        if !names.contains(&wl.name) {
            continue;
        }
        let n = wl.scene.particle_count() as f64;
        for (b, be) in [("gpu", Backend::from(&gpu)), ("cpu", Backend::Cpu)] {
            if b == "cpu" && std::env::var("CPU").is_err() {
                continue;
            }
            let t = bench::measure::time(&be, &wl, Duration::from_secs(6)).unwrap();
            println!(
                "{} {b}: {:.3} ms ({:?}) pipelined {:.3} | {:.0} ns/p/it | setup {:.2} | bytes/p/it {} mem/p {} | {:?}",
                wl.name,
                t.ms_per_step,
                t.medians,
                t.ms_per_step_pipelined,
                t.ms_per_step * 1e6 / n / t.iterations,
                t.set_up,
                t.costs.iteration_bytes as f64 / n,
                t.costs.buffer_bytes as f64 / n,
                t.gpu_times
            );
        }
    }
}
