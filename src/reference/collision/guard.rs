//! The guard: shortens the motion of particles in a step where surfaces would pass through each other. Twins of `shaders/collision/{led,stop,even,truncate}.wgsl`.
//!
//! A particle moves from x₀ to x₀ + e + t d: e is prescribed by pins and colliders, d is free, and t is 1 unless the guard lowers it. A pair is safe if one fixed direction
//! separates its sides at the start and at the end: separation along a direction is concave in time, so that the sides are then apart in between. Failing that, each quarter
//! of the step may have its own direction. Both sides of an unsafe pair give up their approach beyond the gap, each in proportion to its own; a side that goes away
//! leaves room for the other, so that common motion is not shortened. Lower t may make further pairs unsafe: rounds go on until none is. After some rounds, sides stop at
//! planes that do not move, and finally where they are.

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
/// Largest difference of the shortened ways at the ends of an edge, relative to its length.
const SLOPE: f64 = 0.3;
/// Largest number of sweeps over all edges in a round.
const SWEEPS: u32 = 4;
/// Number of parts of a step in which different directions may separate a pair.
const PARTS: u32 = 4;
/// Number of rounds in which a side that goes away makes room for the other.
const MOVING_ROUNDS: u32 = 12;
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
        let mut shares = vec![1.0; self.start.len()];
        let (mut driven, mut rounds) = (Vec::new(), 0);
        let mut open = self.pairs(None);
        while !open.is_empty() {
            let stops = |pair: &Pair| self.stop(pair, &shares, rounds);
            let stops: Vec<Stop> = open.par_iter().with_min_len(64).map(stops).collect();
            let mut new = false;
            for (pair, stop) in open.iter().zip(&stops) {
                match stop {
                    Stop::Driven => driven.push(*pair),
                    Stop::At(limits) => {
                        new = true;
                        for (row, limit) in pair.rows.iter().zip(limits) {
                            let share = &mut shares[*row as usize];
                            *share = share.min(*limit);
                        }
                    }
                    Stop::Safe => {}
                }
            }
            rounds += 1;
            if !new {
                break;
            }
            if rounds == 1 {
                // Shorter ways bring pairs near each other that were not in common motion.
                let led: Vec<DVec3> = (0..self.start.len()).map(|row| self.start[row] + self.prescribed[row]).collect();
                open = self.pairs(Some(&led));
                driven.clear();
            } else {
                let mut stops = stops.iter();
                open.retain(|_| !matches!(stops.next(), Some(Stop::Driven)));
            }
            self.even_out(&mut shares);
            self.unite(&mut shares);
        }
        let truncated = shares.iter().filter(|share| **share < 1.0).count() as u32;
        Guarded { shares, truncated, rounds, driven }
    }

    /// Pairs that may come near each other.
    fn pairs(&self, led: Option<&[DVec3]>) -> Vec<Pair> {
        let sweep = Sweep { start: self.start, end: self.end, masters: self.masters, reach: FLOOR, led };
        Pairs::find(self.surface, &sweep).list
    }

    /// Position of a row at its share t.
    pub fn reached(&self, row: usize, share: f64) -> DVec3 {
        let led = self.start[row] + self.prescribed[row];
        if share < 1.0 { led + share * (self.end[row] - led) } else { self.end[row] }
    }

    /// Where the particles of a pair have to stop.
    fn stop(&self, pair: &Pair, shares: &[f64], round: u32) -> Stop {
        let kind = pair.kind;
        let start = pair.gather(self.start);
        let end = pair.rows.map(|row| self.reached(row as usize, shares[row as usize]));
        let gap = Closest::of(kind, &start).offset.length();
        let floor = floor(thickness(self.surface, pair), gap);
        if is_safe(kind, &start, &end, floor) {
            return Stop::Safe;
        }
        let planes = directions(kind, &start, &end).into_iter().enumerate().filter_map(|(ix, direction)| {
            let apart = separation(kind, &start, direction);
            let usable = apart > floor && (ix == 0 || apart > 0.5 * gap);
            usable.then(|| self.plane(pair, direction, apart - floor, shares, round >= MOVING_ROUNDS)).flatten()
        });
        let least = |limits: &[f64; 4]| limits.iter().copied().fold(1.0, f64::min);
        let best = planes.max_by(|a, b| least(a).total_cmp(&least(b)));
        match best {
            Some(limits) if round < MOST_ROUNDS => Stop::At(limits),
            // Without any plane, or where rounds do not end, what is free stops at once.
            _ if pair.rows.iter().all(|&row| shares[row as usize] == 0.0) => Stop::Driven,
            _ => Stop::At([0.0; 4]),
        }
    }

    /// Limits of t that leave each side of a pair its part of the gap along a normal; `None` if prescribed motion exceeds it. A side that goes away makes room for the other,
    /// unless both are to stop at a plane that stays where it is.
    fn plane(&self, pair: &Pair, normal: DVec3, gap: f64, shares: &[f64], stays: bool) -> Option<[f64; 4]> {
        let own = if pair.kind == PairKind::EdgeEdge { 2 } else { 1 };
        let first = self.start[pair.rows[0] as usize];
        // Of each particle: distance behind the nearest of its side at the start; approach, prescribed and free.
        let mut ways: [Way; 4] = std::array::from_fn(|k| {
            let (row, side) = (pair.rows[k] as usize, if k < own { 1.0 } else { -1.0 });
            let led = self.prescribed[row];
            Way {
                behind: side * normal.dot(self.start[row] - first),
                led: -side * normal.dot(led),
                free: -side * normal.dot(self.end[row] - self.start[row] - led),
                share: shares[row],
            }
        });
        let (a, b) = ways.split_at_mut(own);
        let (a, b) = (Approach::of(a, stays), Approach::of(b, stays));
        let excess = a.whole + b.whole - gap;
        let (most_a, most_b) = (a.whole - a.led, b.whole - b.led);
        if excess > most_a + most_b {
            return None;
        }
        let part = if most_a + most_b > 0.0 { most_a / (most_a + most_b) } else { 0.0 };
        let (for_a, for_b) = (a.whole - part * excess, b.whole - (1.0 - part) * excess);
        Some(std::array::from_fn(|k| ways[k].limit(if k < own { for_a } else { for_b })))
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
    fn even_out(&self, shares: &mut Vec<f64>) {
        let free = |row: usize| (self.end[row] - self.start[row] - self.prescribed[row]).length();
        for _ in 0..SWEEPS {
            let lowered = |row: usize| {
                let neighbours = self.surface.neighbours_of(row as u32).iter().map(|&other| {
                    let other = other as usize;
                    let length = (self.start[row] - self.start[other]).length();
                    let way = free(row).max(free(other));
                    if way <= SLOPE * length { 1.0 } else { shares[other] + SLOPE * length / way }
                });
                neighbours.fold(shares[row], f64::min)
            };
            let next: Vec<f64> = (0..shares.len()).into_par_iter().with_min_len(256).map(lowered).collect();
            let changed = next != *shares;
            *shares = next;
            if !changed {
                break;
            }
        }
    }
}

/// Motion of a particle along the normal of a pair, m.
#[derive(Debug, Clone, Copy)]
struct Way {
    /// Distance behind the nearest particle of its side at the start.
    behind: f64,
    /// Prescribed approach.
    led: f64,
    /// Free approach.
    free: f64,
    /// Its present share t.
    share: f64,
}

impl Way {
    /// Limit of t that keeps the particle within an approach of its side.
    fn limit(&self, approach: f64) -> f64 {
        let room = approach + self.behind - self.led;
        if self.free <= 0.0 || self.share * self.free <= room {
            1.0
        } else {
            (WITHIN * room / self.free).clamp(0.0, 1.0)
        }
    }
}

/// Approach of a side of a pair, m.
struct Approach {
    /// That of all motion, by the present shares.
    whole: f64,
    /// That which remains if its free approach stops.
    led: f64,
}

impl Approach {
    /// Approach of a side. Where it has to stop at a plane that `stays`, it does not count as going away.
    fn of(ways: &mut [Way], stays: bool) -> Self {
        let nearest = ways.iter().map(|way| way.behind).fold(f64::INFINITY, f64::min);
        ways.iter_mut().for_each(|way| way.behind -= nearest);
        let least = if stays { 0.0 } else { f64::NEG_INFINITY };
        let most = |of: &dyn Fn(&Way) -> f64| ways.iter().map(|way| of(way) - way.behind).fold(least, f64::max);
        let led = most(&|way| way.led + (way.share * way.free).min(0.0));
        Self { whole: most(&|way| way.led + way.share * way.free), led }
    }
}

/// Gap that the guard keeps between the sides of a pair, m.
pub fn floor(thickness: f64, gap_at_start: f64) -> f64 {
    (FLOOR * thickness).min(KEPT * gap_at_start)
}

/// Whether the sides of a pair stay apart on straight ways from the start to the end, by directions that each separate them in a part of the time.
pub fn is_safe(kind: PairKind, start: &[DVec3; 4], end: &[DVec3; 4], floor: f64) -> bool {
    let gap = Closest::of(kind, start).offset.length();
    if gap - 2.0 * super::pairs::relative_motion(start, end) > floor {
        return true;
    }
    let at = |part: u32| std::array::from_fn(|k| start[k].lerp(end[k], f64::from(part) / f64::from(PARTS)));
    let parted = |from: &[DVec3; 4], to: &[DVec3; 4], least: f64| {
        let separates = |direction: &DVec3| {
            separation(kind, from, *direction) > PARTED * floor && separation(kind, to, *direction) >= least
        };
        directions(kind, from, to).iter().any(separates)
    };
    if parted(start, end, floor) {
        return true;
    }
    let part = |ix: u32| parted(&at(ix), &at(ix + 1), if ix + 1 == PARTS { floor } else { PARTED * floor });
    (0..PARTS).all(part)
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
