//! Grips: pulling at a place of a body.

use super::{Pick, Target};
use crate::{Error, Handle, Scene, Simulation};
use glam::Vec3;
use std::{collections::BTreeMap, ops::Range};

/// Fraction of a body's size over which a grip spreads.
const REACH: f32 = 0.035;
/// Largest number of particles of a grip.
const MOST_PARTICLES: usize = 24;
/// Largest force of a grip of strength 1, in weights of the body.
const MOST_WEIGHTS: f32 = 4.0;
/// How far a grip of strength 1 lags behind while it carries the body's weight, in sizes of the body.
const LAG: f32 = 0.02;
/// Acceleration by which a body is weighed where there is no gravity, m/s².
const STANDARD_WEIGHT: f32 = 9.81;

/// Pulls at a picked place of a body: a spring from the place to a target, whose force is spread over a patch of particles, as a hand would take the cloth.
///
/// The stiffness follows from the mass of the body and the length of the step: stiff enough that the body follows the mouse and can be lifted, and no stiffer than
/// a particle can take in a step. The force is limited to some weights of the body, so that cloth is not torn by a mouse that moves too far. Each particle i of weight wᵢ has a spring
/// to the target, moved by its own offset from the place: Fᵢ = k wᵢ (T + dᵢ − xᵢ), with Σ wᵢ = 1 and Σ wᵢ dᵢ = 0, so that their sum is k (T − Σ wᵢ xᵢ).
///
/// ```
/// use tenter::{Backend, Body, Material, Mesh, Options, Scene, Simulation, Vertices, glam::Vec3, view::{Grip, Pick, Target}};
/// # fn main() -> Result<(), tenter::Error> {
/// let mut scene = Scene::new();
/// let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 8, 8), Material::cotton()));
/// scene.pin(cloth, Vertices::corners());
/// let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default())?;
/// // A view's answer to a ray; here made by hand.
/// let target = Target::Body { particles: [62, 63, 55], weights: [0.2, 0.6, 0.2] };
/// let pick = Pick { place: Vec3::new(0.45, 0.0, 0.45), distance: 1.0, target };
/// let Some(mut grip) = Grip::new(&scene, &pick, 1.0) else { return Ok(()) };
/// let positions = simulation.positions_of(grip.particles())?;
/// grip.take(&positions);
/// for _ in 0..20 {
///     let positions = simulation.positions_of(grip.particles())?;
///     grip.pull(&mut simulation, &positions, Vec3::new(0.5, 0.3, 0.5))?;
///     simulation.step()?;
/// }
/// grip.release(&mut simulation)?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Grip {
    particles: Vec<u32>,
    /// Weights of the particles, with sum 1.
    weights: Vec<f32>,
    /// Offsets of the particles from the place, m.
    offsets: Vec<Vec3>,
    /// Particles of the body.
    body: Range<usize>,
    /// Size of the body, m.
    size: f32,
    /// Acceleration that the force is measured with, m/s².
    gravity: f32,
    strength: f32,
}

impl Grip {
    /// A grip at a picked place; `None` where a collider was picked. Strength 1 carries the body; 0.1 is gentle, 10 is rough.
    pub fn new(scene: &Scene, pick: &Pick, strength: f32) -> Option<Self> {
        let Target::Body { particles: corners, weights } = pick.target else { return None };
        let body = scene
            .body_ids()
            .find(|id| scene.body_range(*id).is_ok_and(|range| range.contains(&(corners[0] as usize))))?;
        let range = scene.body_range(body).ok()?;
        let own = scene.bodies.get(body.index())?;
        let rest = &own.mesh.positions;
        let local = |corner: u32| (corner as usize).checked_sub(range.start).and_then(|ix| rest.get(ix)).copied();
        let place = corners
            .iter()
            .zip(weights)
            .try_fold(Vec3::ZERO, |sum, (corner, weight)| Some(sum + weight * local(*corner)?))?;
        let [least, most] = [rest.iter().copied().reduce(Vec3::min)?, rest.iter().copied().reduce(Vec3::max)?];
        let size = (most - least).max_element().max(1e-6);
        // The nearest particles of the rest shape, by a weight that falls to zero at the edge of the patch; the corners' own weights at least.
        let reach = REACH * size;
        let mut all: BTreeMap<u32, f32> = BTreeMap::new();
        let mut near: Vec<(f32, u32)> = rest
            .iter()
            .enumerate()
            .map(|(ix, at)| (at.distance(place), (range.start + ix) as u32))
            .filter(|(distance, _)| *distance < reach)
            .collect();
        near.sort_by(|one, other| one.0.total_cmp(&other.0));
        for (distance, particle) in near.into_iter().take(MOST_PARTICLES) {
            let part = 1.0 - (distance / reach).powi(2);
            all.insert(particle, part * part);
        }
        if all.len() < 4 {
            all.clear();
            corners.iter().zip(weights).for_each(|(corner, weight)| *all.entry(*corner).or_default() += weight);
        }
        all.retain(|_, weight| *weight > 1e-4);
        let sum: f32 = all.values().sum();
        let (particles, weights): (Vec<u32>, Vec<f32>) =
            all.iter().map(|(particle, weight)| (*particle, weight / sum)).unzip();
        let gravity = scene.gravity.length();
        Some(Self {
            offsets: vec![Vec3::ZERO; particles.len()],
            particles,
            weights,
            body: range,
            size,
            gravity: if gravity > 0.1 { gravity } else { STANDARD_WEIGHT },
            strength: if strength.is_finite() { strength.clamp(1e-3, 1e3) } else { 1.0 },
        })
    }

    /// Particles of the patch, whose positions [`take`](Self::take) and [`pull`](Self::pull) are given.
    pub fn particles(&self) -> &[u32] {
        &self.particles
    }

    /// Weights of the particles, with sum 1.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Sets the strength.
    pub fn set_strength(&mut self, strength: f32) {
        if strength.is_finite() {
            self.strength = strength.clamp(1e-3, 1e3);
        }
    }

    /// The held place: the weighted mean of the particles' positions, m.
    pub fn place(&self, positions: &[Vec3]) -> Vec3 {
        self.weights.iter().zip(positions).map(|(weight, place)| *weight * *place).sum()
    }

    /// Takes hold: the particles keep their present offsets from the place.
    pub fn take(&mut self, positions: &[Vec3]) {
        let place = self.place(positions);
        self.offsets = positions.iter().map(|position| *position - place).collect();
    }

    /// Stiffness of the whole grip, N/m, and its largest force, N, in a simulation.
    pub fn stiffness(&self, simulation: &Simulation) -> [f32; 2] {
        let topology = simulation.topology();
        let mass_of = |particle: usize| topology.row_of.get(particle).map_or(0.0, |&row| topology.masses[row as usize]);
        let patch = self.particles.iter().map(|particle| mass_of(*particle as usize)).sum::<f64>() as f32;
        let body = self.body.clone().map(mass_of).sum::<f64>() as f32;
        let step = simulation.time_step() as f32;
        let weight = body * self.gravity;
        // Enough to carry the body with little lag, and to bring the patch along within some steps; more only makes the matrix worse.
        let carry = weight / (LAG * self.size);
        let follow = 0.1 * patch / (step * step);
        [self.strength * carry.max(follow), self.strength * MOST_WEIGHTS * weight]
    }

    /// Pulls the place towards a target, m, from the next step on: the particles are at these positions now.
    pub fn pull(&self, simulation: &mut Simulation, positions: &[Vec3], target: Vec3) -> Result<(), Error> {
        let [stiffness, most] = self.stiffness(simulation);
        let place = self.place(positions);
        let reach = (target - place).clamp_length_max(most / stiffness.max(1e-12));
        let step = simulation.time_step() as f32;
        for ((particle, weight), offset) in self.particles.iter().zip(&self.weights).zip(&self.offsets) {
            let own = stiffness * weight;
            let handle = Handle { stiffness: own, damping: 2.0 * own * step };
            simulation.grab(*particle, handle, place + reach + *offset)?;
        }
        Ok(())
    }

    /// Lets go.
    pub fn release(&self, simulation: &mut Simulation) -> Result<(), Error> {
        self.particles.iter().try_for_each(|particle| simulation.release(*particle))
    }
}
