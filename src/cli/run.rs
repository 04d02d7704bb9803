//! `tenter run`: from a scene file to frames, measurements and a picture.

use super::{
    failure::Failure,
    folder::{self, Folder},
    image_size::ImageSize,
    json, output,
    progress::Progress,
    still,
    summary::{Summary, Totals},
};
use crate::{
    Backend, Error, Gpu, GpuOptions, Integrator, SceneFile, Simulation, StepRecord,
    io::{
        Draft,
        export::{Frame, Part, obj},
    },
};
use clap::{Args, ValueEnum};
use std::{path::PathBuf, time::Instant};

/// Simulate a scene file; write frames, measurements and a picture
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArguments {
    /// Scene file (TOML); scenes/hanging.toml explains the format
    scene: PathBuf,
    /// What to compute on: the GPU in f32, or the CPU in f64
    #[arg(long, value_enum, default_value_t = BackendName::Gpu)]
    backend: BackendName,
    /// Part of the name of the GPU to take, see `tenter adapters`
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Folder to write to; files of an earlier run there are replaced [default: out/<name of the scene file>]
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Simulate this long, in s, whatever the scene says
    #[arg(long, value_name = "S")]
    duration: Option<f64>,
    /// Take steps of this length, in s, whatever the scene says
    #[arg(long, value_name = "S")]
    time_step: Option<f64>,
    /// Take this integrator, whatever the scene says
    #[arg(long, value_name = "NAME", value_parser = Integrator::ALL.map(Integrator::name))]
    integrator: Option<String>,
    /// How to write the frames
    #[arg(long, value_enum, default_value_t = FrameFormat::Obj)]
    frames: FrameFormat,
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x960")]
    image_size: ImageSize,
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

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum FrameFormat {
    /// frame_0000.obj, …: one Wavefront OBJ file per frame
    Obj,
    /// No frames: the state is read back once, at the end
    None,
}

const EXAMPLES: &str = "\
Written to the output folder:
  frame_0000.obj …  the state at each frame time; the first is the start
  steps.jsonl       a JSON object per step: iterations, residual, energies, strain
  last.png          a picture of the end

Examples:
  tenter run scenes/hanging.toml
  tenter run scenes/hanging.toml --output out/cloth --duration 1 --frames none
  tenter run scenes/hanging.toml --backend cpu --json | jq .ms_per_step";

/// Runs the command.
pub fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let mut file = SceneFile::read(&arguments.scene).map_err(Failure::Input)?;
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
    let backend = match (arguments.backend, &arguments.adapter) {
        (BackendName::Gpu, adapter) => {
            Backend::Gpu(Gpu::with_options(GpuOptions { adapter: adapter.clone(), ..Default::default() })?)
        }
        (BackendName::Cpu, None) => Backend::Cpu,
        (BackendName::Cpu, Some(_)) => {
            return Err(Error::Usage("--adapter names a GPU: leave it out with --backend cpu".to_owned()).into());
        }
    };
    let simulation = Simulation::new(backend, &file.scene, file.options.clone())?;
    let output = arguments.output.clone().unwrap_or_else(|| {
        let stem = arguments.scene.file_stem().unwrap_or("scene".as_ref());
        PathBuf::from("out").join(stem)
    });
    let folder = Folder::create(&output)?;
    let mut run = Run {
        steps: folder.draft(folder::STEPS)?,
        progress: Progress::new(file.step_count(), arguments.quiet),
        with_frames: arguments.frames == FrameFormat::Obj,
        totals: Totals::default(),
        folder,
        simulation,
        file,
    };
    let result = run.simulate();
    run.progress.end();
    run.finish(result, arguments)
}

/// A run under way.
struct Run {
    file: SceneFile,
    simulation: Simulation,
    folder: Folder,
    steps: Draft,
    with_frames: bool,
    progress: Progress,
    totals: Totals,
}

impl Run {
    /// All steps and frames.
    fn simulate(&mut self) -> Result<(), Error> {
        let start = Instant::now();
        let result = self.step_through();
        // Records of steps before one that failed are good.
        let recorded = self.record();
        self.totals.wall_time = start.elapsed();
        result.and(recorded)
    }

    /// Steps of adaptive length, from frame to frame.
    fn step_from_frame_to_frame(&mut self) -> Result<(), Error> {
        // Without frames the records still have to come in now and then.
        let times: Vec<f64> = self.file.frame_times().collect();
        for time in times {
            self.simulation.advance_to(time.min(self.file.duration))?;
            self.record()?;
            if self.with_frames {
                self.write_frame()?;
            }
        }
        self.simulation.advance_to(self.file.duration).map(|_| ())
    }

    fn step_through(&mut self) -> Result<(), Error> {
        if self.file.options.adaptive.is_some() {
            return self.step_from_frame_to_frame();
        }
        let frames: Vec<u64> = if self.with_frames { self.file.frame_steps().collect() } else { Vec::new() };
        let mut frames = frames.into_iter().peekable();
        for step in 0..=self.file.step_count() {
            if frames.next_if_eq(&step).is_some() {
                self.write_frame()?;
            }
            if step < self.file.step_count() {
                self.simulation.step()?;
                self.record()?;
            }
        }
        self.simulation.finish().map(|_| ())
    }

    fn write_frame(&mut self) -> Result<(), Error> {
        let time = self.simulation.time();
        let positions = self.simulation.positions()?;
        let start = Instant::now();
        let name = folder::frame_name(self.totals.frames);
        let mut parts = Vec::new();
        let mut first = 0;
        for (body, name) in self.file.scene.bodies.iter().zip(&self.file.names) {
            let end = first + body.mesh.positions.len();
            parts.push(Part {
                name,
                positions: positions.get(first..end).unwrap_or_default(),
                triangles: &body.mesh.triangles,
                wires: &body.mesh.wires,
                ..Default::default()
            });
            first = end;
        }
        self.folder.write(&name, |writer| obj::write(writer, &Frame { time, parts: &parts }))?;
        self.totals.frames += 1;
        self.totals.writing += start.elapsed();
        Ok(())
    }

    /// Writes the records that came in.
    fn record(&mut self) -> Result<(), Error> {
        let records: Vec<StepRecord> = self.simulation.take_records();
        for record in &records {
            self.totals.add(record);
            self.steps.write(|writer| writeln!(writer, "{}", json::line(&json::StepLine::from(record))))?;
        }
        // By time: steps may be of any length.
        let steps = (self.totals.simulated / self.file.options.time_step).round() as u64;
        self.progress.show(steps, records.last());
        Ok(())
    }

    /// What is due at the end, good or bad: the picture, the summary.
    fn finish(mut self, result: Result<(), Error>, arguments: &RunArguments) -> Result<(), Failure> {
        let recorded = self.steps.finish();
        let failed = match result {
            Ok(()) => None,
            Err(error @ (Error::NonFinite { .. } | Error::Unstable { .. })) => Some(error),
            Err(error) => return Err(Failure::Run(error, None)),
        };
        recorded?;
        let size = arguments.image_size;
        self.totals.pictured = still::write(&self.folder, folder::PICTURE, &self.file, &mut self.simulation, size)?;
        if let Some(error) = failed {
            let Totals { steps, frames, .. } = self.totals;
            let note = format!(
                "{steps} steps and {frames} frames before it are in {}, and a picture of the last good state",
                self.folder.path().display()
            );
            return Err(Failure::Run(error, Some(note)));
        }
        let summary = Summary::new(&self.file, &self.simulation, &self.totals, self.folder.path());
        if arguments.json {
            output::print(&summary.json());
        } else if !arguments.quiet {
            output::print(&summary.text());
        }
        Ok(())
    }
}
