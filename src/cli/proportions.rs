//! Proportions of a scene: its size, the cells of its meshes, the thickness of colliders, and the displacement of particles in a
//! step.

use crate::{Body, Collider, Motion, SceneFile, Shape, topology};
use glam::{DVec3, Vec3};
use serde::Serialize;

/// Smallest thickness of a collider without a warning, in mean cells: triangles between particles penetrate a thinner one.
const THINNEST: f64 = 0.1;
/// Largest displacement in a first step without a warning, in cells.
const MOST_CELLS: f64 = 1.0;
/// Largest displacement in a step after a fall without a warning, in cells. It exceeds [`MOST_CELLS`] because the fall is the
/// longest possible.
const MOST_CELLS_FALLING: f64 = 4.0;

/// Box around all particles at the start, m.
#[derive(Serialize)]
pub struct Bounds {
    pub low: [f32; 3],
    pub high: [f32; 3],
    pub size: [f32; 3],
}

/// Lengths of a body's edges at rest, m.
#[derive(Serialize, Clone, Copy)]
pub struct Cells {
    pub mean: f64,
    pub smallest: f64,
}

/// Estimated speeds of a body.
#[derive(Serialize, Clone, Copy)]
pub struct Speed {
    /// Speed at the start relative to moving colliders, m/s.
    pub start: f64,
    /// Longest possible fall, m: to the level of the lowest collider below, or else the size of the scene; for a pinned body its
    /// own size.
    pub fall: f64,
    /// Speed after that fall, m/s.
    pub fallen: f64,
    /// Displacement in a step at the start, in mean cells; `null` without edges.
    pub start_cells: Option<f64>,
    /// Displacement in a step after the fall, in mean cells; `null` without edges.
    pub fallen_cells: Option<f64>,
}

/// Thickness of a collider.
#[derive(Serialize)]
pub struct Thickness {
    pub collider: usize,
    pub shape: &'static str,
    /// Thickness, m.
    pub thickness: f32,
    /// Thickness in mean cells of each body; `null` without edges.
    pub cells: Vec<Option<f64>>,
}

/// Proportions of a whole scene.
pub struct Proportions {
    /// Bounding box; `None` without particles.
    pub bounds: Option<Bounds>,
    /// Edge lengths of each body.
    pub cells: Vec<Option<Cells>>,
    /// Speeds of each body.
    pub speeds: Vec<Speed>,
    /// Thickness of each collider.
    pub thicknesses: Vec<Thickness>,
    /// Sentences about the thinnest collider and the fastest body, where they are problematic.
    pub advice: Vec<String>,
}

impl Proportions {
    pub fn new(file: &SceneFile) -> Self {
        let scene = &file.scene;
        let everything = extent(scene.bodies.iter().flat_map(|body| body.start_positions()));
        let size = everything.map_or(0.0, |(low, high)| f64::from(low.distance(high)));
        let cells: Vec<_> = scene.bodies.iter().map(cells_of).collect();
        let speed = |(ix, body): (usize, &Body)| {
            let pinned = scene.pins.iter().any(|pin| pin.body.0 == ix);
            speed_of(file, body, pinned, size, cells[ix])
        };
        let speeds: Vec<_> = scene.bodies.iter().enumerate().map(speed).collect();
        let thickness = |(ix, collider): (usize, &Collider)| {
            let thickness = collider.thickness;
            let in_cells = cells.iter().map(|cells| cells.map(|cells| f64::from(thickness) / cells.mean)).collect();
            Thickness { collider: ix, shape: shape_name(&collider.shape), thickness, cells: in_cells }
        };
        let thicknesses: Vec<_> = scene.colliders.iter().enumerate().map(thickness).collect();
        let bounds = everything.map(|(low, high)| Bounds {
            low: low.to_array(),
            high: high.to_array(),
            size: (high - low).to_array(),
        });
        let mut proportions = Self { bounds, cells, speeds, thicknesses, advice: Vec::new() };
        let advice = [proportions.about_thickness(file), proportions.about_speed(file)];
        proportions.advice = advice.into_iter().flatten().collect();
        proportions
    }

    /// Advice about the thinnest collider.
    fn about_thickness(&self, file: &SceneFile) -> Option<String> {
        // Other colliders keep edges and triangles away as well.
        let alone = |thickness: &&Thickness| {
            let collider = &file.scene.colliders[thickness.collider];
            !collider.edges || matches!(collider.motion, Motion::Dynamic(_)) || file.options.safe().is_none()
        };
        let pairs = self.thicknesses.iter().filter(alone).flat_map(|thickness| {
            let by_body = thickness.cells.iter().enumerate();
            by_body.filter_map(move |(body, cells)| Some((thickness, body, (*cells)?)))
        });
        let (thickness, body, cells) = pairs.min_by(|a, b| a.2.total_cmp(&b.2))?;
        let mean = self.cells[body]?.mean;
        (cells < THINNEST).then(|| {
            format!(
                "the cells of {:?} are {:.0} times as long as the thickness of collider[{}]: between its particles the surface may show through; \
                 make the collider {:.2} mm thick or more, or the mesh finer",
                file.names[body],
                1.0 / cells,
                thickness.collider,
                1e3 * THINNEST * mean,
            )
        })
    }

    /// Advice about the fastest body.
    fn about_speed(&self, file: &SceneFile) -> Option<String> {
        let bad = |(body, speed): (usize, &Speed)| {
            let start = speed.start_cells? / MOST_CELLS;
            let fallen = speed.fallen_cells? / MOST_CELLS_FALLING;
            Some(if start >= fallen {
                (start, body, speed.start, speed.start_cells?, MOST_CELLS, "")
            } else {
                (fallen, body, speed.fallen, speed.fallen_cells?, MOST_CELLS_FALLING, " after a long fall")
            })
        };
        let worst = self.speeds.iter().enumerate().filter_map(bad).max_by(|a, b| a.0.total_cmp(&b.0))?;
        let (ratio, body, speed, cells, most, when) = worst;
        (ratio > 1.0).then(|| {
            format!(
                "at {speed:.1} m/s{when} {:?} moves {cells:.1} of its cells in a step, further than forces are linear: take steps of {:.2} ms or \
                 less, or a coarser mesh",
                file.names[body],
                1e3 * file.options.time_step * most / cells,
            )
        })
    }
}

fn extent<'a>(positions: impl IntoIterator<Item = &'a Vec3>) -> Option<(Vec3, Vec3)> {
    positions.into_iter().fold(None, |known, &place| {
        let (low, high) = known.unwrap_or((place, place));
        Some((low.min(place), high.max(place)))
    })
}

fn cells_of(body: &Body) -> Option<Cells> {
    let place = |vertex: u32| body.mesh.positions[vertex as usize].as_dvec3();
    let lengths = topology::mesh_edges(&body.mesh).into_iter().map(|[a, b]| place(a).distance(place(b)));
    let (mut count, mut sum, mut smallest) = (0u32, 0.0, f64::INFINITY);
    for length in lengths {
        (count, sum, smallest) = (count + 1, sum + length, length.min(smallest));
    }
    (sum > 0.0).then(|| Cells { mean: sum / f64::from(count), smallest })
}

fn speed_of(file: &SceneFile, body: &Body, pinned: bool, scene_size: f64, cells: Option<Cells>) -> Speed {
    let gravity = file.scene.gravity.as_dvec3();
    let colliders = &file.scene.colliders;
    let start = body.velocity.as_dvec3().length() + colliders.iter().map(collider_speed).fold(0.0, f64::max);
    let down = gravity.normalize_or_zero();
    let positions = body.start_positions();
    let highest = positions.iter().map(|p| p.as_dvec3()).min_by(|a, b| a.dot(down).total_cmp(&b.dot(down)));
    let fall = match (extent(positions), highest) {
        _ if down == DVec3::ZERO => 0.0,
        (Some((low, high)), _) if pinned => f64::from(low.distance(high)),
        (_, Some(highest)) => {
            let below = colliders.iter().filter_map(|collider| depth_below(collider, highest, down));
            below.reduce(f64::max).unwrap_or(scene_size)
        }
        _ => 0.0,
    };
    let longest = body.velocity.as_dvec3().length() + gravity.length() * file.duration;
    let fallen = (start * start + 2.0 * gravity.length() * fall).sqrt().min(longest).max(start);
    let in_cells = |speed: f64| cells.map(|cells| speed * file.options.time_step / cells.mean);
    Speed { start, fall, fallen, start_cells: in_cells(start), fallen_cells: in_cells(fallen) }
}

/// Depth of a collider below a point at the start, m: of a plane's surface, or of another shape's centre.
fn depth_below(collider: &Collider, point: DVec3, down: DVec3) -> Option<f64> {
    let pose = collider.start();
    let towards = pose.position.as_dvec3() - point;
    let depth = match collider.shape {
        Shape::Plane => {
            let normal = (pose.rotation * Vec3::Y).as_dvec3();
            towards.dot(normal) / down.dot(normal)
        }
        _ => towards.dot(down),
    };
    (depth.is_finite() && depth > 0.0).then_some(depth)
}

/// Largest speed of a collider by its key frames and velocity, m/s.
fn collider_speed(collider: &Collider) -> f64 {
    match &collider.motion {
        Motion::Static(_) => 0.0,
        Motion::Dynamic(dynamic) => dynamic.velocity.as_dvec3().length(),
        Motion::KeyFrames(frames) => {
            let speed = |pair: &[crate::KeyFrame]| {
                f64::from(pair[0].pose.position.distance(pair[1].pose.position)) / (pair[1].time - pair[0].time)
            };
            frames.windows(2).map(speed).filter(|speed| speed.is_finite()).fold(0.0, f64::max)
        }
    }
}

fn shape_name(shape: &Shape) -> &'static str {
    match shape {
        Shape::Plane => "plane",
        Shape::Sphere { .. } => "sphere",
        Shape::Box { .. } => "box",
        Shape::Capsule { .. } => "capsule",
        Shape::Cylinder { .. } => "cylinder",
        Shape::Mesh { .. } => "mesh",
        Shape::Deforming(_) => "deforming mesh",
    }
}
