//! The guard: shortens the motion of particles in a step where surfaces would pass through each other. Twin of `shaders/collision/guard.wgsl`.
//!
//! A particle moves from x₀ to x₀ + e + t d: e is prescribed by pins and colliders, d is free, and t is 1 unless the guard lowers it. A pair is safe if one fixed direction
//! separates its sides at the start and at the end: separation along a direction is concave in time, so that the sides are then apart in between. Both sides of an unsafe
//! pair stop at a plane between them, which each keeps to whatever happens to the other. Lower t may make further pairs unsafe: rounds go on until none is.

use super::{
    Pair, PairKind, Pairs, Sweep,
    closest::{Closest, directions, separation},
    select::thickness,
};
use crate::{parallel::*, topology::Surface};
use glam::DVec3;

/// Gap that the guard keeps, as a share of the thickness of a pair.
pub const FLOOR: f64 = 0.1;
/// Share of a smaller gap at the start that it keeps.
const KEPT: f64 = 0.98;
/// Share of the gap at the start by which a direction has to separate it.
const PARTED: f64 = 0.3;
/// Least share of a gap that either side may use up.
const LEAST_SHARE: f64 = 0.05;
/// Largest difference of the shortened ways at the ends of an edge, relative to its length.
const SLOPE: f64 = 0.3;
/// Largest number of sweeps over all edges in a round.
const SWEEPS: u32 = 20;
/// Number of rounds after which unsafe pairs stop where they are.
const MOST_ROUNDS: u32 = 50;
/// Share of a limit that is used, so that rounding does not exceed it.
const WITHIN: f64 = 0.9999;

/// Motion of a step to be guarded.
#[derive(Clone, Copy)]
pub struct Guard<'a> {
    /// Surfaces of all bodies.
    pub surface: &'a Surface,
    /// For each row the row that it is tied to, or itself.
    pub masters: &'a [u32],
    /// Positions x₀ at the start of the step, m.
    pub start: &'a [DVec3],
    /// Positions x₀ + e + d at its end, m.
    pub end: &'a [DVec3],
    /// Prescribed displacements e, m.
    pub prescribed: &'a [DVec3],
}

/// What the guard made of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Guarded {
    /// t of each row.
    pub shares: Vec<f64>,
    /// Number of rows whose motion was shortened.
    pub truncated: u32,
    /// Number of rounds.
    pub rounds: u32,
    /// Pairs that pins and colliders drive through each other.
    pub driven: Vec<Pair>,
}

impl Guard<'_> {
    /// Finds how far each particle may move.
    pub fn run(&self) -> Guarded {
        let sweep = Sweep { start: self.start, end: self.end, masters: self.masters, reach: FLOOR };
        let mut open = Pairs::find(self.surface, &sweep).list;
        let mut shares = vec![1.0; self.start.len()];
        let (mut driven, mut rounds) = (Vec::new(), 0);
        while !open.is_empty() {
            let stops = |pair: &Pair| self.stop(pair, &shares, rounds >= MOST_ROUNDS);
            let stops: Vec<Stop> = open.par_iter().with_min_len(64).map(stops).collect();
            let mut new = false;
            for (pair, stop) in open.iter().zip(&stops) {
                match stop {
                    Stop::Safe => continue,
                    Stop::Driven => driven.push(*pair),
                    Stop::At(_) => {}
                }
                if let Stop::At(limits) = stop {
                    new = true;
                    for (row, limit) in pair.rows.iter().zip(limits) {
                        let share = &mut shares[*row as usize];
                        *share = share.min(*limit);
                    }
                }
            }
            rounds += 1;
            if !new {
                break;
            }
            // A stopped pair keeps to its plane from now on.
            let mut stops = stops.iter();
            open.retain(|_| stops.next() == Some(&Stop::Safe));
            self.even_out(&mut shares);
            self.unite(&mut shares);
        }
        let truncated = shares.iter().filter(|share| **share < 1.0).count() as u32;
        Guarded { shares, truncated, rounds, driven }
    }

    /// Position of a row at its share t.
    pub fn reached(&self, row: usize, share: f64) -> DVec3 {
        let led = self.start[row] + self.prescribed[row];
        if share < 1.0 { led + share * (self.end[row] - led) } else { self.end[row] }
    }

    /// Where the particles of a pair have to stop.
    fn stop(&self, pair: &Pair, shares: &[f64], force: bool) -> Stop {
        let kind = pair.kind;
        let start = pair.gather(self.start);
        let end = pair.rows.map(|row| self.reached(row as usize, shares[row as usize]));
        let gap = Closest::of(kind, &start).offset.length();
        let floor = (FLOOR * thickness(self.surface, pair)).min(KEPT * gap);
        if gap - 2.0 * super::pairs::relative_motion(&start, &end) > floor {
            return Stop::Safe;
        }
        let directions = directions(kind, &start, &end);
        let safe = |direction: &DVec3| {
            separation(kind, &start, *direction) > PARTED * floor && separation(kind, &end, *direction) >= floor
        };
        if directions.iter().any(safe) {
            return Stop::Safe;
        }
        let planes = directions.iter().enumerate();
        let planes = planes.filter_map(|(ix, direction)| {
            let apart = separation(kind, &start, *direction);
            let usable = apart > floor && (ix == 0 || apart > 0.5 * gap);
            usable.then(|| self.plane(pair, *direction, apart - floor)).flatten()
        });
        let least = |limits: &[f64; 4]| limits.iter().copied().fold(1.0, f64::min);
        let best = planes.max_by(|a, b| least(a).total_cmp(&least(b)));
        match best {
            Some(limits) if !force => Stop::At(limits),
            // Without any plane, or where rounds do not end, what is free stops at once.
            _ if pair.rows.iter().all(|&row| shares[row as usize] == 0.0) => Stop::Driven,
            _ => Stop::At([0.0; 4]),
        }
    }

    /// Limits of t at a plane that leaves each side its part of the gap; `None` if prescribed motion crosses it.
    fn plane(&self, pair: &Pair, normal: DVec3, gap: f64) -> Option<[f64; 4]> {
        let own = if pair.kind == PairKind::EdgeEdge { 2 } else { 1 };
        let first = self.start[pair.rows[0] as usize];
        // Distance to the other side at the start, less that of the nearest of its side; and approach, prescribed and free.
        let numbers: [[f64; 3]; 4] = std::array::from_fn(|k| {
            let (row, side) = (pair.rows[k] as usize, if k < own { 1.0 } else { -1.0 });
            let led = self.prescribed[row];
            let free = self.end[row] - self.start[row] - led;
            [side * normal.dot(self.start[row] - first), -side * normal.dot(led), -side * normal.dot(free)]
        });
        let side = |range: std::ops::Range<usize>| {
            let nearest = numbers[range.clone()].iter().map(|n| n[0]).fold(f64::INFINITY, f64::min);
            let spare = |n: &[f64; 3]| n[0] - nearest;
            // What prescribed motion alone takes of the gap, and what all motion would.
            let needs = |of: &dyn Fn(&[f64; 3]) -> f64| {
                numbers[range.clone()].iter().map(|n| of(n) - spare(n)).fold(0.0, f64::max)
            };
            (nearest, needs(&|n| n[1]), needs(&|n| n[1] + n[2].max(0.0)))
        };
        let ((near_a, led_a, all_a), (near_b, led_b, all_b)) = (side(0..own), side(own..4));
        let left = gap - led_a - led_b;
        if left < 0.0 {
            return None;
        }
        let (want_a, want_b) = (all_a - led_a, all_b - led_b);
        let part = if want_a + want_b > 0.0 { want_a / (want_a + want_b) } else { 0.5 };
        let part = match (want_a > 0.0, want_b > 0.0) {
            (true, false) => 1.0,
            (false, true) => 0.0,
            _ => part.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE),
        };
        let (for_a, for_b) = (led_a + part * left, led_b + (1.0 - part) * left);
        Some(std::array::from_fn(|k| {
            let [at, led, free] = numbers[k];
            let spare = if k < own { for_a + at - near_a } else { for_b + at - near_b };
            if led + free <= spare || free <= 0.0 { 1.0 } else { (WITHIN * (spare - led) / free).clamp(0.0, 1.0) }
        }))
    }

    /// Gives tied rows the smallest share of their group.
    fn unite(&self, shares: &mut [f64]) {
        for (row, master) in self.masters.iter().enumerate() {
            shares[*master as usize] = shares[*master as usize].min(shares[row]);
        }
        for (row, master) in self.masters.iter().enumerate() {
            shares[row] = shares[*master as usize];
        }
    }

    /// Lowers shares until the ways of both ends of each edge differ by less than a part of its length.
    fn even_out(&self, shares: &mut [f64]) {
        let free = |row: u32| {
            let row = row as usize;
            (self.end[row] - self.start[row] - self.prescribed[row]).length()
        };
        for _ in 0..SWEEPS {
            let mut changed = false;
            for &[a, b] in &self.surface.edges {
                let (t_a, t_b) = (shares[a as usize], shares[b as usize]);
                if t_a == t_b {
                    continue;
                }
                let length = (self.start[a as usize] - self.start[b as usize]).length();
                let way = free(a).max(free(b));
                if way <= SLOPE * length {
                    continue;
                }
                let most = SLOPE * length / way;
                if t_a > t_b + most {
                    (shares[a as usize], changed) = (t_b + most, true);
                } else if t_b > t_a + most {
                    (shares[b as usize], changed) = (t_a + most, true);
                }
            }
            if !changed {
                break;
            }
        }
    }
}

/// Result of a test of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stop {
    /// The sides stay apart.
    Safe,
    /// Its particles stop at these t.
    At([f64; 4]),
    /// Prescribed motion drives the sides through each other.
    Driven,
}
