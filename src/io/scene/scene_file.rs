//! A scene as a file: what `tenter run` reads.

use super::{
    air, body, collider,
    document::{Document, SyntaxError},
    force, pin, simulation, tie,
};
use crate::{Error, Options, Scene, Simulation};
use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 64 << 20;

/// A scene from a TOML file, checked, with how to simulate it and for how long.
///
/// Keys that are not listed here are errors. Units are SI; vectors are `[x, y, z]`, y up; `*` marks what has to be there.
///
/// | Table | Key | |
/// |---|---|---|
/// | `[simulation]` | `time_step` | s; default 0.01 |
/// | | `duration` | s; default 3 |
/// | | `gravity` | m/s²; default `[0, -9.81, 0]` |
/// | | `frame_rate` | frames to write per simulated second, at most one per step; default 30 |
/// | | `integrator` | `"implicit-euler"` (default), `"bdf2"`, `"implicit-midpoint"`, `"theta"`, `"imex-euler"`, `"imex-midpoint"`, `"sbdf2"`, `"explicit-euler"`, `"symplectic-euler"`, `"verlet"`, `"velocity-verlet"`, `"leap-frog"`, `"beeman"`, `"heun"`, `"rk2"` or `"rk4"`, see [`Integrator`](crate::Integrator) |
/// | | `theta` | of `"theta"`, above 0 and at most 1; default 0.5 |
/// | | `clamp`, `max_substeps` | as in [`Options`] |
/// | `[adaptive]` | | steps of fixed length unless the table is there, which may be empty: see [`Adaptive`](crate::Adaptive). Frames are then written at their exact times |
/// | | `smallest`, `largest` | s; default 1e-5 and 1/30 |
/// | | `tolerance` | m; default 1e-4 |
/// | | `control` | `"error"` (default) or `"iterations"` |
/// | | `few` *, `many` * | of `"iterations"` |
/// | `[rayleigh]` | `mass`, `stiffness` | damping of the whole scene, 1/s and s, as in [`Rayleigh`](crate::Rayleigh); default 0 |
/// | `[solver]` | `tolerance`, `max_iterations` | as in [`SolverOptions`](crate::SolverOptions) |
/// | | `preconditioner` | `"block-jacobi"` (default) or `"jacobi"` |
/// | | `budget` | `"adaptive"` (default) or `"full"` |
/// | `[newton]` | | off unless the table is there, which may be empty |
/// | | `tolerance`, `max_linearisations` | as in [`NewtonOptions`](crate::NewtonOptions) |
/// | `[[body]]` * | `name` | unique; default `body0`, `body1`, … |
/// | | `velocity` | at the start, m/s; default 0 |
/// | | `waviness` | of a grid: start in waves out of its plane, this high, m; default 0 |
/// | | `gather` | of a grid: start in folds that shorten its rows to this part of their length; default 1 |
/// | `[body.mesh]` * | `kind` * | `"grid"`, `"chain"` or `"block"` (of tetrahedra) |
/// | | `width` *, `depth` * | of a grid, along x and z, m |
/// | | `columns` *, `rows` * | of a grid, in vertices, along x and z |
/// | | `size` *, `counts` * | of a block, along x, y and z: m, and vertices |
/// | | `position` | of the centre of a grid or block, m; default 0 |
/// | | `rotation` | of a grid or block, degrees about the x-axis, then y, then z; default 0 |
/// | | `from` *, `to` * | ends of a chain, m |
/// | | `count` * | vertices of a chain |
/// | `[body.material]` * | `preset` | a name out of [`presets`](crate::scene::presets), such as `"cotton"`; what else stands in the table changes it, key by key |
/// | | `density`, `volume_density`, `line_density` or `mass` | kg/m² of triangles, kg/m³ of tetrahedra, kg/m of wires, or kg in all; one of them unless there is a preset |
/// | | `structural`, `shear`, `crossover` | springs, see [`Material`](crate::Material); default none |
/// | `[body.material.structural]`, … | `law` | `"linear"` (default), `"stvk"`, `"cubic"`, `"tension-only"`, `"buckling"` or `"distance"`, see [`SpringLaw`](crate::SpringLaw) |
/// | | `stiffness` * | N/m; of a distance N·m; of a linear spring 0 if left out; not of buckling |
/// | | `stretched` *, `compressed` * | of a cubic, as in [`Cubic`](crate::Cubic), N/m |
/// | | `stretch`, `compression`, `jacobian_damping` | of a cubic, likewise; default 1.1, 0.9, 0.99 |
/// | | `coefficients` | of a cubic, `[a, b, c, d]` in place of all these but `jacobian_damping` |
/// | | `bending_stiffness` *, `compression` * | of buckling, N·m² and N/m |
/// | | `damping`, `drag` | along the spring and along the relative velocity, N·s/m; default 0 |
/// | | `plasticity` | `{ yield = strain, maximum = strain, creep = 1/s }`, see [`Plasticity`](crate::Plasticity) |
/// | | `viscoelastic` | `[{ stiffness = N/m, damping = N·s/m }, …]`: up to three Kelvin–Voigt elements in series with a linear spring |
/// | `[body.material.area]` | `stiffness` * | of every triangle's area, k_A, N·m: see [`Area`](crate::Area) |
/// | | `damping` | of its rate, N·m·s; default 0 |
/// | `[body.material.volume]` | `stiffness` *, `damping` | of every tetrahedron's volume, k_V, N·m and N·m·s: see [`Volume`](crate::Volume) |
/// | `[body.material.shell]` | `stiffness` *, `damping` | of the virtual tetrahedron over every two triangles with a common side, likewise |
/// | `[body.material.membrane]` | `young` *, `poisson` * | the same in all directions: N/m, and a ratio between -1 and 1 |
/// | | `weft` *, `warp` *, `shear` * | in place of these: moduli, N/m: see [`Membrane`](crate::Membrane) |
/// | | `contraction` | with them, N/m, at most √(weft · warp); default 0 |
/// | | `viscous_time` | s; default 0 |
/// | | `weft_direction` | in the mesh as it is placed; default `[1, 0, 0]` |
/// | `[body.material.bending]` | `modulus` * | N·m: see [`Bending`](crate::Bending) |
/// | | `weft` *, `warp` * | in place of it: for curvature along each, N·m |
/// | | `weft_direction` | in the mesh as it is placed; default `[1, 0, 0]` |
/// | | `model` | `"linear"` (default), `"linear-printed"` or `"dihedral"`, see [`BendingModel`](crate::BendingModel) |
/// | | `normalisation` | `"calibrated"` (default) or `"printed"`, see [`Normalisation`](crate::Normalisation) |
/// | | `rest` | `"flat"` (default), `"mesh"`, or a curvature across every edge, 1/m |
/// | | `hardening` | m², not of `"dihedral"`; default 0 |
/// | | `viscosity` | N·m·s; default 0 |
/// | `[body.material.weave]` | `weft` *, `warp` * | of a grid: modulus along rows and columns, N/m, or a table of a spring as above, whose `stiffness` is then N/m of modulus and whose `damping` N·s/m of viscosity: see [`Weave`](crate::Weave) |
/// | | `shear` | modulus, N/m; default 0 |
/// | | `contraction` | N/m, at most √(weft · warp); default 0 |
/// | | `shear_viscosity`, `contraction_viscosity` | N·s/m; default 0 |
/// | | `bending` | `"none"` (default), `"thin-plate"` or `"membrane"` |
/// | | `bending_modulus` * | with bending: N·m for the thin plate, N/m for the membrane |
/// | | `bending_weft` *, `bending_warp` * | in place of it: for curvature along each |
/// | | `bending_viscous_time` | with bending, s; default 0 |
/// | | `printed` | shear and bending as Etzmuß prints them, forces without an energy; default false |
/// | `[[pin]]` | `body` | name or number, counted from 0; not needed if there is only one |
/// | | `vertices` * | `"corners"` (the two far ones), `"far"`, `"near"`, `"left"`, `"right"`, `"all"`, `[0, 5, 9]`, or what lies at rest in `{ low = [x, y, z], high = [x, y, z] }` |
/// | | `free` | `{ line = [x, y, z] }`, of this direction, or `{ plane = [x, y, z] }`, with this normal: where the vertices may still go; default nowhere |
/// | | `path` | `[{ time = s, offset = [x, y, z] }, …]`: how far the vertices are led from their start, m, on straight lines; at rest before and after |
/// | | `until` | when they are let go, s; default never |
/// | `[[force]]` | `body`, `vertices` * | as of a pin |
/// | | `force` * | on each of them, N |
/// | `[[collider]]` | `shape` * | `"plane"`, `"sphere"`, `"box"`, `"capsule"` or `"cylinder"`: what cloth meets, see [`Collider`](crate::Collider) |
/// | | `point` *, `normal` * | of a plane: everything below it is solid; m |
/// | | `centre` * | of the others, m |
/// | | `radius` * | of a sphere, capsule or cylinder, m |
/// | | `half` * or `size` * | of a box: half its sides, or its sides, m |
/// | | `half_length` * | of a capsule or cylinder, from its centre to that of an end, along y before it is turned, m |
/// | | `from` *, `to` * | in place of `centre`, `half_length` and `rotation`: the centres of its ends, m |
/// | | `rotation` | of a box, capsule or cylinder: `{ axis = [x, y, z], degrees = angle }`, or degrees about the x-axis, then y, then z; default none |
/// | | `thickness` | distance that particles keep from the surface, m; default 0.005 |
/// | | `friction` | Coulomb's coefficient; default 0.3 |
/// | | `relaxation` | part of its way that a particle too deep is moved out in a step; default 0.2 |
/// | | `frames` | `[{ time = s, position = [x, y, z], rotation = … }, …]` in place of where it is: where its centre is, or of a plane a point, and how it is turned, a plane from one with normal y; at rest before and after |
/// | | `mass` | kg: makes it a rigid body, that gravity and cloth move |
/// | | `velocity`, `angular_velocity` | of one, at the start, m/s and rad/s; default 0 |
/// | `[[tie]]` | `first` *, `second` * | `{ body = …, vertices = … }`, as of a pin: as many vertices each, which are one from the start, pair by pair in ascending order |
/// | `[[seam]]` | `first` *, `second` * | likewise: drawn together, and one as soon as they are near; a list in its own order, see [`Seam`](crate::Seam) |
/// | | `stiffness`, `damping` | of the thread between two vertices, N/m and N·s/m; default 5 and 0.5 |
/// | | `distance` | nearer than this they become one, m; default 0.002 |
/// | | `weightless` | no gravity until this seam is closed; default false |
/// | `[[attach]]` | `body`, `vertices` *, `until` | as of a pin |
/// | | `collider` * | which they follow, counted from 0; not a rigid body |
/// | `[air]` | | a vacuum unless the table is there: see [`Air`](crate::Air) |
/// | | `wind` | pressure, N/m²; default 0 |
/// | | `steady` | how much of it is always there; default 1 |
/// | | `angular_velocity` | of the part that swings, rad/s; default 0, which does not swing |
/// | | `drag`, `lift` | share of the pressure along and across the normal that is felt; default 1 and 0.1 |
/// | | `resistance` | to motion through the air, N·s/m³; default 0 |
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
    pub scene: Scene,
    /// How to simulate.
    pub options: Options,
    /// How long to simulate, s.
    pub duration: f64,
    /// Frames to write per simulated second.
    pub frame_rate: f64,
    /// What the bodies are called, each differently.
    pub names: Vec<String>,
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
            Err(error) => Err(refuse(path, Document::parse_bytes(&bytes, error.valid_up_to()))),
        }
    }

    /// Reads and checks the text of a file; its path is for the errors only.
    pub fn parse(text: &str, path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let document = Document::parse(text).map_err(|error| refuse(path, error))?;
        Self::build(&document).map_err(|error| match error {
            Error::Scene { field, message } => {
                Error::File { path: path.to_owned(), line: Some(document.line_of(&field)), field, message }
            }
            other => other,
        })
    }

    fn build(document: &Document<'_>) -> Result<Self, Error> {
        let root = document.root();
        root.only(&[
            "simulation",
            "adaptive",
            "rayleigh",
            "solver",
            "newton",
            "air",
            "body",
            "pin",
            "force",
            "collider",
            "tie",
            "seam",
            "attach",
        ])?;
        let (options, schedule) = simulation::read(&root)?;
        let mut scene = Scene { gravity: schedule.gravity, air: air::read(&root)?, ..Default::default() };
        let names = body::read(&root, &mut scene)?;
        pin::read(&root, &names, &mut scene)?;
        force::read(&root, &names, &mut scene)?;
        collider::read(&root, &mut scene)?;
        tie::read(&root, &names, &mut scene)?;
        // What each value may be is the library's to say, of colliders too: its fields are those of the file.
        Simulation::check(&scene, &options)?;
        Ok(Self { scene, options, duration: schedule.duration, frame_rate: schedule.frame_rate, names })
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
        Simulation::check(&self.scene, &options)?;
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
