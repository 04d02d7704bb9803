//! Runs scenes of contact between bodies and prints what they are judged by: intersections, gaps, shortened motion, iterations, momentum.
//!
//!     cargo run --release --example collisions -- fold-40 slide-16
//!     cargo run --release --example collisions -- hit-10 --integrator=leap-frog --step=2e-5 --time=0.03

use std::time::Instant;
use tenter::{
    Backend, Gpu, Integrator, Nonlinear, Options, Outcome, Simulation,
    glam::DVec3,
    internals::{
        bench::collisions as scenes,
        reference::collision::{Pairs, Sweep, closest::Closest, crossings, select::thickness},
        topology::Topology,
    },
};

struct Printer;

impl log::Log for Printer {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.target().starts_with("tenter")
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            println!("{}", record.args());
        }
    }

    fn flush(&self) {}
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let flag = |name: &str| arguments.iter().find_map(|a| a.strip_prefix(&format!("--{name}=")).map(str::to_owned));
    if flag("log").is_some() {
        log::set_logger(&Printer)?;
        log::set_max_level(log::LevelFilter::Debug);
    }
    let number = |name: &str| flag(name).map(|value| value.parse::<f64>()).transpose();
    for argument in arguments.iter().filter(|a| !a.starts_with("--")) {
        let (name, n) = argument.rsplit_once('-').ok_or("NAME-N")?;
        let n: u32 = n.parse()?;
        let mut collision = match name {
            "fold" => scenes::fold(n),
            "stack" => scenes::stack(n),
            "ball" => scenes::drape(n),
            "land" => scenes::land(n),
            "fall" => scenes::fall(n),
            "slide" => scenes::slide(n),
            "hit" => scenes::hit(n),
            "stick" => scenes::slope(n, 0.6),
            "slip" => scenes::slope(n, 0.3),
            "wring" => scenes::wring(n),
            "cubes" => scenes::cubes(n),
            "hammock" => scenes::hammock(n),
            "beads" => scenes::beads(n),
            _ => return Err("no such scene".into()),
        };
        collision.time_step = number("step")?.unwrap_or(collision.time_step);
        collision.duration = number("time")?.unwrap_or(collision.duration);
        if let (Some(friction), Some(contact)) = (number("friction")?, &mut collision.scene.contact) {
            contact.friction = friction as f32;
        }
        if let (Some(thickness), Some(contact)) = (number("thickness")?, &mut collision.scene.contact) {
            contact.thickness = Some(thickness as f32);
        }
        if flag("off").is_some() {
            collision.scene.contact = None;
        }
        let scene = &collision.scene;
        let mut options = Options { time_step: collision.time_step, measure: true, ..Options::default() };
        if let Some(name) = flag("integrator") {
            let known = Integrator::ALL.into_iter().find(|integrator| integrator.name() == name);
            options.integrator = known.ok_or("no such integrator")?;
        }
        if flag("two-level").is_some() {
            options.solver.preconditioner = tenter::Preconditioner::TwoLevel;
        }
        match flag("nonlinear").as_deref() {
            None => {}
            Some("one-linearisation") => options.nonlinear = Nonlinear::OneLinearisation,
            Some("newton") => options.nonlinear = Nonlinear::Newton(Default::default()),
            Some(_) => return Err("no such method".into()),
        }
        if let (Some(tolerance), tenter::Nonlinear::Safe(safe)) = (number("tolerance")?, &mut options.nonlinear) {
            safe.tolerance = tolerance;
        }
        let topology = Topology::build(scene, &options)?;
        let backend = if flag("gpu").is_some() { Backend::Gpu(Gpu::headless()?) } else { Backend::Cpu };
        let mut simulation = Simulation::new(backend, scene, options)?;
        let steps = (collision.duration / collision.time_step).round() as u32;
        let rows: f64 = topology.particle_count() as f64;
        let masters: Vec<u32> = (0..topology.particle_count() as u32).collect();
        let last = scene.bodies.last().map_or(0, |body| body.mesh.positions.len());
        let mean_x = |positions: &[tenter::glam::Vec3]| {
            let own = &positions[positions.len() - last..];
            own.iter().map(|p| f64::from(p.x)).sum::<f64>() / own.len() as f64
        };
        let start_x = mean_x(simulation.positions()?);
        let momentum = |velocities: &[tenter::glam::Vec3]| {
            let of = |(particle, v): (usize, &tenter::glam::Vec3)| {
                topology.masses[topology.row_of[particle] as usize] * v.as_dvec3()
            };
            velocities.iter().enumerate().map(of).sum::<DVec3>()
        };
        let before = momentum(simulation.velocities()?);
        let (mut crossed, mut frames, mut least) = (0, 0, f64::INFINITY);
        let begin = Instant::now();
        let mut spent = 0.0;
        let verbose = flag("verbose").is_some();
        for step in 0..steps {
            let from = Instant::now();
            let latest = match simulation.step().and_then(|_| simulation.finish()) {
                Ok(record) => record,
                Err(error) => {
                    println!("{argument}: {error}");
                    break;
                }
            };
            spent += from.elapsed().as_secs_f64();
            let Some(surface) = &topology.surface else { continue };
            let places = simulation.positions()?.to_vec();
            let positions: Vec<DVec3> = topology.order.iter().map(|&p| places[p as usize].as_dvec3()).collect();
            let found = crossings(surface, &masters, &positions);
            crossed = crossed.max(found.len());
            frames += usize::from(!found.is_empty());
            let mut here = f64::INFINITY;
            if step % 5 == 4 {
                let sweep = Sweep { start: &positions, end: &positions, masters: &masters, reach: 1.0, led: None };
                for pair in Pairs::find(surface, &sweep).list {
                    let gap = Closest::of(pair.kind, &pair.gather(&positions)).offset.length();
                    here = here.min(gap / thickness(surface, &pair));
                }
                least = least.min(here);
            }
            if verbose {
                let record = latest.ok_or("record")?;
                let meeting = record.meeting.unwrap_or_default();
                println!(
                    "{:4} it {:4} lin {:2} {:?} pairs {} active {} cut {} crossed {} rise {:.2e} gap {:.3} kin {:.3e} strain {:.3}",
                    record.step,
                    record.iterations,
                    record.linearisations,
                    record.outcome,
                    meeting.pairs,
                    meeting.active,
                    meeting.truncated,
                    found.len(),
                    record.energy_rise.unwrap_or(0.0),
                    here,
                    record.measures.map_or(0.0, |m| m.kinetic),
                    record.measures.map_or(0.0, |m| m.largest_strain),
                );
            }
        }
        let places = simulation.positions()?.to_vec();
        let velocities = simulation.velocities()?.to_vec();
        if let Some(path) = flag("obj") {
            use std::fmt::Write;
            let mut text = String::new();
            places.iter().try_for_each(|p| writeln!(text, "v {} {} {}", p.x, p.y, p.z))?;
            let mut first = 1;
            for body in &scene.bodies {
                for t in &body.mesh.triangles {
                    writeln!(text, "f {} {} {}", t[0] + first, t[1] + first, t[2] + first)?;
                }
                first += body.mesh.positions.len() as u32;
            }
            std::fs::write(path, text)?;
        }
        let records = simulation.take_records();
        let count = records.len().max(1) as f64;
        let mean = |of: &dyn Fn(&tenter::StepRecord) -> f64| records.iter().map(of).sum::<f64>() / count;
        let most = |of: &dyn Fn(&tenter::StepRecord) -> f64| records.iter().map(of).fold(0.0, f64::max);
        let cut = |r: &tenter::StepRecord| f64::from(r.meeting.map_or(0, |m| m.truncated));
        let kinetic: f64 = records.last().and_then(|r| r.measures).map_or(0.0, |m| m.kinetic);
        let mass: f64 = topology.masses.iter().sum();
        let after = momentum(&velocities);
        println!(
            "{argument:10} {:5.0} rows {:4.0} it {:4.1} lin, not converged {:3}, pairs {:5.1} active {:4.2} (max {:4.2}) per row, cut {:6.3} % (max {:5.2}), crossed {crossed} in {frames}, gap {least:.3}, rise {:.1e}, rms {:.2} mm/s, strain {:.3}, repeats {:?}, p {:.5}, moved {:.4} m, {:.1} s of {:.1}",
            rows,
            mean(&|r| f64::from(r.iterations)),
            mean(&|r| f64::from(r.linearisations)),
            records.iter().filter(|r| r.outcome != Outcome::Converged).count(),
            mean(&|r| f64::from(r.meeting.map_or(0, |m| m.pairs))) / rows,
            mean(&|r| f64::from(r.meeting.map_or(0, |m| m.active))) / rows,
            most(&|r| f64::from(r.meeting.map_or(0, |m| m.active))) / rows,
            100.0 * mean(&cut) / rows,
            100.0 * most(&cut) / rows,
            most(&|r| r.energy_rise.unwrap_or(0.0)),
            1e3 * (2.0 * kinetic / mass).sqrt(),
            most(&|r| r.measures.map_or(0.0, |m| m.largest_strain)),
            simulation.repeat_report(),
            if before.length() > 0.0 { after.dot(before) / before.length_squared() } else { after.length() },
            mean_x(&places) - start_x,
            spent,
            begin.elapsed().as_secs_f64(),
        );
    }
    Ok(())
}
