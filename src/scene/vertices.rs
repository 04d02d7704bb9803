//! Selections of vertices of a mesh.

use super::{GridShape, Mesh};
use glam::Vec3;

/// A selection of vertices of a mesh.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Vertices {
    /// Every vertex.
    All,
    /// The two corners at the far side of a grid, -z: what a hanging cloth hangs from.
    Corners,
    /// One corner of a grid: of the far or near side, and of the left or right.
    Corner(Side, Side),
    /// One side of a grid.
    Side(Side),
    /// Where triangles end: both ends of every edge that belongs to one triangle only.
    Border,
    /// Vertices by number.
    List(Vec<u32>),
    /// Vertices whose rest positions lie in a box, its faces included, m.
    Box {
        /// Smallest coordinates.
        low: Vec3,
        /// Largest coordinates.
        high: Vec3,
    },
    /// Vertices whose rest positions lie in a ball, its surface included, m.
    Sphere {
        /// Centre of the ball, m.
        centre: Vec3,
        /// Radius of the ball, m.
        radius: f32,
    },
    /// The [groups](Mesh::groups) of this name, such as an OBJ file has.
    Group(String),
}

/// A side of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// First row, at -z.
    Far,
    /// Last row, at +z.
    Near,
    /// First column, at -x.
    Left,
    /// Last column, at +x.
    Right,
}

impl Vertices {
    /// The two far corners of a grid.
    pub fn corners() -> Self {
        Vertices::Corners
    }

    /// Vertices by number.
    pub fn list(indices: impl Into<Vec<u32>>) -> Self {
        Vertices::List(indices.into())
    }

    /// Numbers of the selected vertices, ascending and each once; or a message about what is wrong.
    pub fn select(&self, mesh: &Mesh) -> Result<Vec<u32>, String> {
        let count = mesh.positions.len() as u32;
        let grid = || -> Result<GridShape, String> {
            let grid = mesh
                .grid
                .ok_or("only a grid has corners and sides: name the vertices by list, box, sphere or group")?;
            if grid.columns.checked_mul(grid.rows) != Some(count) {
                return Err(format!("a grid of {}×{} does not have {count} vertices", grid.columns, grid.rows));
            }
            Ok(grid)
        };
        let mut selected: Vec<u32> = match self {
            Vertices::All => (0..count).collect(),
            Vertices::Corners => vec![0, grid()?.columns.saturating_sub(1)],
            Vertices::Corner(one, other) => {
                let on = |side: &Side| Vertices::Side(*side).select(mesh);
                let (one, other) = (on(one)?, on(other)?);
                one.into_iter().filter(|vertex| other.contains(vertex)).collect()
            }
            Vertices::Border => border(&mesh.triangles),
            Vertices::Side(side) => {
                let GridShape { columns, rows } = grid()?;
                match side {
                    Side::Far => (0..columns).collect(),
                    Side::Near => (count.saturating_sub(columns)..count).collect(),
                    Side::Left => (0..rows).map(|row| row * columns).collect(),
                    Side::Right => (0..rows).map(|row| row * columns + columns.saturating_sub(1)).collect(),
                }
            }
            Vertices::List(list) => list.clone(),
            Vertices::Box { low, high } => (0..count)
                .filter(|&ix| {
                    let p = mesh.positions[ix as usize];
                    p.cmpge(*low).all() && p.cmple(*high).all()
                })
                .collect(),
            Vertices::Sphere { centre, radius } => {
                (0..count).filter(|&ix| mesh.positions[ix as usize].distance(*centre) <= *radius).collect()
            }
            Vertices::Group(name) => {
                let mut groups = mesh.groups.iter().filter(|group| group.name == *name).peekable();
                if groups.peek().is_none() {
                    return Err(no_group(name, mesh));
                }
                groups.flat_map(|group| &group.vertices).copied().collect()
            }
        };
        selected.sort_unstable();
        selected.dedup();
        match selected.iter().find(|&&ix| ix >= count) {
            Some(ix) => Err(format!("vertex {ix} is out of range: the mesh has {count} vertices")),
            None if selected.is_empty() => Err("selects no vertex".to_owned()),
            None => Ok(selected),
        }
    }
}

/// Ends of the edges that one triangle alone has.
fn border(triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut edges: Vec<[u32; 2]> =
        triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    edges.chunk_by(|a, b| a == b).filter(|same| same.len() == 1).flat_map(|same| same[0]).collect()
}

fn no_group(name: &str, mesh: &Mesh) -> String {
    /// Most names that are of use to anybody.
    const NAMED: usize = 8;
    let mut names: Vec<&str> = mesh.groups.iter().map(|group| group.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    match names.len() {
        0 => "the mesh has no groups".to_owned(),
        count if count > NAMED => format!("no group is called {name:?}; there are {}, …", names[..NAMED].join(", ")),
        _ => format!("no group is called {name:?}; there are: {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Group;

    #[test]
    fn balls_and_groups_select() {
        let mut mesh = Mesh::grid(2.0, 2.0, 3, 3);
        assert_eq!(Vertices::Border.select(&mesh), Ok(vec![0, 1, 2, 3, 5, 6, 7, 8]));
        assert_eq!(Vertices::Corner(Side::Near, Side::Left).select(&mesh), Ok(vec![6]));
        assert_eq!(Vertices::Corner(Side::Right, Side::Far).select(&mesh), Ok(vec![2]));
        let centre = Vec3::new(-1.0, 0.0, -1.0);
        assert_eq!(Vertices::Sphere { centre, radius: 1.0 }.select(&mesh), Ok(vec![0, 1, 3]));
        assert!(Vertices::Group("hem".to_owned()).select(&mesh).unwrap_err().contains("no groups"));
        let group = |name: &str, vertices: &[u32]| Group { name: name.to_owned(), vertices: vertices.to_vec() };
        mesh.groups = vec![group("hem", &[7, 2]), group("collar", &[0]), group("hem", &[2, 8])];
        assert_eq!(Vertices::Group("hem".to_owned()).select(&mesh), Ok(vec![2, 7, 8]));
        assert!(Vertices::Group("cuff".to_owned()).select(&mesh).unwrap_err().contains("collar, hem"));
        mesh.groups.push(group("bad", &[9]));
        assert!(Vertices::Group("bad".to_owned()).select(&mesh).unwrap_err().contains("out of range"));
    }
}
