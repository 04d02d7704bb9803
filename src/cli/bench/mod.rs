//! `tenter bench`: fixed workloads, timed beside a copy kernel and the CPU backend.

mod choice;
mod columns;
mod comparison;
mod meetings;
mod plot;
mod report;
mod row;
mod safe;
mod solved;
mod text;

use super::{failure::Failure, json, output, progress::Progress};
use crate::{
    Backend, Error, Gpu, GpuOptions, SolverOptions,
    bench::{
        copy, drape,
        measure::{self, Timing},
        meetings as meeting_scenes, preconditioners, safe_cost,
        workload::{self, Workload},
    },
    io::Draft,
};
use clap::Args;
use comparison::Comparison;
use meetings::MeetingRow;
use report::{ContactTests, FailedRow, Report};
use row::WorkloadRow;
use solved::SolvedRow;
use std::{path::PathBuf, time::Duration};

/// Time fixed workloads on the GPU and the CPU
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArguments {
    /// Run the large workloads too, of up to 1024×1024 particles
    #[arg(long)]
    full: bool,
    /// Compare the safe step with one linearisation instead, on the scenes below, in turn
    #[arg(long, conflicts_with_all = ["plot", "compare", "cpu_large", "seconds"])]
    safe: bool,
    /// Tolerance of one linearisation in the comparison of --safe
    #[arg(long, value_name = "T", default_value_t = SolverOptions::default().tolerance, requires = "safe", value_parser = tolerance)]
    tolerance: f64,
    /// Number of paired runs of each scene in the comparison of --safe
    #[arg(long, value_name = "N", default_value_t = safe_cost::PAIRS, requires = "safe", value_parser = pairs)]
    pairs: usize,
    /// Run only workloads whose name contains one of these
    #[arg(long, value_name = "NAME", num_args = 1..)]
    workload: Vec<String>,
    /// Spend about this long on each workload, in s; large ones take longer if a few steps do, and those solved to a tolerance take as long as their steps
    #[arg(long, value_name = "S", default_value = "8", value_parser = seconds)]
    seconds: Duration,
    /// Use the GPU whose name contains this, see `tenter adapters`
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Do not time the CPU backend
    #[arg(long)]
    no_cpu: bool,
    /// Time the CPU backend on the large workloads too
    #[arg(long, conflicts_with = "no_cpu")]
    cpu_large: bool,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
    /// Write the report as one JSON object to this file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Draw scaling.svg and roofline.svg into this folder
    #[arg(long, value_name = "DIR")]
    plot: Option<PathBuf>,
    /// Compare with a report written by --save
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Workloads:
  w1-N           hanging cloth of N×N particles, 20 iterations a step
  irregular-128  the same as a jittered triangle mesh in random order
  beam-40x10x10  SOFA's spring grid
  cloth-30       30×30 cotton, solved to a tolerance
  w2             cube of 5000 tetrahedra, explicit Verlet
  t1-POINTS      Teschner's table 1: blocks of tetrahedra and shells of growing size, explicit Verlet
  step-METHOD    the cloth of w1-64 with other integrators
  force-MODEL    the cloth of w1-64 with each force model in turn; compare with force-linear
  bend-MODEL     the same for models of bending; compare with bend-none
  solid-MODEL    the cube of w2, implicit, with each model of solids
  drape-N        cloth of N×N particles on a sphere, contacts tested on the CPU between steps
  hang-N         hanging cotton, solved to a tolerance with each preconditioner in turn: a table of its own
  drape-N-solved cloth on a sphere in safe steps, with each preconditioner in turn
  fold-N stack-N twist-N pile-N
                 contact between bodies in safe steps: a table of its own

Scenes of --safe: w1-64 to a tolerance, cotton-64, cotton-128, flag, drape-32, drape-64, drape-128; those of 128×128 with --full

Examples:
  tenter bench
  tenter bench --workload w1-64 w1-128 --seconds 2
  tenter bench --safe --workload drape-64
  tenter bench --full --save new.json --compare old.json --plot out/bench";

/// Largest value of `--seconds`: a day.
const LONGEST: f64 = 86400.0;

fn seconds(text: &str) -> Result<Duration, String> {
    let value = text.parse::<f64>().ok().filter(|value| *value > 0.0 && *value <= LONGEST);
    value.map(Duration::from_secs_f64).ok_or_else(|| format!("not a time above 0 and up to {LONGEST} s"))
}

fn tolerance(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| *value > 0.0 && *value < 1.0);
    value.ok_or_else(|| "not a number between 0 and 1".to_owned())
}

fn pairs(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|pairs| (1..=1000).contains(pairs)).ok_or_else(|| "not a number from 1 to 1000".to_owned())
}

/// Runs the command.
pub fn run(arguments: &BenchArguments) -> Result<(), Failure> {
    if arguments.safe {
        return run_safe(arguments);
    }
    let old = arguments.compare.as_deref().map(Report::read).transpose()?;
    let known = [workload::all(), preconditioners::all(), meeting_scenes::all()].concat();
    let workloads = choice::choose(known, &arguments.workload, arguments.full)?;
    let gpu = open(arguments)?;
    let progress = Progress::of_tasks(workloads.len() as u64);
    let result = time_all(&gpu, &workloads, arguments, &progress);
    progress.end();
    let (mut report, failure) = result?;
    report.comparison = old.map(|old| Comparison::new(&old, &report));
    // Files are written even if nobody reads stdout.
    let printed = output::print(&if arguments.json { json::line(&report) } else { text::report(&report) });
    save(arguments, &report)?;
    if let Some(folder) = &arguments.plot {
        plot::write(folder, &report)?;
    }
    printed?;
    failure.map_or(Ok(()), |(error, name)| Err(Failure::Run(error, Some(format!("{name} was not timed")))))
}

/// Compares the safe step with one linearisation.
fn run_safe(arguments: &BenchArguments) -> Result<(), Failure> {
    let workloads = choice::choose(safe_cost::all(), &arguments.workload, arguments.full)?;
    let gpu = open(arguments)?;
    let progress = Progress::of_tasks(workloads.len() as u64);
    let report = safe::compare_all(&gpu, &workloads, arguments, &progress);
    progress.end();
    let report = report?;
    let printed = output::print(&if arguments.json { json::line(&report) } else { safe::text(&report) });
    save(arguments, &report)?;
    printed
}

fn open(arguments: &BenchArguments) -> Result<Gpu, Error> {
    Gpu::with_options(GpuOptions { adapter: arguments.adapter.clone(), timestamps: true, ..Default::default() })
}

/// Writes the report for `--save`.
fn save(arguments: &BenchArguments, report: &impl serde::Serialize) -> Result<(), Failure> {
    if let Some(path) = &arguments.save {
        let contents = json::line(report) + "\n";
        Draft::write_file(path, |writer| writer.write_all(contents.as_bytes()))?;
    }
    Ok(())
}

/// Times all workloads. A failure, for example for lack of memory, does not stop the others; the last failure is returned.
fn time_all(
    gpu: &Gpu,
    workloads: &[Workload],
    arguments: &BenchArguments,
    progress: &Progress,
) -> Result<(Report, Option<(Error, String)>), Error> {
    progress.next_task(0, "copy kernel");
    let before = copy::time(gpu)?;
    let (mut timed, mut solved, mut meetings, mut failed, mut failure) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), None);
    for (ix, workload) in workloads.iter().enumerate() {
        progress.next_task(ix as u64, &workload.name);
        let result = if preconditioners::compares(&workload.name) {
            compare_preconditioners(gpu, workload, arguments).map(|rows| solved.extend(rows))
        } else if meeting_scenes::meets(workload) {
            time_meeting(gpu, workload, arguments).map(|rows| meetings.extend(rows))
        } else {
            time_one(gpu, workload, arguments).map(|(on_gpu, on_cpu)| timed.push((workload, on_gpu, on_cpu)))
        };
        if let Err(error) = result {
            failed.push(FailedRow { name: workload.name.clone(), error: error.to_string() });
            failure = Some((error, workload.name.clone()));
        }
    }
    progress.next_task(workloads.len() as u64, "copy kernel");
    // If the device has been lost since, the earlier copy time is used.
    let copy = copy::time(gpu).map_or(before, |after| before.best(after));
    let rows =
        timed.iter().map(|(workload, on_gpu, on_cpu)| WorkloadRow::new(workload, on_gpu, on_cpu.as_ref(), &copy));
    let rows: Vec<WorkloadRow> = rows.collect();
    let touching = rows.iter().any(|row| row.contacts > 0.0);
    let contact_tests = if touching { drape::tests_per_second() } else { Vec::new() };
    let contact_tests = contact_tests
        .into_iter()
        .map(|(situation, pairs_per_second)| ContactTests { situation: situation.name().to_owned(), pairs_per_second });
    let contact_tests = contact_tests.collect();
    Ok((Report { rows, solved, meetings, contact_tests, failed, ..Report::new(gpu, &copy) }, failure))
}

/// Reason why a workload is not timed on the CPU backend.
fn cpu_skipped(workload: &Workload, arguments: &BenchArguments) -> Option<&'static str> {
    if arguments.no_cpu {
        Some("--no-cpu")
    } else if workload.large && !arguments.cpu_large {
        Some("large, see --cpu-large")
    } else {
        None
    }
}

/// Solves one workload with each preconditioner, on the GPU and on the CPU.
fn compare_preconditioners(
    gpu: &Gpu,
    workload: &Workload,
    arguments: &BenchArguments,
) -> Result<Vec<SolvedRow>, Error> {
    let steps = preconditioners::steps_of(workload);
    let set_ups = preconditioners::set_up(gpu, workload)?;
    let on_gpu = preconditioners::compare(&gpu.into(), workload, steps)?;
    let on_cpu = match cpu_skipped(workload, arguments) {
        Some(reason) => Err(reason),
        None => Ok(preconditioners::compare(&Backend::Cpu, workload, steps)?),
    };
    Ok(solved::rows(workload, steps, &on_gpu, &set_ups, on_cpu.as_deref().map_err(|reason| *reason)))
}

/// Times contact between bodies on the GPU and on the CPU.
fn time_meeting(gpu: &Gpu, workload: &Workload, arguments: &BenchArguments) -> Result<Vec<MeetingRow>, Error> {
    let steps = meeting_scenes::steps_of(workload);
    let on = |on: &str, backend: &Backend| -> Result<MeetingRow, Error> {
        Ok(MeetingRow::new(workload, on, steps, &meeting_scenes::time(backend, workload, steps)?))
    };
    let mut rows = vec![on("adapter", &gpu.into())?];
    if cpu_skipped(workload, arguments).is_none() {
        rows.push(on("CPU", &Backend::Cpu)?);
    }
    Ok(rows)
}

/// Times one workload on the GPU and on the CPU, or says why not.
fn time_one(
    gpu: &Gpu,
    workload: &Workload,
    arguments: &BenchArguments,
) -> Result<(Timing, Result<Timing, &'static str>), Error> {
    let skipped = cpu_skipped(workload, arguments);
    let limit = if skipped.is_some() { arguments.seconds } else { arguments.seconds / 2 };
    let on_gpu = measure::time(&gpu.into(), workload, limit)?;
    let on_cpu = match skipped {
        Some(reason) => Err(reason),
        None => Ok(measure::time(&Backend::Cpu, workload, limit)?),
    };
    Ok((on_gpu, on_cpu))
}
