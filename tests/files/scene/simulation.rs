//! `[simulation]`, `[solver]`, `[adaptive]` and `[rayleigh]`.

use super::*;
use tenter::{Adaptive, Control, Error, Integrator, Preconditioner, SceneFile};

#[test]
fn steps_reach_the_end_and_frames_their_time() {
    let text = GOOD.changed("frame_rate = 25", "frame_rate = 30").replace("duration = 0.5", "duration = 0.0999");
    let file = SceneFile::parse(&text, "").unwrap();
    assert_eq!(file.step_count(), 20);
    // 1/30 s are 6 2/3 steps, 2/30 s 13 1/3, 3/30 s exactly 20.
    assert_eq!(file.frame_steps().collect::<Vec<_>>(), [0, 7, 14, 20]);
    assert_eq!(file.clone().lasting(0.2).unwrap().step_count(), 40);
    for duration in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        assert!(matches!(file.clone().lasting(duration), Err(Error::Usage(_))), "{duration}");
    }
}

#[test]
fn integrators_by_name() {
    for integrator in Integrator::ALL {
        let name = integrator.name();
        let file =
            SceneFile::parse(&GOOD.changed("clamp = false", &format!("integrator = {name:?}")), "good.toml").unwrap();
        assert_eq!(file.options.integrator, integrator);
    }
    let file =
        SceneFile::parse(&GOOD.changed("clamp = false", "integrator = \"theta\"\ntheta = 0.75"), "good.toml").unwrap();
    assert_eq!(file.options.integrator, Integrator::Theta(0.75));
    // The documentation lists them all.
    let documented = include_str!("../../../docs/scene-format.md");
    assert!(Integrator::ALL.iter().all(|integrator| documented.contains(&format!("`\"{}\"`", integrator.name()))));
}

#[test]
fn preconditioners_by_name() {
    for preconditioner in Preconditioner::ALL {
        let text = GOOD.changed("\"jacobi\"", &format!("{:?}", preconditioner.name()));
        assert_eq!(SceneFile::parse(&text, "good.toml").unwrap().options.solver.preconditioner, preconditioner);
    }
    let without = GOOD.changed("preconditioner = \"jacobi\"\nwarm_start = false\n", "");
    let solver = SceneFile::parse(&without, "good.toml").unwrap().options.solver;
    assert_eq!((solver.preconditioner, solver.warm_start), (Preconditioner::Automatic, true));
    GOOD.refused("\"jacobi\"", "\"multigrid\"", "solver.preconditioner", "\"two-level\"");
    GOOD.refused("warm_start = false", "warm_start = 1", "solver.warm_start", "true or false");
}

#[test]
fn another_step_keeps_frames_possible() {
    let file = SceneFile::parse(GOOD.text, "good.toml").unwrap().stepping(0.05).unwrap();
    assert_eq!((file.step_count(), file.frame_rate), (10, 20.0));
    for wrong in [0.0, -1.0, f64::NAN, 1e-9] {
        assert!(SceneFile::parse(GOOD.text, "good.toml").unwrap().stepping(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn adaptive_steps() {
    let parse =
        |text: &str| SceneFile::parse(&GOOD.changed("[newton]", &format!("[adaptive]\n{text}\n[newton]")), "good.toml");
    assert_eq!(parse("").unwrap().options.adaptive, Some(Adaptive::default()));
    let file = parse("smallest = 1e-4\nlargest = 0.02\ntolerance = 1e-3\ncontrol = \"iterations\"\nfew = 5\nmany = 20")
        .unwrap();
    let control = Control::Iterations { few: 5, many: 20 };
    assert_eq!(file.options.adaptive, Some(Adaptive { smallest: 1e-4, largest: 0.02, tolerance: 1e-3, control }));
    assert_eq!(file.frame_times().take(3).collect::<Vec<_>>(), [0.0, 0.04, 0.08]);
    assert_eq!(file.frame_times().count(), 13);
    let refused = |text: &str, field: &str, words: &str| match parse(text) {
        Err(Error::File { field: found, message, line: Some(_), .. }) => {
            assert_eq!(found, field, "{message}");
            assert!(message.contains(words), "{message}");
        }
        other => panic!("{:?}", other.map(|_| ())),
    };
    refused("smallest = 0", "adaptive.smallest", "positive");
    refused("smallest = 0.1", "adaptive.smallest", "largest");
    refused("tolerance = -1", "adaptive.tolerance", "positive");
    refused("few = 5", "adaptive.few", "iterations");
    refused("control = \"iterations\"\nfew = 5", "adaptive.many", "missing");
    refused("control = \"iterations\"\nfew = 5\nmany = 4", "adaptive.few", "at most 4");
    refused("control = \"luck\"", "adaptive.control", "\"error\"");
}

#[test]
fn rayleigh_damping() {
    let file =
        SceneFile::parse(&GOOD.changed("[newton]", "[rayleigh]\nmass = 0.5\nstiffness = 0.25\n[newton]"), "good.toml");
    let rayleigh = file.unwrap().options.rayleigh;
    assert_eq!((rayleigh.mass, rayleigh.stiffness), (0.5, 0.25));
}

#[test]
fn options_out_of_range() {
    GOOD.refused("tolerance = 1e-5", "tolerance = 1.5", "solver.tolerance", "below 1");
    GOOD.refused("tolerance = 1e-2", "tolerance = -1", "newton.tolerance", "below 1");
    GOOD.refused("max_iterations = 90", "max_iterations = 0", "solver.max_iterations", "from 1");
    GOOD.refused("max_iterations = 90", "max_iterations = -5", "solver.max_iterations", "-5");
    GOOD.refused("max_linearisations = 3", "max_linearisations = 0", "newton.max_linearisations", "from 1");
    GOOD.refused("max_substeps = 4", "max_substeps = 0", "simulation.max_substeps", "from 1");
    GOOD.refused_at("clamp = false", "integrator = \"theta\"\ntheta = 0", "theta = 0", "simulation.theta", "above 0");
    GOOD.refused_at(
        "clamp = false",
        "integrator = \"theta\"\ntheta = 1.5",
        "theta = 1.5",
        "simulation.theta",
        "at most 1",
    );
    GOOD.refused_at(
        "clamp = false",
        "integrator = \"bdf2\"\ntheta = 0.5",
        "theta = 0.5",
        "simulation.theta",
        "\"bdf2\"",
    );
    GOOD.refused("clamp = false", "theta = 0.5", "simulation.theta", "implicit-euler");
    GOOD.refused("clamp = false", "integrator = \"euler\"", "simulation.integrator", "\"symplectic-euler\"");
    GOOD.refused("clamp = false", "integrator = 2", "simulation.integrator", "\"rk4\"");
    GOOD.refused_at("[newton]", "[rayleigh]\nmass = -1\n[newton]", "mass = -1", "rayleigh.mass", "not negative");
    GOOD.refused_at("[newton]", "[rayleigh]\nstifness = 1\n[newton]", "stifness = 1", "rayleigh.stifness", "stiffness");
    GOOD.refused("frame_rate = 25", "frame_rate = 1000", "simulation.frame_rate", "200 states");
}
