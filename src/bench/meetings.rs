//! Cost of contact between bodies: pairs, rows and shortened motion, and the share of detection and response in the time of a step.

use super::{
    collisions::{self, Collision},
    measure::median,
    workload::Workload,
};
use crate::{Backend, Costs, Error, Options, Simulation, StageTimes, StepRecord};
use std::time::Instant;

/// Scenes of contact between bodies, smallest first within each series.
pub fn all() -> Vec<Workload> {
    let row = |about: &'static str, collision: Collision, large: bool| Workload {
        name: collision.name,
        about,
        scene: collision.scene,
        options: Options { time_step: collision.time_step, ..Options::default() },
        large,
    };
    let fold = |n: u32| row("a sheet folds onto itself on its edge", collisions::fold(n), n > 64);
    let stack = |n: u32| row("eight sheets one upon another, in contact from the start", collisions::layers(n), n > 24);
    vec![
        fold(64),
        fold(128),
        stack(24),
        stack(48),
        stack(96),
        row("a tube is twisted by its ends", Collision { name: "twist-24".to_owned(), ..collisions::wring(24) }, false),
        row("soft cubes fall onto each other", collisions::pile(4), false),
    ]
}

/// Whether a workload is one of this table.
pub fn meets(workload: &Workload) -> bool {
    workload.scene.contact.is_some()
}

/// Uncounted and counted steps of a workload. What falls, folds or twists takes its time to meet.
pub fn steps_of(workload: &Workload) -> (u32, u32) {
    let start = match workload.name.split('-').next() {
        Some("fold") => 45,
        Some("twist") => 150,
        Some("pile") => 25,
        _ => 5,
    };
    (start, 5)
}

/// Results of a workload on a backend. Means are over the counted steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Met {
    /// Particles of the scene.
    pub particles: usize,
    /// Iterations per step.
    pub iterations: f64,
    /// Linearisations per step.
    pub linearisations: f64,
    /// Pairs near each other.
    pub pairs: f64,
    /// Pairs kept apart at the end of a step.
    pub active: f64,
    /// Particles whose motion was shortened, per step.
    pub truncated: f64,
    /// Counted steps that failed and were repeated as shorter ones.
    pub failed: u64,
    /// Time per step with a wait after it, ms: median.
    pub ms_per_step: f64,
    /// Time of the counted steps by stage, s; `None` where the device cannot tell.
    pub stages: Option<StageTimes>,
    /// Dispatches per step; 0 on the CPU backend.
    pub dispatches: f64,
    /// Costs reported by the simulation.
    pub costs: Costs,
}

/// Runs a workload: counted steps after a start.
pub fn time(backend: &Backend, workload: &Workload, (start, steps): (u32, u32)) -> Result<Met, Error> {
    let options = Options { timing: true, ..workload.options.clone() };
    let mut simulation = Simulation::new(backend.clone(), &workload.scene, options)?;
    for _ in 0..start {
        simulation.step()?;
    }
    simulation.finish()?;
    simulation.take_records();
    let (failed, dispatches) = (simulation.repeat_report().failed, simulation.costs().all_dispatches);
    let mut times = Vec::new();
    for _ in 0..steps {
        let begin = Instant::now();
        simulation.step()?;
        simulation.finish()?;
        times.push(1e3 * begin.elapsed().as_secs_f64());
    }
    let records = simulation.take_records();
    let costs = simulation.costs();
    let mean = |of: &dyn Fn(&StepRecord) -> u32| {
        records.iter().map(|record| f64::from(of(record))).sum::<f64>() / f64::from(steps.max(1))
    };
    let meeting = |record: &StepRecord| record.meeting.unwrap_or_default();
    Ok(Met {
        particles: workload.scene.particle_count(),
        iterations: mean(&|record| record.iterations),
        linearisations: mean(&|record| record.linearisations),
        pairs: mean(&|record| meeting(record).pairs),
        active: mean(&|record| meeting(record).active),
        truncated: mean(&|record| meeting(record).truncated),
        failed: simulation.repeat_report().failed - failed,
        ms_per_step: median(&mut times),
        stages: total(&records),
        dispatches: (costs.all_dispatches - dispatches) as f64 / f64::from(steps.max(1)),
        costs,
    })
}

/// Sum of the times of steps by stage; `None` where none is known.
fn total(records: &[StepRecord]) -> Option<StageTimes> {
    let known: Vec<StageTimes> = records.iter().filter_map(|record| record.stage_times).collect();
    let sum = |of: fn(&StageTimes) -> f64| known.iter().map(of).sum::<f64>();
    let times = StageTimes {
        assembly: sum(|times| times.assembly),
        solve: sum(|times| times.solve),
        integrate: sum(|times| times.integrate),
        collision: sum(|times| times.collision),
    };
    (times.assembly + times.solve > 0.0).then_some(times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Gpu;

    fn layers() -> Workload {
        let collisions::Collision { name, scene, time_step, .. } = collisions::layers(5);
        Workload { name, about: "", scene, options: Options { time_step, ..Options::default() }, large: false }
    }

    #[test]
    fn every_scene_has_contact_between_bodies_and_a_name_of_its_own() {
        let mut names: Vec<String> = all().into_iter().filter(meets).map(|workload| workload.name).collect();
        names.dedup();
        assert_eq!(names.len(), all().len());
        let others = [super::super::workload::all(), super::super::preconditioners::all()].concat();
        assert!(!others.iter().any(meets));
    }

    #[test]
    fn detection_and_response_take_a_part_of_the_step_on_both_backends() {
        for backend in [Backend::Cpu, Backend::Gpu(Gpu::headless().unwrap())] {
            let met = time(&backend, &layers(), (1, 2)).unwrap();
            assert!(met.pairs > 100.0 && met.active > 0.0 && met.ms_per_step > 0.0, "{met:?}");
            let apart = Workload { scene: crate::Scene { contact: None, ..layers().scene }, ..layers() };
            let control = time(&backend, &apart, (1, 2)).unwrap();
            assert_eq!((control.pairs, control.active), (0.0, 0.0));
            if let (Some(met), Some(control)) = (met.stages, control.stages) {
                assert!(met.collision > 0.0 && control.collision == 0.0, "{met:?}, {control:?}");
            } else {
                assert!(matches!(backend, Backend::Gpu(_)), "the host has a clock");
            }
        }
    }
}
