//! Contacts of particles with colliders and rigid bodies.

use super::{Constraint, Rigid};
use glam::{DMat3, DVec3};

/// State of a contact: `CONTACT_…` in `shaders/contact/contact.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u32)]
pub enum ContactState {
    /// A pin, whose state never changes.
    #[default]
    Held = 0,
    /// The particle moves with the surface.
    Sticks = 1,
    /// The particle slides along the surface, with friction.
    Slides = 2,
    /// The contact is released.
    Free = 3,
}

/// A contact of a particle with up to three surfaces. Every constraint has one, in the same order; pins have the default.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Unit normals out of the surfaces; zero where there is none.
    pub normals: [DVec3; 3],
    /// Coulomb's coefficient of each normal.
    pub coefficients: [f64; 3],
    /// Whether each normal is in the active set.
    pub holding: [bool; 3],
    /// State of the contact.
    pub state: ContactState,
    /// Velocity of the surface, m/s.
    pub surface_velocity: DVec3,
    /// Displacement of x̂ from its value by the scheme, in the directions constrained at the start of the step, sign reversed, m.
    pub led: DVec3,
    /// Velocity along each normal that reaches the surface at the end of the step, m/s.
    pub wanted: [f64; 3],
    /// Velocity change that brings an engaging particle to the surface, m/s.
    pub shift: DVec3,
    /// The rigid body of the first normal.
    pub body: Option<u32>,
    /// Arm from the centre of that rigid body, m.
    pub arm: DVec3,
    /// Friction impulse while the particle slides, N·s.
    pub friction: DVec3,
    /// The constrained part of the residual, set aside from the solve.
    pub aside: DVec3,
    /// Diagonal block D of the row.
    pub block: DMat3,
    /// Number of state changes in the step.
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
    /// Coefficients λ for which Σ λ_k n_k is the component of a vector in the span of the active normals, from the products of the vector with them.
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

    /// Products of a vector with all normals.
    pub fn products(&self, v: DVec3) -> [f64; 3] {
        self.normals.map(|normal| normal.dot(v))
    }

    /// The vector Σ λ_k n_k.
    pub fn along(&self, shares: [f64; 3]) -> DVec3 {
        self.normals.iter().zip(shares).map(|(normal, share)| share * *normal).sum()
    }

    /// The tangential part of a vector: across all active normals.
    pub fn across(&self, v: DVec3) -> DVec3 {
        v - self.along(self.shares(self.products(v)))
    }

    /// Projection P of a sliding particle.
    pub fn sliding(&self) -> DMat3 {
        DMat3::from_cols(self.across(DVec3::X), self.across(DVec3::Y), self.across(DVec3::Z))
    }

    /// Releases normals with a pulling impulse, the largest first; returns the impulses along the others.
    pub fn release(&mut self, products: [f64; 3]) -> [f64; 3] {
        self.release_beyond(products, 0.0)
    }

    /// Releases normals with a pulling impulse above `slack`, N·s, the largest first; returns the impulses along the others.
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

    /// Largest friction impulse by Coulomb's law for these normal impulses.
    pub fn friction_limit(&self, shares: [f64; 3]) -> f64 {
        self.coefficients.iter().zip(shares).map(|(coefficient, share)| coefficient * share).sum()
    }

    /// Penetration at the end of the step along each normal, over the length of the stage, m/s; positive inside.
    pub fn lacking(&self, velocity: DVec3, stage_step: f64) -> [f64; 3] {
        self.missing(velocity + self.led / stage_step)
    }

    /// Velocity along each normal that a particle of this velocity lacks to reach the surface, m/s.
    pub fn missing(&self, velocity: DVec3) -> [f64; 3] {
        let speeds = self.products(velocity);
        std::array::from_fn(|ix| self.wanted[ix] - speeds[ix])
    }

    /// Engages released normals that the particle penetrates. Returns whether there are any.
    pub fn take_hold(&mut self, let_go: [bool; 3], velocity: DVec3, stage_step: f64) -> bool {
        self.take_hold_beyond(let_go, velocity, stage_step, 0.0)
    }

    /// Engages released normals that the particle penetrates by more than `slack`, m. Returns whether there are any.
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

    /// Whether any normal is active.
    pub fn holds(&self) -> bool {
        self.holding.contains(&true)
    }
}

/// Contacts of a step with their constraints, besides the pins.
#[derive(Debug, Clone, Default)]
pub struct Contacts {
    /// Constraints, one per particle in contact.
    pub constraints: Vec<Constraint>,
    /// The contact of each constraint.
    pub contacts: Vec<Contact>,
    /// Rigid bodies that contacts and forces move.
    pub rigids: Vec<Rigid>,
    /// Edges and triangles that may touch colliders between their corners.
    pub supports: Vec<Support>,
}

/// A spot of an edge or triangle that may touch a collider: a strut in the linear system whose other end is a point of the collider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Support {
    /// Rows of the particles; the last one repeats another with weight 0.
    pub rows: [u32; 4],
    /// Their weights w, which add up to 1.
    pub weights: [f64; 4],
    /// Unit normal n out of the collider.
    pub normal: DVec3,
    /// Displacement along the normal in the step that brings the spot to its distance from the surface, m.
    pub rise: f64,
    /// Distance from the surface that it keeps, m.
    pub thickness: f64,
    /// Factor by which the strut is stiffer because it is compressed at the start.
    pub stiffening: f64,
    /// Effective mass 1/Σ(w²/m), kg.
    pub mass: f64,
    /// Coulomb's coefficient μ.
    pub friction: f64,
    /// Velocity of the surface, m/s.
    pub surface_velocity: DVec3,
}

impl Contacts {
    /// Number of particles that stick or slide. Watched particles and those attached to a body do not count.
    pub fn touching(&self) -> usize {
        let touches = |contact: &&Contact| matches!(contact.state, ContactState::Sticks | ContactState::Slides);
        self.contacts.iter().filter(touches).count()
    }
}
