//! Which triangles lie side by side.

/// An edge of a triangle: its ends in ascending order, the triangle, the vertex across.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    /// Ascending.
    pub ends: [u32; 2],
    /// Index of the triangle.
    pub triangle: u32,
    /// The triangle's third vertex.
    pub apex: u32,
    /// Whether the triangle goes round from the first end to the second.
    pub forward: bool,
}

/// All sides, sorted: those of one edge stand together.
pub fn sides(triangles: &[[u32; 3]]) -> Vec<Side> {
    let mut sides = Vec::with_capacity(3 * triangles.len());
    for (ix, triangle) in triangles.iter().enumerate() {
        for corner in 0..3 {
            let (apex, p, q) = (triangle[corner], triangle[(corner + 1) % 3], triangle[(corner + 2) % 3]);
            sides.push(Side { ends: [p.min(q), p.max(q)], triangle: ix as u32, apex, forward: p < q });
        }
    }
    sides.sort_unstable();
    sides
}

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
    let mut hinges = Vec::new();
    for fan in sides(triangles).chunk_by(|a, b| a.ends == b.ends) {
        for (ix, first) in fan.iter().enumerate() {
            let [low, high] = first.ends;
            let side = if first.forward { [low, high] } else { [high, low] };
            let others = fan[ix + 1..].iter().filter(|second| second.apex != first.apex);
            hinges.extend(others.map(|second| Hinge { wings: [first.apex, second.apex], side }));
        }
    }
    hinges
}
