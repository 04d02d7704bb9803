//! A rigid body in the solve: its six velocities, (V, Ω), are unknowns like those of particles.

use super::{ContactState, contact::Contact};
use glam::DVec3;
use std::ops::Range;

/// A 6-vector: a velocity (V, Ω), or a force and torque.
pub type Six = [f64; 6];

/// A 6×6 matrix, by rows.
pub type SixBySix = [[f64; 6]; 6];

/// Largest number of contacts of a rigid body with the world.
pub const MOST_RIGID_CONTACTS: usize = 64;

/// A rigid body in one step.
#[derive(Debug, Clone, PartialEq)]
pub struct Rigid {
    /// B: mass and inertia, and the terms of contacts with the world.
    pub own: SixBySix,
    /// Q_b: inverse of the diagonal block, which includes the blocks of slaved particles.
    pub inverse: SixBySix,
    /// Residual of the body itself; slaved particles keep their own.
    pub residual: Six,
    /// Preconditioned residual.
    pub u: Six,
    /// Search direction.
    pub p: Six,
    /// Image of the search direction.
    pub s: Six,
    /// Solution.
    pub x: Six,
    /// Sum of the solutions of earlier linearisations.
    pub total: Six,
    /// Velocity at the start of the solve.
    pub guess: Six,
    /// Friction of particles that slide on the body, as contained in the residual.
    pub rubbed: Six,
    /// Constraints of particles that touch the body or are attached to it, numbered after the pins.
    pub constraints: Range<usize>,
    /// Contacts of the body with the world.
    pub contacts: Vec<RigidContact>,
}

/// A point of a body in contact with the world, held by κ times the missing velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidContact {
    /// Arm from the centre, m.
    pub arm: DVec3,
    /// Unit normal out of the world.
    pub normal: DVec3,
    /// Target velocity of the point, m/s.
    pub wanted: DVec3,
    /// Stiffness κ of the contact, kg.
    pub stiffness: f64,
    /// Coulomb's coefficient.
    pub coefficient: f64,
    /// State of the contact.
    pub state: ContactState,
    /// Friction impulse where the point slides, N·s.
    pub friction: DVec3,
}

/// A 6-vector from its linear and angular halves.
pub fn six(linear: DVec3, angular: DVec3) -> Six {
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
}

/// Rᵀ f: force and torque on a body by a force at an arm.
pub fn wrench(arm: DVec3, force: DVec3) -> Six {
    six(force, arm.cross(force))
}

/// R v: the velocity of a body at an arm.
pub fn velocity_at(v: &Six, arm: DVec3) -> DVec3 {
    DVec3::new(v[0], v[1], v[2]) + DVec3::new(v[3], v[4], v[5]).cross(arm)
}

/// Adds w a bᵀ to a matrix.
pub fn add_outer(matrix: &mut SixBySix, weight: f64, a: &Six, b: &Six) {
    for (row, a) in matrix.iter_mut().zip(a) {
        row.iter_mut().zip(b).for_each(|(value, b)| *value += weight * a * b);
    }
}

/// The product M v.
pub fn times(matrix: &SixBySix, v: &Six) -> Six {
    matrix.map(|row| row.iter().zip(v).map(|(m, v)| m * v).sum())
}

/// The scalar product Σ a b.
pub fn dot(a: &Six, b: &Six) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Rigid {
    /// A body with this matrix, residual and velocity, without contacts.
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

    /// Change of the body's velocity in the step.
    pub fn change(&self) -> Six {
        std::array::from_fn(|ix| self.total[ix] + self.x[ix])
    }

    /// Adds a contact with the world.
    pub fn touch(&mut self, contact: RigidContact) {
        let lacking = contact.wanted - velocity_at(&self.guess, contact.arm);
        // A sticking contact holds all directions, in any basis; a frictionless one holds the normal alone.
        let normal = [contact.normal];
        let held = if contact.state == ContactState::Slides { &normal[..] } else { &DVec3::AXES };
        for &axis in held {
            let row = wrench(contact.arm, axis);
            add_outer(&mut self.own, contact.stiffness, &row, &row);
            add(&mut self.residual, contact.stiffness * lacking.dot(axis), &row);
        }
        self.contacts.push(contact);
    }

    /// Removes one direction of a contact from the matrix, and its impulse from the residual.
    pub fn remove(&mut self, contact: &RigidContact, direction: DVec3, impulse: f64) {
        let row = wrench(contact.arm, direction);
        add_outer(&mut self.own, -contact.stiffness, &row, &row);
        add(&mut self.residual, -impulse, &row);
    }

    /// Removes the tangential directions of a contact from the matrix, and their impulse from the residual.
    pub fn remove_across(&mut self, contact: &RigidContact, impulse: DVec3) {
        let (a, b) = contact.normal.any_orthonormal_pair();
        self.remove(contact, a, impulse.dot(a));
        self.remove(contact, b, impulse.dot(b));
    }
}

/// Adds a += w b.
pub fn add(a: &mut Six, weight: f64, b: &Six) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += weight * b);
}

impl Contact {
    /// S v: the slaved part of the velocity that the body gives the particle.
    pub fn slaved_velocity(&self, v: DVec3) -> DVec3 {
        match self.state {
            ContactState::Sticks | ContactState::Held => v,
            ContactState::Slides if self.holding[0] => {
                self.along(self.shares([1.0, 0.0, 0.0])) * self.normals[0].dot(v)
            }
            _ => DVec3::ZERO,
        }
    }

    /// Sᵀ f: the force that the slaved particle passes to the body.
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
