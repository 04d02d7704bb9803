//! Every kernel against its f64 twin on irregular meshes. Each comparison has a control: a twin made wrong on purpose, which must
//! not pass.

mod contacts;

use super::*;
use crate::{
    BodyId, GpuOptions, Scene, SolverOptions, Variant, Vertices,
    gpu::shader::Launch,
    integrator::Kind,
    reference::{self, CgState, Parameters, State},
    test_scenes::{every_model, irregular, random_vectors, solid},
    topology::{self, EdgeMaterial, EdgeMemory, Law, SLICE_ROWS, SlicedPattern},
};
use glam::DMat3;

/// f32 keeps 6e-8; sums of a dozen terms that partly cancel lose two digits of that.
const TOLERANCE: f64 = 2e-5;

struct Pair {
    engine: GpuEngine,
    topology: Arc<Topology>,
    parameters: Parameters,
    state: State,
    cg: CgState,
}

/// Every law, plain and plastic, and a viscoelastic one, of about the same stiffness, so that none hides behind another.
fn every_material() -> Vec<EdgeMaterial> {
    let plain = Law::ALL.iter().map(|&law| {
        let (law_parameters, left_out) = match law {
            Law::Linear | Law::TensionOnly => ([300.0, 0.0, 0.0, 0.0], [0.0; 2]),
            Law::None => ([0.0; 4], [0.0; 2]),
            Law::Cubic => ([0.0, 300.0, 250.0, 400.0], [-40.0, 30.0]),
            // At a cell's rest length of about 0.08 m.
            Law::CubicAbsolute => ([8e3, -1e3, 250.0, -17.0], [-90.0, -2.0]),
            Law::Buckling => ([4e-3, 400.0, 0.0, 0.0], [0.0; 2]),
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
    let memory_parameters = [[0.05, 0.3, 20.0, 0.0], [0.0; 4]];
    let plastic = plain.iter().map(|known| EdgeMaterial { memory: EdgeMemory::Plastic, memory_parameters, ..*known });
    let memory_parameters = [[0.03, 0.2, 1.0, 0.0], [0.7, 0.4, 0.0, 0.0]];
    let series = EdgeMaterial { memory: EdgeMemory::Series, memory_parameters, ..EdgeMaterial::linear(500.0) };
    plain.iter().copied().chain(plastic).chain([series]).collect()
}

/// Edges of every material in turn, with weights and scalars of their own. What they remember goes to both sides.
fn mix_materials(topology: &mut Topology, seed: u64) -> Vec<[f64; 4]> {
    let mut rng = fastrand::Rng::with_seed(seed);
    topology.materials = every_material();
    let count = topology.materials.len() as u32;
    let mut history = Vec::new();
    for (ix, edge) in topology.edges.iter_mut().enumerate() {
        edge.material = ix as u32 % count;
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

/// The same scene on both sides: irregular mesh, every kind of edge, random velocities, a pin that moves, a plane and a line.
fn pair(launch: Launch, seed: u64, options: Options) -> Pair {
    pair_with(launch, seed, options, |_| {})
}

/// The same, with a topology changed before it goes to both sides.
fn pair_with(launch: Launch, seed: u64, options: Options, change: impl FnOnce(&mut Topology)) -> Pair {
    pair_of(&irregular(seed, 13, 11), launch, seed, options, change)
}

/// The same of any scene.
fn pair_of(scene: &Scene, launch: Launch, seed: u64, options: Options, change: impl FnOnce(&mut Topology)) -> Pair {
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
    let mut engine = GpuEngine::new(&gpu, topology.clone(), scene, &options).unwrap();
    engine.set_edge_history(&history).unwrap();
    let parameters = Parameters::new(&options, scene.gravity.as_dvec3());
    let state = State { history, ..State::new(&topology, &parameters) };
    Pair { engine, topology, parameters, state, cg: CgState::default() }
}

fn many() -> SolverOptions {
    SolverOptions { variant: Variant::Many { workgroups: 2 }, ..Default::default() }
}

impl Pair {
    fn run(&self, dispatches: impl FnOnce(&GpuEngine, &mut Timeline<'_>)) {
        let mut encoder = Timeline::encoder(&self.engine.gpu);
        let mut timeline = Timeline::host(&mut encoder);
        dispatches(&self.engine, &mut timeline);
        timeline.finish();
        self.engine.gpu.checked(|| self.engine.gpu.queue().submit([encoder.finish()])).unwrap();
    }

    fn read<T: bytemuck::Pod>(&self, name: &'static str) -> Vec<T> {
        let gpu = &self.engine.gpu;
        let source = self.engine.buffers.of_chunk(name, Some(0)).unwrap();
        let mut readback = Readback::new(gpu, name, source.size()).unwrap();
        let bytes = readback.fetch(gpu, source, |_| {}, "a test", self.engine.options.timeout).unwrap();
        bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
    }

    fn vectors(&self, name: &'static str) -> Vec<DVec3> {
        self.read::<[f32; 4]>(name).iter().map(xyz).collect()
    }

    fn begin(&mut self) {
        self.run(|engine, timeline| engine.integrate.encode_start(timeline, 0));
        reference::integrate::begin(&self.topology, &self.topology.constraints, &self.parameters, &mut self.state);
    }

    fn assemble(&mut self) {
        self.begin();
        self.run(|engine, timeline| engine.assembly.encode(timeline, false));
        reference::assembly::edges(&self.topology, &self.parameters, 0, &mut self.state);
        reference::assembly::elements(&self.topology, &self.parameters, 0, &mut self.state);
    }

    fn precondition(&mut self) {
        self.assemble();
        self.run(|engine, timeline| engine.solve.encode(timeline, 0));
        self.twin_precondition();
    }

    fn twin_precondition(&mut self) {
        let constraints = &self.topology.constraints;
        reference::solve::precondition(&self.topology, constraints, &self.parameters, &mut self.state, &mut self.cg);
    }

    /// The twin alone, from the start, with another topology.
    fn twin_assemble(&mut self, topology: &Topology) {
        self.state =
            State { history: std::mem::take(&mut self.state.history), ..State::new(topology, &self.parameters) };
        reference::integrate::begin(topology, &topology.constraints, &self.parameters, &mut self.state);
        reference::assembly::edges(topology, &self.parameters, 0, &mut self.state);
    }

    /// Blocks of the GPU in the order of the pattern.
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

/// Full blocks of the GPU in the order of the element pattern.
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

/// Largest difference over largest value.
fn error(gpu: &[DVec3], twin: &[DVec3]) -> f64 {
    assert_eq!(gpu.len(), twin.len());
    let largest = twin.iter().map(|v| v.abs().max_element()).fold(0.0, f64::max);
    let difference = gpu.iter().zip(twin).map(|(a, b)| (*a - *b).abs().max_element());
    // NaN must not hide behind max.
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

/// The control: the twin with something wrong is further away than the tolerance.
#[track_caller]
fn differ(what: &str, gpu: &[DVec3], wrong: &[DVec3]) {
    let error = error(gpu, wrong);
    assert!(error > 2.0 * TOLERANCE, "{what}: the control passes with {error:.2e}");
}

#[test]
fn begin() {
    for launch in Launch::ALL {
        let mut pair = pair(launch, 1, Options { solver: many(), ..Default::default() });
        pair.begin();
        agree("velocities", &pair.vectors("velocities"), &pair.state.velocities);
        agree("residual", &pair.vectors("residual"), &pair.state.residual);
        let previous = pair.read::<layout::Previous>("previous");
        let saved: Vec<DVec3> = previous.iter().map(|p| xyz(&p.velocity)).collect();
        agree("previous velocities", &saved, &pair.state.previous_velocities);
        let saved: Vec<DVec3> = previous.iter().map(|p| xyz(&p.position)).collect();
        agree("previous positions", &saved, &pair.state.previous_positions);

        pair.state = State::new(&pair.topology, &pair.parameters);
        reference::integrate::begin(&pair.topology, &pair.topology.constraints[1..], &pair.parameters, &mut pair.state);
        differ("a pin left out", &pair.vectors("velocities"), &pair.state.velocities);
    }
}

#[test]
fn edges() {
    for launch in Launch::ALL {
        for clamp in [true, false] {
            let mut pair = pair(launch, 2, Options { clamp, solver: many(), ..Default::default() });
            pair.assemble();
            let diagonal: Vec<DMat3> =
                pair.read::<layout::SymmetricBlock>("preconditioner").iter().map(symmetric).collect();
            let residual = pair.vectors("residual");
            let blocks = columns(&pair.blocks());
            agree("blocks", &blocks, &columns(&twin_blocks(&pair.state)));
            agree("diagonal", &columns(&diagonal), &columns(&pair.state.preconditioner));
            agree("residual", &residual, &pair.state.residual);

            pair.parameters.clamp = !clamp;
            pair.twin_assemble(&pair.topology.clone());
            differ("the other clamp, blocks", &blocks, &columns(&twin_blocks(&pair.state)));
            differ("the other clamp, diagonal", &columns(&diagonal), &columns(&pair.state.preconditioner));
            differ("the other clamp, residual", &residual, &pair.state.residual);
        }
    }
}

#[test]
fn elements() {
    for launch in Launch::ALL {
        for clamp in [true, false] {
            let options = Options { clamp, solver: many(), measure: true, ..Default::default() };
            let mut pair = pair_of(&solid(2), launch, 2, options, |_| {});
            pair.assemble();
            let diagonal: Vec<DMat3> =
                pair.read::<layout::SymmetricBlock>("preconditioner").iter().map(symmetric).collect();
            let residual = pair.vectors("residual");
            let blocks = columns(&pair.full_blocks());
            agree("full blocks", &blocks, &columns(&pair.state.full));
            agree("diagonal", &columns(&diagonal), &columns(&pair.state.preconditioner));
            agree("residual", &residual, &pair.state.residual);

            pair.run(|engine, timeline| engine.solve.encode(timeline, 0));
            pair.twin_precondition();
            pair.run(|engine, timeline| engine.solve.encode_spmv(timeline));
            reference::solve::spmv(&pair.topology, &mut pair.state);
            agree("w", &pair.vectors("w"), &pair.state.w);
            pair.state.full[33] *= 1.5;
            reference::solve::spmv(&pair.topology, &mut pair.state);
            differ("one full block off", &pair.vectors("w"), &pair.state.w);

            pair.run(|engine, timeline| engine.report.encode(timeline));
            let elastic = f64::from(pair.read::<layout::Record>("records")[0].elastic);
            let twin = reference::report::measure(&pair.topology, &pair.parameters, &pair.state).elastic;
            assert!((elastic / twin - 1.0).abs() < TOLERANCE, "{elastic} against {twin}");

            pair.parameters.clamp = !clamp;
            pair.twin_assemble(&pair.topology.clone());
            reference::assembly::elements(&pair.topology, &pair.parameters, 0, &mut pair.state);
            differ("the other clamp, full blocks", &blocks, &columns(&pair.state.full));
            differ("the other clamp, residual", &residual, &pair.state.residual);
        }
    }
}

#[test]
fn every_model_in_one_scene() {
    for launch in Launch::ALL {
        let scene = every_model(3);
        let options = Options { solver: many(), ..Default::default() };
        // Materials as the scene has them: mixing is for `pair`.
        let plain = Topology::build(&scene, &options).unwrap();
        let mut pair = pair_of(&scene, launch, 3, options, |topology| {
            topology.materials.clone_from(&plain.materials);
            topology.edges.clone_from(&plain.edges);
        });
        pair.engine.reset().unwrap();
        pair.state = State::new(&pair.topology, &pair.parameters);
        let topology = pair.topology.clone();
        let models: std::collections::BTreeSet<u32> =
            topology.element_materials.iter().map(|material| material.model as u32).collect();
        assert_eq!(models.len(), topology::ElementModel::ALL.len());
        pair.parameters.air = scene.air.unwrap();
        pair.run(|engine, timeline| engine.assembly.encode_normals(timeline));
        reference::external::normals(topology.fans.as_ref().unwrap(), &mut pair.state);
        pair.assemble();
        reference::external::air(&topology, &pair.parameters, &mut pair.state);
        // Each body by itself: none hides behind a stiffer one.
        let rows_of_body = |body: usize| -> Vec<usize> {
            let first: usize = scene.bodies[..body].iter().map(|body| body.mesh.positions.len()).sum();
            let count = scene.bodies[body].mesh.positions.len();
            topology.row_of[first..first + count].iter().map(|&row| row as usize).collect()
        };
        let residual = pair.vectors("residual");
        let full = pair.full_blocks();
        for body in 0..scene.bodies.len() {
            let rows = rows_of_body(body);
            let pick = |values: &[DVec3]| rows.iter().map(|&row| values[row]).collect::<Vec<_>>();
            agree_within(5e-5, &format!("residual of body {body}"), &pick(&residual), &pick(&pair.state.residual));
            let blocks = |blocks: &[DMat3]| {
                columns(
                    &rows
                        .iter()
                        .flat_map(|&row| blocks[topology.element_pattern.range(row)].to_vec())
                        .collect::<Vec<_>>(),
                )
            };
            if !blocks(&full).is_empty() {
                agree_within(5e-5, &format!("blocks of body {body}"), &blocks(&full), &blocks(&pair.state.full));
                let wrong: Vec<DMat3> = pair.state.full.iter().map(|block| *block * 1.001).collect();
                differ("blocks of another stiffness", &blocks(&full), &blocks(&wrong));
            }
        }
        // The control: every element material changed by itself is noticed.
        let right = pair.state.residual.clone();
        for ix in 0..topology.elements.len() {
            if ix % 37 == 0 {
                let mut other = (*topology).clone();
                other.elements[ix].rest.iter_mut().for_each(|value| *value *= 1.2);
                pair.state = State { normals: pair.state.normals.clone(), ..State::new(&other, &pair.parameters) };
                reference::integrate::begin(&other, &other.constraints, &pair.parameters, &mut pair.state);
                reference::assembly::edges(&other, &pair.parameters, 0, &mut pair.state);
                reference::assembly::elements(&other, &pair.parameters, 0, &mut pair.state);
                reference::external::air(&other, &pair.parameters, &mut pair.state);
                assert!(error(&pair.state.residual, &right) > 0.0, "element {ix} does nothing");
            }
        }
    }
}

#[test]
fn edges_of_every_material() {
    for launch in Launch::ALL {
        for clamp in [true, false] {
            let mut pair = pair(launch, 12, Options { clamp, solver: many(), ..Default::default() });
            pair.assemble();
            let topology = pair.topology.clone();
            let (gpu, residual) = (pair.blocks(), pair.vectors("residual"));
            // Each material by itself: none hides behind the stiffer ones.
            let of = |ix: u32, blocks: &[DMat3]| -> Vec<DVec3> {
                let own = topology.pattern.incidences.iter().zip(blocks);
                let own = own.filter(|(incidence, _)| topology.edges[incidence.edge as usize].material == ix);
                columns(&own.map(|(_, block)| *block).collect::<Vec<_>>())
            };
            let twin = twin_blocks(&pair.state);
            for (ix, material) in topology.materials.iter().enumerate() {
                let what = format!("{:?} {:?}", material.law, material.memory);
                agree_within(5e-5, &what, &of(ix as u32, &gpu), &of(ix as u32, &twin));
            }
            agree("residual", &residual, &pair.state.residual);

            // The controls: each number of each material changed by itself, or each part of the edges.
            type Change = fn(&mut Topology, usize);
            let changes: [(&str, Change); 7] = [
                ("law", |t, ix| t.materials[ix].law_parameters[0] += 0.02 * t.materials[ix].law_parameters[1] + 3.0),
                ("left out", |t, ix| t.materials[ix].left_out[0] += 5.0),
                ("damping", |t, ix| t.materials[ix].damping *= 1.1),
                ("drag", |t, ix| t.materials[ix].drag *= 1.1),
                ("viscosity of scalars", |t, ix| t.materials[ix].scalar_time += 0.1),
                ("memory", |t, ix| t.materials[ix].memory = EdgeMemory::None),
                ("scalars", |t, _| t.edges.iter_mut().for_each(|edge| edge.scalar *= 1.1)),
            ];
            for (name, change) in changes {
                for (ix, material) in topology.materials.iter().enumerate() {
                    let none = match name {
                        "law" => material.law == Law::None,
                        "left out" => !matches!(material.law, Law::Cubic | Law::CubicAbsolute),
                        "memory" => material.memory == EdgeMemory::None || material.law == Law::None,
                        "damping" | "drag" | "viscosity of scalars" => material.memory == EdgeMemory::Series,
                        _ => false,
                    };
                    if none {
                        continue;
                    }
                    let mut wrong = (*topology).clone();
                    change(&mut wrong, ix);
                    pair.twin_assemble(&wrong);
                    let what = format!("another {name} of {:?} {:?}", material.law, material.memory);
                    differ(&what, &of(ix as u32, &gpu), &of(ix as u32, &twin_blocks(&pair.state)));
                }
            }
        }
    }
}

#[test]
fn energies_of_every_material() {
    for launch in Launch::ALL {
        for (ix, material) in every_material().iter().enumerate() {
            let options = Options { solver: many(), measure: true, ..Default::default() };
            let pair = pair_with(launch, 14, options, |topology| {
                topology.edges.iter_mut().for_each(|edge| edge.material = ix as u32);
            });
            pair.run(|engine, timeline| engine.report.encode(timeline));
            let elastic = f64::from(pair.read::<layout::Record>("records")[0].elastic);
            let twin = reference::report::measure(&pair.topology, &pair.parameters, &pair.state).elastic;
            let what = format!("{:?} {:?}: {elastic} against {twin}", material.law, material.memory);
            assert!((elastic / twin - 1.0).abs() < TOLERANCE, "{what}");
            // The control: everything by a hundredth more.
            let mut other = (*pair.topology).clone();
            other.materials[ix].law_parameters.iter_mut().for_each(|value| *value *= 1.01);
            other.edges.iter_mut().for_each(|edge| edge.scalar *= 1.01);
            let wrong = reference::report::measure(&other, &pair.parameters, &pair.state).elastic;
            assert!((elastic / wrong - 1.0).abs() > 2.0 * TOLERANCE, "{what}");
        }
    }
}

#[test]
fn air_and_loads() {
    for launch in Launch::ALL {
        let mut scene = irregular(5, 13, 11);
        let air = Air {
            wind: Vec3::new(3.0, 1.0, 2.0),
            steady: 0.5,
            angular_velocity: 30.0,
            drag: 0.8,
            lift: 0.3,
            resistance: 0.7,
        };
        scene.air = Some(air);
        scene.push(BodyId(0), Vertices::list([5, 17]), Vec3::new(0.3, -0.2, 0.1));
        let mut pair = pair_of(&scene, launch, 5, Options { solver: many(), ..Default::default() }, |_| {});
        let mut loads = pair.topology.loads.clone();
        loads[1] = topology::Load { stiffness: 40.0, damping: 0.6, target: DVec3::new(0.1, 0.5, 0.2), ..loads[1] };
        pair.engine.set_loads(&loads).unwrap();
        pair.parameters.air = air;
        pair.run(|engine, timeline| engine.assembly.encode_normals(timeline));
        reference::external::normals(pair.topology.fans.as_ref().unwrap(), &mut pair.state);
        let normals = pair.read::<[f32; 4]>("normals");
        let of_twin = |of: fn(&(DVec3, f64)) -> DVec3, state: &State| state.normals.iter().map(of).collect::<Vec<_>>();
        agree("normals", &normals.iter().map(xyz).collect::<Vec<_>>(), &of_twin(|n| n.0, &pair.state));
        let areas: Vec<DVec3> = normals.iter().map(|n| DVec3::splat(n[3].into())).collect();
        agree("areas", &areas, &of_twin(|n| DVec3::splat(n.1), &pair.state));

        pair.begin();
        pair.run(|engine, timeline| engine.assembly.encode(timeline, true));
        let residual = pair.vectors("residual");
        let diagonal = pair.read::<layout::SymmetricBlock>("preconditioner");
        let scalars: Vec<DVec3> = diagonal.iter().map(|d| DVec3::splat(d.diagonal[3].into())).collect();
        let begun = pair.state.clone();
        let mut twin = |air: bool, loads: &[topology::Load]| {
            pair.state = begun.clone();
            reference::assembly::edges(&pair.topology, &pair.parameters, 0, &mut pair.state);
            if air {
                reference::external::air(&pair.topology, &pair.parameters, &mut pair.state);
            }
            reference::external::loads(loads, 0, &mut pair.state);
            let scalars: Vec<DVec3> = pair.state.scalar_diagonal.iter().map(|s| DVec3::splat(*s)).collect();
            (pair.state.residual.clone(), scalars, columns(&pair.state.preconditioner))
        };
        let (twin_residual, twin_scalars, twin_diagonal) = twin(true, &loads);
        agree("residual", &residual, &twin_residual);
        agree("scalar diagonal", &scalars, &twin_scalars);
        agree("diagonal", &columns(&diagonal.iter().map(symmetric).collect::<Vec<_>>()), &twin_diagonal);
        for (what, air, loads) in
            [("no air", false, &loads[..]), ("no loads", true, &[]), ("no handle", true, &loads[..1])]
        {
            differ(what, &residual, &twin(air, loads).0);
            differ(what, &scalars, &twin(air, loads).1);
        }
    }
}

#[test]
fn history() {
    for launch in Launch::ALL {
        let mut pair = pair(launch, 13, Options { solver: many(), ..Default::default() });
        let before = pair.state.history.clone();
        pair.run(|engine, timeline| engine.integrate.encode_history(timeline));
        reference::integrate::history(&pair.topology, &pair.parameters, &mut pair.state);
        let vectors = |history: &[[f64; 4]]| -> Vec<DVec3> {
            history.iter().map(|[x, y, z, _]| DVec3::new(*x, *y, *z)).collect()
        };
        let gpu = pair.engine.edge_history().unwrap();
        agree("history", &vectors(&gpu), &vectors(&pair.state.history));
        differ("history before the step", &vectors(&gpu), &vectors(&before));
        let moved = |memory: EdgeMemory| {
            let edges = pair.topology.edges.iter().zip(&before).zip(&gpu);
            edges
                .filter(|((edge, _), _)| pair.topology.materials[edge.material as usize].memory == memory)
                .filter(|((_, before), after)| before != after)
                .count()
        };
        assert!(moved(EdgeMemory::Plastic) > 20 && moved(EdgeMemory::Series) > 20);
        assert_eq!(moved(EdgeMemory::None), 0);

        // Both ends hold the same bits, and empty places nothing.
        let sliced = SlicedPattern::build(&pair.topology.pattern.offsets);
        let mut ends = vec![Vec::new(); pair.topology.edges.len()];
        for (place, bits) in sliced.block.iter().zip(pair.read::<[u32; 4]>("history")) {
            match place {
                Some(place) => ends[pair.topology.pattern.incidences[*place as usize].edge as usize].push(bits),
                None => assert_eq!(bits, [0; 4]),
            }
        }
        assert!(ends.iter().all(|ends| ends.len() == 2 && ends[0] == ends[1]));

        // After a failed step it stays as it is.
        let failed = layout::Status { failed: layout::failed::STATE, ..Default::default() };
        pair.engine.buffers.write(&pair.engine.gpu, "status", 0, &[failed]).unwrap();
        pair.run(|engine, timeline| engine.integrate.encode_history(timeline));
        assert_eq!(pair.engine.edge_history().unwrap(), gpu);
        // And starts again from nothing.
        pair.engine.reset().unwrap();
        assert!(pair.engine.edge_history().unwrap().iter().all(|edge| *edge == [0.0; 4]));
    }
}

#[test]
fn blocks_are_symmetric_to_the_bit() {
    for launch in Launch::ALL {
        let mut pair = pair(launch, 3, Options { solver: many(), ..Default::default() });
        pair.assemble();
        let blocks = pair.blocks();
        let mut by_edge = vec![Vec::new(); pair.topology.edges.len()];
        for (incidence, block) in pair.topology.pattern.incidences.iter().zip(&blocks) {
            by_edge[incidence.edge as usize].push(*block);
        }
        assert!(by_edge.iter().all(|ends| ends.len() == 2 && ends[0] == ends[1]));
    }
}

#[test]
fn rayleigh_damping() {
    for launch in Launch::ALL {
        let rayleigh = crate::Rayleigh { mass: 7.0, stiffness: 0.02 };
        let options = Options { rayleigh, integrator: Integrator::Theta(0.6), solver: many(), ..Default::default() };
        let mut pair = pair_of(&solid(6), launch, 6, options, |_| {});
        // Forces alone.
        pair.run(|engine, timeline| engine.forces.iter().for_each(|forces| forces.encode(timeline, false)));
        let forces = |parameters: &Parameters, topology: &Topology, state: &mut State| {
            state.residual.fill(DVec3::ZERO);
            reference::assembly::edges(topology, parameters, 1, state);
            reference::assembly::elements(topology, parameters, 1, state);
            state.residual.clone()
        };
        let (topology, parameters) = (pair.topology.clone(), pair.parameters.clone());
        let without = [
            ("no α", crate::Rayleigh { mass: 0.0, ..rayleigh }),
            ("no β", crate::Rayleigh { stiffness: 0.0, ..rayleigh }),
        ];
        agree("forces", &pair.vectors("residual"), &forces(&parameters, &topology, &mut pair.state));
        for (what, rayleigh) in without {
            let parameters = Parameters { rayleigh, ..parameters.clone() };
            differ(what, &pair.vectors("residual"), &forces(&parameters, &topology, &mut pair.state));
        }
        // Forces and matrix.
        forces(&parameters, &topology, &mut pair.state);
        pair.assemble();
        let diagonal = pair.read::<layout::SymmetricBlock>("preconditioner");
        let scalars: Vec<DVec3> = diagonal.iter().map(|d| DVec3::splat(d.diagonal[3].into())).collect();
        let diagonal = columns(&diagonal.iter().map(symmetric).collect::<Vec<_>>());
        let (residual, full, blocks) =
            (pair.vectors("residual"), columns(&pair.full_blocks()), columns(&pair.blocks()));
        let twin = |state: &State| {
            let scalars: Vec<DVec3> = state.scalar_diagonal.iter().map(|s| DVec3::splat(*s)).collect();
            (scalars, columns(&state.preconditioner), columns(&state.full), columns(&twin_blocks(state)))
        };
        let (twin_scalars, twin_diagonal, twin_full, twin_compact) = twin(&pair.state);
        agree("scalar diagonal", &scalars, &twin_scalars);
        agree("diagonal", &diagonal, &twin_diagonal);
        agree("full blocks", &full, &twin_full);
        agree("blocks", &blocks, &twin_compact);
        agree("residual", &residual, &pair.state.residual);
        pair.parameters.rayleigh = crate::Rayleigh::default();
        forces(&pair.parameters, &topology, &mut pair.state);
        let (twin_scalars, twin_diagonal, twin_full, twin_compact) = twin(&pair.state);
        differ("undamped scalars", &scalars, &twin_scalars);
        differ("undamped diagonal", &diagonal, &twin_diagonal);
        differ("undamped full blocks", &full, &twin_full);
        differ("undamped blocks", &blocks, &twin_compact);
    }
}

#[test]
fn later_linearisations_have_no_lead() {
    for launch in Launch::ALL {
        let mut pair = pair(launch, 4, Options { solver: many(), ..Default::default() });
        pair.precondition();
        pair.run(|engine, timeline| {
            engine.integrate.encode_start(timeline, 1);
            engine.assembly.encode(timeline, false);
        });
        reference::integrate::relinearise(&pair.topology, &mut pair.state);
        reference::assembly::edges(&pair.topology, &pair.parameters, 1, &mut pair.state);
        agree("residual", &pair.vectors("residual"), &pair.state.residual);

        reference::integrate::relinearise(&pair.topology, &mut pair.state);
        reference::assembly::edges(&pair.topology, &pair.parameters, 0, &mut pair.state);
        differ("with the lead", &pair.vectors("residual"), &pair.state.residual);
    }
}

#[test]
fn precondition() {
    for launch in Launch::ALL {
        for preconditioner in [Preconditioner::BlockJacobi, Preconditioner::Jacobi] {
            let solver = SolverOptions { preconditioner, ..many() };
            let mut pair = pair(launch, 5, Options { solver, ..Default::default() });
            pair.precondition();
            let q: Vec<DMat3> = pair.read::<layout::SymmetricBlock>("preconditioner").iter().map(symmetric).collect();
            agree("Q", &columns(&q), &columns(&pair.state.preconditioner));
            agree("u", &pair.vectors("u"), &pair.state.u);
            let wrong: Vec<DMat3> = pair.state.preconditioner.iter().map(|q| *q * 1.001).collect();
            differ("Q of another matrix", &columns(&q), &columns(&wrong));
            // A pinned particle is filtered to the bit.
            assert_eq!(q[3], DMat3::ZERO);
            assert_eq!(pair.vectors("u")[40], DVec3::ZERO);
        }
    }
}

#[test]
fn spmv() {
    for launch in Launch::ALL {
        let mut pair = pair(launch, 6, Options { solver: many(), ..Default::default() });
        pair.precondition();
        pair.run(|engine, timeline| engine.solve.encode_spmv(timeline));
        let (gamma, delta) = reference::solve::spmv(&pair.topology, &mut pair.state);
        agree("w", &pair.vectors("w"), &pair.state.w);
        let words = pair.read::<f32>("partials");
        let sums = words[layout::PARTIALS_HEADER as usize / 4..].chunks(2);
        let total = sums.fold(DVec3::ZERO, |sum, part| sum + DVec3::new(f64::from(part[0]), f64::from(part[1]), 0.0));
        agree("γ and δ", &[total], &[DVec3::new(gamma, delta, 0.0)]);

        pair.state.values[17].a *= 1.5;
        reference::solve::spmv(&pair.topology, &mut pair.state);
        differ("one block off", &pair.vectors("w"), &pair.state.w);
        differ("γ off", &[total], &[DVec3::new(gamma * 1.001, delta, 0.0)]);
    }
}

#[test]
fn update() {
    for launch in Launch::ALL {
        let mut pair = pair(launch, 7, Options { solver: many(), ..Default::default() });
        pair.assemble();
        pair.run(|engine, timeline| engine.solve.encode(timeline, 3));
        pair.twin_precondition();
        pair.parameters.max_iterations = 3;
        reference::solve::conjugate_gradient(
            &pair.topology,
            &pair.parameters,
            &mut reference::Links::default(),
            &mut pair.state,
            &mut pair.cg,
        );
        let direction = pair.read::<layout::Direction>("direction");
        let (p, s): (Vec<_>, Vec<_>) = direction.iter().map(|d| (xyz(&d.p), xyz(&d.s))).unzip();
        for (what, gpu, twin) in [
            ("p", p, &pair.state.p),
            ("s", s, &pair.state.s),
            ("x", pair.vectors("solution"), &pair.state.solution),
            ("r", pair.vectors("residual"), &pair.state.residual),
            ("u", pair.vectors("u"), &pair.state.u),
        ] {
            agree(what, &gpu, twin);
        }
        let status = pair.read::<layout::Status>("status")[0];
        assert_eq!(status.cg.iteration, 3);
        assert!((f64::from(status.cg.alpha) / pair.cg.alpha - 1.0).abs() < TOLERANCE);

        reference::solve::update(&mut pair.state, pair.cg.alpha, 0.0);
        differ("an iteration more", &pair.vectors("solution"), &pair.state.solution);
    }
}

#[test]
fn single_workgroup() {
    for launch in Launch::ALL {
        // Planes and lines are filtered to rounding only: their impulse keeps rᵀQr from falling below some 1e-11 of its start.
        let solver = |variant| SolverOptions { variant, tolerance: 1e-5, ..Default::default() };
        let solve = |variant| {
            let mut pair = pair(launch, 8, Options { solver: solver(variant), ..Default::default() });
            pair.assemble();
            pair.run(|engine, timeline| engine.solve.encode(timeline, 200));
            pair.twin_precondition();
            reference::solve::conjugate_gradient(
                &pair.topology,
                &pair.parameters,
                &mut reference::Links::default(),
                &mut pair.state,
                &mut pair.cg,
            );
            let status = pair.read::<layout::Status>("status")[0];
            assert_eq!(status.cg.outcome, layout::outcome::CONVERGED);
            (pair.vectors("solution"), pair.state.solution, status.cg.iteration, pair.cg.iteration)
        };
        let (single, twin, iterations, twin_iterations) = solve(Variant::Single);
        let (spread, ..) = solve(Variant::Many { workgroups: 3 });
        // A solution is as exact as the matrix is well conditioned.
        agree_within(1e-4, "single", &single, &twin);
        agree_within(1e-4, "many", &spread, &twin);
        assert!(iterations.abs_diff(twin_iterations) <= 2, "{iterations} iterations, {twin_iterations} in f64");
        differ("a solution of another size", &single, &twin.iter().map(|x| *x * 1.001).collect::<Vec<_>>());
    }
}

#[test]
fn euler_restore_measure_record() {
    for launch in Launch::ALL {
        let mut pair = pair(launch, 9, Options { solver: many(), measure: true, ..Default::default() });
        pair.assemble();
        pair.run(|engine, timeline| {
            engine.solve.encode(timeline, 30);
            engine.integrate.encode(timeline);
            engine.report.encode(timeline);
        });
        pair.twin_precondition();
        pair.parameters.max_iterations = 30;
        reference::solve::conjugate_gradient(
            &pair.topology,
            &pair.parameters,
            &mut reference::Links::default(),
            &mut pair.state,
            &mut pair.cg,
        );
        assert!(reference::integrate::stage(&mut pair.state));
        agree("positions", &pair.vectors("positions"), &pair.state.positions);
        agree("velocities", &pair.vectors("velocities"), &pair.state.velocities);
        differ("positions before the step", &pair.vectors("positions"), &pair.state.previous_positions);
        differ("velocities before the step", &pair.vectors("velocities"), &pair.state.previous_velocities);
        let published = pair.vectors("published");
        let in_order: Vec<DVec3> = pair.topology.row_of.iter().map(|&row| pair.state.positions[row as usize]).collect();
        agree("published", &published, &in_order);
        differ("published in another order", &published, &pair.state.positions);

        let record = pair.read::<layout::Record>("records")[0];
        let measures = reference::report::measure(&pair.topology, &pair.parameters, &pair.state);
        let ours = DVec3::new(f64::from(record.kinetic), f64::from(record.potential), f64::from(record.elastic));
        let twin = DVec3::new(measures.kinetic, measures.potential, measures.elastic);
        agree("energies", &[ours], &[twin]);
        differ("energies of the start", &[ours], &[twin * DVec3::new(1.0, 1.0, 1.01)]);
        assert!((f64::from(record.largest_strain) / measures.largest_strain - 1.0).abs() < 1e-4);
        assert_eq!((record.step, record.iterations, record.failed), (0, pair.cg.iteration, 0));
        assert!((f64::from(record.residual).powi(2) / (pair.cg.gamma / pair.cg.reference) - 1.0).abs() < 0.05);

        pair.run(|engine, timeline| engine.integrate.encode_restore(timeline));
        let after = pair.state.clone();
        reference::integrate::restore(&mut pair.state);
        agree("restored positions", &pair.vectors("positions"), &pair.state.positions);
        agree("restored velocities", &pair.vectors("velocities"), &pair.state.velocities);
        differ("not restored, positions", &pair.vectors("positions"), &after.positions);
        differ("not restored, velocities", &pair.vectors("velocities"), &after.velocities);
    }
}

#[test]
fn estimate() {
    for launch in Launch::ALL {
        for integrator in [Integrator::ImplicitEuler, Integrator::Bdf2] {
            let options =
                Options { integrator, adaptive: Some(Default::default()), solver: many(), ..Default::default() };
            let mut pair = pair(launch, 14, options.clone());
            pair.engine.before = Some(0.02);
            pair.engine.set_time_step(0.01).unwrap();
            pair.parameters.estimate = integrator.estimate(0.01, Some(0.02));
            let count = pair.topology.particle_count();
            let rounded =
                |seed: u64| -> Vec<DVec3> { random_vectors(seed, count).iter().map(|v| v.as_dvec3()).collect() };
            let (new, start, older) = (rounded(1), rounded(2), rounded(3));
            let previous = |velocities: &[DVec3]| -> Vec<layout::Previous> {
                let vector = |v: &DVec3| [v.x as f32, v.y as f32, v.z as f32, 1.0];
                velocities.iter().map(|v| layout::Previous { position: [0.0; 4], velocity: vector(v) }).collect()
            };
            let engine = &pair.engine;
            upload::velocities(&pair.topology, &new, &engine.gpu, &engine.buffers).unwrap();
            engine.buffers.write(&engine.gpu, "previous", 0, &previous(&start)).unwrap();
            engine.buffers.write(&engine.gpu, "older", 0, &previous(&older)).unwrap();
            pair.run(|engine, timeline| {
                engine.integrate.encode_end(timeline);
                engine.report.encode(timeline);
            });
            (pair.state.velocities, pair.state.previous_velocities, pair.state.older_velocities) = (new, start, older);
            let twin = |parameters: &Parameters, constraints: &[Constraint], state: &State| {
                DVec3::X * reference::integrate::estimate(constraints, parameters, state)
            };
            let error = DVec3::X * f64::from(pair.read::<layout::Record>("records")[0].error);
            let constraints = pair.topology.constraints.clone();
            agree("error", &[error], &[twin(&pair.parameters, &constraints, &pair.state)]);
            pair.parameters.estimate = integrator.estimate(0.01, Some(0.019));
            if integrator == Integrator::Bdf2 {
                differ("another ratio", &[error], &[twin(&pair.parameters, &constraints, &pair.state)]);
            }
            // Constrained particles have no part in it.
            pair.state.velocities[3] *= 100.0;
            pair.parameters.estimate = integrator.estimate(0.01, Some(0.02));
            agree("a pin", &[error], &[twin(&pair.parameters, &constraints, &pair.state)]);
            differ("no pin", &[error], &[twin(&pair.parameters, &[], &pair.state)]);
        }
    }
}

#[test]
fn slots_beyond_the_last_row_name_existing_rows() {
    for launch in Launch::ALL {
        let pair = pair(launch, 10, Options::default());
        let count = pair.topology.particle_count() as u32;
        assert_ne!(count as usize % SLICE_ROWS, 0);
        let header = SlicedPattern::build(&pair.topology.pattern.offsets).slice_offsets.len();
        assert!(pair.read::<u32>("pattern")[header..].iter().all(|word| word & 0x7fff_ffff < count));
    }
}

#[test]
fn forces_and_verlet() {
    for launch in Launch::ALL {
        for integrator in [Integrator::Verlet, Integrator::Beeman] {
            let options = Options { integrator, time_step: 1e-3, solver: many(), ..Default::default() };
            let mut pair = pair_of(&solid(2), launch, 2, options, |_| {});
            let (topology, parameters) = (pair.topology.clone(), pair.parameters.clone());
            let Kind::Verlet(method) = integrator.kind() else { unreachable!() };
            // Twice over: forces alone begin the residual anew. Two steps: the second looks back at the first.
            for before in [None, Some(1e-3)] {
                pair.run(|engine, timeline| {
                    engine.integrate.encode_start(timeline, 0);
                    engine.assembly.encode(timeline, false);
                    engine.assembly.encode(timeline, false);
                });
                pair.state.scheme = integrator.scheme(1e-3, before);
                reference::explicit::begin(&topology.constraints, &parameters, &mut pair.state);
                pair.state.residual.fill(DVec3::ZERO);
                reference::assembly::edges(&topology, &parameters, 1, &mut pair.state);
                let of_edges = pair.state.residual.clone();
                reference::assembly::elements(&topology, &parameters, 1, &mut pair.state);
                agree("residual", &pair.vectors("residual"), &pair.state.residual);
                differ("no elements", &pair.vectors("residual"), &of_edges);
                pair.run(|engine, timeline| {
                    timeline.run_all(engine.integrate.explicit_stages());
                    engine.integrate.encode_end(timeline);
                    engine.report.encode(timeline);
                });
                reference::explicit::verlet(&topology, &topology.constraints, &parameters, method, &mut pair.state);
                agree("positions", &pair.vectors("positions"), &pair.state.positions);
                agree("velocities", &pair.vectors("velocities"), &pair.state.velocities);
                differ("velocities before", &pair.vectors("velocities"), &pair.state.previous_velocities);
                let in_order: Vec<DVec3> =
                    topology.row_of.iter().map(|&row| pair.state.positions[row as usize]).collect();
                agree("published", &pair.vectors("published"), &in_order);
            }
            assert_eq!(pair.read::<layout::Record>("records")[1].failed, 0);
            // A particle that is not finite, and one that runs away, are seen.
            for (velocity, failed) in [(f64::NAN, layout::failed::STATE), (1e6, layout::failed::RUNAWAY)] {
                let mut velocities = pair.state.velocities.clone();
                velocities[50] = DVec3::splat(velocity);
                pair.engine.reset().unwrap();
                pair.engine.set_velocities(&velocities).unwrap();
                pair.run(|engine, timeline| engine.encode(timeline, false));
                assert_ne!(pair.read::<layout::Record>("records")[0].failed & failed, 0, "{velocity}");
            }
        }
    }
}
