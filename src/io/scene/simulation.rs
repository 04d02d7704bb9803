//! The tables `[simulation]`, `[adaptive]`, `[rayleigh]`, `[solver]` and `[newton]`: how to simulate, and for how long.

use super::value::{Table, Value};
use crate::{
    Adaptive, Budget, Control, Error, Integrator, NewtonOptions, Options, Preconditioner, Rayleigh, SolverOptions,
    scene::STANDARD_GRAVITY,
};
use glam::Vec3;

/// Most steps of one run: beyond it nobody waits for the end.
const MAX_STEPS: f64 = 1e7;

/// What `[simulation]` says besides the options.
pub struct Schedule {
    pub gravity: Vec3,
    pub duration: f64,
    pub frame_rate: f64,
}

/// Reads the tables; each may be missing.
pub fn read(root: &Table<'_>) -> Result<(Options, Schedule), Error> {
    let mut options = Options::default();
    let mut schedule = Schedule { gravity: STANDARD_GRAVITY, duration: 3.0, frame_rate: 30.0 };
    if let Some(value) = root.get("solver") {
        options.solver = solver(&value.table()?)?;
    }
    if let Some(value) = root.get("adaptive") {
        options.adaptive = Some(adaptive(&value.table()?)?);
    }
    if let Some(value) = root.get("rayleigh") {
        let table = value.table()?;
        table.only(&["mass", "stiffness"])?;
        let part = |key| table.get_or(key, 0.0, |value| value.amount().map(f64::from));
        options.rayleigh = Rayleigh { mass: part("mass")?, stiffness: part("stiffness")? };
    }
    if let Some(value) = root.get("newton") {
        options.newton = Some(newton(&value.table()?)?);
    }
    if let Some(value) = root.get("simulation") {
        let table = value.table()?;
        table.only(&[
            "time_step",
            "duration",
            "gravity",
            "frame_rate",
            "clamp",
            "max_substeps",
            "integrator",
            "theta",
        ])?;
        options.integrator = integrator(&table)?;
        options.time_step = table.get_or("time_step", options.time_step, Value::positive)?;
        options.clamp = table.get_or("clamp", options.clamp, Value::boolean)?;
        options.max_substeps = table.get_or("max_substeps", options.max_substeps, count)?;
        schedule.gravity = table.get_or("gravity", schedule.gravity, Value::vector)?;
        schedule.duration = table.get_or("duration", schedule.duration, Value::positive)?;
        schedule.frame_rate = table.get_or("frame_rate", schedule.frame_rate, Value::positive)?;
        check_duration(schedule.duration, options.time_step)
            .map_err(|message| Error::scene("simulation.duration", message))?;
        // Steps of adaptive length end where frames are due.
        let most = if options.adaptive.is_some() { f64::INFINITY } else { 1.0 / options.time_step };
        if table.get("frame_rate").is_some() && schedule.frame_rate > most * (1.0 + 1e-6) {
            let message = format!("with this time step there are only {most} states a second to write");
            return Err(table.wrong("frame_rate", message));
        }
        schedule.frame_rate = schedule.frame_rate.min(most);
    }
    Ok((options, schedule))
}

/// Whether so many seconds can be simulated in such steps, or what is wrong.
pub fn check_duration(duration: f64, time_step: f64) -> Result<(), String> {
    if !(duration.is_finite() && duration > 0.0) {
        return Err(format!("must be positive and finite, not {duration}"));
    }
    let steps = duration / time_step;
    if steps > MAX_STEPS {
        return Err(format!("{duration} s in steps of {time_step} s are {steps:.1e} steps, more than {MAX_STEPS:.0e}"));
    }
    Ok(())
}

/// `integrator` and `theta`.
fn integrator(table: &Table<'_>) -> Result<Integrator, Error> {
    let names = Integrator::ALL.map(|integrator| (integrator.name(), integrator));
    let integrator = table.get_or("integrator", Integrator::default(), |value| value.choice(&names))?;
    match (integrator, table.get("theta")) {
        (integrator, None) => Ok(integrator),
        (Integrator::Theta(_), Some(value)) => {
            let theta = value.number()?;
            let usable = theta > 0.0 && theta <= 1.0;
            let wrong = || value.wrong(format!("must be above 0 and at most 1, not {theta}"));
            if usable { Ok(Integrator::Theta(theta)) } else { Err(wrong()) }
        }
        (other, Some(value)) => {
            Err(value.wrong(format!("belongs to the integrator \"theta\", not to {:?}", other.name())))
        }
    }
}

fn adaptive(table: &Table<'_>) -> Result<Adaptive, Error> {
    table.only(&["smallest", "largest", "tolerance", "control", "few", "many"])?;
    let default = Adaptive::default();
    let by_iterations =
        table.get_or("control", false, |value| value.choice(&[("error", false), ("iterations", true)]))?;
    let control = if by_iterations {
        Control::Iterations { few: count(&table.require("few")?)?, many: count(&table.require("many")?)? }
    } else if let Some(value) = table.first_of(&["few", "many"]) {
        return Err(value.wrong("belongs to the control \"iterations\""));
    } else {
        Control::ErrorEstimate
    };
    Ok(Adaptive {
        smallest: table.get_or("smallest", default.smallest, Value::positive)?,
        largest: table.get_or("largest", default.largest, Value::positive)?,
        tolerance: table.get_or("tolerance", default.tolerance, Value::positive)?,
        control,
    })
}

fn solver(table: &Table<'_>) -> Result<SolverOptions, Error> {
    table.only(&["tolerance", "max_iterations", "preconditioner", "budget"])?;
    let default = SolverOptions::default();
    let preconditioners = [("block-jacobi", Preconditioner::BlockJacobi), ("jacobi", Preconditioner::Jacobi)];
    let budgets = [("adaptive", Budget::Adaptive), ("full", Budget::Full)];
    Ok(SolverOptions {
        tolerance: table.get_or("tolerance", default.tolerance, Value::number)?,
        max_iterations: table.get_or("max_iterations", default.max_iterations, count)?,
        preconditioner: table.get_or("preconditioner", default.preconditioner, |v| v.choice(&preconditioners))?,
        budget: table.get_or("budget", default.budget, |v| v.choice(&budgets))?,
        ..default
    })
}

fn newton(table: &Table<'_>) -> Result<NewtonOptions, Error> {
    table.only(&["tolerance", "max_linearisations"])?;
    let default = NewtonOptions::default();
    Ok(NewtonOptions {
        tolerance: table.get_or("tolerance", default.tolerance, Value::number)?,
        max_linearisations: table.get_or("max_linearisations", default.max_linearisations, count)?,
    })
}

/// A count; the library knows its limits.
fn count(value: &Value<'_>) -> Result<u32, Error> {
    value.whole(0, u32::MAX)
}
