//! Comparison of every kernel with its f64 twin on irregular meshes. Each comparison has a control: a twin made wrong on purpose, which must
//! not pass.

mod assembly;
mod coarse;
mod collision;
mod contacts;
mod integrate;
mod methods;
mod models;
mod report;
mod search;
mod solve;

use super::GpuEngine;
use crate::{
    Air, BodyId, GpuOptions, Integrator, Options, Preconditioner, Scene, SolverOptions, Variant, Vertices,
    engine::upload,
    forces::{
        buckling::BucklingParameters,
        cubic::{CubicLeftOut, CubicParameters},
        cubic_absolute::CubicAbsoluteParameters,
        linear::LinearParameters,
        plastic::PlasticParameters,
        series::SeriesParameters,
        toy_law::ToyLawParameters,
    },
    gpu::{Gpu, Readback, Timeline, layout, shader::Launch, wait},
    integrator::Kind,
    reference::{self, CgState, Parameters, State},
    test_scenes::{every_model, irregular, random_vectors, solid},
    topology::{self, Constraint, EdgeMaterial, EdgeMemory, Law, SLICE_ROWS, SlicedPattern, Topology},
};
use glam::{DMat3, DVec3, Vec3};
use std::{sync::Arc, time::Duration};

/// Timeout of each wait of a test.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Relative tolerance: f32 resolves 6e-8, and sums of a dozen partly cancelling terms lose two digits of that.
const TOLERANCE: f64 = 2e-5;

struct Pair {
    engine: GpuEngine,
    topology: Arc<Topology>,
    parameters: Parameters,
    state: State,
    cg: CgState,
}

/// Number of edge laws mixed in the edges of every pair. Tests over all materials compare the later laws, which do not affect the others.
const MIXED_LAWS: usize = 6;

/// Number of materials mixed in the edges of every pair, the first of [`every_material`].
const MIXED_MATERIALS: usize = 2 * MIXED_LAWS + 1;

/// Every edge law, plain and plastic, and a viscoelastic one, of about the same stiffness, so that no error hides behind a stiffer law; then the later
/// laws, plain.
fn every_material() -> Vec<EdgeMaterial> {
    let plain = Law::ALL.iter().map(|&law| {
        let law_parameters = match law {
            Law::Linear | Law::TensionOnly => LinearParameters { stiffness: 300.0 }.pack(),
            Law::None => [0.0; 4],
            Law::Cubic => CubicParameters { c0: 0.0, c1: 300.0, c2: 250.0, c3: 400.0 }.pack(),
            // These parameters suit the rest length of a cell, about 0.08 m.
            Law::CubicAbsolute => CubicAbsoluteParameters { a: 8e3, b: -1e3, c: 250.0, d: -17.0 }.pack(),
            Law::Buckling => BucklingParameters { bending_stiffness: 4e-3, compression: 400.0 }.pack(),
            Law::Toy => ToyLawParameters { stiffness: 300.0, stiffening: 4e4 }.pack(),
        };
        let left_out = match law {
            Law::Cubic => CubicLeftOut { square: -40.0, constant: 30.0 }.pack(),
            Law::CubicAbsolute => CubicLeftOut { square: -90.0, constant: -2.0 }.pack(),
            _ => [0.0; 2],
        };
        EdgeMaterial {
            law,
            law_parameters,
            left_out,
            damping: 0.05,
            drag: 0.02,
            scalar_time: 0.03,
            ..Default::default()
        }
    });
    let plain: Vec<_> = plain.collect();
    let memory_parameters = PlasticParameters { yield_strain: 0.05, maximum: 0.3, creep: 20.0 }.pack();
    let (mixed, later) = plain.split_at(MIXED_LAWS);
    let plastic = mixed.iter().map(|known| EdgeMaterial { memory: EdgeMemory::Plastic, memory_parameters, ..*known });
    let memory_parameters = SeriesParameters { times: [0.03, 0.2, 1.0], compliances: [0.7, 0.4, 0.0] }.pack();
    let series = EdgeMaterial { memory: EdgeMemory::Series, memory_parameters, ..EdgeMaterial::linear(500.0) };
    mixed.iter().copied().chain(plastic).chain([series]).chain(later.iter().copied()).collect()
}

/// Gives edges the mixed materials in turn, with weights and scalars of their own. Returns the memory of edges for both sides.
fn mix_materials(topology: &mut Topology, seed: u64) -> Vec<[f64; 4]> {
    let mut rng = fastrand::Rng::with_seed(seed);
    topology.materials = every_material();
    let mut history = Vec::new();
    for (ix, edge) in topology.edges.iter_mut().enumerate() {
        edge.material = (ix % MIXED_MATERIALS) as u32;
        edge.weight = 0.5 + rng.f64();
        edge.scalar = if ix % 3 == 0 { 4.0 * rng.f64() - 1.0 } else { 0.0 };
        let material = &topology.materials[edge.material as usize];
        let mut random = || f64::from(0.2 * (rng.f32() - 0.5));
        history.push(match material.memory {
            EdgeMemory::None => [0.0; 4],
            EdgeMemory::Plastic => [random(), 0.0, 0.0, 0.0],
            EdgeMemory::Series => [random(), random(), 0.0, 0.0],
        });
    }
    history
}

/// One scene on both sides: irregular mesh, every kind of edge, random velocities, a moving pin, a plane and a line constraint.
fn pair(launch: Launch, seed: u64, options: Options) -> Pair {
    pair_with(launch, seed, options, |_| {})
}

/// The scene of [`pair`] on both sides, with a changed topology.
fn pair_with(launch: Launch, seed: u64, options: Options, change: impl FnOnce(&mut Topology)) -> Pair {
    pair_of(&irregular(seed, 13, 11), launch, seed, options, change)
}

/// A given scene on both sides, in steps of one linearisation. Kernels are compared one by one; in a safe step most of them would depend on its decisions.
fn pair_of(scene: &Scene, launch: Launch, seed: u64, options: Options, change: impl FnOnce(&mut Topology)) -> Pair {
    let options = Options { nonlinear: crate::Nonlinear::OneLinearisation, ..options };
    pair_as(scene, launch, seed, options, change)
}

/// A given scene on both sides, with options as given.
fn pair_as(scene: &Scene, launch: Launch, seed: u64, options: Options, change: impl FnOnce(&mut Topology)) -> Pair {
    let mut topology = Topology::build(scene, &options).unwrap();
    let velocities = random_vectors(seed + 7, topology.particle_count());
    topology.velocities = velocities.iter().map(|v| v.as_dvec3()).collect();
    let normal = DVec3::new(0.6, 0.0, 0.8);
    let plane = DMat3::IDENTITY - reference::forces::edge::outer(normal);
    let line = reference::forces::edge::outer(DVec3::new(0.0, 0.28, 0.96));
    for (row, free) in [(3, DMat3::ZERO), (40, DMat3::ZERO), (77, plane), (90, line)] {
        let target = topology.positions[row as usize] + DVec3::new(0.001, -0.002, 0.0015);
        topology.constraints.push(topology::Constraint { row, target, free, forget: DVec3::ZERO });
    }
    let history = mix_materials(&mut topology, seed + 8);
    change(&mut topology);
    let topology = Arc::new(topology);
    let gpu = Gpu::with_options(GpuOptions { launch: Some(launch), ..Default::default() }).unwrap();
    let engine = GpuEngine::new(&gpu, topology.clone(), scene, &options);
    let engine = wait::drive(TIMEOUT, engine).unwrap();
    engine.set_edge_history(&history).unwrap();
    let parameters = Parameters::new(&options, scene.gravity.as_dvec3());
    let state = State { history, ..State::new(&topology, &parameters) };
    Pair { engine, topology, parameters, state, cg: CgState::default() }
}

fn many() -> SolverOptions {
    SolverOptions { variant: Variant::Many { workgroups: 2 }, ..Default::default() }
}

impl Pair {
    fn reset(&mut self) {
        wait::drive(TIMEOUT, self.engine.reset()).unwrap();
    }

    fn edge_history(&mut self) -> Vec<[f64; 4]> {
        wait::drive(TIMEOUT, self.engine.read_history()).unwrap()
    }

    fn run(&self, dispatches: impl FnOnce(&GpuEngine, &mut Timeline<'_>)) {
        let mut encoder = Timeline::encoder(&self.engine.device.gpu);
        let mut timeline = Timeline::host(&mut encoder);
        dispatches(&self.engine, &mut timeline);
        timeline.finish();
        self.engine.device.gpu.checked(|| self.engine.device.gpu.queue().submit([encoder.finish()])).unwrap();
    }

    fn read<T: bytemuck::Pod>(&self, name: &'static str) -> Vec<T> {
        let gpu = &self.engine.device.gpu;
        let source = self.engine.device.buffers.of_chunk(name, Some(0)).unwrap();
        let mut readback = Readback::new(gpu, name, source.size()).unwrap();
        let bytes = readback.fetch_now(gpu, source, |_| {}, "a test", TIMEOUT).unwrap();
        bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
    }

    fn vectors(&self, name: &'static str) -> Vec<DVec3> {
        self.read::<[f32; 4]>(name).iter().map(xyz).collect()
    }

    /// The solution x and the product w = A u, which follows it in the same buffer.
    fn solution_and_product(&self) -> (Vec<DVec3>, Vec<DVec3>) {
        let mut solution = self.vectors("solution");
        let product = solution.split_off(self.topology.particle_count());
        (solution, product)
    }

    fn solution(&self) -> Vec<DVec3> {
        self.solution_and_product().0
    }

    fn product(&self) -> Vec<DVec3> {
        self.solution_and_product().1
    }

    /// Gives both sides other velocities at the start of the last step, so that it has changed them.
    fn change_last_velocities(&mut self, seed: u64) {
        let before = random_vectors(seed, self.topology.particle_count());
        let row = |(x, v): (&DVec3, &Vec3)| layout::Previous {
            position: upload::vec4(*x, 0.0),
            velocity: upload::vec4(v.as_dvec3(), 0.0),
        };
        let rows: Vec<_> = self.topology.positions.iter().zip(&before).map(row).collect();
        self.engine.device.buffers.write(self.engine.gpu(), "previous", 0, &rows).unwrap();
        self.state.previous_velocities = before.iter().map(|v| v.as_dvec3()).collect();
    }

    fn begin(&mut self) {
        self.run(|engine, timeline| engine.stages.integrate.encode_start(timeline, 0));
        reference::integrate::begin(&self.topology, &self.topology.constraints, &self.parameters, &mut self.state);
    }

    fn assemble(&mut self) {
        self.begin();
        self.run(|engine, timeline| engine.stages.assembly.encode(timeline, false));
        reference::assembly::edges(&self.topology, &self.parameters, 0, &mut self.state);
        reference::assembly::elements(&self.topology, &self.parameters, 0, &mut self.state);
    }

    fn precondition(&mut self) {
        self.assemble();
        self.run(|engine, timeline| engine.stages.solve.encode(timeline, 0, false));
        self.twin_precondition();
    }

    fn twin_precondition(&mut self) {
        let constraints = &self.topology.constraints;
        reference::solve::precondition(&self.topology, constraints, &self.parameters, &mut self.state, &mut self.cg);
    }

    /// Solves on the twin, with its present blocks.
    fn twin_solve(&mut self) {
        self.twin_precondition();
        let mut corrections = reference::Corrections::default();
        let Self { topology, parameters, state, cg, .. } = self;
        reference::solve::conjugate_gradient(topology, parameters, &mut corrections, state, cg);
    }

    /// Assembles on the twin alone, from the start, with another topology.
    fn twin_assemble(&mut self, topology: &Topology) {
        self.state =
            State { history: std::mem::take(&mut self.state.history), ..State::new(topology, &self.parameters) };
        reference::integrate::begin(topology, &topology.constraints, &self.parameters, &mut self.state);
        reference::assembly::edges(topology, &self.parameters, 0, &mut self.state);
    }

    /// Reads blocks of the GPU in the order of the pattern.
    fn blocks(&self) -> Vec<DMat3> {
        let sliced = SlicedPattern::build(&self.topology.pattern.offsets);
        let values = self.read::<[f32; 4]>("values");
        let index = self.read::<u32>("pattern");
        let mut blocks = vec![DMat3::ZERO; self.topology.pattern.incidences.len()];
        for (slot, place) in sliced.block.iter().enumerate() {
            let Some(place) = place else { continue };
            let word = index[sliced.slice_offsets.len() + slot];
            let sign = if word >> 31 == 1 { -1.0 } else { 1.0 };
            assert_eq!(word & 0x7fff_ffff, self.topology.pattern.incidences[*place as usize].neighbour);
            blocks[*place as usize] = block(xyz(&values[slot]), f64::from(values[slot][3]), sign);
        }
        blocks
    }
}

/// Access to full blocks of the GPU in the order of the element pattern.
impl Pair {
    fn full_blocks(&self) -> Vec<DMat3> {
        let layout = upload::matrix(&self.topology, u64::MAX);
        let values = self.read::<[f32; 4]>("values");
        let (base, count) = (layout.compact.slot_count(), layout.full.slot_count());
        let mut blocks = vec![DMat3::ZERO; self.topology.element_pattern.neighbours.len()];
        for (slot, place) in layout.full.block.iter().enumerate() {
            let Some(place) = place else { continue };
            let column = |c: usize| xyz(&values[base + c * count + slot]);
            blocks[*place as usize] = DMat3::from_cols(column(0), column(1), column(2));
        }
        blocks
    }
}

fn xyz(v: &[f32; 4]) -> DVec3 {
    DVec3::new(f64::from(v[0]), f64::from(v[1]), f64::from(v[2]))
}

fn block(axis: DVec3, a: f64, sign: f64) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(a)) + sign * reference::forces::edge::outer(axis)
}

fn twin_blocks(state: &State) -> Vec<DMat3> {
    let sign = |index: u32| if index >> 31 == 1 { -1.0 } else { 1.0 };
    state.values.iter().zip(&state.index).map(|(b, &index)| block(b.axis, b.a, sign(index))).collect()
}

fn symmetric(block: &layout::SymmetricBlock) -> DMat3 {
    let [a, b, c, _] = block.diagonal.map(f64::from);
    let [bc, ac, ab, _] = block.off_diagonal.map(f64::from);
    DMat3::from_cols(DVec3::new(a, ab, ac), DVec3::new(ab, b, bc), DVec3::new(ac, bc, c))
}

fn columns(matrices: &[DMat3]) -> Vec<DVec3> {
    matrices.iter().flat_map(|m| [m.x_axis, m.y_axis, m.z_axis]).collect()
}

/// Largest difference, relative to the largest value.
fn error(gpu: &[DVec3], twin: &[DVec3]) -> f64 {
    assert_eq!(gpu.len(), twin.len());
    let largest = twin.iter().map(|v| v.abs().max_element()).fold(0.0, f64::max);
    let difference = gpu.iter().zip(twin).map(|(a, b)| (*a - *b).abs().max_element());
    // `max` would ignore NaN.
    difference.fold(0.0, |worst: f64, d| if d.is_nan() { f64::NAN } else { worst.max(d) }) / largest
}

#[track_caller]
fn agree(what: &str, gpu: &[DVec3], twin: &[DVec3]) {
    agree_within(TOLERANCE, what, gpu, twin);
}

#[track_caller]
fn agree_within(tolerance: f64, what: &str, gpu: &[DVec3], twin: &[DVec3]) {
    let error = error(gpu, twin);
    assert!(error < tolerance, "{what}: {error:.2e}");
}

/// Control: the error of a wrong twin must exceed the tolerance.
#[track_caller]
fn differ(what: &str, gpu: &[DVec3], wrong: &[DVec3]) {
    let error = error(gpu, wrong);
    assert!(error > 2.0 * TOLERANCE, "{what}: the control passes with {error:.2e}");
}
