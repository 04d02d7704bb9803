//! Cusick's drape test (BS 5058, ISO 9073-9): a disc of cloth, 30 cm across, clamped between two discs of 18 cm, hangs down all around. The
//! drape coefficient is the part of the overhanging ring that its shadow from above still covers: 0 for cloth that hangs straight down, 1 for a
//! plate.

use crate::{
    Air, Backend, Body, Error, Material, Mesh, Options, Scene, Simulation, SolverOptions, Vertices, random::Random,
};
use glam::{DVec2, Vec3};

/// Radius of the specimen, m.
pub const SPECIMEN: f32 = 0.15;
/// Radius of the support, m.
pub const SUPPORT: f32 = 0.09;
/// Resistance of the air, N·s/m³, which brings the cloth to rest.
const AIR: f32 = 0.5;
/// Length of a step, s.
const TIME_STEP: f64 = 0.01;
/// Time between two looks at the shadow, s.
const LOOK: f64 = 0.2;
/// Earliest and latest time of the result, s.
const DURATION: [f64; 2] = [1.6, 6.0];
/// Change of the drape coefficient between two looks below which the cloth is at rest.
const AT_REST: f64 = 0.001;
/// Largest height of the bumps at the start, m: without them a perfect disc would not know where to fold.
const BUMPS: f32 = 5e-4;
/// Side of a pixel of the shadow, m.
const PIXEL: f64 = 5e-4;

/// Presets, with the least and the largest drape coefficient measured of such fabrics: silks by Matsudaira and Yang, Textile Research Journal 73(3), 2003; leathers by Memon et al.,
/// Materials 2021, 14, 4553; cotton about the 68 % of Gan, Ly and Steven, Journal of the Textile Institute 82(1), 1991; worsteds and denims as they are commonly quoted.
pub const MEASURED: [(&str, [f64; 2]); 5] = [
    ("silk", [0.20, 0.40]),
    ("wool", [0.40, 0.70]),
    ("leather", [0.47, 0.70]),
    ("cotton", [0.60, 0.76]),
    ("denim", [0.70, 0.90]),
];

/// One specimen of a drape test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Specimen {
    /// Rings of vertices: a multiple of five, so that one of them lies on the rim of the support. Cells are 15 cm / `rings` wide.
    pub rings: u32,
    /// Angle of the weft to the x-axis, degrees.
    pub turn: f32,
    /// Seed of the mesh and of the bumps at the start.
    pub seed: u64,
}

/// Mean drape coefficient of several specimens.
pub fn mean(specimens: &[Specimen], material: &Material, backend: &Backend) -> Result<f64, Error> {
    let mut sum = 0.0;
    for specimen in specimens {
        sum += specimen.drape(material, backend.clone())?.coefficient;
    }
    Ok(sum / specimens.len() as f64)
}

/// Result of a drape test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Draped {
    /// Drape coefficient, 0 to 1.
    pub coefficient: f64,
    /// Largest stretch of the cloth.
    pub strain: f64,
}

impl Specimen {
    /// Six specimens: the weft turned by 0° to 75°, each with a mesh of its own.
    pub fn six(rings: u32) -> [Self; 6] {
        std::array::from_fn(|ix| Specimen { rings, turn: 15.0 * ix as f32, seed: ix as u64 + 1 })
    }

    /// Mesh of the specimen: irregular, but for the rims of specimen and support.
    pub fn mesh(&self) -> Mesh {
        let mut mesh = Mesh::irregular_disk(SPECIMEN, self.rings, self.seed);
        let cell = SPECIMEN / self.rings as f32;
        for position in &mut mesh.positions {
            let radius = position.length();
            if (radius - SUPPORT).abs() < 0.26 * cell {
                *position *= SUPPORT / radius;
            }
        }
        mesh
    }

    /// Scene of the test.
    pub fn scene(&self, material: &Material) -> Scene {
        let mesh = self.mesh();
        let (sin, cos) = self.turn.to_radians().sin_cos();
        let weft = Vec3::new(cos, 0.0, -sin);
        let mut material = material.clone();
        if let Some(membrane) = &mut material.membrane {
            membrane.weft_direction = weft;
        }
        if let Some(bending) = &mut material.bending {
            bending.weft_direction = weft;
        }
        let clamped = |p: &Vec3| p.length() < 1.001 * SUPPORT;
        let mut random = Random(self.seed);
        let bumps = |p: &Vec3| *p + if clamped(p) { 0.0 } else { BUMPS * random.signed() } * Vec3::Y;
        let start = mesh.positions.iter().map(bumps).collect();
        let held: Vec<u32> = (0u32..).zip(&mesh.positions).filter(|(_, p)| clamped(p)).map(|(ix, _)| ix).collect();
        let mut scene = Scene::new();
        scene.air = Some(Air { resistance: AIR, ..Air::default() });
        let cloth = scene.add(Body::cloth(mesh, material).starting_at(start));
        scene.pin(cloth, Vertices::list(held));
        scene
    }

    /// Drapes a material until it is at rest.
    pub fn drape(&self, material: &Material, backend: impl Into<Backend>) -> Result<Draped, Error> {
        let scene = self.scene(material);
        // Which of its folds a cloth falls into hangs on the smallest differences: the published coefficients of the presets are those of solves from 0.
        let solver = SolverOptions { warm_start: false, ..Default::default() };
        let options = Options { time_step: TIME_STEP, solver, ..Options::default() };
        let mut simulation = Simulation::new(backend, &scene, options)?;
        let mut last = 1.0;
        loop {
            simulation.advance_to(simulation.time() + LOOK)?;
            let coefficient = coefficient(&scene.bodies[0].mesh, simulation.positions()?);
            let (change, time) = (coefficient - last, simulation.time());
            last = coefficient;
            if time > DURATION[0] - 1e-9 && change.abs() < AT_REST || time > DURATION[1] - 1e-9 {
                let strain = simulation.strains()?.into_iter().fold(0.0, |most: f32, strain| most.max(strain.abs()));
                return Ok(Draped { coefficient, strain: strain.into() });
            }
        }
    }
}

/// Drape coefficient of a disc of radius [`SPECIMEN`] from its shadow along y.
pub fn coefficient(mesh: &Mesh, positions: &[Vec3]) -> f64 {
    let (whole, support) = (disc(SPECIMEN), disc(SUPPORT));
    (shadow(mesh, positions) - support) / (whole - support)
}

fn disc(radius: f32) -> f64 {
    std::f64::consts::PI * f64::from(radius).powi(2)
}

/// Area of the shadow of a mesh along y, m²: pixels whose centres a triangle covers.
fn shadow(mesh: &Mesh, positions: &[Vec3]) -> f64 {
    let half = (f64::from(SPECIMEN) * 1.1 / PIXEL) as i64;
    let side = 2 * half as usize;
    let mut covered = vec![false; side * side];
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|v| positions[v as usize]).map(|p| DVec2::new(p.x.into(), p.z.into()) / PIXEL);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let range = |low: f64, high: f64| (low.floor() as i64).max(-half)..(high.ceil() as i64).min(half);
        for row in range(low.y, high.y) {
            for column in range(low.x, high.x) {
                let p = DVec2::new(column as f64 + 0.5, row as f64 + 0.5);
                let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| (to - from).perp_dot(p - from));
                if sides.iter().all(|&side| side >= 0.0) || sides.iter().all(|&side| side <= 0.0) {
                    covered[(row + half) as usize * side + (column + half) as usize] = true;
                }
            }
        }
    }
    covered.iter().filter(|&&covered| covered).count() as f64 * PIXEL * PIXEL
}
