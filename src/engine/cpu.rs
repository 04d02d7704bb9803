//! The step in f64 on the CPU, with the same kernels in the same order as on the GPU.

mod checkpoint;
pub(in crate::engine) mod collision;
mod interface;
#[cfg(feature = "cli")]
mod meeting;
mod safe;
pub(in crate::engine) mod stopwatch;

use super::{Clock, Motion, farthest};
use crate::{
    Error, Fault, Instability, Integrator, Meeting, Options, Outcome, SafeOptions, Scene, StepRecord,
    integrator::Kind,
    reference::{
        CgState, Corrections, Parameters, State, assembly, audit, coarse::Coarse, collision::struts, contact, explicit,
        external, integrate, report, search, solve, ties,
    },
    stage::StepPart,
    topology::{Constraint, Contact, Contacts, PointLoad, Rigid, TieGroups, Topology},
};
use collision::Collisions;
use glam::DVec3;
use std::sync::Arc;
use stopwatch::Stopwatch;

pub(crate) struct CpuEngine {
    topology: Arc<Topology>,
    parameters: Parameters,
    measure: bool,
    newton: bool,
    safe: Option<SafeOptions>,
    /// Whether steps without line search are audited: those of the IMEX schemes.
    audited_afterwards: bool,
    /// Whether the first linearisation of the last step was poor.
    hard: bool,
    /// Rows that the guard stopped short in the last step.
    shortened: Vec<bool>,
    /// Energy rises of the last steps, which are audited together with the next, newest first.
    rises: Vec<f64>,
    /// Whether steps are accepted although contacts or residual have not converged.
    lenient: bool,
    /// All pins, including released ones.
    pins: Vec<Constraint>,
    /// Constraints of the next step: active pins, then contacts.
    constraints: Vec<Constraint>,
    contacts: Vec<Contact>,
    /// Contacts of the next step.
    touching: Contacts,
    /// Impulses of all constraints in the last step, N·s.
    impulses: Vec<DVec3>,
    passes: u32,
    /// Groups of tied particles.
    groups: TieGroups,
    loads: Vec<PointLoad>,
    air: bool,
    state: State,
    step: u64,
    clock: Clock,
    integrator: Integrator,
    /// Coefficients of the constant matrix of the IMEX schemes; empty for others.
    couplings: Vec<[f64; 2]>,
    /// Length of the step before the next one, for schemes that look back at it, s.
    before: Option<f64>,
    records: Vec<StepRecord>,
    timing: bool,
    adaptive: bool,
    /// The state before the last step, if steps are adaptive.
    saved: Option<Saved>,
    /// Motion of a restored state, for contact tests before the next step.
    restored: Option<Motion>,
}

/// State that a step changes and later steps read.
struct Saved {
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    previous: (Vec<DVec3>, Vec<DVec3>),
    direction: (Vec<DVec3>, Vec<DVec3>),
    history: Vec<[f64; 4]>,
    wind_phase: f64,
    hard: bool,
    rises: Vec<f64>,
    shortened: Vec<bool>,
    step: u64,
    clock: Clock,
    before: Option<f64>,
}

impl CpuEngine {
    pub fn new(topology: Arc<Topology>, scene: &Scene, options: &Options) -> Self {
        let parameters = Parameters::new(options, scene.gravity.as_dvec3());
        let parameters = Parameters {
            air: scene.air.unwrap_or_default(),
            reach: topology.reach(),
            rounding: topology.rounding(),
            warm_start: options.warm_start(topology.has_corrections(scene.rigid_count())),
            ..parameters
        };
        Self {
            air: scene.air.is_some(),
            measure: options.measure,
            newton: options.newton().is_some(),
            safe: options.safe().cloned(),
            audited_afterwards: options.audited().is_some() && options.safe().is_none(),
            hard: false,
            shortened: Vec::new(),
            rises: Vec::new(),
            lenient: false,
            contacts: vec![Contact::default(); topology.constraints.len()],
            impulses: Vec::new(),
            passes: if options.safe().is_some() { options.safe_passes() } else { options.contact_passes },
            constraints: topology.constraints.clone(),
            pins: topology.constraints.clone(),
            touching: Contacts::default(),
            loads: topology.loads.clone(),
            groups: topology.tied_at_start(),
            state: State::new(&topology, &parameters),
            parameters,
            couplings: if options.integrator.is_imex() { topology.constant_couplings() } else { Vec::new() },
            topology,
            step: 0,
            clock: Clock::new(options.time_step),
            integrator: options.integrator,
            before: None,
            records: Vec::new(),
            timing: options.timing,
            adaptive: options.adaptive.is_some(),
            saved: None,
            restored: None,
        }
    }
}

impl CpuEngine {
    /// Lists the constraints of the next step: active pins, then contacts.
    fn list_constraints(&mut self) {
        self.constraints = self.pins.iter().filter(|pin| pin.holds()).copied().collect();
        self.contacts = vec![Contact::default(); self.constraints.len()];
        self.constraints.extend(&self.touching.constraints);
        self.contacts.extend(&self.touching.contacts);
    }

    /// Advances one step, with the same kernels in the same order as on the GPU.
    fn one_step(&mut self) -> Result<(), Error> {
        let Self {
            topology,
            parameters,
            constraints,
            contacts,
            touching,
            impulses,
            passes,
            groups,
            loads,
            air,
            integrator,
            couplings,
            before,
            state,
            safe,
            hard,
            shortened,
            timing,
            ..
        } = self;
        let stopwatch = &Stopwatch::start(*timing);
        let mut cg = CgState::default();
        let mut iterations = 0;
        let mut finite = true;
        if let Some(fans) = &topology.fans {
            external::normals(fans, state);
        }
        state.scheme = integrator.scheme(parameters.time_step, *before);
        let imex = integrator.is_imex();
        let from_outside = |linearisation: u32, state: &mut State| {
            if *air {
                external::air(topology, parameters, state);
            }
            external::loads(loads, linearisation, state);
        };
        // Only the first linearisation has the lead term h K v. Forces at the predicted stage and forces outside Newton's loop have none.
        let forces = |linearisation: u32, state: &mut State| {
            let _assembly = stopwatch.enter(StepPart::Assembly);
            let linearisation = if integrator.extrapolates() { 1 } else { linearisation };
            // The constant matrix adds its own lead term.
            let with_lead = if imex { 1 } else { linearisation };
            assembly::edges(topology, parameters, with_lead, state);
            assembly::elements(topology, parameters, with_lead, state);
            if imex {
                assembly::scalars(topology, couplings, parameters, linearisation, state);
            }
            from_outside(linearisation, state);
        };
        let forces_alone = |state: &mut State| {
            assembly::forces(topology, parameters, state);
            from_outside(1, state);
        };
        let supports = touching.supports.clone();
        let surface = topology.surface.as_ref();
        let collides = surface.is_some() || !supports.is_empty();
        let collisions = || {
            let (supports, integrator) = (supports.as_slice(), *integrator);
            let collisions = Collisions { topology, surface, supports, groups, parameters, integrator, stopwatch };
            collides.then_some(collisions)
        };
        if !collides {
            state.struts.clear();
        }
        let mut runaway = false;
        let (mut energy_rise, mut energy_scale, mut recovered) = (None, 1.0, 0.0);
        let rigids = &mut touching.rigids;
        let touching = touching.constraints.len();
        let pins = constraints.len() - touching;
        let solve_on = |constraints: &[Constraint],
                        contacts: &[Contact],
                        rigids: &mut [Rigid],
                        state: &mut State,
                        cg: &mut CgState| {
            let (constraints, contacts) = (&constraints[pins..], &contacts[pins..]);
            let mut corrections = Corrections::new(groups, rigids, constraints, contacts, topology.aggregates.as_ref());
            solve::conjugate_gradient(topology, parameters, &mut corrections, state, cg);
        };
        let passes = if touching > 0 || !rigids.is_empty() || collides { *passes } else { 0 };
        impulses.clear();
        if integrator.is_explicit() {
            explicit::begin(&groups.spread(&constraints[..pins]), parameters, state);
        }
        match integrator.kind() {
            Kind::Implicit => {
                if parameters.explicit_share > 0.0 {
                    forces_alone(state);
                    ties::tie_forces(groups, &topology.masses, state);
                }
                integrate::begin(topology, &groups.spread(constraints), parameters, state);
                if parameters.explicit_share > 0.0 {
                    ties::tie_anchors(groups, state);
                }
                if let Some(options) = safe {
                    let ending = safe::SafeStep {
                        topology,
                        parameters,
                        options,
                        constraints,
                        contacts,
                        rigids,
                        groups,
                        loads,
                        air: *air,
                        collisions: collisions(),
                        stopwatch,
                        passes,
                        state,
                        hard,
                    }
                    .run();
                    (cg, iterations, finite) = (ending.cg, ending.iterations, ending.finite);
                    cg.outcome = ending.outcome;
                    *impulses = ending.impulses;
                    energy_rise = Some(ending.rise);
                    energy_scale = ending.scale;
                    runaway = ending.runaway;
                } else {
                    let collisions = collisions();
                    if let Some(collisions) = &collisions {
                        collisions.begin(constraints, contacts, state);
                    }
                    for linearisation in 0..parameters.max_linearisations {
                        if linearisation > 0 {
                            integrate::relinearise(topology, state);
                        }
                        forces(linearisation, state);
                        if let Some(collisions) = &collisions {
                            collisions.attach(state);
                        }
                        let solving = stopwatch.enter(StepPart::Solve);
                        ties::tie_blocks(groups, state);
                        if touching > 0 {
                            contact::keep(constraints, contacts, state);
                        }
                        solve::precondition(topology, constraints, parameters, state, &mut cg);
                        build_coarse(topology, groups, constraints, imex, state);
                        if linearisation == 0 && parameters.warm_start {
                            solve::warm(constraints, state, &mut cg);
                        }
                        solve_on(constraints, contacts, rigids, state, &mut cg);
                        iterations += cg.iteration;
                        for pass in 0..passes {
                            if cg.newton_done {
                                break;
                            }
                            let last = pass > 0 && pass + 1 == passes;
                            contact::respond(last, constraints, contacts, parameters, state, &mut cg);
                            if let Some(collisions) = &collisions {
                                collisions.revise(constraints, contacts, state);
                                collisions.restore(constraints, contacts, state);
                            }
                            contact::engage(topology, constraints, contacts, groups, state);
                            build_coarse(topology, groups, constraints, imex, state);
                            solve_on(constraints, contacts, rigids, state, &mut cg);
                            iterations += cg.iteration;
                        }
                        if touching > 0 {
                            *impulses = contact::settle(constraints, contacts, &topology.masses, groups, state, &cg);
                            ties::tie_anchors(groups, state);
                        }
                        drop(solving);
                        finite = integrate::stage(state);
                        if cg.newton_done || cg.outcome == Outcome::NonFinite || !finite {
                            break;
                        }
                    }
                    recovered = struts::recovered(state);
                }
                if *integrator == Integrator::ImplicitMidpoint {
                    finite &= integrate::midpoint(&groups.spread(constraints), state);
                }
                if *integrator == Integrator::ImexMidpoint && finite && cg.outcome != Outcome::NonFinite {
                    forces_alone(state);
                    if collides {
                        struts::repeat(state);
                    }
                    contact::keep(constraints, contacts, state);
                    ties::tie_forces(groups, &topology.masses, state);
                    finite = integrate::imex_midpoint(topology, &groups.spread(constraints), parameters, state);
                    ties::tie_states(groups, state);
                }
            }
            Kind::RungeKutta(stages) => {
                for stage in &stages {
                    forces_alone(state);
                    ties::tie_forces(groups, &topology.masses, state);
                    explicit::runge_kutta(topology, &groups.spread(&constraints[..pins]), parameters, stage, state);
                }
            }
            Kind::Verlet(method) => {
                forces_alone(state);
                ties::tie_forces(groups, &topology.masses, state);
                explicit::verlet(topology, &groups.spread(&constraints[..pins]), parameters, method, state);
            }
        }
        if integrator.is_explicit() {
            if touching > 0 {
                // Masters react with the mass of their group.
                let masses = groups.masses(&topology.masses);
                *impulses = contact::react(*integrator, constraints, contacts, &masses, parameters, state);
            }
            ties::tie_states(groups, state);
            (finite, runaway) = explicit::check(parameters, state);
            if let (Some(collisions), true, false) = (collisions(), finite, runaway) {
                collisions.strike(constraints, contacts, state);
            }
            cg.outcome = Outcome::Converged;
            cg.newton_done = true;
        }
        if self.audited_afterwards && finite && cg.outcome != Outcome::NonFinite {
            if *integrator == Integrator::ImexMidpoint {
                // The state of the IMEX midpoint rule lies beyond its stage.
                state.anchor_velocities.clone_from(&state.velocities);
            }
            let elastic = search::look_back(topology, parameters, state);
            let scale = audit::scale(topology, parameters, loads, state) + elastic.start.max(0.0);
            let outside = audit::Outside { impulses, constraints, contacts, loads, air: *air };
            let rise = elastic.change + audit::rows(topology, parameters, &outside, groups, state) - recovered;
            energy_rise = Some(if scale > 0.0 { rise / scale } else { 0.0 });
            energy_scale = scale;
            runaway = audit::runs_away(parameters, state);
        }
        let mut meeting = None;
        let mut cut = Vec::new();
        if let (Some(collisions), true) = (collisions(), finite) {
            let ended = (state.positions.clone(), state.velocities.clone());
            let guarded = collisions.guard(constraints, contacts, shortened, state);
            cut = guarded.shares.iter().map(|share| *share < 1.0).collect();
            if let (1.., Some(rise)) = (guarded.truncated, &mut energy_rise) {
                *rise += collisions.gained(ended, state) / energy_scale;
            }
            meeting = Some(Meeting {
                pairs: state.struts.pairs() as u32,
                active: state.struts.active() as u32,
                truncated: guarded.truncated,
                driven: guarded.driven.len() as u32,
            });
        }
        let unstable = match (energy_rise, cg.outcome) {
            _ if runaway => Some(Instability::Runaway),
            (None, _) => None,
            (Some(rise), _) if !audit::is_sound(*integrator, rise, &self.rises) => Some(Instability::EnergyRise),
            (_, Outcome::Converged) => None,
            _ if self.lenient || imex => None,
            (_, Outcome::ActiveSet) => Some(Instability::ActiveSet),
            (_, Outcome::LineSearch) => Some(Instability::LineSearch),
            _ => Some(Instability::Linearisations),
        };
        if cg.outcome == Outcome::NonFinite || !finite || unstable.is_some() {
            let row = farthest(&state.velocities, &state.previous_velocities);
            integrate::restore(state);
            // Impulses of a failed step say nothing about contacts in the next.
            impulses.clear();
            *before = None;
            if let (Some(cause), true) = (unstable, finite) {
                let particle = row.map(|row| topology.order[row]);
                return Err(Error::Unstable { step: self.step, cause, particle });
            }
            let cause =
                if cg.outcome == Outcome::NonFinite { Fault::Solve { iteration: iterations } } else { Fault::State };
            return Err(Error::NonFinite { step: self.step, cause });
        }
        let error = self.adaptive.then(|| integrate::estimate(&groups.spread(constraints), parameters, state));
        external::advance_wind(parameters, state);
        let measures = self.measure.then(|| report::measure(topology, parameters, state));
        if topology.has_memory() {
            integrate::history(topology, parameters, state);
        }
        if let Some(rise) = energy_rise {
            self.rises.insert(0, rise);
            self.rises.truncate(integrator.audited_steps() - 1);
        }
        self.step += 1;
        *shortened = cut;
        *before = Some(parameters.time_step);
        let relative = if cg.newton_reference > 0.0 { (cg.gamma / cg.newton_reference).abs().sqrt() } else { 0.0 };
        self.records.push(StepRecord {
            step: self.step,
            time: self.clock.time(self.step),
            time_step: parameters.time_step,
            error,
            iterations,
            linearisations: cg.linearisation,
            outcome: match (cg.outcome, &meeting) {
                (Outcome::Converged, Some(Meeting { driven: 1.., .. })) => Outcome::Driven,
                (outcome, _) => outcome,
            },
            newton_converged: cg.newton_done || !self.newton,
            residual: relative,
            energy_rise,
            contacts: self.touching.touching() as u32,
            meeting,
            measures,
            stage_times: stopwatch.times(),
        });
        Ok(())
    }
}

/// Builds the coarse matrix for the present matrix and constraints, in scenes with aggregates. A `constant` matrix keeps its coarse matrix as long as it holds.
fn build_coarse(
    topology: &Topology,
    groups: &TieGroups,
    constraints: &[Constraint],
    constant: bool,
    state: &mut State,
) {
    let Some(aggregates) = &topology.aggregates else { return };
    let constraints = groups.spread(constraints);
    if !(constant && state.coarse.holds(topology, &constraints, state.scheme.stage_step)) {
        state.coarse = Coarse::build(topology, aggregates, &constraints, state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_not_finite_keep_the_last_good_state() {
        let mut scene = crate::test_scenes::irregular(1, 5, 5);
        let plasticity = crate::Plasticity { yield_strain: 0.01, maximum: 1.0, creep: 50.0 };
        let spring = &mut scene.bodies[0].material.structural;
        *spring = spring.plastic(plasticity);
        let options = Options::default();
        let topology = Arc::new(Topology::build(&scene, &options).unwrap());
        let mut engine = CpuEngine::new(topology.clone(), &scene, &options);
        engine.step_many(1).unwrap();
        // Positions whose squared lengths overflow.
        let far: Vec<DVec3> = topology.positions.iter().map(|p| *p * 1e200).collect();
        engine.set_positions(&far).unwrap();
        let history = engine.edge_history().unwrap();
        assert!(history.iter().any(|edge| edge[0] != 0.0));
        match engine.step_many(1) {
            Err(Error::NonFinite { step: 1, .. }) => {}
            other => panic!("{other:?}"),
        }
        assert_eq!(engine.positions().unwrap(), far);
        assert_eq!(engine.edge_history().unwrap(), history);
        engine.set_positions(&topology.positions).unwrap();
        engine.step_many(1).unwrap();
        assert_eq!(engine.steps(), 2);
    }
}
