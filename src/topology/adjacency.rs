//! Adjacency of triangles.

/// An edge of a triangle: its ends in ascending order, the triangle, the opposite vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    /// Ends of the edge, in ascending order.
    pub ends: [u32; 2],
    /// Index of the triangle.
    pub triangle: u32,
    /// The triangle's third vertex.
    pub apex: u32,
    /// Whether the winding of the triangle runs from the first end to the second.
    pub forward: bool,
}

/// All sides, sorted, so that the sides of one edge are consecutive.
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
    /// Vertices opposite to the side, one in each triangle.
    pub wings: [u32; 2],
    /// The side, in the winding direction of the first triangle.
    pub side: [u32; 2],
}

/// Largest number of triangles at one side: every two of them make a hinge, so that the number of hinges grows with the square.
pub const MOST_AT_A_SIDE: usize = 64;

/// Pairs of triangles at one side: three or more triangles bend between each two. Two triangles with the same corners, back to back, do
/// not bend against each other.
pub fn pairs(fan: &[Side]) -> impl Iterator<Item = (&Side, &Side)> {
    let with = move |ix: usize| fan[ix + 1..].iter().map(move |second| (&fan[ix], second));
    (0..fan.len()).flat_map(with).filter(|(first, second)| first.apex != second.apex)
}

/// Rejects sides at which too many triangles meet, before all their pairs are made.
pub fn check_sides(sides: &[Side]) -> Result<(), String> {
    match sides.chunk_by(|a, b| a.ends == b.ends).find(|fan| fan.len() > MOST_AT_A_SIDE) {
        None => Ok(()),
        Some(fan) => {
            let ([a, b], count) = (fan[0].ends, fan.len());
            Err(format!(
                "{count} triangles meet in the side of vertices {a} and {b}, and every two of them make a hinge: at most \
                 {MOST_AT_A_SIDE} may"
            ))
        }
    }
}

/// Every two triangles with a common side, in ascending order of the side; see [`pairs`].
pub fn hinges(triangles: &[[u32; 3]]) -> Result<Vec<Hinge>, String> {
    let sides = sides(triangles);
    check_sides(&sides)?;
    let hinge = |(first, second): (&Side, &Side)| {
        let [low, high] = first.ends;
        let side = if first.forward { [low, high] } else { [high, low] };
        Hinge { wings: [first.apex, second.apex], side }
    };
    Ok(sides.chunk_by(|a, b| a.ends == b.ends).flat_map(pairs).map(hinge).collect())
}
