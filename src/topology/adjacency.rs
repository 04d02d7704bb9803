//! Which triangles lie side by side.

use std::collections::BTreeMap;

/// Two triangles with a common side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hinge {
    /// Opposite to the side, one in each triangle.
    pub wings: [u32; 2],
    /// The side, in the direction in which the first triangle goes round it.
    pub side: [u32; 2],
}

/// Every two triangles with a common side, in ascending order of the side. A side of three or more bends between each two of them.
pub fn hinges(triangles: &[[u32; 3]]) -> Vec<Hinge> {
    let mut at_side: BTreeMap<[u32; 2], Vec<(u32, [u32; 2])>> = BTreeMap::new();
    for &[a, b, c] in triangles {
        for (side, wing) in [([a, b], c), ([b, c], a), ([c, a], b)] {
            at_side.entry([side[0].min(side[1]), side[0].max(side[1])]).or_default().push((wing, side));
        }
    }
    let mut hinges = Vec::new();
    for members in at_side.values() {
        for (ix, &(first, side)) in members.iter().enumerate() {
            let others = members[ix + 1..].iter().filter(|&&(second, _)| second != first);
            hinges.extend(others.map(|&(second, _)| Hinge { wings: [first, second], side }));
        }
    }
    hinges
}
