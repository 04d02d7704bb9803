//! Scene files with three steps on the CPU. What is read can be simulated, or refused with a reason, and every number of the result is finite.

use tenter::{Backend, Error, Footprint, SceneFile};

/// Largest number of particles of a scene that is simulated.
const MOST_PARTICLES: usize = 3000;

pub fn run(text: &str) {
    // What begins as JSON is read as JSON.
    let name = if text.trim_start().starts_with('{') { "fuzz.json" } else { "fuzz.toml" };
    let file = match SceneFile::parse(text, name) {
        Ok(file) => file,
        Err(error) => {
            assert!(matches!(error, Error::File { .. }), "{error:?}");
            return;
        }
    };
    let particles: usize = file.scene.bodies.iter().map(|body| body.mesh.positions.len()).sum();
    if particles > MOST_PARTICLES || particles == 0 {
        return;
    }
    match Footprint::of(&file.scene, &file.options, None) {
        Ok(footprint) => assert!(footprint.particles == particles && footprint.bytes() > 0),
        Err(error) => assert!(matches!(error, Error::Limit { .. } | Error::Scene { .. }), "{error:?}"),
    }
    let mut simulation = match file.scene.simulation(Backend::Cpu, file.options.clone()) {
        Ok(simulation) => simulation,
        Err(error) => {
            assert!(matches!(error, Error::Scene { .. } | Error::Intersecting(_)), "{error:?}");
            return;
        }
    };
    for _ in 0..3 {
        match simulation.step() {
            Ok(_) | Err(Error::NonFinite { .. } | Error::Unstable { .. }) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(simulation.positions().unwrap().iter().all(|position| position.is_finite()));
    assert!(simulation.velocities().unwrap().iter().all(|velocity| velocity.is_finite()));
}
