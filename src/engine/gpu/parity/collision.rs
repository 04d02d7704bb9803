//! Contact between bodies: its kernels against their twin, through a step of two sheets that move into each other.

use super::*;
use crate::{
    BodyContact,
    engine::cpu::{collision::Collisions, stopwatch::Stopwatch},
    stage::Collision,
    topology::{Contact, Contacts, Support, TieGroups, Topology},
};
use std::collections::{BTreeMap, BTreeSet};

/// Tolerance of numbers from differences of positions: gaps of a hundredth of the coordinates.
pub(super) const GAPS: f64 = 1e-3;

/// Two irregular sheets, one above the other, closer than they may come in a step.
fn sheets() -> Scene {
    let mut scene = irregular(3, 13, 11);
    let mut other = irregular(4, 12, 12).bodies.remove(0);
    let up = Vec3::new(0.02, 0.012, 0.01);
    other.mesh = other.mesh.translated(up);
    let start = other.start.take().unwrap();
    scene.add(other.starting_at(start.into_iter().map(|p| p + up).collect()));
    scene.contact = Some(BodyContact { thickness: Some(0.01), friction: 0.4, ..Default::default() });
    scene
}

pub(super) struct Step {
    pub pair: Pair,
    pub groups: TieGroups,
    pub contacts: Vec<Contact>,
    pub supports: Vec<Support>,
    /// Whether bodies meet.
    pub meets: bool,
}

pub(super) fn stage(engine: &GpuEngine) -> &Collision {
    engine.stages.collision.as_ref().unwrap()
}

impl Step {
    /// Both sides at the start of a step, with pairs and first struts.
    fn begin(launch: Launch, integrator: Integrator) -> Self {
        Self::begin_with(launch, Options { integrator, ..Default::default() })
    }

    /// Both sides before a step.
    pub(super) fn new(launch: Launch, options: Options) -> Self {
        let options = Options { time_step: 0.01, solver: many(), ..options };
        let pair = pair_as(&sheets(), launch, 6, options, |_| {});
        let contacts = vec![Contact::default(); pair.topology.constraints.len()];
        Self { pair, groups: TieGroups::default(), contacts, supports: Vec::new(), meets: true }
    }

    pub(super) fn begin_with(launch: Launch, options: Options) -> Self {
        let mut step = Self::new(launch, options);
        let pair = &mut step.pair;
        pair.run(|engine, timeline| {
            engine.stages.integrate.encode_start(timeline, 0);
            stage(engine).encode_begin(timeline);
        });
        reference::integrate::begin(&pair.topology, &pair.topology.constraints, &pair.parameters, &mut pair.state);
        step.twin(|collisions, constraints, contacts, state| collisions.begin(constraints, contacts, state));
        step
    }

    /// Both sides at the start of a step with struts to colliders.
    fn supported(launch: Launch, integrator: Integrator, meets: bool) -> Self {
        let options = Options { integrator, time_step: 0.01, solver: many(), ..Default::default() };
        let mut scene = sheets();
        let known = Topology::build(&scene, &options).unwrap();
        if !meets {
            scene.contact = None;
        }
        scene.add_collider(crate::Collider::sphere([0.0, -5.0, 0.0], 0.1));
        let mut pair = pair_as(&scene, launch, 6, options, |_| {});
        let supports = supports(&known);
        pair.engine.set_contacts(&Contacts { supports: supports.clone(), ..Default::default() }).unwrap();
        pair.run(|engine, timeline| {
            engine.stages.integrate.encode_start(timeline, 0);
            engine.collision().unwrap().encode_begin(timeline);
        });
        reference::integrate::begin(&pair.topology, &pair.topology.constraints, &pair.parameters, &mut pair.state);
        let contacts = vec![Contact::default(); pair.topology.constraints.len()];
        let mut step = Self { pair, groups: TieGroups::default(), contacts, supports, meets };
        step.twin(|collisions, constraints, contacts, state| collisions.begin(constraints, contacts, state));
        step
    }

    /// Compares the potential along a search, and the work of struts.
    fn compare_weights(&mut self, meets: bool) {
        let ways = random_vectors(37, self.pair.topology.particle_count());
        let at = |ix: usize, share: f64| self.pair.topology.positions[ix] + share * 0.5 * ways[ix].as_dvec3();
        let rows: Vec<layout::SearchRow> = (0..ways.len())
            .map(|ix| layout::SearchRow {
                start_position: upload::vec4(at(ix, -0.3), 0.0),
                end_position: upload::vec4(at(ix, 1.0), 0.0),
                ..Default::default()
            })
            .collect();
        let (start, end) = (0..ways.len()).map(|ix| (at(ix, -0.3), at(ix, 1.0))).unzip();
        (self.pair.state.search_start.positions, self.pair.state.search_end.positions) = (start, end);
        let engine = &self.pair.engine;
        engine.device.buffers.write(engine.gpu(), "search", 0, &rows).unwrap();
        self.set_status(|status| (status.search.action, status.search.alpha) = (2, 0.6));
        self.pair.run(|engine, timeline| engine.collision().unwrap().encode_weigh(timeline));
        let params = self.pair.engine.device.params;
        let sum = |step: &Self, place: usize| -> f64 {
            let weights = step.pair.read::<[f32; 4]>("weights");
            let own = &weights[(params.measure_count - params.strut_partials) as usize..params.measure_count as usize];
            own.iter().map(|weight| f64::from(weight[place])).sum()
        };
        let (gpu, twin) = (sum(self, 1), self.pair.state.struts_unmodelled(0.6));
        assert!(twin != 0.0 && (gpu / twin - 1.0).abs() < 1e-3, "{meets}: {gpu} {twin}");
        assert!((gpu / self.pair.state.struts_unmodelled(0.5) - 1.0).abs() > 1e-3);
        self.set_status(|status| status.search.mode = 2);
        self.pair.run(|engine, timeline| engine.collision().unwrap().encode_recover(timeline));
        let (gpu, twin) = (sum(self, 2), reference::collision::struts::recovered(&self.pair.state));
        assert!(twin > 0.0 && (gpu / twin - 1.0).abs() < 1e-3, "{meets}: {gpu} {twin}");
    }

    /// Calls the twin.
    pub(super) fn twin<T>(
        &mut self,
        call: impl FnOnce(&Collisions<'_>, &[Constraint], &mut [Contact], &mut State) -> T,
    ) -> T {
        let Self { pair, groups, contacts, supports, meets } = self;
        let Pair { topology, parameters, state, engine, .. } = pair;
        let surface = topology.surface.as_ref().filter(|_| *meets);
        let (integrator, stopwatch) = (engine.options.integrator, &Stopwatch::start(false));
        let collisions = Collisions { topology, surface, supports, groups, parameters, integrator, stopwatch };
        call(&collisions, &topology.constraints, contacts, state)
    }

    pub(super) fn meeting(&self, word: usize) -> u32 {
        self.pair.read::<u32>("meeting")[word]
    }

    /// Struts of the GPU with their states, by the rows of their pair and in the order in which it got them.
    fn struts(&self) -> BTreeMap<[u32; 4], Vec<(layout::Strut, u32)>> {
        let pairs = self.pair.read::<layout::SurfacePair>("pairs");
        let (struts, states) = (self.pair.read::<layout::Strut>("struts"), self.pair.read::<u32>("states"));
        let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (ix, pair) in pairs.iter().take(self.meeting(2) as usize).enumerate() {
            for layer in 0..3 {
                let slot = layer * pairs.len() + ix;
                if states[slot] & 3 != 0 {
                    found.entry(pair.rows).or_default().push((struts[slot], states[slot]));
                }
            }
        }
        found
    }

    /// Struts of both sides in the same order, with the number of those that one side lacks.
    pub(super) fn matched(&self) -> (Vec<(layout::Strut, u32, reference::collision::Strut)>, usize) {
        let mut found = self.struts();
        let (mut both, mut lacking) = (Vec::new(), 0);
        for twin in &self.pair.state.struts.list {
            match found.get_mut(&twin.rows).filter(|layers| !layers.is_empty()) {
                Some(layers) => {
                    let (strut, state) = layers.remove(0);
                    both.push((strut, state, *twin));
                }
                None => lacking += 1,
            }
        }
        (both, lacking + found.values().map(Vec::len).sum::<usize>())
    }

    pub(super) fn status(&self) -> layout::Status {
        self.pair.read::<layout::Status>("status")[0]
    }

    pub(super) fn set_status(&self, change: impl FnOnce(&mut layout::Status)) {
        let mut status = self.status();
        change(&mut status);
        self.pair.engine.device.buffers.write(self.pair.engine.gpu(), "status", 0, &[status]).unwrap();
    }

    /// Assembles on both sides, with the struts of the present state.
    pub(super) fn attach(&mut self) {
        self.pair.run(|engine, timeline| {
            engine.stages.assembly.encode(timeline, false);
            engine.collision().unwrap().encode_attach(timeline);
        });
        let Pair { topology, parameters, state, .. } = &mut self.pair;
        reference::assembly::edges(topology, parameters, 0, state);
        reference::assembly::elements(topology, parameters, 0, state);
        self.twin(|collisions, _, _, state| collisions.attach(state));
    }

    pub(super) fn diagonal(&self) -> Vec<DMat3> {
        self.pair.read::<layout::SymmetricBlock>("diagonal").iter().map(symmetric).collect()
    }
}

fn three(a: f32, b: f32, c: f32) -> DVec3 {
    DVec3::new(f64::from(a), f64::from(b), f64::from(c))
}

#[test]
fn pairs_and_first_struts() {
    for launch in Launch::ALL {
        let step = Step::begin(launch, Integrator::ImplicitEuler);
        let pairs = step.pair.read::<layout::SurfacePair>("pairs");
        let found = step.meeting(2) as usize;
        assert_eq!((step.meeting(0) as usize, step.meeting(1)), (found, 0));
        let known: BTreeSet<([u32; 4], u32)> = pairs[..found].iter().map(|pair| (pair.rows, pair.kind)).collect();
        assert_eq!((known.len(), step.pair.state.struts.pairs()), (found, found));
        assert!(found > 1000, "{found}");
        let (both, lacking) = step.matched();
        assert!(both.len() > 20 && lacking == 0, "{} {lacking}", both.len());
        let gpu = |of: fn(&layout::Strut) -> DVec3| both.iter().map(|(strut, ..)| of(strut)).collect::<Vec<_>>();
        let twin =
            |of: fn(&reference::collision::Strut) -> DVec3| both.iter().map(|(.., twin)| of(twin)).collect::<Vec<_>>();
        let normals = gpu(|strut| xyz(&strut.normal));
        agree_within(GAPS, "normals", &normals, &twin(|twin| twin.normal));
        differ("normals of the other side", &normals, &twin(|twin| -twin.normal));
        let weights = gpu(|strut| three(strut.weights[1], strut.weights[2], strut.weights[3]));
        agree_within(GAPS, "weights", &weights, &twin(|twin| DVec3::from_slice(&twin.weights[1..])));
        let numbers = gpu(|strut| three(strut.mass, 1e-3 * strut.normal[3], strut.goal));
        agree_within(GAPS, "numbers", &numbers, &twin(|t| DVec3::new(t.mass, 1e-3 * t.stiffness, t.target)));
        differ("twice as stiff", &numbers, &twin(|t| DVec3::new(t.mass, 2e-3 * t.stiffness, t.target)));
        // The lists of rows name every pair once for each of its particles, in order.
        let words = step.pair.read::<u32>("incidents");
        let offsets = step.pair.read::<u32>("offsets");
        let rows = step.pair.topology.particle_count();
        let offsets = &offsets[offsets.len() - rows - 1..];
        assert_eq!(offsets[rows] as usize, 4 * found);
        for row in 0..rows {
            let own = &words[offsets[row] as usize..offsets[row + 1] as usize];
            assert!(own.is_sorted() && own.iter().all(|w| pairs[*w as usize / 4].rows[*w as usize % 4] == row as u32));
        }
    }
}

#[test]
fn struts_in_rows_and_products() {
    for launch in Launch::ALL {
        for integrator in [Integrator::ImplicitEuler, Integrator::ImplicitMidpoint] {
            let mut step = Step::begin(launch, integrator);
            step.attach();
            let (both, _) = step.matched();
            let pushing = both.iter().filter(|(_, state, _)| state & 3 == 2).count();
            assert_eq!(pushing, step.pair.state.struts.active());
            assert!(pushing > 10, "{pushing}");
            agree_within(GAPS, "residual", &step.pair.vectors("residual"), &step.pair.state.residual);
            agree_within(GAPS, "diagonal", &columns(&step.diagonal()), &columns(&step.pair.state.diagonal));
            step.pair.run(|engine, timeline| engine.stages.solve.encode(timeline, 0, false));
            step.pair.twin_precondition();
            step.pair.run(|engine, timeline| engine.stages.solve.encode_spmv(timeline));
            reference::solve::spmv(&step.pair.topology, &mut step.pair.state);
            agree_within(GAPS, "product", &step.pair.product(), &step.pair.state.w);
            let Pair { topology, state, .. } = &mut step.pair;
            state.struts.begin(Vec::new());
            reference::solve::spmv(topology, state);
            differ("without struts", &step.pair.product(), &step.pair.state.w);
        }
    }
}

#[test]
fn contact_passes() {
    for launch in Launch::ALL {
        let mut step = Step::begin(launch, Integrator::ImplicitEuler);
        step.attach();
        let changes: Vec<DVec3> =
            random_vectors(31, step.pair.topology.particle_count()).iter().map(|v| 0.7 * v.as_dvec3()).collect();
        step.pair.state.solution.clone_from(&changes);
        let words: Vec<[f32; 4]> = changes.iter().map(|v| upload::vec4(*v, 0.0)).collect();
        let engine = &step.pair.engine;
        engine.device.buffers.write(engine.gpu(), "solution", 0, &words).unwrap();
        step.set_status(|status| (status.cg.done, status.cg.outcome) = (1, 1));
        step.pair.run(|engine, timeline| {
            engine.stages.search.as_ref().unwrap().encode_pass(timeline, true, engine.stages.collision.as_ref());
        });
        let before = step.pair.state.residual.clone();
        let changes = step.twin(|collisions, constraints, contacts, state| {
            let changed = collisions.revise(constraints, contacts, state);
            collisions.restore(constraints, contacts, state);
            changed
        });
        let search = step.status().search;
        assert!(changes.flips > 50 && search.flips == changes.flips, "{changes:?} {}", search.flips);
        assert_eq!((search.revised, search.action), (1, 1));
        let (both, lacking) = step.matched();
        assert_eq!(lacking, 0);
        assert_eq!(step.status().met[1] as usize, step.pair.state.struts.active());
        assert!(both.iter().all(|(_, state, twin)| (state & 3 == 2) == twin.on && state >> 4 == twin.flips));
        assert!(
            both.iter().any(|(.., twin)| twin.flips > 0 && !twin.on) && both.iter().any(|(.., twin)| twin.drag > 0.0)
        );
        let drags: Vec<DVec3> = both.iter().map(|(strut, ..)| DVec3::splat(strut.push[3].into())).collect();
        let twins: Vec<DVec3> = both.iter().map(|(.., twin)| DVec3::splat(twin.drag)).collect();
        agree_within(GAPS, "friction", &drags, &twins);
        agree_within(GAPS, "residual", &step.pair.vectors("residual"), &step.pair.state.residual);
        differ("the residual before", &step.pair.vectors("residual"), &before);
        agree_within(GAPS, "diagonal", &columns(&step.diagonal()), &columns(&step.pair.state.diagonal));
        let q: Vec<DMat3> = step.pair.read::<layout::SymmetricBlock>("preconditioner").iter().map(symmetric).collect();
        agree_within(GAPS, "preconditioner", &columns(&q), &columns(&step.pair.state.preconditioner));
    }
}

#[test]
fn potential_along_a_search() {
    for launch in Launch::ALL {
        let mut step = Step::begin(launch, Integrator::ImplicitEuler);
        step.attach();
        let ways = random_vectors(37, step.pair.topology.particle_count());
        let at = |ix: usize, share: f64| step.pair.topology.positions[ix] + share * 0.01 * ways[ix].as_dvec3();
        let rows: Vec<layout::SearchRow> = (0..ways.len())
            .map(|ix| layout::SearchRow {
                start_position: upload::vec4(at(ix, -0.3), 0.0),
                end_position: upload::vec4(at(ix, 1.0), 0.0),
                ..Default::default()
            })
            .collect();
        let (start, end) = (0..ways.len()).map(|ix| (at(ix, -0.3), at(ix, 1.0))).unzip();
        (step.pair.state.search_start.positions, step.pair.state.search_end.positions) = (start, end);
        let engine = &step.pair.engine;
        engine.device.buffers.write(engine.gpu(), "search", 0, &rows).unwrap();
        step.set_status(|status| (status.search.action, status.search.alpha) = (2, 0.6));
        step.pair.run(|engine, timeline| stage(engine).encode_weigh(timeline));
        let params = step.pair.engine.device.params;
        let weights = step.pair.read::<[f32; 4]>("weights");
        let own = &weights[(params.measure_count - params.strut_partials) as usize..params.measure_count as usize];
        let sum: f64 = own.iter().map(|weight| f64::from(weight[1])).sum();
        let twin = step.pair.state.struts_unmodelled(0.6);
        assert!((sum / twin - 1.0).abs() < 1e-3, "{sum} {twin}");
        let elsewhere = step.pair.state.struts_unmodelled(0.5);
        assert!((sum / elsewhere - 1.0).abs() > 1e-2, "{sum} {elsewhere}");
    }
}

#[test]
fn work_of_struts_that_widen_gaps() {
    for launch in Launch::ALL {
        let mut step = Step::begin(launch, Integrator::ImplicitEuler);
        step.attach();
        step.set_status(|status| status.search.mode = 2);
        step.pair.run(|engine, timeline| stage(engine).encode_recover(timeline));
        let params = step.pair.engine.device.params;
        let weights = step.pair.read::<[f32; 4]>("weights");
        let own = &weights[(params.measure_count - params.strut_partials) as usize..params.measure_count as usize];
        let sum: f64 = own.iter().map(|weight| f64::from(weight[2])).sum();
        let twin = reference::collision::struts::recovered(&step.pair.state);
        println!("{sum} {twin} J");
        assert!(twin > 0.0 && (sum / twin - 1.0).abs() < 1e-3, "{sum} {twin}");
        step.pair.state.struts.list.iter_mut().for_each(|strut| strut.stiffness *= 1.01);
        let stiffer = reference::collision::struts::recovered(&step.pair.state);
        assert!((sum / stiffer - 1.0).abs() > 5e-3, "{sum} {stiffer}");
    }
}

#[test]
fn guard() {
    for launch in Launch::ALL {
        let mut step = Step::begin(launch, Integrator::ImplicitEuler);
        let ways = random_vectors(41, step.pair.topology.particle_count());
        let end: Vec<DVec3> =
            step.pair.topology.positions.iter().zip(&ways).map(|(x, way)| *x + 0.01 * way.as_dvec3()).collect();
        step.pair.state.positions.clone_from(&end);
        let words: Vec<[f32; 4]> = end.iter().map(|x| upload::vec4(*x, 0.0)).collect();
        let engine = &step.pair.engine;
        engine.device.buffers.write(engine.gpu(), "positions", 0, &words).unwrap();
        step.set_status(|status| (status.search.mode, status.search.outcome) = (2, 1));
        step.pair.run(|engine, timeline| stage(engine).encode_guard(timeline, 4));
        let whole = (step.pair.state.positions.clone(), step.pair.state.velocities.clone());
        let guarded =
            step.twin(|collisions, constraints, contacts, state| collisions.guard(constraints, contacts, &[], state));
        let status = step.status();
        println!("{} rows in {} rounds", guarded.truncated, guarded.rounds);
        assert_eq!(status.failed, 0);
        assert_eq!(step.meeting(5), guarded.rounds);
        assert!(guarded.truncated > 20 && status.met[2] == guarded.truncated, "{guarded:?} {:?}", status.met);
        let moved = |positions: &[DVec3]| -> Vec<DVec3> {
            positions.iter().zip(&step.pair.topology.positions).map(|(x, start)| *x - *start).collect()
        };
        let gpu = moved(&step.pair.vectors("positions"));
        agree_within(1e-3, "shortened ways", &gpu, &moved(&step.pair.state.positions));
        differ("whole ways", &gpu, &moved(&end));
        let rows: f64 = step.pair.read::<[f32; 4]>("row_sums").iter().map(|sums| f64::from(sums[0])).sum();
        let gained = rows + f64::from(status.search.elastic_change);
        let twin = step.twin(|collisions, _, _, state| collisions.gained(whole, state));
        println!("{gained} {twin} J");
        assert!((gained / twin - 1.0).abs() < 1e-3 && (rows / twin - 1.0).abs() > 0.1, "{gained} {rows} {twin}");
    }
}

/// Supports of two edges and a face of the first sheet, against a surface that moves.
fn supports(topology: &Topology) -> Vec<Support> {
    let surface = topology.surface.as_ref().unwrap();
    let [a, b] = surface.edges[20];
    let [c, d] = surface.edges[41];
    let [e, f, g] = surface.triangles[30];
    let support = |rows: [u32; 4], weights: [f64; 4], normal: DVec3, rise: f64| {
        let inverse: f64 = rows.iter().zip(weights).map(|(row, w)| w * w / topology.masses[*row as usize]).sum();
        Support {
            rows,
            weights,
            normal: normal.normalize(),
            rise,
            thickness: 0.01,
            stiffening: 2.5,
            mass: 1.0 / inverse,
            friction: 0.4,
            surface_velocity: DVec3::new(0.3, -0.2, 0.1),
        }
    };
    vec![
        support([a, b, a, a], [0.3, 0.7, 0.0, 0.0], DVec3::new(0.1, 1.0, 0.2), 0.02),
        support([c, d, c, c], [0.6, 0.4, 0.0, 0.0], DVec3::new(-0.4, 1.0, 0.0), 0.015),
        support([e, f, g, e], [0.2, 0.5, 0.3, 0.0], DVec3::new(0.0, 1.0, -0.3), 0.01),
        support([e, f, g, e], [0.4, 0.3, 0.3, 0.0], DVec3::Y, -0.5),
    ]
}

/// A step with struts to colliders, with or without contact between bodies: attach, product, pass, potential and work.
#[test]
fn struts_to_colliders() {
    for launch in Launch::ALL {
        for (integrator, meets) in [
            (Integrator::ImplicitEuler, true),
            (Integrator::ImplicitEuler, false),
            (Integrator::ImplicitMidpoint, false),
        ] {
            let mut step = Step::supported(launch, integrator, meets);
            step.attach();
            let all = step.pair.read::<layout::Strut>("struts");
            let on = |step: &Step| {
                step.pair.read::<u32>("states")[..4].iter().map(|state| state & 3 == 2).collect::<Vec<_>>()
            };
            let twins = |step: &Step| step.pair.state.struts.list[..4].iter().map(|strut| strut.on).collect::<Vec<_>>();
            assert_eq!(on(&step), [true, true, true, false]);
            assert_eq!(on(&step), twins(&step));
            assert!((f64::from(all[0].normal[3]) / step.pair.state.struts.list[0].stiffness - 1.0).abs() < 1e-6);
            agree_within(GAPS, "residual", &step.pair.vectors("residual"), &step.pair.state.residual);
            agree_within(GAPS, "diagonal", &columns(&step.diagonal()), &columns(&step.pair.state.diagonal));
            let mut still = step.pair.state.clone();
            still.struts.list.iter_mut().for_each(|strut| strut.surface_velocity = None);
            step.pair.run(|engine, timeline| engine.solver().encode(timeline, 0, false));
            step.pair.twin_precondition();
            step.pair.run(|engine, timeline| engine.solver().encode_spmv(timeline));
            reference::solve::spmv(&step.pair.topology, &mut step.pair.state);
            agree_within(GAPS, "product", &step.pair.product(), &step.pair.state.w);
            still.u.clone_from(&step.pair.state.u);
            still.struts.clear();
            reference::solve::spmv(&step.pair.topology, &mut still);
            differ("product without struts", &step.pair.product(), &still.w);
            // A pass after a solve that moves everything.
            let changes: Vec<DVec3> =
                random_vectors(31, step.pair.topology.particle_count()).iter().map(|v| 0.7 * v.as_dvec3()).collect();
            step.pair.state.solution.clone_from(&changes);
            let words: Vec<[f32; 4]> = changes.iter().map(|v| upload::vec4(*v, 0.0)).collect();
            let engine = &step.pair.engine;
            engine.device.buffers.write(engine.gpu(), "solution", 0, &words).unwrap();
            step.set_status(|status| (status.cg.done, status.cg.outcome) = (1, 1));
            step.pair.run(|engine, timeline| {
                engine.searcher().unwrap().encode_pass(timeline, true, engine.collision());
            });
            let before = step.pair.state.residual.clone();
            step.twin(|collisions, constraints, contacts, state| {
                collisions.revise(constraints, contacts, state);
                collisions.restore(constraints, contacts, state);
            });
            assert_eq!(on(&step), twins(&step));
            let numbers = step.pair.read::<layout::Strut>("struts");
            let drags: Vec<DVec3> = numbers[..4].iter().map(|strut| DVec3::splat(strut.push[3].into())).collect();
            let own = |list: &[reference::collision::Strut]| {
                list[..4].iter().map(|s| DVec3::splat(s.drag)).collect::<Vec<_>>()
            };
            agree_within(GAPS, "friction", &drags, &own(&step.pair.state.struts.list));
            assert!(drags.iter().any(|drag| drag.x > 0.0));
            agree_within(GAPS, "residual", &step.pair.vectors("residual"), &step.pair.state.residual);
            differ("the residual before", &step.pair.vectors("residual"), &before);
            step.compare_weights(meets);
        }
    }
}
