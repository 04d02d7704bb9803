//! A scene as a file: what `tenter run` reads.

use super::{
    air::{self, AIR},
    body::{self, BODY, Bodies},
    collider::{self, COLLIDERS},
    document::{Document, SyntaxError},
    force::{self, FORCE},
    format::{Field, Kind, Section},
    nonlinear::{NEWTON, SAFE},
    picture::{self, CAMERA, CameraTable, OUTPUT, OutputTable},
    pin::{self, PIN},
    simulation::{self, ADAPTIVE, RAYLEIGH, SIMULATION, SOLVER},
    syntax::Syntax,
    tie::{self, ATTACH, SEAM, TIE},
};
use crate::{Error, Options, PreparedScene, Scene, Simulation};
use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

/// Everything that can stand in a file.
pub const ROOT: Section = Section {
    title: "The whole file",
    text: "Tables in any order. At least one body.",
    groups: &[&[
        Field::optional(
            "simulation",
            Kind::Table(&[&SIMULATION]),
            "as below",
            "{ duration = 1.0 }",
            "how to simulate, and for how long",
        ),
        Field::optional(
            "adaptive",
            Kind::Table(&[&ADAPTIVE]),
            "fixed steps",
            "{ }",
            "steps as long as the error allows",
        ),
        Field::optional("rayleigh", Kind::Table(&[&RAYLEIGH]), "none", "{ mass = 0.1 }", "damping of the whole scene"),
        Field::optional("solver", Kind::Table(&[&SOLVER]), "as below", "{ tolerance = 1e-3 }", "the linear solver"),
        Field::optional("safe", Kind::Table(&[&SAFE]), "as below", "{ tolerance = 1e-3 }", "the safe step"),
        Field::optional("newton", Kind::Table(&[&NEWTON]), "the safe step", "{ }", "Newton's method")
            .without(&["safe"]),
        Field::optional("air", Kind::Table(&[&AIR]), "a vacuum", "{ wind = [1, 0, 0] }", "wind and air resistance"),
        Field::optional(
            "camera",
            Kind::Table(&[&CAMERA]),
            "everything fits",
            "{ eye = [0, 1, 3], target = [0, 0, 0] }",
            "where pictures are taken from",
        ),
        Field::optional("output", Kind::Table(&[&OUTPUT]), "as below", "{ frames = [\"ply\"] }", "what is written"),
        Field::required(
            "body",
            Kind::Tables(&[&BODY]),
            "[{ mesh = { kind = \"grid\", width = 1.0, depth = 1.0, columns = 8, rows = 8 }, material = { preset = \"cotton\" } }]",
            "what moves",
        ),
        Field::optional("pin", Kind::Tables(&[&PIN]), "none", "[{ vertices = \"corners\" }]", "what is held"),
        Field::optional(
            "force",
            Kind::Tables(&[&FORCE]),
            "none",
            "[{ vertices = [0], force = [0, 1, 0] }]",
            "what is pushed",
        ),
        Field::optional(
            "collider",
            Kind::Tables(COLLIDERS),
            "none",
            "[{ shape = \"sphere\", centre = [0, -1, 0], radius = 0.3 }]",
            "what is met",
        ),
        Field::optional(
            "tie",
            Kind::Tables(&[&TIE]),
            "none",
            "[{ first = { vertices = [0] }, second = { vertices = [7] } }]",
            "vertices that are one",
        ),
        Field::optional(
            "seam",
            Kind::Tables(&[&SEAM]),
            "none",
            "[{ first = { vertices = [0] }, second = { vertices = [7] } }]",
            "vertices that become one",
        ),
        Field::optional(
            "attach",
            Kind::Tables(&[&ATTACH]),
            "none",
            "[{ vertices = \"corners\", collider = 0 }]",
            "vertices that follow a collider",
        )
        .with(&["collider"]),
    ]],
};

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 64 << 20;

/// A scene from a TOML or JSON file, checked, with how to simulate it and for how long.
///
/// Every table and key is in `docs/scene-format.md`, which [`scene_format_page`](crate::io::scene_format_page) makes.
///
/// ```
/// # fn main() -> Result<(), tenter::Error> {
/// let text = r#"
///     [simulation]
///     duration = 2.0
///
///     [[body]]
///     name = "cloth"
///     mesh = { kind = "grid", width = 1.0, depth = 1.0, columns = 32, rows = 32 }
///     material = { preset = "cotton", density = 0.2 }
///
///     [[pin]]
///     body = "cloth"
///     vertices = "corners"
/// "#;
/// let file = tenter::SceneFile::parse(text, "cloth.toml")?;
/// assert_eq!(file.step_count(), 200);
///
/// let wrong = tenter::SceneFile::parse(&text.replace("0.2", "-1"), "cloth.toml").unwrap_err();
/// assert_eq!(
///     wrong.to_string(),
///     "cloth.toml:8: body[0].material.density: must be positive and finite, not -1"
/// );
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SceneFile {
    /// Bodies, pins, forces, colliders, ties, seams, gravity, air.
    pub scene: PreparedScene,
    /// How to simulate.
    pub options: Options,
    /// How long to simulate, s.
    pub duration: f64,
    /// Frames to write per simulated second.
    pub frame_rate: f64,
    /// What the bodies are called, each differently.
    pub names: Vec<String>,
    /// Where pictures are taken from; `None`: so that everything fits.
    pub camera: Option<CameraTable>,
    /// What a run writes.
    pub output: OutputTable,
    /// What was set right in mesh files: names of bodies, and what.
    pub notes: Vec<(String, String)>,
}

impl SceneFile {
    /// Reads and checks a file. What is wrong in it is an [`Error::File`]; [`Error::Io`] if there is nothing to read.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|source| Error::Io { path: path.to_owned(), source })?;
        if bytes.len() as u64 > MAX_BYTES {
            let message = format!("is larger than {} MiB: not a scene", MAX_BYTES >> 20);
            return Err(Error::File { path: path.to_owned(), line: None, field: String::new(), message });
        }
        match str::from_utf8(&bytes) {
            Ok(text) => Self::parse(text, path),
            Err(error) => Err(refuse(path, Document::parse_bytes(&bytes, error.valid_up_to(), Syntax::of(path)))),
        }
    }

    /// Reads and checks the text of a file: JSON if its path says so, else TOML. The path is for the errors, and files that it names are looked for in its folder.
    pub fn parse(text: &str, path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let document = Document::parse(text, Syntax::of(path)).map_err(|error| refuse(path, error))?;
        Self::build(&document, path.parent().unwrap_or(Path::new(""))).map_err(|error| match error {
            Error::Scene { field, message } => {
                Error::File { path: path.to_owned(), line: Some(document.line_of(&field)), field, message }
            }
            other => other,
        })
    }

    fn build(document: &Document<'_>, folder: &Path) -> Result<Self, Error> {
        let root = document.root();
        root.only(&ROOT)?;
        let (options, schedule) = simulation::read(&root)?;
        let mut scene = Scene { gravity: schedule.gravity, air: air::read(&root)?, ..Default::default() };
        let Bodies { names, notes } = body::read(&root, &mut scene, folder)?;
        pin::read(&root, &names, &mut scene)?;
        force::read(&root, &names, &mut scene)?;
        collider::read(&root, &mut scene, folder)?;
        tie::read(&root, &names, &mut scene)?;
        // What each value may be is the library's to say, of colliders too: its fields are those of the file.
        let scene = PreparedScene::new(scene, &options)?;
        Ok(Self {
            scene,
            options,
            duration: schedule.duration,
            frame_rate: schedule.frame_rate,
            names,
            camera: picture::camera(&root)?,
            output: picture::output(&root)?,
            notes,
        })
    }

    /// The same scene, simulated for another time, s.
    pub fn lasting(self, duration: f64) -> Result<Self, Error> {
        simulation::check_duration(duration, self.options.time_step)
            .map_err(|message| Error::Usage(format!("duration: {message}")))?;
        Ok(Self { duration, ..self })
    }

    /// The same scene in steps of another length, s. At most one frame is written per step.
    pub fn stepping(self, time_step: f64) -> Result<Self, Error> {
        let options = Options { time_step, ..self.options };
        self.scene.check(&options)?;
        simulation::check_duration(self.duration, time_step)
            .map_err(|message| Error::Usage(format!("time step: {message}")))?;
        let most = if options.adaptive.is_some() { f64::INFINITY } else { 1.0 / time_step };
        Ok(Self { options, frame_rate: self.frame_rate.min(most), ..self })
    }

    /// Steps from the start to the end, which the last one reaches or passes.
    pub fn step_count(&self) -> u64 {
        steps_until(self.duration, self.options.time_step).max(1)
    }

    /// When each frame is due where steps are of adaptive length, s: the first at 0, the last at the end or before.
    pub fn frame_times(&self) -> impl Iterator<Item = f64> + '_ {
        let end = self.duration * (1.0 + 1e-9);
        (0..).map(|frame: u64| frame as f64 / self.frame_rate).take_while(move |&time| time <= end)
    }

    /// When a frame is due, s; of steps of fixed length the end of the one that reaches it.
    pub fn frame_time(&self, frame: u64) -> f64 {
        let time = frame as f64 / self.frame_rate;
        if self.options.adaptive.is_some() {
            return time;
        }
        steps_until(time, self.options.time_step) as f64 * self.options.time_step
    }

    /// How many frames were due before the state that a simulation is in.
    pub fn frames_before(&self, simulation: &Simulation) -> u64 {
        if self.options.adaptive.is_some() {
            let now = simulation.time() * (1.0 - 1e-9);
            return self.frame_times().take_while(|&time| time < now).count() as u64;
        }
        let steps = self.steps_before(simulation);
        self.frame_steps().take_while(|&step| step < steps).count() as u64
    }

    /// How many steps of [`Options::time_step`] led to the state that a simulation is in. Shorter ones that were made in place of one that failed count
    /// as that one.
    pub fn steps_before(&self, simulation: &Simulation) -> u64 {
        (simulation.time() / self.options.time_step).round() as u64
    }

    /// After how many steps each frame is due: the first at 0, then always at the step that reaches or passes the frame's time.
    pub fn frame_steps(&self) -> impl Iterator<Item = u64> + '_ {
        let last = self.step_count();
        let step_of = |frame: u64| steps_until(frame as f64 / self.frame_rate, self.options.time_step);
        (0..).map(step_of).take_while(move |&step| step <= last)
    }
}

/// Steps that reach or pass a time; one that falls short of it by rounding only has reached it.
fn steps_until(time: f64, time_step: f64) -> u64 {
    (time / time_step - 1e-6).ceil().max(0.0) as u64
}

fn refuse(path: &Path, SyntaxError { line, field, message }: SyntaxError) -> Error {
    Error::File { path: PathBuf::from(path), line, field, message }
}
