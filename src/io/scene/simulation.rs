//! The tables `[simulation]`, `[adaptive]`, `[rayleigh]` and `[solver]`: options and duration of a simulation.

use super::{
    format::{Field, Section, ValueKind::*, words},
    nonlinear::{self, METHODS},
    value::{Table, Value},
};
use crate::{
    Adaptive, Budget, Control, Error, Integrator, Options, Preconditioner, Rayleigh, SolverOptions,
    scene::STANDARD_GRAVITY,
};
use glam::Vec3;

/// Largest number of steps of one run.
const MAX_STEPS: f64 = 1e7;
/// Largest number of active-set passes of a solve that a file may ask for.
const MAX_CONTACT_PASSES: u32 = 64;

pub const SIMULATION: Section = Section {
    title: "[simulation]",
    text: "Options and duration of the simulation.",
    groups: &[&[
        Field::usual("time_step", Positive, "0.01", "0.005", "length of a step, s"),
        Field::usual("duration", Positive, "3", "1.5", "simulated time, s"),
        Field::usual("gravity", Vector, "[0, -9.81, 0]", "[0, 0, 0]", "acceleration of gravity, m/s²"),
        Field::usual("frame_rate", Positive, "30", "25", "frames to write per simulated second, at most one per step"),
        Field::usual(
            "integrator",
            Words(|| Integrator::ALL.map(Integrator::name).to_vec()),
            "\"implicit-euler\"",
            "\"bdf2\"",
            "method of time integration",
        ),
        Field::optional("theta", Positive, "0.5", "0.6", "θ of the integrator `\"theta\"`, at most 1")
            .with(&["integrator = \"theta\""]),
        Field::usual(
            "nonlinear",
            Words(|| words(&METHODS)),
            "\"safe\"",
            "\"one-linearisation\"",
            "method for the nonlinear equation of an implicit step; a table `[safe]` or `[newton]` sets its parameters and selects it",
        ),
        Field::usual("clamp", Truth, "true", "false", "keep the matrix positive definite where springs are compressed"),
        Field::usual(
            "contact_passes",
            Whole(1, MAX_CONTACT_PASSES),
            "2",
            "12",
            "most active-set passes of a linear solve: contacts that pull are released, those beyond the friction cone slide; the safe step \
             ends them when no contact changes, other methods make all of them",
        ),
        Field::usual(
            "max_substeps",
            Whole(1, 100_000),
            "8",
            "4",
            "largest number of steps that a game loop makes for one frame",
        ),
    ]],
};

pub const ADAPTIVE: Section = Section {
    title: "[adaptive]",
    text: "Steps of adaptive length, as long as the error allows; frames are written at their exact times. Without the table steps have a fixed \
           length. The table may be empty.",
    groups: &[&[
        Field::usual("smallest", Positive, "1e-5", "1e-4", "shortest step, s"),
        Field::optional("largest", Positive, "1/30", "0.02", "longest step, s"),
        Field::usual("tolerance", Positive, "1e-4", "1e-3", "accepted local error of a step, m"),
        Field::usual(
            "control",
            Words(|| words(&CONTROLS)),
            "\"error\"",
            "\"iterations\"",
            "quantity that controls the length of a step",
        )
        .with(&["few", "many"]),
        Field::optional("few", Whole(0, u32::MAX), "", "5", "number of iterations below which the next step is longer")
            .with(&["control", "many"]),
        Field::optional(
            "many",
            Whole(0, u32::MAX),
            "",
            "20",
            "number of iterations above which the next step is shorter",
        )
        .with(&["control", "few"]),
    ]],
};

pub const RAYLEIGH: Section = Section {
    title: "[rayleigh]",
    text: "Rayleigh damping of the whole scene.",
    groups: &[&[
        Field::usual("mass", Amount, "0", "0.5", "mass-proportional coefficient α, 1/s"),
        Field::usual("stiffness", Amount, "0", "0.002", "stiffness-proportional coefficient β, s"),
    ]],
};

pub const SOLVER: Section = Section {
    title: "[solver]",
    text: "The conjugate gradient method of implicit integrators.",
    groups: &[&[
        Field::usual(
            "tolerance",
            Amount,
            "1e-4",
            "5e-3",
            "residual relative to the start of a solve, below 1; the safe step has its own, in `[safe]`",
        ),
        Field::usual("max_iterations", Whole(1, 100_000), "200", "400", "largest number of iterations of a solve"),
        Field::usual(
            "preconditioner",
            Words(|| Preconditioner::ALL.map(Preconditioner::name).to_vec()),
            "\"automatic\"",
            "\"two-level\"",
            "`block-jacobi` inverts the 3×3 diagonal blocks, `jacobi` the diagonal; `two-level` adds a coarse level to `block-jacobi`; `automatic` \
             takes the coarse level in large scenes",
        ),
        Field::usual(
            "warm_start",
            Truth,
            "true",
            "false",
            "begin the first solve of a step along the velocity change of the last step",
        ),
        Field::usual(
            "budget",
            Words(|| words(&BUDGETS)),
            "\"adaptive\"",
            "\"full\"",
            "number of submitted iterations: predicted from earlier steps, or always `max_iterations`",
        ),
    ]],
};

const CONTROLS: [(&str, bool); 2] = [("error", false), ("iterations", true)];
const BUDGETS: [(&str, Budget); 2] = [("adaptive", Budget::Adaptive), ("full", Budget::Full)];

/// Keys of `[simulation]` that are not options.
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
        table.only(&RAYLEIGH)?;
        let part = |key| table.get_or(key, 0.0, |value| value.amount().map(f64::from));
        options.rayleigh = Rayleigh { mass: part("mass")?, stiffness: part("stiffness")? };
    }
    let simulation = root.get("simulation").map(|value| value.table()).transpose()?;
    if let Some(table) = &simulation {
        table.only(&SIMULATION)?;
        options.integrator = integrator(table)?;
    }
    options.nonlinear = nonlinear::read(root, simulation.as_ref(), options.integrator)?;
    if let Some(table) = &simulation {
        options.time_step = table.get_or("time_step", options.time_step, Value::positive)?;
        options.clamp = table.get_or("clamp", options.clamp, Value::boolean)?;
        options.contact_passes =
            table.get_or("contact_passes", options.contact_passes, |value| value.whole(1, MAX_CONTACT_PASSES))?;
        options.max_substeps = table.get_or("max_substeps", options.max_substeps, Value::count)?;
        schedule.gravity = table.get_or("gravity", schedule.gravity, Value::vector)?;
        schedule.duration = table.get_or("duration", schedule.duration, Value::positive)?;
        schedule.frame_rate = table.get_or("frame_rate", schedule.frame_rate, Value::positive)?;
        check_duration(schedule.duration, options.time_step)
            .map_err(|message| Error::scene("simulation.duration", message))?;
        // Steps of adaptive length end at the times of frames.
        let most = if options.adaptive.is_some() { f64::INFINITY } else { 1.0 / options.time_step };
        if table.get("frame_rate").is_some() && schedule.frame_rate > most * (1.0 + 1e-6) {
            let message = format!("with this time step there are only {most} states a second to write");
            return Err(table.wrong("frame_rate", message));
        }
        schedule.frame_rate = schedule.frame_rate.min(most);
    }
    Ok((options, schedule))
}

/// Checks that a duration, s, is possible with a step, s.
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

/// Reads `integrator` and `theta`.
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
    table.only(&ADAPTIVE)?;
    let default = Adaptive::default();
    let by_iterations = table.get_or("control", false, |value| value.choice(&CONTROLS))?;
    let control = if by_iterations {
        Control::Iterations { few: table.require("few")?.count()?, many: table.require("many")?.count()? }
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
    table.only(&SOLVER)?;
    let default = SolverOptions::default();
    let preconditioners = Preconditioner::ALL.map(|preconditioner| (preconditioner.name(), preconditioner));
    Ok(SolverOptions {
        tolerance: table.get_or("tolerance", default.tolerance, Value::number)?,
        max_iterations: table.get_or("max_iterations", default.max_iterations, Value::count)?,
        preconditioner: table.get_or("preconditioner", default.preconditioner, |v| v.choice(&preconditioners))?,
        warm_start: table.get_or("warm_start", default.warm_start, Value::boolean)?,
        budget: table.get_or("budget", default.budget, |v| v.choice(&BUDGETS))?,
        ..default
    })
}
