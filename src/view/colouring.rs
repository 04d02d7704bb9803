//! Values that the colour of bodies shows.

use super::colour_map;
use crate::{Error, PinId, Simulation};

/// Quantity that the colour of bodies shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colouring {
    /// One colour per body.
    #[default]
    Plain,
    /// Strain, as [`Simulation::strains`] has it.
    Strain,
    /// Speed.
    Velocity,
    /// Force of contact with colliders.
    Contact,
}

impl Colouring {
    /// All colourings.
    pub const ALL: [Colouring; 4] = [Colouring::Plain, Colouring::Strain, Colouring::Velocity, Colouring::Contact];

    /// Name of the quantity.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Strain => "strain",
            Self::Velocity => "velocity",
            Self::Contact => "contact",
        }
    }

    /// Unit of the quantity.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strain => "%",
            Self::Velocity => "m/s",
            Self::Contact => "N",
        }
    }

    /// Colour of a share of the largest value, from 0 to 1, for a legend: sRGB bytes, without shading.
    pub fn colour(share: f32) -> [u8; 3] {
        colour_map::shown(share)
    }

    /// The colouring of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|colouring| colouring.name() == name)
    }

    /// Values of all particles in the user's order, for [`View::set_values`](super::View::set_values); empty for [`Colouring::Plain`]. Waits for all steps.
    pub async fn values(self, simulation: &mut Simulation) -> Result<Vec<f32>, Error> {
        Ok(match self {
            Self::Plain => Vec::new(),
            Self::Strain => simulation.strains_async().await?.iter().map(|strain| 100.0 * strain.abs()).collect(),
            Self::Velocity => simulation.velocities_async().await?.iter().map(|velocity| velocity.length()).collect(),
            Self::Contact => contact_forces(simulation).await?,
        })
    }

    /// A round number that is at least as large as all values, for the end of the scale.
    pub fn scale(values: &[f32]) -> f32 {
        let most = values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f32::max);
        if !(most > 1e-6 && most < 1e9) {
            return if most >= 1e9 { most } else { 1.0 };
        }
        let power = 10f32.powf(most.log10().floor());
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|step| 1.0001 * step >= most).unwrap_or(most)
    }
}

/// Forces of colliders, N: zero at pinned particles.
async fn contact_forces(simulation: &mut Simulation) -> Result<Vec<f32>, Error> {
    let mut forces: Vec<f32> = simulation.reactions_async().await?.iter().map(|force| force.length() as f32).collect();
    let topology = simulation.topology();
    for pin in (0..topology.pins.len()).filter(|&pin| simulation.pin_holds(PinId(pin)).unwrap_or(false)) {
        for &constraint in &topology.pins[pin] {
            let row = topology.constraints[constraint as usize].row;
            forces[topology.order[row as usize] as usize] = 0.0;
        }
    }
    Ok(forces)
}
