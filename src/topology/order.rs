//! Renumbering for locality: reverse Cuthill–McKee, then rows of equal length side by side.
//!
//! Cuthill–McKee numbers particles by breadth-first search, so that neighbours get close numbers and the vector gathered in the
//! solve stays in cache. Within windows of a few slices rows are then sorted by length, because a slice is as long as its longest row.

use super::{Pattern, SLICE_ROWS};
use std::collections::VecDeque;

/// Number of rows sorted together by length: large enough to fill slices evenly, small enough to keep locality.
const WINDOW_ROWS: usize = 8 * SLICE_ROWS;

/// Particle of each row, from the coupled pairs.
pub fn cuthill_mckee(count: usize, pairs: &[[u32; 2]]) -> Vec<u32> {
    let pattern = Pattern::build(count, pairs);
    let degree = |v: u32| pattern.row(v as usize).len();

    let mut by_degree: Vec<u32> = (0..count as u32).collect();
    by_degree.sort_by_key(|&v| degree(v));
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    let mut level_of = vec![u32::MAX; count];
    let mut next = Vec::new();
    for &seed in &by_degree {
        if seen[seed as usize] {
            continue;
        }
        let start = far_end(seed, &pattern, &mut level_of);
        seen[start as usize] = true;
        let mut queue = VecDeque::from([start]);
        while let Some(v) = queue.pop_front() {
            order.push(v);
            next.clear();
            next.extend(neighbours(&pattern, v).filter(|&n| !std::mem::replace(&mut seen[n as usize], true)));
            next.sort_by_key(|&n| (degree(n), n));
            queue.extend(&next);
        }
    }
    order.reverse();
    for window in order.chunks_mut(WINDOW_ROWS) {
        window.sort_by_key(|&v| std::cmp::Reverse(degree(v)));
    }
    order
}

/// A particle at an end of its component: numbering from there keeps the breadth-first levels narrow.
fn far_end(seed: u32, pattern: &Pattern, level_of: &mut [u32]) -> u32 {
    let mut visited = vec![seed];
    level_of[seed as usize] = 0;
    let mut ix = 0;
    while let Some(&v) = visited.get(ix) {
        for n in neighbours(pattern, v) {
            if level_of[n as usize] == u32::MAX {
                level_of[n as usize] = level_of[v as usize] + 1;
                visited.push(n);
            }
        }
        ix += 1;
    }
    visited.last().copied().unwrap_or(seed)
}

fn neighbours(pattern: &Pattern, v: u32) -> impl Iterator<Item = u32> {
    pattern.row(v as usize).iter().map(|incidence| incidence.neighbour)
}
