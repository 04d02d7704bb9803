//! Triangle fans: the triangles around each particle, from which surface normals are gathered.

/// Compressed sparse rows of triangles, each by its other two corners in the order that keeps the orientation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fans {
    /// First triangle of each row, and the end.
    pub offsets: Vec<u32>,
    /// The other two corners of each triangle.
    pub corners: Vec<[u32; 2]>,
}

impl Fans {
    /// Fans of triangles between `row_count` rows.
    pub fn build(row_count: usize, triangles: impl Iterator<Item = [u32; 3]>) -> Self {
        let mut around = vec![Vec::new(); row_count];
        for [a, b, c] in triangles {
            for (own, corners) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                around[own as usize].push(corners);
            }
        }
        let mut fans = Self { offsets: vec![0], corners: Vec::new() };
        for corners in around {
            fans.corners.extend(corners);
            fans.offsets.push(fans.corners.len() as u32);
        }
        fans
    }

    /// Triangles around a row.
    pub fn row(&self, row: usize) -> &[[u32; 2]] {
        &self.corners[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }
}
