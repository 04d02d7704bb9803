//! A rigid body in the solve: its six velocities, (V, Ω), are unknowns like those of particles.

use super::{ContactState, contact::Contact};
use glam::DVec3;
use std::ops::Range;

/// (V, Ω), or what acts on them.
pub type Six = [f64; 6];

/// A matrix between them, by rows.
pub type SixBySix = [[f64; 6]; 6];

/// Contacts of a rigid body with the world, at most.
pub const MOST_RIGID_CONTACTS: usize = 64;

/// A rigid body in one step.
#[derive(Debug, Clone, PartialEq)]
pub struct Rigid {
    /// B: mass and inertia, and what contacts with the world add.
    pub own: SixBySix,
    /// Of the diagonal block, with those of the particles that go along.
    pub inverse: SixBySix,
    /// The body's own: that of the particles that go along is theirs.
    pub residual: Six,
    /// Preconditioned residual.
    pub u: Six,
    /// Search direction.
    pub p: Six,
    /// Its image.
    pub s: Six,
    /// Solution.
    pub x: Six,
    /// Solutions of earlier linearisations.
    pub total: Six,
    /// The velocity that the solve begins with.
    pub guess: Six,
    /// Friction of particles that slide on it, as far as the residual has it.
    pub rubbed: Six,
    /// Constraints of particles that touch it or hang on it, among those that are no pins.
    pub constraints: Range<usize>,
    /// Where it touches the world.
    pub contacts: Vec<RigidContact>,
}

/// A point of a body that touches the world: held by κ times the velocity it lacks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidContact {
    /// From the centre, m.
    pub arm: DVec3,
    /// Away from the world.
    pub normal: DVec3,
    /// The velocity that is wanted there, m/s.
    pub wanted: DVec3,
    /// κ, kg.
    pub stiffness: f64,
    /// Coulomb's.
    pub coefficient: f64,
    /// What it does.
    pub state: ContactState,
    /// Where it slides, N·s.
    pub friction: DVec3,
}

/// A 6-vector from its halves.
pub fn six(linear: DVec3, angular: DVec3) -> Six {
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
}

/// Rᵀ f: what a force at an arm does to a body.
pub fn wrench(arm: DVec3, force: DVec3) -> Six {
    six(force, arm.cross(force))
}

/// R v: the velocity at an arm.
pub fn velocity_at(v: &Six, arm: DVec3) -> DVec3 {
    DVec3::new(v[0], v[1], v[2]) + DVec3::new(v[3], v[4], v[5]).cross(arm)
}

/// Adds w a bᵀ.
pub fn add_outer(matrix: &mut SixBySix, weight: f64, a: &Six, b: &Six) {
    for (row, a) in matrix.iter_mut().zip(a) {
        row.iter_mut().zip(b).for_each(|(value, b)| *value += weight * a * b);
    }
}

/// M v
pub fn times(matrix: &SixBySix, v: &Six) -> Six {
    matrix.map(|row| row.iter().zip(v).map(|(m, v)| m * v).sum())
}

/// Σ a b
pub fn dot(a: &Six, b: &Six) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Rigid {
    /// A body with this matrix, residual and velocity, that touches nothing.
    pub fn new(own: SixBySix, residual: Six, guess: Six) -> Self {
        Self {
            own,
            inverse: [[0.0; 6]; 6],
            residual,
            u: [0.0; 6],
            p: [0.0; 6],
            s: [0.0; 6],
            x: [0.0; 6],
            total: [0.0; 6],
            guess,
            rubbed: [0.0; 6],
            constraints: 0..0,
            contacts: Vec::new(),
        }
    }

    /// By how much the step changes the velocity that it began with.
    pub fn change(&self) -> Six {
        std::array::from_fn(|ix| self.total[ix] + self.x[ix])
    }

    /// Adds a contact with the world.
    pub fn touch(&mut self, contact: RigidContact) {
        let lacking = contact.wanted - velocity_at(&self.guess, contact.arm);
        // All directions where it sticks, whichever way they are taken; without friction the normal alone.
        let normal = [contact.normal];
        let held = if contact.state == ContactState::Slides { &normal[..] } else { &DVec3::AXES };
        for &axis in held {
            let row = wrench(contact.arm, axis);
            add_outer(&mut self.own, contact.stiffness, &row, &row);
            add(&mut self.residual, contact.stiffness * lacking.dot(axis), &row);
        }
        self.contacts.push(contact);
    }

    /// Takes a direction of a contact out of the matrix, and its impulse out of the residual.
    pub fn remove(&mut self, contact: &RigidContact, direction: DVec3, impulse: f64) {
        let row = wrench(contact.arm, direction);
        add_outer(&mut self.own, -contact.stiffness, &row, &row);
        add(&mut self.residual, -impulse, &row);
    }

    /// The same for what is across the normal.
    pub fn remove_across(&mut self, contact: &RigidContact, impulse: DVec3) {
        let (a, b) = contact.normal.any_orthonormal_pair();
        self.remove(contact, a, impulse.dot(a));
        self.remove(contact, b, impulse.dot(b));
    }
}

/// a += w b
pub fn add(a: &mut Six, weight: f64, b: &Six) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += weight * b);
}

impl Contact {
    /// S v: where the body takes the particle.
    pub fn slaved_velocity(&self, v: DVec3) -> DVec3 {
        match self.state {
            ContactState::Sticks | ContactState::Held => v,
            ContactState::Slides if self.holding[0] => {
                self.along(self.shares([1.0, 0.0, 0.0])) * self.normals[0].dot(v)
            }
            _ => DVec3::ZERO,
        }
    }

    /// Sᵀ f: what the particle passes on.
    pub fn slaved_force(&self, f: DVec3) -> DVec3 {
        match self.state {
            ContactState::Sticks | ContactState::Held => f,
            ContactState::Slides if self.holding[0] => {
                self.normals[0] * self.along(self.shares([1.0, 0.0, 0.0])).dot(f)
            }
            _ => DVec3::ZERO,
        }
    }
}
