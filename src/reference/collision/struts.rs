//! Struts: one-sided springs that keep the sides of a pair apart, with friction across. Twins of `shaders/collision/{attach,revise,engage,join}.wgsl`.
//!
//! With weights w, normal n, U = Σ w v and the gap G = n·Σ w x̂ + γh n·U at the end of the stage, a strut has the impulse J = κ/γh (τ − G) where that is positive, and the
//! friction −a U_t. Its matrix is w_i w_j [κ nnᵀ + a (I − nnᵀ)].
//!
//! A strut to a collider has its second side on the collider: Σ w = 1, G is the displacement of the spot along n since the start of the step, τ the one that brings it to its
//! distance from the surface, and U is relative to the velocity of the surface.

use super::{
    Pair,
    closest::weighted,
    select::{Course, select},
};
use crate::{
    parallel::*,
    reference::State,
    topology::{Support, Surface},
};
use glam::{DMat3, DVec3};

/// Part of the thickness by which a gap may miss its target before the strut changes state.
const SLACK: f64 = 1e-4;
/// Number of state changes of a strut in a step after which it does not push again.
const MOST_FLIPS: u32 = 6;
/// Largest number of struts of a pair.
const MOST_STRUTS: u32 = 3;
/// Largest friction coefficient a over the effective mass.
const MOST_DRAG: f64 = 1000.0;
/// Slip below which friction sticks, m/s: up to there it grows with the slip, so that all struts of a body that is held reach Coulomb's limit together.
const LEAST_SLIP: f64 = 5e-5;
/// Stiffness of a strut to a collider over its effective mass, times the step squared.
const STIFFNESS: f64 = 100.0;
/// Change of friction below which it has converged, relative to Coulomb's limit.
const FRICTION_SLACK: f64 = 0.01;

/// A one-sided spring between the closest points of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strut {
    /// Rows of the four particles.
    pub rows: [u32; 4],
    /// Their weights w.
    pub weights: [f64; 4],
    /// Unit normal n towards the first side.
    pub normal: DVec3,
    /// Effective mass 1/Σ(w²/m), kg.
    pub mass: f64,
    /// κ, kg: spring constant times (γh)².
    pub stiffness: f64,
    /// Gap τ that the strut aims at, m.
    pub target: f64,
    /// Thickness of the pair, m.
    pub thickness: f64,
    /// Coulomb's coefficient μ.
    pub friction: f64,
    /// Whether the strut pushes.
    pub on: bool,
    /// Friction coefficient a, kg.
    pub drag: f64,
    /// Number of state changes in the step.
    pub flips: u32,
    /// Velocity of the collider's surface, m/s, if the second side is one.
    pub surface_velocity: Option<DVec3>,
    /// Impulse along the normal after an explicit step, N·s.
    pub pressed: Option<f64>,
}

impl Strut {
    /// The strut of a support, as a stage at this share of the step sees it.
    pub fn on_collider(support: &Support, stage_share: f64) -> Self {
        Self {
            rows: support.rows,
            weights: support.weights,
            normal: support.normal,
            mass: support.mass,
            stiffness: STIFFNESS * support.stiffening * support.mass,
            target: stage_share * support.rise,
            thickness: support.thickness,
            friction: support.friction,
            on: false,
            drag: 0.0,
            flips: 0,
            surface_velocity: Some(support.surface_velocity),
            pressed: None,
        }
    }

    /// Σ w y of its rows.
    pub fn between(&self, values: &[DVec3]) -> DVec3 {
        let values = self.rows.map(|row| values[row as usize]);
        match self.surface_velocity {
            Some(_) => (0..4).map(|k| self.weights[k] * values[k]).sum(),
            None => weighted(&self.weights, &values),
        }
    }

    /// Offset between its sides at positions: for a collider the displacement of the spot since the `start` of the step, m.
    pub fn offset(&self, positions: &[DVec3], start: &[DVec3]) -> DVec3 {
        match self.surface_velocity {
            Some(_) => self
                .rows
                .iter()
                .zip(self.weights)
                .map(|(&row, w)| w * (positions[row as usize] - start[row as usize]))
                .sum(),
            None => self.between(positions),
        }
    }

    /// Velocity of the first side relative to the second, m/s.
    pub fn slip(&self, velocities: &[DVec3]) -> DVec3 {
        self.between(velocities) - self.surface_velocity.unwrap_or_default()
    }

    /// (κ nnᵀ + a (I − nnᵀ)) y while it pushes.
    fn pull(&self, y: DVec3) -> DVec3 {
        if !self.on {
            return DVec3::ZERO;
        }
        let along = self.normal.dot(y) * self.normal;
        self.stiffness * along + self.drag * (y - along)
    }

    /// The gap that it lacks, τ − G, m, where its points are at `offset` before they move with `velocity`.
    fn missing(&self, offset: DVec3, stage_step: f64, velocity: DVec3) -> f64 {
        self.target - self.normal.dot(offset) - stage_step * self.normal.dot(velocity)
    }

    /// Impulse n J − a U_t while it pushes, N·s.
    fn impulse(&self, missing: f64, stage_step: f64, slip: DVec3) -> DVec3 {
        if !self.on {
            return DVec3::ZERO;
        }
        let across = slip - self.normal.dot(slip) * self.normal;
        self.stiffness / stage_step * missing * self.normal - self.drag * across
    }

    /// Potential at an offset between its points, J, beyond that of a spring in its present state: 0 while it stays in that state.
    fn unmodelled(&self, offset: DVec3, stage_step: f64) -> f64 {
        let missing = self.target - self.normal.dot(offset);
        let spring = 0.5 * self.stiffness * (missing / stage_step).powi(2);
        match (missing > 0.0, self.on) {
            (true, false) => spring,
            (false, true) => -spring,
            _ => 0.0,
        }
    }
}

/// Struts of a step.
#[derive(Debug, Clone, Default)]
pub struct Struts {
    /// All struts.
    pub list: Vec<Strut>,
    /// Pairs of the step, each with the number of its struts.
    pairs: Vec<(Pair, u32)>,
    /// First incidence of each row, and the end.
    offsets: Vec<u32>,
    /// Struts of each row: four times the number of the strut, plus the place of the row in it.
    incidences: Vec<u32>,
    /// Diagonal blocks without struts.
    bare: Vec<DMat3>,
}

impl Struts {
    /// Begins a step with its pairs, without any strut.
    pub fn begin(&mut self, pairs: Vec<Pair>) {
        self.clear();
        self.pairs = pairs.into_iter().map(|pair| (pair, 0)).collect();
    }

    /// Forgets all pairs and struts.
    pub fn clear(&mut self) {
        self.list.clear();
        self.pairs.clear();
        self.offsets.clear();
        self.incidences.clear();
    }

    /// Adds struts to colliders at the start of a step.
    pub fn support(&mut self, supports: &[Support], stage_share: f64, rows: usize) {
        if !supports.is_empty() {
            self.list.extend(supports.iter().map(|support| Strut::on_collider(support, stage_share)));
            self.join(rows);
        }
    }

    /// Whether no pair has a strut.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Gives struts to pairs that would come closer than their thickness, and further ones to those that would pass through each other nevertheless. Returns the number of new
    /// struts.
    pub fn select(&mut self, surface: &Surface, course: &Course<'_>, stage_share: f64) -> usize {
        let one = |(pair, count): &(Pair, u32)| {
            if *count < MOST_STRUTS { select(surface, course, pair, *count > 0) } else { None }
        };
        let found: Vec<Option<Strut>> = self.pairs.par_iter().with_min_len(64).map(one).collect();
        let before = self.list.len();
        for ((_, count), strut) in self.pairs.iter_mut().zip(found) {
            let Some(mut strut) = strut else { continue };
            // A stage in the middle of the step reaches half of the way from the start to the target.
            let from = strut.normal.dot(strut.between(course.start));
            strut.target = from + stage_share * (strut.target - from);
            self.list.push(strut);
            *count += 1;
        }
        let added = self.list.len() - before;
        if added > 0 {
            self.join(course.start.len());
        }
        added
    }

    /// Lists the struts of each row.
    fn join(&mut self, rows: usize) {
        self.offsets = vec![0; rows + 1];
        for strut in &self.list {
            strut.rows.iter().for_each(|&row| self.offsets[row as usize + 1] += 1);
        }
        for row in 0..rows {
            self.offsets[row + 1] += self.offsets[row];
        }
        let mut next = self.offsets.clone();
        self.incidences = vec![0; 4 * self.list.len()];
        for (ix, strut) in self.list.iter().enumerate() {
            for (place, &row) in strut.rows.iter().enumerate() {
                self.incidences[next[row as usize] as usize] = (4 * ix + place) as u32;
                next[row as usize] += 1;
            }
        }
    }

    /// The struts of a row, each with the row's weight.
    pub(super) fn of_row(&self, row: usize) -> impl Iterator<Item = (&Strut, f64)> {
        let range = match self.offsets.get(row..row + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => 0..0,
        };
        self.incidences[range].iter().map(|&ix| {
            let strut = &self.list[ix as usize / 4];
            (strut, strut.weights[ix as usize % 4])
        })
    }

    /// Part of a row in the product with the matrix.
    pub fn row(&self, u: &[DVec3], row: usize) -> DVec3 {
        self.of_row(row)
            .filter(|(strut, _)| strut.on)
            .map(|(strut, weight)| weight * strut.pull(strut.between(u)))
            .sum()
    }

    /// Part of a row in the diagonal block.
    fn block(&self, row: usize) -> DMat3 {
        let one = |(strut, weight): (&Strut, f64)| {
            let n = strut.normal;
            let along = DMat3::from_cols(n * n.x, n * n.y, n * n.z);
            weight * weight * (strut.stiffness * along + strut.drag * (DMat3::IDENTITY - along))
        };
        self.of_row(row).filter(|(strut, _)| strut.on).map(one).fold(DMat3::ZERO, |sum, block| sum + block)
    }

    /// Number of pairs of the step, including edges and triangles near colliders.
    pub fn pairs(&self) -> usize {
        self.pairs.len() + self.list.iter().filter(|strut| strut.surface_velocity.is_some()).count()
    }

    /// Number of struts that push.
    pub fn active(&self) -> usize {
        self.list.iter().filter(|strut| strut.on).count()
    }

    /// Number of struts of each row.
    pub fn counts(&self) -> Vec<u32> {
        self.offsets.windows(2).map(|ends| ends[1] - ends[0]).collect()
    }

    /// Potential of all struts at α along the search, beyond that of their present states and less that at its start, J.
    pub fn unmodelled(&self, step_start: &[DVec3], [start, end]: [&[DVec3]; 2], stage_step: f64, alpha: f64) -> f64 {
        let one = |strut: &Strut| {
            let (from, to) = (strut.offset(start, step_start), strut.offset(end, step_start));
            let at = from + alpha * (to - from);
            strut.unmodelled(at, stage_step) - strut.unmodelled(from, stage_step)
        };
        self.list.iter().map(one).sum()
    }
}

/// Work of struts that widen gaps which were less than the thickness at the start of the step, and of colliders that push or drag, J. Like the push-out of a collider it is no
/// error of the step.
pub fn recovered(state: &State) -> f64 {
    let stage_step = state.scheme.stage_step;
    let one = |strut: &Strut| {
        let before = match strut.surface_velocity {
            Some(_) => 0.0,
            None => strut.normal.dot(strut.between(&state.previous_positions)),
        };
        if !strut.on || (strut.surface_velocity.is_none() && before >= strut.thickness) {
            return 0.0;
        }
        let velocity = strut.between(&state.velocities);
        let offset = strut.offset(&state.anchor_positions, &state.previous_positions) + stage_step * velocity;
        let gap = strut.normal.dot(offset);
        let push = strut.stiffness / stage_step * (strut.target - gap).max(0.0);
        let mut work = push / stage_step * (gap - before).max(0.0);
        if strut.surface_velocity.is_some() {
            // A surface that drags a spot along does work.
            let across = |v: DVec3| v - strut.normal.dot(v) * strut.normal;
            work += (-strut.drag * across(strut.slip(&state.velocities))).dot(across(offset)).max(0.0) / stage_step;
        }
        work
    };
    state.struts.list.iter().map(one).sum()
}

/// Adds forces and diagonal blocks of all struts to an assembled system. Each strut pushes if the present state of the stage asks for it.
pub fn attach(state: &mut State) {
    for strut in &mut state.struts.list {
        let (velocity, slip) = (strut.between(&state.velocities), strut.slip(&state.velocities));
        let offset = strut.offset(&state.anchor_positions, &state.previous_positions);
        let missing = strut.missing(offset, state.scheme.stage_step, velocity);
        strut.on = missing > 0.0;
        let impulse = strut.impulse(missing, state.scheme.stage_step, slip);
        push(&mut state.residual, strut, impulse);
    }
    let State { diagonal, struts, .. } = state;
    struts.bare.clone_from(diagonal);
    restore_diagonal(state);
}

/// Adds the impulses of struts between bodies that are new in a pass: those from `known` on. Returns how many push.
pub fn engage(known: usize, state: &mut State) -> u32 {
    let State { struts, residual, velocities, solution, anchor_positions, scheme, .. } = state;
    let mut pushing = 0;
    for strut in &mut struts.list[known..] {
        let slip = strut.between(velocities) + strut.between(solution);
        let missing = strut.missing(strut.between(anchor_positions), scheme.stage_step, slip);
        strut.on = missing > SLACK * strut.thickness;
        pushing += u32::from(strut.on);
        push(residual, strut, strut.impulse(missing, scheme.stage_step, slip));
    }
    pushing
}

/// Adds the impulses of struts that push to forces that are evaluated once more at the same stage, outside its solve.
pub fn repeat(state: &mut State) {
    let State { struts, residual, velocities, previous_positions, anchor_positions, scheme, .. } = state;
    for strut in struts.list.iter().filter(|strut| strut.on) {
        let (velocity, slip) = (strut.between(velocities), strut.slip(velocities));
        let offset = strut.offset(anchor_positions, previous_positions);
        let missing = strut.missing(offset, scheme.stage_step, velocity);
        push(residual, strut, strut.impulse(missing, scheme.stage_step, slip));
    }
}

/// Computes the diagonal blocks anew after struts have changed, without those of tied particles.
pub fn restore_diagonal(state: &mut State) {
    let State { diagonal, struts, .. } = state;
    diagonal.par_iter_mut().with_min_len(256).enumerate().for_each(|(row, block)| {
        *block = struts.bare[row] + struts.block(row);
    });
}

fn push(residual: &mut [DVec3], strut: &Strut, impulse: DVec3) {
    for (row, weight) in strut.rows.iter().zip(strut.weights) {
        residual[*row as usize] += weight * impulse;
    }
}

/// Number of struts that a pass changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    /// Struts that changed state.
    pub flips: u32,
    /// Other struts whose friction changed.
    pub rubs: u32,
    /// Struts of `rubs` that slide.
    pub slides: u32,
}

/// One pass over all struts: those that pull let go, those whose gap has closed push, and friction follows the slip.
pub fn revise(state: &mut State) -> Changes {
    let State {
        struts,
        residual,
        velocities,
        previous_positions,
        previous_velocities,
        solution,
        anchor_positions,
        scheme,
        ..
    } = state;
    let stage_step = scheme.stage_step;
    let mut changes = Changes::default();
    for strut in &mut struts.list {
        let velocity = strut.between(velocities) + strut.between(solution);
        let slip = velocity - strut.surface_velocity.unwrap_or_default();
        let missing = strut.missing(strut.offset(anchor_positions, previous_positions), stage_step, velocity);
        let before = *strut;
        let slack = SLACK * strut.thickness;
        strut.on = if strut.on { missing > -slack } else { strut.flips < MOST_FLIPS && missing > slack };
        let across_of = |slip: DVec3| (slip - strut.normal.dot(slip) * strut.normal).length();
        let across = across_of(slip);
        let limit = strut.friction * strut.stiffness / stage_step * missing.max(0.0);
        // Friction begins with the slip at the start of the step: what was at rest sticks.
        let wanted = match strut.drag {
            0.0 => limit / across_of(strut.slip(previous_velocities)).max(LEAST_SLIP),
            drag => {
                let ratio = limit / (drag * across.max(LEAST_SLIP));
                // By more than the ratio, since the slip counteracts the change.
                drag * ratio * ratio.sqrt()
            }
        };
        let most = (limit / LEAST_SLIP).min(MOST_DRAG * strut.mass);
        strut.drag = if strut.on { wanted.min(most) } else { 0.0 };
        if strut.on == before.on && !strut.on {
            continue;
        }
        if strut.on != before.on {
            strut.flips += 1;
            changes.flips += 1;
        } else if (strut.drag - before.drag).abs() * across > FRICTION_SLACK * limit {
            changes.rubs += 1;
            changes.slides += u32::from(strut.drag < most);
        }
        let change = strut.impulse(missing, stage_step, slip) - before.impulse(missing, stage_step, slip);
        push(residual, strut, change);
    }
    changes
}
