//! Methods that respond to contact between bodies.

use crate::{Error, Options, Scene};

/// Refuses a scene with contact between bodies where the method would ignore it.
///
/// A method that learns to respond loses its line here, and its row in docs/contact.md.
pub(crate) fn check_contact(scene: &Scene, options: &Options) -> Result<(), Error> {
    let refuse = |field: &str, message: String| Err(Error::scene(field, message));
    if scene.contact.is_none() {
        return Ok(());
    }
    let name = options.integrator.name();
    match options.safe() {
        None if options.integrator.is_explicit() || options.integrator.is_imex() => refuse(
            "simulation.integrator",
            format!("{name} ignores contact between bodies: take implicit-euler, or leave [contact] out"),
        ),
        None => refuse(
            "simulation.nonlinear",
            "only the safe step responds to contact between bodies: take that, or leave [contact] out".to_owned(),
        ),
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::check_contact;
    use crate::{BodyContact, Integrator, Nonlinear, Options, Scene};

    #[test]
    fn contact_that_would_be_ignored_is_refused() {
        let scene = Scene { contact: Some(BodyContact::default()), ..Scene::new() };
        let refused = |options: &Options| check_contact(&scene, options).err().map(|e| e.to_string());
        let safe = Options::default();
        assert_eq!(refused(&safe), None);
        for integrator in [Integrator::Verlet, Integrator::Rk4, Integrator::ImexEuler, Integrator::Sbdf2] {
            let message = refused(&Options { integrator, ..safe.clone() }).unwrap();
            assert!(message.starts_with(&format!("simulation.integrator: {} ignores", integrator.name())), "{message}");
        }
        for nonlinear in [Nonlinear::OneLinearisation, Nonlinear::Newton(Default::default())] {
            let message = refused(&Options { nonlinear, ..safe.clone() }).unwrap();
            assert!(message.starts_with("simulation.nonlinear: only the safe step"), "{message}");
        }
        let without = Scene::new();
        let explicit = Options { integrator: Integrator::Verlet, ..safe };
        assert!(check_contact(&without, &explicit).is_ok());
    }
}
