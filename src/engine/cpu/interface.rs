//! The interface of the CPU engine. No call has to wait.

use super::{CpuEngine, Saved};
use crate::{
    Air, Error, StepRecord,
    engine::{Clock, Motion, PinChanges, Relocation, Skinned},
    integrator::Scheme,
    reference::{State, skin},
    topology::{Contacts, PointLoad, Rigid, TieGroups, Topology},
};
use glam::{DVec3, Vec3};
use std::ops::Range;

impl CpuEngine {
    pub fn records(&mut self) -> &mut Vec<StepRecord> {
        &mut self.records
    }

    pub fn steps(&self) -> u64 {
        self.step
    }

    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    pub fn time_step(&self) -> f64 {
        self.parameters.time_step
    }

    pub fn previous_step(&self) -> Option<f64> {
        self.before
    }

    pub fn step_many(&mut self, count: u32) -> Result<(), Error> {
        self.restored = None;
        (0..count).try_for_each(|_| self.one_step())
    }

    pub fn skin(&mut self, what: Skinned, range: Range<usize>) -> Result<Vec<DVec3>, Error> {
        let Topology { skins, row_of, .. } = &*self.topology;
        let particles: Vec<DVec3> = row_of.iter().map(|&row| self.state.positions[row as usize]).collect();
        if what == Skinned::Positions {
            return Ok(skin::place(&skins.points[range], &particles));
        }
        Ok(skin::normals(&skins.fans, &skin::place(&skins.points, &particles))[range].to_vec())
    }

    pub fn published(&self) -> Result<Vec<DVec3>, Error> {
        Ok(self.topology.row_of.iter().map(|&row| self.state.positions[row as usize]).collect())
    }

    pub fn published_of(&self, particles: &[u32]) -> Result<Vec<DVec3>, Error> {
        let row_of = &self.topology.row_of;
        Ok(particles.iter().map(|&particle| self.state.positions[row_of[particle as usize] as usize]).collect())
    }

    pub fn positions(&mut self) -> Result<Vec<DVec3>, Error> {
        Ok(self.state.positions.clone())
    }

    pub fn velocities(&mut self) -> Result<Vec<DVec3>, Error> {
        Ok(self.state.velocities.clone())
    }

    pub fn constraint_forces(&mut self) -> Result<Vec<DVec3>, Error> {
        if let Some(motion) = &self.restored {
            return Ok(motion.forces.clone());
        }
        let pins = self.constraints.len() - self.touching.constraints.len();
        // The residual of the θ-scheme includes the forces at the start of the step, so its impulses are those of the whole step.
        let step = self.state.scheme.stage_step * (1.0 + self.parameters.explicit_share);
        let mut residual = self.state.residual.clone();
        self.groups.gather(&mut residual);
        let mut forces = crate::engine::constraint_forces(&self.constraints[..pins], &residual, step);
        for (constraint, impulse) in self.constraints.iter().zip(&self.impulses).skip(pins) {
            forces[constraint.row as usize] = *impulse / step;
        }
        Ok(forces)
    }

    pub fn restart(&mut self) -> Result<(), Error> {
        self.before = None;
        Ok(())
    }

    pub fn set_lenient(&mut self, lenient: bool) -> Result<(), Error> {
        self.lenient = lenient;
        Ok(())
    }

    pub fn set_contacts(&mut self, contacts: &Contacts) -> Result<(), Error> {
        self.touching = contacts.clone();
        self.list_constraints();
        Ok(())
    }

    pub fn set_ties(&mut self, ties: &TieGroups, places: &[Relocation]) -> Result<(), Error> {
        self.restored = None;
        self.groups = ties.clone();
        for place in places {
            self.state.positions[place.row as usize] = place.position;
            self.state.velocities[place.row as usize] = place.velocity;
        }
        self.before = None;
        Ok(())
    }

    pub fn motion(&mut self) -> Result<Motion, Error> {
        if let Some(motion) = &self.restored {
            return Ok(motion.clone());
        }
        let (positions, velocities) = (self.state.positions.clone(), self.state.velocities.clone());
        let rigids = self.touching.rigids.iter().map(Rigid::change).collect();
        Ok(Motion { positions, velocities, forces: self.constraint_forces()?, rigids })
    }

    pub fn set_positions(&mut self, positions: &[DVec3]) -> Result<(), Error> {
        self.restored = None;
        self.state.positions.copy_from_slice(positions);
        self.before = None;
        Ok(())
    }

    pub fn set_velocities(&mut self, velocities: &[DVec3]) -> Result<(), Error> {
        self.restored = None;
        self.state.velocities.copy_from_slice(velocities);
        self.before = None;
        Ok(())
    }

    pub fn edge_history(&mut self) -> Result<Vec<[f64; 4]>, Error> {
        Ok(self.state.history.clone())
    }

    pub fn set_edge_history(&mut self, history: &[[f64; 4]]) -> Result<(), Error> {
        self.state.history.copy_from_slice(history);
        Ok(())
    }

    pub fn set_gravity(&mut self, gravity: Vec3) -> Result<(), Error> {
        self.parameters.gravity = gravity.as_dvec3();
        Ok(())
    }

    pub fn set_air(&mut self, air: Air) -> Result<(), Error> {
        self.parameters.air = air;
        Ok(())
    }

    pub fn set_loads(&mut self, loads: &[PointLoad]) -> Result<(), Error> {
        self.loads = loads.to_vec();
        Ok(())
    }

    pub fn set_time_step(&mut self, time_step: f64) -> Result<(), Error> {
        self.clock.change(self.step, time_step);
        self.parameters.time_step = time_step;
        self.parameters.drift = self.integrator.drift(time_step);
        self.parameters.estimate = self.integrator.estimate(time_step, self.before);
        Ok(())
    }

    pub fn next_scheme(&self) -> Scheme {
        self.integrator.scheme(self.parameters.time_step, self.before)
    }

    pub fn save(&mut self) -> Result<(), Error> {
        let state = &mut self.state;
        state.older_velocities.clone_from(&state.previous_velocities);
        self.saved = Some(Saved {
            positions: state.positions.clone(),
            velocities: state.velocities.clone(),
            previous: (state.previous_positions.clone(), state.previous_velocities.clone()),
            direction: (state.p.clone(), state.s.clone()),
            history: state.history.clone(),
            wind_phase: state.wind_phase,
            hard: self.hard,
            rises: self.rises.clone(),
            shortened: self.shortened.clone(),
            step: self.step,
            clock: self.clock,
            before: self.before,
        });
        Ok(())
    }

    pub fn rollback(&mut self) -> Result<(), Error> {
        let saved = self.saved.take().ok_or_else(|| Error::Usage("no state was kept".to_owned()))?;
        let state = &mut self.state;
        state.positions = saved.positions;
        state.velocities = saved.velocities;
        (state.previous_positions, state.previous_velocities) = saved.previous;
        (state.p, state.s) = saved.direction;
        state.history = saved.history;
        state.wind_phase = saved.wind_phase;
        self.hard = saved.hard;
        self.rises = saved.rises;
        self.shortened = saved.shortened;
        state.residual.fill(DVec3::ZERO);
        self.impulses.clear();
        (self.step, self.clock, self.before) = (saved.step, saved.clock, saved.before);
        Ok(())
    }

    pub fn change_pins(&mut self, changes: &PinChanges) -> Result<(), Error> {
        changes.apply(&mut self.pins, &self.topology.constraints);
        self.list_constraints();
        if !changes.held.is_empty() {
            self.before = None;
        }
        Ok(())
    }

    pub fn reset(&mut self) -> Result<(), Error> {
        self.state = State::new(&self.topology, &self.parameters);
        self.before = None;
        self.hard = false;
        self.rises.clear();
        self.shortened.clear();
        self.touching = Contacts::default();
        self.impulses.clear();
        self.restored = None;
        self.pins.clone_from(&self.topology.constraints);
        self.list_constraints();
        self.loads.clone_from(&self.topology.loads);
        self.groups = self.topology.tied_at_start();
        self.step = 0;
        self.clock = Clock::new(self.parameters.time_step);
        self.records.clear();
        Ok(())
    }
}
