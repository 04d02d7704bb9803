//! Validity of options.

use super::intersections;
use crate::{Control, Error, Integrator, Nonlinear, Options, Scene, integrator::Kind, topology::Topology};
use std::sync::Arc;

/// Largest accepted number of iterations.
const MAX_ITERATIONS: u32 = 100_000;
/// Largest number of linearisations of a step: all are submitted, each with its iterations.
const MAX_LINEARISATIONS: u32 = 100;

/// Largest number of halvings of a step: 20 leave a millionth of it.
const MAX_HALVINGS: u32 = 20;

/// Checks a scene and its options, and builds its topology.
pub(super) fn checked_topology(scene: &Scene, options: &Options) -> Result<Arc<Topology>, Error> {
    check_methods(scene, options)?;
    build(scene, options)
}

/// Builds the topology of a scene that has been checked, and finds what intersects at the start.
pub(super) fn build(scene: &Scene, options: &Options) -> Result<Arc<Topology>, Error> {
    let mut topology = Topology::build(scene, options)?;
    intersections::find(scene, &mut topology)?;
    Ok(Arc::new(topology))
}

/// Checks that the options support rigid bodies, if the scene has any.
pub(super) fn check_methods(scene: &Scene, options: &Options) -> Result<(), Error> {
    check_options(options)?;
    let solves = [Integrator::ImplicitEuler, Integrator::Bdf2, Integrator::ImexEuler, Integrator::Sbdf2];
    if scene.rigid_count() > 0 && !solves.contains(&options.integrator) {
        let names = solves.map(Integrator::name).join(", ");
        let message = format!("{} does not move rigid bodies: take one of {names}", options.integrator.name());
        return Err(Error::scene("simulation.integrator", message));
    }
    Ok(())
}

pub(super) fn check_options(options: &Options) -> Result<(), Error> {
    let positive = |value: f64, field: &str| {
        let usable = value.is_finite() && (value as f32).is_normal() && value > 0.0;
        if usable { Ok(()) } else { Err(Error::scene(field, format!("must be positive and finite, not {value}"))) }
    };
    let tolerance = |value: f64, field: &str| {
        let usable = (0.0..1.0).contains(&value);
        if usable { Ok(()) } else { Err(Error::scene(field, format!("must be from 0 to below 1, not {value}"))) }
    };
    let count = |value: u32, most: u32, field: &str| {
        if (1..=most).contains(&value) {
            Ok(())
        } else {
            Err(Error::scene(field, format!("must be from 1 to {most}, not {value}")))
        }
    };
    positive(options.time_step, "simulation.time_step")?;
    if let Integrator::Theta(theta) = options.integrator
        && !(theta > 0.0 && theta <= 1.0)
    {
        let message = format!("θ must be above 0 and at most 1, not {theta}");
        return Err(Error::scene("simulation.integrator", message));
    }
    if let Some(adaptive) = &options.adaptive {
        positive(adaptive.smallest, "adaptive.smallest")?;
        positive(adaptive.largest, "adaptive.largest")?;
        positive(adaptive.tolerance, "adaptive.tolerance")?;
        if adaptive.smallest > adaptive.largest {
            let message =
                format!("must not exceed the largest step, {} s, as {} s does", adaptive.largest, adaptive.smallest);
            return Err(Error::scene("adaptive.smallest", message));
        }
        if let Control::Iterations { few, many } = adaptive.control {
            if few > many {
                return Err(Error::scene("adaptive.few", format!("must be at most {many}, not {few}")));
            }
            if options.integrator.kind() != Kind::Implicit {
                let message = "an explicit integrator has no iterations to count: control it by its error".to_owned();
                return Err(Error::scene("adaptive.control", message));
            }
        }
    }
    for (value, field) in [(options.rayleigh.mass, "rayleigh.mass"), (options.rayleigh.stiffness, "rayleigh.stiffness")]
    {
        if !((value as f32).is_finite() && value >= 0.0) {
            return Err(Error::scene(field, format!("must be finite and not negative, not {value}")));
        }
    }
    tolerance(options.solver.tolerance, "solver.tolerance")?;
    count(options.solver.max_iterations, MAX_ITERATIONS, "solver.max_iterations")?;
    count(options.max_substeps, MAX_ITERATIONS, "simulation.max_substeps")?;
    if let Nonlinear::Safe(safe) = &options.nonlinear {
        tolerance(safe.tolerance, "safe.tolerance")?;
        tolerance(safe.energy_tolerance, "safe.energy_tolerance")?;
        count(safe.max_linearisations, MAX_LINEARISATIONS, "safe.max_linearisations")?;
        if safe.max_halvings > MAX_HALVINGS {
            let message = format!("must be at most {MAX_HALVINGS}, not {}", safe.max_halvings);
            return Err(Error::scene("safe.max_halvings", message));
        }
    }
    if let Nonlinear::Newton(newton) = &options.nonlinear {
        tolerance(newton.tolerance, "newton.tolerance")?;
        count(newton.max_linearisations, MAX_LINEARISATIONS, "newton.max_linearisations")?;
    }
    Ok(())
}
