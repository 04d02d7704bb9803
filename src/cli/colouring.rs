//! Values that the colours of a picture show.

use super::still::Colouring;
use crate::{Error, Simulation, picture::Legend};

/// A value per particle, with title and scale.
pub struct Shown {
    title: &'static str,
    unit: &'static str,
    /// Values in the user's order.
    numbers: Vec<f32>,
    /// Value of the brightest colour.
    high: f32,
}

impl Shown {
    /// Values of a colouring for a state; `None` for a plain one. The scale ends at a round number that is at least `least`.
    pub fn of(
        simulation: &mut Simulation,
        held: &[usize],
        colouring: Colouring,
        least: f32,
    ) -> Result<Option<Self>, Error> {
        let (title, unit, numbers) = match colouring {
            Colouring::Plain => return Ok(None),
            Colouring::Strain => {
                ("strain", "%", simulation.strains()?.iter().map(|strain| 100.0 * strain.abs()).collect())
            }
            Colouring::Velocity => ("speed", "m/s", simulation.velocities()?.iter().map(|v| v.length()).collect()),
            Colouring::Contact => ("contact", "N", contact_forces(simulation, held)?),
        };
        let high = round_up(numbers.iter().copied().filter(|number| number.is_finite()).fold(least, f32::max));
        Ok(Some(Self { title, unit, numbers, high }))
    }

    /// Value of the brightest colour.
    pub fn high(&self) -> f32 {
        self.high
    }

    /// Values scaled to the range 0 to 1.
    pub fn values(&self) -> Vec<f32> {
        self.numbers.iter().map(|number| number / self.high).collect()
    }

    pub fn legend(&self) -> Legend<'_> {
        Legend { title: self.title, low: 0.0, high: self.high, unit: self.unit }
    }
}

/// Contact force on each particle, N: of colliders, zero for pinned particles, and of other bodies.
fn contact_forces(simulation: &mut Simulation, held: &[usize]) -> Result<Vec<f32>, Error> {
    let mut forces: Vec<f32> = simulation.reactions()?.iter().map(|force| force.length() as f32).collect();
    for &particle in held {
        if let Some(force) = forces.get_mut(particle) {
            *force = 0.0;
        }
    }
    for (force, more) in forces.iter_mut().zip(simulation.meeting_forces()?) {
        *force += more as f32;
    }
    Ok(forces)
}

/// Next number of …, 0.5, 1, 2, 5, 10, …, so that the scale of a sequence changes rarely.
fn round_up(number: f32) -> f32 {
    if !(number > 1.0e-9 && number < 1.0e9) {
        return if number >= 1.0e9 { number } else { 1.0 };
    }
    let power = 10.0_f64.powf(f64::from(number).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| (step * power) as f32);
    // Rounding does not lengthen the scale.
    steps.into_iter().find(|step| 1.0001 * step >= number).unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, Body, Material, Mesh, Options, Scene, Vertices};
    use glam::Vec3;

    #[test]
    fn scales_end_at_round_numbers() {
        for (number, round) in [(0.0, 1.0), (0.013, 0.02), (0.5, 0.5), (0.51, 1.0), (7.0, 10.0), (20.1, 50.0)] {
            assert_eq!(round_up(number), round);
        }
        assert_eq!(round_up(f32::NAN), 1.0);
    }

    #[test]
    fn stretched_cloth_shows_its_strain_where_it_is_stretched() {
        let mut scene = Scene::new();
        let mesh = Mesh::grid(1.0, 1.0, 5, 5);
        let cloth = scene.add(Body::cloth(mesh.clone(), Material::cotton_springs()));
        scene.pin(cloth, Vertices::corners());
        let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default()).unwrap();
        // The last column moves outwards by a fifth of a cell.
        let far = |place: &Vec3| if place.x > 0.4 { *place + 0.05 * Vec3::X } else { *place };
        simulation.set_positions(&mesh.positions.iter().map(far).collect::<Vec<_>>()).unwrap();
        let shown = Shown::of(&mut simulation, &[], Colouring::Strain, 0.0).unwrap().unwrap();
        assert_eq!(shown.high(), 20.0);
        let legend = shown.legend();
        assert_eq!((legend.title, legend.low, legend.unit), ("strain", 0.0, "%"));
        for (ix, value) in shown.values().iter().enumerate() {
            let expected: &[f32] = match ix % 5 {
                3 | 4 => &[1.0],
                _ => &[0.0],
            };
            assert!(expected.iter().any(|e| (value - e).abs() < 1e-3), "{ix}: {value}");
        }
        assert!(Shown::of(&mut simulation, &[], Colouring::Plain, 0.0).unwrap().is_none());
    }

    #[test]
    fn cloth_that_lies_on_cloth_is_in_contact() {
        let mut scene = Scene::new();
        let lower = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 9, 9), Material::cotton()));
        let upper = Mesh::grid(0.3, 0.3, 4, 4).translated(Vec3::new(0.01, 0.005, 0.01));
        let weight = scene.gravity.length();
        scene.add(Body::cloth(upper, Material { mass: crate::Mass::Total(0.1), ..Material::cotton() }));
        scene.pin(lower, Vertices::All);
        scene.contact = Some(crate::BodyContact { thickness: Some(0.005), ..Default::default() });
        let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default()).unwrap();
        let held: Vec<usize> = (0..81).collect();
        let mut shown = || Shown::of(&mut simulation, &held, Colouring::Contact, 0.0).unwrap().unwrap().numbers;
        assert!(shown().iter().all(|force| *force == 0.0), "before the first step");
        simulation.step_many(40).unwrap();
        let forces = Shown::of(&mut simulation, &held, Colouring::Contact, 0.0).unwrap().unwrap().numbers;
        // The lower cloth carries the weight of the upper one, and far corners carry nothing.
        for body in [&forces[..81], &forces[81..]] {
            let carried: f32 = body.iter().sum();
            assert!((carried - 0.1 * weight).abs() < 0.02 * weight, "{carried}");
        }
        assert!(forces[0] == 0.0 && forces[80] == 0.0);
    }

    #[test]
    fn pins_are_no_contact() {
        let mut scene = Scene::new();
        let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 4, 4), Material::cotton_springs()));
        scene.pin(cloth, Vertices::corners());
        let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default()).unwrap();
        simulation.step().unwrap();
        let all = Shown::of(&mut simulation, &[], Colouring::Contact, 0.0).unwrap().unwrap();
        assert!(all.numbers.iter().any(|force| *force > 0.0));
        let held: Vec<usize> = (0..16).filter(|&ix| all.numbers[ix] > 0.0).collect();
        let free = Shown::of(&mut simulation, &held, Colouring::Contact, 0.0).unwrap().unwrap();
        assert!(free.numbers.iter().all(|force| *force == 0.0));
    }
}
