//! Consistent orientation of triangles, whatever their windings: directions in neighbouring triangles are compared by signed
//! angles.

use crate::topology::adjacency::Side;

/// Whether each triangle's winding has to be reversed to agree with its neighbours. A one-sided surface gets a seam.
pub fn reversed(triangle_count: usize, sides: &[Side]) -> Vec<bool> {
    // Neighbours across each edge of exactly two triangles, and whether their windings disagree.
    let mut neighbours = vec![[(u32::MAX, false); 3]; triangle_count];
    let mut link = |from: &Side, to: &Side| {
        if let Some(free) = neighbours[from.triangle as usize].iter_mut().find(|entry| entry.0 == u32::MAX) {
            *free = (to.triangle, from.forward == to.forward);
        }
    };
    for fan in sides.chunk_by(|a, b| a.ends == b.ends) {
        if let [first, second] = fan {
            link(first, second);
            link(second, first);
        }
    }
    let mut reversed = vec![false; triangle_count];
    let mut seen = vec![false; triangle_count];
    let mut stack = Vec::new();
    for start in 0..triangle_count {
        if !std::mem::replace(&mut seen[start], true) {
            stack.push(start);
        }
        while let Some(triangle) = stack.pop() {
            for (other, disagree) in neighbours[triangle] {
                if other != u32::MAX && !std::mem::replace(&mut seen[other as usize], true) {
                    reversed[other as usize] = reversed[triangle] != disagree;
                    stack.push(other as usize);
                }
            }
        }
    }
    reversed
}
