//! What a constraint of a particle that touches something is about.

use super::{Constraint, Rigid};
use glam::{DMat3, DVec3};

/// What a contact does: `CONTACT_…` in `shaders/contact/contact.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u32)]
pub enum ContactState {
    /// A pin: nothing to decide.
    #[default]
    Held = 0,
    /// Goes with the surface.
    Sticks = 1,
    /// Along the surface, with friction.
    Slides = 2,
    /// No longer touches.
    Free = 3,
}

/// One per constraint, in the same order; the default for pins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Unit, out of what is touched; zero where there is none.
    pub normals: [DVec3; 3],
    /// Coulomb's, of each normal.
    pub coefficients: [f64; 3],
    /// Which normals hold.
    pub holding: [bool; 3],
    /// What it does.
    pub state: ContactState,
    /// Of the touched surface, m/s.
    pub surface_velocity: DVec3,
    /// How far x̂ was led from where the scheme has it, in the directions that were constrained at first, sign reversed, m.
    pub led: DVec3,
    /// Speed along each normal with which it arrives at the surface at the end of the step, m/s.
    pub wanted: [f64; 3],
    /// What brings it there again after it was let go too early, m/s.
    pub shift: DVec3,
    /// The rigid body that the first normal belongs to.
    pub body: Option<u32>,
    /// From that body's centre, m.
    pub arm: DVec3,
    /// Impulse of friction while it slides, N·s.
    pub friction: DVec3,
    /// The constrained part of the residual, where the solve does not see it.
    pub aside: DVec3,
    /// D of the row.
    pub block: DMat3,
    /// How often it has changed in the step.
    pub flips: u32,
}

impl Default for Contact {
    fn default() -> Self {
        Self {
            normals: [DVec3::ZERO; 3],
            coefficients: [0.0; 3],
            holding: [false; 3],
            state: ContactState::Held,
            surface_velocity: DVec3::ZERO,
            led: DVec3::ZERO,
            wanted: [0.0; 3],
            shift: DVec3::ZERO,
            body: None,
            arm: DVec3::ZERO,
            friction: DVec3::ZERO,
            aside: DVec3::ZERO,
            block: DMat3::ZERO,
            flips: 0,
        }
    }
}

impl Contact {
    /// λ with Σ λ_k n_k the part in the span of the normals that hold, from products with them.
    pub fn shares(&self, products: [f64; 3]) -> [f64; 3] {
        let mut gram = DMat3::IDENTITY;
        let mut right = DVec3::ZERO;
        for i in 0..3 {
            for j in 0..3 {
                if i != j && self.holding[i] && self.holding[j] {
                    gram.col_mut(i)[j] = self.normals[i].dot(self.normals[j]);
                }
            }
            if self.holding[i] {
                right[i] = products[i];
            }
        }
        (gram.inverse() * right).to_array()
    }

    /// Products with all normals.
    pub fn products(&self, v: DVec3) -> [f64; 3] {
        self.normals.map(|normal| normal.dot(v))
    }

    /// Σ λ_k n_k
    pub fn along(&self, shares: [f64; 3]) -> DVec3 {
        self.normals.iter().zip(shares).map(|(normal, share)| share * *normal).sum()
    }

    /// What is across the normals that hold.
    pub fn across(&self, v: DVec3) -> DVec3 {
        v - self.along(self.shares(self.products(v)))
    }

    /// P of a particle that slides.
    pub fn sliding(&self) -> DMat3 {
        DMat3::from_cols(self.across(DVec3::X), self.across(DVec3::Y), self.across(DVec3::Z))
    }

    /// Lets go of normals that would pull, the worst first; returns the impulses along the others.
    pub fn release(&mut self, products: [f64; 3]) -> [f64; 3] {
        self.release_beyond(products, 0.0)
    }

    /// The same for normals that would pull with more than `slack`, N·s.
    pub fn release_beyond(&mut self, products: [f64; 3], slack: f64) -> [f64; 3] {
        let mut shares = [0.0; 3];
        for _ in 0..3 {
            shares = self.shares(products);
            let worst = shares.iter().copied().fold(f64::INFINITY, f64::min);
            if worst >= -slack {
                shares = shares.map(|share| share.max(0.0));
                break;
            }
            if let Some(first) = shares.iter().position(|&share| share == worst) {
                self.holding[first] = false;
            }
            shares = shares.map(|share| share.max(0.0));
        }
        shares
    }

    /// The impulse of Coulomb's friction for impulses along the normals.
    pub fn friction_limit(&self, shares: [f64; 3]) -> f64 {
        self.coefficients.iter().zip(shares).map(|(coefficient, share)| coefficient * share).sum()
    }

    /// How far a particle is short of the surfaces by the end of the step, along each normal, over the length of its stage, m/s; above 0: it
    /// goes in.
    pub fn lacking(&self, velocity: DVec3, stage_step: f64) -> [f64; 3] {
        self.missing(velocity + self.led / stage_step)
    }

    /// Speed along each normal that a particle of this velocity lacks to arrive at the surface, m/s.
    pub fn missing(&self, velocity: DVec3) -> [f64; 3] {
        let speeds = self.products(velocity);
        std::array::from_fn(|ix| self.wanted[ix] - speeds[ix])
    }

    /// Takes hold again of normals that were let go and that the particle goes through. Returns whether there are any.
    pub fn take_hold(&mut self, let_go: [bool; 3], velocity: DVec3, stage_step: f64) -> bool {
        self.take_hold_beyond(let_go, velocity, stage_step, 0.0)
    }

    /// The same for normals that the particle goes through by more than `slack`, m.
    pub fn take_hold_beyond(&mut self, let_go: [bool; 3], velocity: DVec3, stage_step: f64, slack: f64) -> bool {
        let short = self.lacking(velocity, stage_step);
        let mut any = false;
        for ix in 0..3 {
            if let_go[ix] && self.normals[ix] != DVec3::ZERO && short[ix] * stage_step > slack {
                self.holding[ix] = true;
                any = true;
            }
        }
        any
    }

    /// Whether any normal holds.
    pub fn holds(&self) -> bool {
        self.holding.contains(&true)
    }
}

/// Constraints of a step besides the pins, and what they are about.
#[derive(Debug, Clone, Default)]
pub struct Contacts {
    /// One per particle that touches something.
    pub constraints: Vec<Constraint>,
    /// Of each.
    pub contacts: Vec<Contact>,
    /// Rigid bodies that move as they are pushed.
    pub rigids: Vec<Rigid>,
}

impl Contacts {
    /// Particles that touch something or are about to; not those that are only watched, or hang on a body.
    pub fn touching(&self) -> usize {
        let touches = |contact: &&Contact| matches!(contact.state, ContactState::Sticks | ContactState::Slides);
        self.contacts.iter().filter(touches).count()
    }
}
