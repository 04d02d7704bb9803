//! `tenter run`: simulates a scene and writes frames, measurements and pictures.

use super::{
    camera::CameraPlace,
    cpu_speed::{self, FirstSteps},
    failure::Failure,
    folder::Folder,
    gallery,
    image_size::ImageSize,
    interrupt::Interrupt,
    json, output,
    outputs::{CacheFormat, FrameFormat, Outputs, Wanted},
    progress::Progress,
    resume::{Checkpoint, Earlier},
    still::Colouring,
    summary::{Summary, Totals, repeats_text},
};
use crate::{Backend, Error, Gpu, GpuOptions, Integrator, SceneFile, Simulation, StepRecord, io::Draft};
use clap::{Args, ValueEnum};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

/// Simulate a scene; write frames, measurements and pictures
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArguments {
    /// Scene file (TOML or JSON, see docs/scene-format.md), or the name of a built-in scene, see `tenter scenes`
    scene: String,
    /// Compute on the GPU in f32 or on the CPU in f64 [default: gpu]
    #[arg(long, value_enum)]
    backend: Option<BackendName>,
    /// Use the GPU whose name contains this, see `tenter adapters`
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Folder to write to; files of an earlier run there are replaced [default: out/<name of the scene>]
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Simulate this long, in s, instead of the scene's duration
    #[arg(long, value_name = "S")]
    duration: Option<f64>,
    /// Use steps of this length, in s, instead of the scene's
    #[arg(long, value_name = "S")]
    time_step: Option<f64>,
    /// Use this integrator instead of the scene's
    #[arg(long, value_name = "NAME", value_parser = Integrator::ALL.map(Integrator::name))]
    integrator: Option<String>,
    /// Formats of the frames, separated by commas [default: those of the scene, or obj]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORMATS")]
    frames: Vec<FrameFormat>,
    /// Write all frames to one file too: frames.pc2, .mdd or .glb; several are separated by commas. Neither these nor --gif go on with --resume
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORMATS")]
    cache: Vec<CacheFormat>,
    /// Write all frames as an animated picture
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Path of the picture of the final state [default: last.png in the output folder]
    #[arg(long, value_name = "FILE")]
    image: Option<PathBuf>,
    /// Size of pictures in pixels [default: 1280x960; 640x480 for --gif]
    #[arg(long, value_name = "WxH")]
    image_size: Option<ImageSize>,
    /// Quantity that the colours of pictures show
    #[arg(long, value_enum, value_name = "WHAT")]
    colour: Option<Colouring>,
    /// Eye of pictures and the point it looks at, in m [default: everything fits]
    #[arg(long, value_name = "X,Y,Z:X,Y,Z")]
    camera: Option<CameraPlace>,
    /// Write the whole state to this file, to continue with --resume
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Number of steps between two checkpoints
    #[arg(long, value_name = "STEPS", default_value_t = 100, requires = "checkpoint", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Continue from the checkpoint, with the same bits as an uninterrupted run
    #[arg(long, requires = "checkpoint")]
    resume: bool,
    /// Print the summary as one JSON object
    #[arg(long)]
    json: bool,
    /// Print nothing but errors (and JSON, if asked for)
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum BackendName {
    Gpu,
    Cpu,
}

const EXAMPLES: &str = "\
Written to the output folder, each under another name until it is whole:
  frame_0000.obj …  the state at each frame time; the first is the start
  steps.jsonl       a JSON object per step: iterations, residual, energies, strain; contacts with colliders, and
                    \"meeting\" for contact between bodies: pairs near, pairs in contact, particles stopped short
  last.png          a picture of the end

Ctrl-C, SIGTERM and SIGHUP end the run after the frame that is under way; what there is by then is written and whole.
Two runs do not write to one folder: the second is refused. Files replace files, never devices or pipes.

Examples:
  tenter run drape                                             a built-in scene
  tenter run drape --frames png --colour strain                pictures of every frame
  tenter run drape --frames none --cache glb --gif drape.gif   for Blender, and to show around
  tenter run cloth.toml --frames vtu                           for ParaView, with velocity and strain
  tenter run cloth.toml --checkpoint cloth.tenter              and later the same with --resume
  tenter run drape --backend cpu --json | jq .ms_per_step";

/// Runs the command.
pub fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let mut file = gallery::read(&arguments.scene)?;
    if let Some(duration) = arguments.duration {
        file = file.lasting(duration)?;
    }
    if let Some(time_step) = arguments.time_step {
        file = file.stepping(time_step)?;
    }
    let integrator = arguments.integrator.as_deref().and_then(Integrator::from_name);
    if let Some(integrator) = integrator.filter(|integrator| integrator.name() != file.options.integrator.name()) {
        file.options.integrator = integrator;
    }
    file.options.measure = true;
    if let Some(camera) = arguments.camera {
        file.camera = Some(camera.0);
    }
    let backend = match (arguments.backend.unwrap_or(BackendName::Gpu), &arguments.adapter) {
        (BackendName::Gpu, adapter) => {
            Backend::Gpu(Gpu::with_options(GpuOptions { adapter: adapter.clone(), ..Default::default() })?)
        }
        (BackendName::Cpu, None) => Backend::Cpu,
        (BackendName::Cpu, Some(_)) => {
            return Err(Error::Usage("--adapter names a GPU: leave it out with --backend cpu".to_owned()).into());
        }
    };
    let output = arguments.output.clone().unwrap_or_else(|| {
        let stem = Path::new(&arguments.scene).file_stem().unwrap_or("scene".as_ref());
        PathBuf::from("out").join(stem)
    });
    let wanted = Wanted::new(&file, &arguments.frames, &arguments.cache);
    let wanted = Wanted {
        gif: arguments.gif.clone(),
        image: arguments.image.clone(),
        image_size: arguments.image_size,
        colouring: arguments.colour.unwrap_or(wanted.colouring),
        ..wanted
    };
    // All that can be refused is refused before the first file of an earlier run is touched.
    let resumed = match &arguments.checkpoint {
        Some(path) if arguments.resume => Some(Checkpoint::open(path)?),
        _ => None,
    };
    let folder = Folder::claim(&output)?;
    let simulation = match start(&file, backend, arguments, &wanted, resumed) {
        Ok(simulation) => simulation,
        Err(failure) => {
            folder.give_up();
            return Err(failure);
        }
    };
    let earlier = if arguments.resume {
        Earlier::read(&folder, simulation.steps())?
    } else {
        folder.clear()?;
        Earlier::default()
    };
    let first_frame = file.frames_before(&simulation);
    let mut run = Run {
        steps: earlier.continued(&folder)?,
        newest: None,
        progress: Progress::new(file.step_count(), arguments.quiet),
        outputs: Outputs::new(wanted, &file, &simulation, &folder, first_frame)?,
        totals: earlier.totals,
        interrupt: Interrupt::listen(),
        start: Instant::now(),
        first_steps: FirstSteps::default(),
        checkpoint: arguments.checkpoint.clone().map(|path| Checkpoints {
            path,
            every: arguments.every,
            last: simulation.steps(),
        }),
        next_frame: first_frame,
        folder,
        simulation,
        file,
    };
    let result = run.simulate();
    run.progress.end();
    run.finish(result, arguments)
}

/// Builds the simulation, restores its checkpoint, and checks that it can be written what is wanted.
fn start(
    file: &SceneFile,
    backend: Backend,
    arguments: &RunArguments,
    wanted: &Wanted,
    resumed: Option<Checkpoint>,
) -> Result<Simulation, Failure> {
    let mut simulation = file.scene.simulation(backend, file.options.clone())?;
    if let Some(checkpoint) = resumed {
        checkpoint.restore(&mut simulation)?;
        wanted.check_resumed(file.frames_before(&simulation), file)?;
    }
    // These files are begun later: what stands in their way is told now.
    for path in [&arguments.checkpoint, &arguments.image, &arguments.gif].into_iter().flatten() {
        Draft::check(path)?;
    }
    Ok(simulation)
}

/// A run in progress.
struct Run {
    file: SceneFile,
    simulation: Simulation,
    folder: Folder,
    steps: Draft,
    /// Record of the newest step. It is not written yet, because the step may still be repeated.
    newest: Option<StepRecord>,
    outputs: Outputs,
    progress: Progress,
    totals: Totals,
    interrupt: Interrupt,
    start: Instant,
    first_steps: FirstSteps,
    checkpoint: Option<Checkpoints>,
    next_frame: u64,
}

/// Path and interval of checkpoints.
struct Checkpoints {
    path: PathBuf,
    every: u64,
    /// Number of steps at the last checkpoint.
    last: u64,
}

/// Whether the run continues.
#[derive(PartialEq)]
enum Flow {
    On,
    Stop,
}

impl Run {
    /// Makes all steps and writes all frames.
    fn simulate(&mut self) -> Result<(), Error> {
        self.start = Instant::now();
        let result =
            if self.file.options.adaptive.is_some() { self.step_from_frame_to_frame() } else { self.step_through() };
        // Records of steps before a failed one are valid.
        let recorded = self.record().and_then(|()| self.write_newest());
        self.totals.wall_time = self.start.elapsed();
        result.and(recorded)
    }

    /// Makes steps of adaptive length, from frame to frame.
    fn step_from_frame_to_frame(&mut self) -> Result<(), Error> {
        let times: Vec<f64> = self.file.frame_times().skip(self.next_frame as usize).collect();
        for time in times {
            self.simulation.advance_to(time.min(self.file.duration))?;
            if self.after_step(true)? == Flow::Stop {
                return Ok(());
            }
        }
        self.simulation.advance_to(self.file.duration)?;
        self.after_step(false).map(|_| ())
    }

    fn step_through(&mut self) -> Result<(), Error> {
        let frames: Vec<u64> = self.file.frame_steps().skip(self.next_frame as usize).collect();
        let mut frames = frames.into_iter().peekable();
        let mut steps = self.file.steps_before(&self.simulation);
        let mut due = frames.next_if_eq(&steps).is_some();
        while self.after_step(due)? == Flow::On && steps < self.file.step_count() {
            self.simulation.step()?;
            // A step repeated as shorter ones counts once.
            steps += 1;
            due = frames.next_if_eq(&steps).is_some();
        }
        self.simulation.finish().map(|_| ())
    }

    /// Writes records, a checkpoint and a frame between two steps, where they are due.
    fn after_step(&mut self, frame_due: bool) -> Result<Flow, Error> {
        self.record()?;
        self.first_steps.note(self.simulation.steps(), self.start.elapsed().saturating_sub(self.totals.writing));
        self.keep_state(false)?;
        if frame_due && self.outputs.any_frames() {
            // Waiting for the step in flight does not count as writing.
            self.simulation.finish()?;
            let start = Instant::now();
            self.outputs.frame(self.next_frame, &self.file, &mut self.simulation, &self.folder)?;
            self.next_frame += 1;
            self.totals.frames = self.next_frame;
            self.totals.writing += start.elapsed();
        }
        // With frames, the run stops after the current one is finished.
        let stop = self.interrupt.came() && (frame_due || !self.outputs.any_frames());
        Ok(if stop { Flow::Stop } else { Flow::On })
    }

    /// Writes the received records except the newest. A step that ends inside a collider is detected when the next one begins;
    /// shorter steps with the same number then replace it.
    fn record(&mut self) -> Result<(), Error> {
        let records: Vec<StepRecord> = self.simulation.take_records();
        for record in &records {
            if self.newest.is_some_and(|newest| newest.step < record.step) {
                self.write_newest()?;
            }
            self.newest = Some(*record);
        }
        // The number of steps follows from the time, as steps may have any length.
        let steps = (self.totals.simulated / self.file.options.time_step).round() as u64;
        self.progress.show(steps, records.last());
        Ok(())
    }

    /// Writes the record of the newest step, which is final now.
    fn write_newest(&mut self) -> Result<(), Error> {
        let Some(record) = self.newest.take() else { return Ok(()) };
        self.totals.add(&record);
        self.steps.write(|writer| writeln!(writer, "{}", json::line(&json::StepLine::from(&record))))
    }

    /// Writes a checkpoint if one is due, or if `anyway`.
    fn keep_state(&mut self, anyway: bool) -> Result<(), Error> {
        let steps = self.simulation.steps();
        let Some(checkpoint) = &mut self.checkpoint else { return Ok(()) };
        let due = steps >= checkpoint.last + checkpoint.every || (anyway && steps > checkpoint.last);
        if !due {
            return Ok(());
        }
        checkpoint.last = steps;
        let path = checkpoint.path.clone();
        let bytes = self.simulation.checkpoint()?;
        // The records up to this state come first: a run that continues from it takes them from their file.
        self.record()?;
        self.write_newest()?;
        self.steps.write(|writer| writer.flush())?;
        Draft::write_file(&path, |writer| writer.write_all(&bytes))
    }

    /// Writes the picture and the summary at the end of a run, successful or not.
    fn finish(mut self, result: Result<(), Error>, arguments: &RunArguments) -> Result<(), Failure> {
        let interrupted = self.interrupt.came() && self.totals.simulated < self.file.duration * (1.0 - 1e-9);
        let failed = match result {
            Ok(()) => None,
            Err(error @ (Error::NonFinite { .. } | Error::Unstable { .. })) => Some(error),
            Err(error) => {
                // The files written so far are completed if possible.
                let _ = self.steps.finish();
                let _ = self.outputs.finish(&self.folder);
                return Err(Failure::Run(error, None));
            }
        };
        if failed.is_none() {
            self.keep_state(true)?;
        }
        self.steps.finish()?;
        self.outputs.picture(&self.file, &mut self.simulation, &self.folder)?;
        let written = self.outputs.finish(&self.folder)?;
        let checkpoint = self.checkpoint.as_ref().map(|checkpoint| checkpoint.path.as_path());
        let chosen = arguments.backend.is_some() || arguments.adapter.is_some();
        let read = arguments.json || !arguments.quiet;
        let software = self.simulation.gpu().is_some_and(Gpu::is_software);
        let whole = !interrupted && failed.is_none();
        let cpu_speedup = (software && read && !chosen && whole && self.totals.earlier_steps == 0)
            .then(|| cpu_speed::compare(&self.file, &self.first_steps, self.totals.steps))
            .flatten();
        let picture = if written.picture.is_some() { ", and a picture of the last good state" } else { "" };
        let mut summary =
            Summary::new(&self.file, &self.simulation, &self.totals, &self.folder, written, checkpoint, interrupted);
        summary.cpu_speedup = cpu_speedup;
        summary.error = failed.as_ref().map(Error::to_string);
        let printed = if arguments.json {
            output::print(&summary.json())
        } else if !arguments.quiet && failed.is_none() {
            output::print(&summary.text())
        } else {
            Ok(())
        };
        if let Some(error) = failed {
            let Totals { steps, frames, .. } = self.totals;
            let folder = self.folder.path().display();
            let mut note = format!("{steps} steps and {frames} frames before it are in {folder}{picture}");
            let particle = particle_text(&self.file, &mut self.simulation, &error);
            for more in [repeats_text(self.simulation.repeat_report()), particle].into_iter().flatten() {
                note.push_str("; ");
                note.push_str(&more);
            }
            return Err(Failure::Run(error, Some(note)));
        }
        if interrupted {
            return Err(Failure::Interrupted(summary.interruption()));
        }
        printed
    }
}

/// Text about the particle that the error names, or about the fastest one of the last valid state. `None` if the state cannot be
/// read, or nothing moves.
fn particle_text(file: &SceneFile, simulation: &mut Simulation, error: &Error) -> Option<String> {
    if let Error::Unstable { particle: Some(particle), .. } = error {
        return vertex_text(file, *particle as usize).map(|vertex| format!("particle {particle} is {vertex}"));
    }
    let velocities = simulation.velocities().ok()?;
    let speeds = velocities.iter().map(|velocity| velocity.as_dvec3().length()).enumerate();
    let (particle, speed) = speeds.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, speed)| *speed > 0.0)?;
    let vertex = vertex_text(file, particle)?;
    Some(format!("the fastest particle is then {particle}, {vertex}, at {speed:.3e} m/s"))
}

/// Body and vertex of a particle in the scene file.
fn vertex_text(file: &SceneFile, particle: usize) -> Option<String> {
    let mut vertex = particle;
    for (body, name) in file.scene.bodies.iter().zip(&file.names) {
        let count = body.mesh.positions.len();
        if vertex < count {
            return Some(format!("vertex {vertex} of {name:?}"));
        }
        vertex -= count;
    }
    None
}
