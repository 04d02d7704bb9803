//! `tenter check`: validates a scene and reports its sizes and memory.

use super::{
    failure::Failure,
    gallery, json, output,
    outputs::Wanted,
    proportions::{Bounds, Cells, Proportions, Speed, Thickness},
    warnings,
};
use crate::{
    Error, Footprint, Gpu, LimitUse, Preconditioner, SceneFile, io::Copies, picture::Painter,
    reference::moduli::SolidModuli, topology::SheetResolution,
};
use clap::Args;
use serde::Serialize;
use std::{fmt::Write, path::Path};

/// Check a scene and report its sizes, proportions, memory and limits
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArguments {
    /// Scene file (TOML or JSON), or the name of a built-in scene
    scene: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Nothing is simulated. Sizes of scenes of more than 150 000 generated vertices, or 30 000 of solids, are estimated. Advice is given where a collider is thin or a step long against the cells of a mesh, and where bodies that meet intersect at the start. Limits are compared with those of the GPU that `tenter run` would take, and with what every adapter has that
tenter runs on. Exit code 2 if the scene is not good, or too large for this GPU.

Examples:
  tenter check scenes/drape.toml
  tenter check drape --json | jq .memory";

/// Assumed iterations per step, since the check does not simulate.
const ITERATIONS: u32 = 50;

/// Runs the command.
pub fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let copies = copies(&arguments.scene);
    // The finer copy stands for a scene that is not built itself.
    let file = match &copies {
        Some(copies) => copies.files[1].clone(),
        None => gallery::read(&arguments.scene)?,
    };
    let gpu = match Gpu::headless() {
        Ok(gpu) => Some(gpu),
        Err(Error::NoAdapter) => None,
        Err(error) => return Err(error.into()),
    };
    let undrawn = gpu.as_ref().and_then(|gpu| Painter::check(gpu).err());
    let footprint_of = |file: &SceneFile| file.scene.footprint(&file.options, gpu.as_ref()).map_err(Failure::Input);
    let mut footprint = footprint_of(&file)?;
    if let Some(copies) = &copies {
        let of_copies = [&footprint_of(&copies.files[0])?, &footprint];
        footprint = Footprint::estimated(of_copies, gpu.as_ref(), |first, second| copies.of_scene(first, second));
    }
    let mut report = Report::new(&file, &footprint, gpu.as_ref());
    if let Some(copies) = &copies {
        report.estimate(copies);
    }
    report.no_pictures = undrawn.as_ref().map(Error::to_string);
    output::print(&if arguments.json { json::line(&report) } else { report.text() })?;
    match footprint.limits.iter().find(|limit| limit.share() > 1.0) {
        Some(LimitUse { limit, what, needs, portable, adapter, .. }) => Err(Failure::Input(Error::Limit {
            limit,
            what: format!("buffer {what:?}"),
            needs: *needs,
            gives: adapter.unwrap_or(*portable),
        })),
        // A run would refuse to start.
        None => match undrawn.filter(|_| Wanted::new(&file, &[], &[]).requires_pictures()) {
            Some(error) => Err(error.into()),
            None => Ok(()),
        },
    }
}

/// Coarser copies of a scene file that is so large that building it would take long. What they are warned of is not true of the scene.
fn copies(scene: &str) -> Option<Copies> {
    let level = log::max_level();
    log::set_max_level(level.min(log::LevelFilter::Error));
    let copies = Copies::read(Path::new(scene));
    log::set_max_level(level);
    copies
}

#[derive(Serialize)]
struct Report {
    /// Whether sizes are estimated from coarser copies of the scene. Cells, moduli and advice are left out then.
    estimated: bool,
    /// Name of the adapter; `null` if there is none.
    adapter: Option<String>,
    /// Bounding box of all bodies at the start; `null` without particles.
    bounds: Option<Bounds>,
    bodies: Vec<BodyReport>,
    particles: usize,
    edges: usize,
    elements: usize,
    pins: usize,
    colliders: usize,
    /// Thickness of each collider.
    thicknesses: Vec<Thickness>,
    /// Sentences about problematic proportions.
    advice: Vec<String>,
    integrator: &'static str,
    /// Preconditioner of the solves, never `automatic`; `null` for explicit integrators.
    preconditioner: Option<&'static str>,
    /// Number of unknowns of the coarse level; 0 without one.
    coarse_unknowns: usize,
    /// Whether the first solve of a step begins along the velocity change of the last step.
    warm_start: bool,
    /// Length of a step, s.
    time_step: f64,
    steps: u64,
    frames: u64,
    /// Size of all buffers, bytes.
    memory: u64,
    buffers: Vec<BufferReport>,
    matrix_parts: usize,
    iteration_bytes: u64,
    /// Bytes read and written by a step of `iterations_assumed` iterations.
    step_bytes: u64,
    iterations_assumed: u32,
    /// Reason why the adapter draws no pictures; `null` if it does, or if there is none.
    no_pictures: Option<String>,
    /// Limits of the adapter, the most exhausted first.
    limits: Vec<LimitReport>,
}

#[derive(Serialize)]
struct BodyReport {
    name: String,
    vertices: usize,
    triangles: usize,
    tetrahedra: usize,
    wires: usize,
    /// Vertices of the body's skin.
    skin_vertices: usize,
    /// Lengths of the body's edges; `null` without edges.
    cells: Option<Cells>,
    /// Bending length against cells; `null` without a bending modulus.
    bending: Option<BendingReport>,
    /// Elastic moduli of tetrahedra; `null` without them.
    solid: Option<SolidReport>,
    speed: Speed,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct BendingReport {
    /// Bending length, m.
    length: f64,
    /// Bending length in mean cells.
    cells: f64,
}

#[derive(Serialize)]
struct SolidReport {
    /// Young's modulus, Pa.
    young: f64,
    /// Poisson's ratio.
    poisson: f64,
}

#[derive(Serialize)]
struct BufferReport {
    name: &'static str,
    bytes: u64,
}

#[derive(Serialize)]
struct LimitReport {
    limit: &'static str,
    buffer: &'static str,
    needs: u64,
    portable: u64,
    adapter: Option<u64>,
}

impl Report {
    fn new(file: &SceneFile, footprint: &Footprint, gpu: Option<&Gpu>) -> Self {
        let Proportions { bounds, cells, speeds, thicknesses, mut advice } = Proportions::new(file);
        let gravity = file.scene.gravity.as_dvec3().length();
        let sheets: Vec<_> = file.scene.bodies.iter().map(|body| SheetResolution::of(body, gravity)).collect();
        for (sheet, name) in sheets.iter().zip(&file.names) {
            let warning = sheet.and_then(|sheet| sheet.warning());
            advice.extend(warning.map(|warning| format!("bending of {name:?}: {warning}")));
        }
        advice.extend(warnings::about_intersections(file));
        let body = |(ix, (body, name)): (usize, (&crate::Body, &String))| BodyReport {
            name: name.clone(),
            vertices: body.mesh.positions.len(),
            triangles: body.mesh.triangles.len(),
            tetrahedra: body.mesh.tetrahedra.len(),
            wires: body.mesh.wires.len(),
            skin_vertices: body.skin.as_ref().map_or(0, |skin| skin.positions.len()),
            cells: cells[ix],
            bending: sheets[ix]
                .map(|sheet| BendingReport { length: sheet.bending_length, cells: sheet.bending_length / sheet.cell }),
            // The scene was checked before: its bodies can be built.
            solid: SolidModuli::of(body)
                .ok()
                .flatten()
                .map(|SolidModuli { young, poisson }| SolidReport { young, poisson }),
            speed: speeds[ix],
            notes: file.notes.iter().filter(|(owner, _)| owner == name).map(|(_, note)| note.clone()).collect(),
        };
        let iterations = if file.options.integrator.is_explicit() { 0 } else { ITERATIONS };
        Self {
            estimated: false,
            adapter: gpu.map(|gpu| gpu.info().name.clone()),
            bounds,
            bodies: file.scene.bodies.iter().zip(&file.names).enumerate().map(body).collect(),
            particles: footprint.particles,
            edges: footprint.edges,
            elements: footprint.elements,
            pins: file.scene.pins.len(),
            colliders: file.scene.colliders.len(),
            thicknesses,
            advice,
            integrator: file.options.integrator.name(),
            preconditioner: footprint.preconditioner.map(Preconditioner::name),
            coarse_unknowns: footprint.coarse_unknowns,
            warm_start: footprint.warm_start,
            time_step: file.options.time_step,
            steps: file.step_count(),
            frames: file.frame_times().count() as u64,
            memory: footprint.bytes(),
            buffers: footprint.buffers.iter().map(|&(name, bytes)| BufferReport { name, bytes }).collect(),
            matrix_parts: footprint.parts,
            iteration_bytes: footprint.iteration_bytes,
            step_bytes: footprint.step_bytes(iterations),
            iterations_assumed: iterations,
            no_pictures: None,
            limits: footprint.limits.iter().map(LimitReport::new).collect(),
        }
    }

    /// Puts the sizes of a large scene in place of those of its finer copy, and leaves out what only the scene itself could tell.
    fn estimate(&mut self, copies: &Copies) {
        let [first, second] = &copies.files;
        self.estimated = true;
        self.advice.clear();
        self.thicknesses.iter_mut().for_each(|thickness| thickness.cells.clear());
        let by_body = copies.by_body.iter().zip(first.scene.bodies.iter().zip(&second.scene.bodies));
        for (body, (vertices, (few, more))) in self.bodies.iter_mut().zip(by_body) {
            let Some(vertices) = *vertices else { continue };
            let sizes = [few, more].map(|body| body.mesh.positions.len() as f64);
            let size = |read: fn(&crate::Body) -> usize| {
                let (few, more) = (read(few) as f64, read(more) as f64);
                let slope = if sizes[1] > sizes[0] { (more - few) / (sizes[1] - sizes[0]) } else { 0.0 };
                (more + slope * (vertices as f64 - sizes[1])).max(0.0) as usize
            };
            body.vertices = size(|body| body.mesh.positions.len());
            body.triangles = size(|body| body.mesh.triangles.len());
            body.tetrahedra = size(|body| body.mesh.tetrahedra.len());
            body.wires = size(|body| body.mesh.wires.len());
            (body.cells, body.bending, body.solid) = (None, None, None);
            (body.speed.start_cells, body.speed.fallen_cells) = (None, None);
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<15} {value}");
        };
        for body in &self.bodies {
            let parts = [
                (body.vertices, "vertices"),
                (body.triangles, "triangles"),
                (body.tetrahedra, "tetrahedra"),
                (body.wires, "wires"),
                (body.skin_vertices, "vertices of its skin"),
            ];
            let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
            line("body", format!("{}: {}", body.name, parts.collect::<Vec<_>>().join(", ")));
            if let Some(Cells { mean, smallest }) = body.cells {
                line("", format!("cells of {:.2} mm on average, {:.2} mm at the smallest", 1e3 * mean, 1e3 * smallest));
            }
            if let Some(BendingReport { length, cells }) = body.bending {
                line("", format!("bending length of {:.2} mm, {cells:.2} cells", 1e3 * length));
            }
            if let Some(SolidReport { young, poisson }) = body.solid {
                line(
                    "",
                    format!("Young's modulus of {} under uniform strain, Poisson's ratio {poisson:.2}", pascals(young)),
                );
            }
            line("", body.speed.text());
            body.notes.iter().for_each(|note| line("", note.clone()));
        }
        if self.estimated {
            line(
                "sizes",
                "estimated from coarser copies of the meshes; cells, moduli and advice are left out".to_owned(),
            );
        }
        if let Some(Bounds { low, high, size: [x, y, z] }) = &self.bounds {
            line("bounds", format!("{x:.3} × {y:.3} × {z:.3} m, from {low:.3?} to {high:.3?}"));
        }
        line("particles", self.particles.to_string());
        line("forces", format!("{} edges, {} other elements", self.edges, self.elements));
        line("constraints", format!("{} pins, {} colliders", self.pins, self.colliders));
        for thickness in &self.thicknesses {
            line("thickness", thickness.text(&self.bodies));
        }
        let (h, steps) = (self.time_step, self.steps);
        line("steps", format!("{steps} of {h} s, {}; {} frames", self.integrator, self.frames));
        if let Some(preconditioner) = self.preconditioner {
            let coarse = match self.coarse_unknowns {
                0 => String::new(),
                unknowns => format!(", {unknowns} coarse unknowns"),
            };
            let warm = if self.warm_start { ", warm start" } else { "" };
            line("preconditioner", format!("{preconditioner}{coarse}{warm}"));
        }
        let parts =
            if self.matrix_parts > 1 { format!(", the matrix in {} parts", self.matrix_parts) } else { String::new() };
        line("memory", format!("{} in {} buffers{parts}", bytes(self.memory), self.buffers.len()));
        for buffer in &self.buffers {
            line("", format!("{:<18} {:>10}", buffer.name, bytes(buffer.bytes)));
        }
        let (each, step) = (bytes(self.iteration_bytes), bytes(self.step_bytes));
        match self.iterations_assumed {
            0 => line("traffic", format!("some {step} a step")),
            count => line("traffic", format!("{each} an iteration; some {step} a step of {count} iterations")),
        }
        for limit in self.limits.iter().take(1) {
            line("nearest limit", limit.text(self.adapter.as_deref()));
        }
        self.no_pictures.iter().for_each(|reason| line("no pictures", reason.clone()));
        self.advice.iter().for_each(|advice| line("advice", advice.clone()));
        text.truncate(text.trim_end().len());
        text
    }
}

impl Speed {
    fn text(&self) -> String {
        let cells = |cells: Option<f64>| cells.map_or_else(String::new, |cells| format!(", {cells:.2} cells a step"));
        let Self { start, fall, fallen, start_cells, fallen_cells } = *self;
        let start = format!("{start:.2} m/s at the start{}", cells(start_cells));
        format!("{start}; {fallen:.2} m/s after a fall of {fall:.2} m{}", cells(fallen_cells))
    }
}

impl Thickness {
    fn text(&self, bodies: &[BodyReport]) -> String {
        let Self { collider, shape, thickness, cells } = self;
        let by_body = cells.iter().zip(bodies);
        let shares =
            by_body.filter_map(|(cells, body)| cells.map(|cells| format!(", {cells:.2} cells of {:?}", body.name)));
        format!("{thickness} m of collider[{collider}], a {shape}{}", shares.collect::<String>())
    }
}

impl LimitReport {
    fn new(limit: &LimitUse) -> Self {
        let LimitUse { limit, what, needs, portable, adapter, .. } = *limit;
        Self { limit, buffer: what, needs, portable, adapter }
    }

    fn text(&self, name: Option<&str>) -> String {
        let share = |of: u64| 100.0 * self.needs as f64 / of.max(1) as f64;
        let mut text = format!("{}: {} for {:?}", self.limit, bytes(self.needs), self.buffer);
        if let (Some(adapter), Some(name)) = (self.adapter, name) {
            let _ = write!(text, ", {:.3} % of what {name} gives", share(adapter));
        }
        let _ = write!(text, ", {:.1} % of what every adapter gives", share(self.portable));
        text
    }
}

/// A modulus with its unit.
fn pascals(modulus: f64) -> String {
    match modulus {
        _ if modulus.abs() < 1e3 => format!("{modulus:.1} Pa"),
        _ if modulus.abs() < 1e6 => format!("{:.2} kPa", 1e-3 * modulus),
        _ => format!("{:.2} MPa", 1e-6 * modulus),
    }
}

/// Number of bytes with a binary unit.
fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if count < 1024 {
        return format!("{count} B");
    }
    let mut value = count as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}
