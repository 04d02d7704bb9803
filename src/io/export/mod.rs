//! Export of simulated states to file formats of other programs.
//!
//! A [`Frame`] is the state at one time, as [`Part`]s: one per body, or another mesh.
//!
//! | | holds | for |
//! |---|---|---|
//! | [`obj`] | a frame: positions, triangles, wires, texture coordinates, normals | anything |
//! | [`ply`] | a frame, binary: positions, triangles, wires, texture coordinates, normals, velocities, strains | anything |
//! | [`vtu`], [`pvd`] | a frame, binary: all that PLY has, and tetrahedra; a list of frames with their times | ParaView |
//! | [`PointCache`] | positions of all frames | meshes that are in another program already |
//! | [`Animation`] | all frames as one `.glb` | Blender, browsers |
//!
//! ```
//! use tenter::{Mesh, io::export::{Frame, Part, obj}};
//! # fn main() -> std::io::Result<()> {
//! let mesh = Mesh::grid(1.0, 1.0, 2, 2);
//! let cloth = Part { name: "cloth", positions: &mesh.positions, triangles: &mesh.triangles, ..Default::default() };
//! let mut text = Vec::new();
//! obj::write(&mut text, &Frame { time: 0.0, parts: &[cloth] })?;
//! assert!(text.starts_with(b"o cloth\nv -0.5 0 -0.5\n"));
//! # Ok(()) }
//! ```

mod animation;
mod numbers;
pub mod obj;
pub mod ply;
mod point_cache;
pub mod pvd;
pub mod vtu;

pub use animation::Animation;
pub use point_cache::{PointCache, PointCacheFormat};

use glam::{Vec2, Vec3};
use std::io;

/// One mesh of a frame. Empty slices are unknown or absent. Indices are local to the part.
#[derive(Debug, Clone, Copy, Default)]
pub struct Part<'a> {
    /// Name of the part.
    pub name: &'a str,
    /// Positions of the vertices, m.
    pub positions: &'a [Vec3],
    /// Triangles, counter-clockwise from outside.
    pub triangles: &'a [[u32; 3]],
    /// Edges that belong to no triangle.
    pub wires: &'a [[u32; 2]],
    /// Tetrahedra, if the part has a volume.
    pub tetrahedra: &'a [[u32; 4]],
    /// Unit normals, one per position.
    pub normals: &'a [Vec3],
    /// Texture coordinates, one per position.
    pub texture: &'a [Vec2],
    /// Velocities, m/s, one per position.
    pub velocities: &'a [Vec3],
    /// Strains, one per position: see [`Simulation::strains`](crate::Simulation::strains).
    pub strains: &'a [f32],
}

/// State at one time.
#[derive(Debug, Clone, Copy, Default)]
pub struct Frame<'a> {
    /// Time, s.
    pub time: f64,
    /// Parts in the order in which they are written.
    pub parts: &'a [Part<'a>],
}

/// Largest number of vertices of a frame: formats use signed indices.
const MOST_VERTICES: usize = i32::MAX as usize;

impl<'a> Frame<'a> {
    /// Number of vertices of all parts.
    fn vertex_count(&self) -> usize {
        self.parts.iter().map(|part| part.positions.len()).sum()
    }

    /// Each part with the number of vertices before it.
    fn with_first(&self) -> impl Iterator<Item = (u32, &'a Part<'a>)> + use<'a> {
        self.parts.iter().scan(0, |next, part| {
            let first = *next;
            *next += part.positions.len() as u32;
            Some((first, part))
        })
    }

    /// Checks that the frame can be written.
    fn check(&self) -> io::Result<()> {
        if !self.time.is_finite() {
            return Err(invalid(format!("a frame cannot be at {} s", self.time)));
        }
        if self.vertex_count() > MOST_VERTICES {
            return Err(invalid(format!("a frame of more than {MOST_VERTICES} vertices")));
        }
        self.parts.iter().try_for_each(Part::check)
    }
}

impl Part<'_> {
    fn check(&self) -> io::Result<()> {
        let count = self.positions.len();
        let refuse = |what: &str| Err(invalid(format!("part {:?}: {what}", self.name)));
        let lengths = [self.normals.len(), self.texture.len(), self.velocities.len(), self.strains.len()];
        if lengths.iter().any(|&length| length != 0 && length != count) {
            return refuse(
                "has another number of normals, texture coordinates, velocities or strains than of positions",
            );
        }
        let vectors = [self.positions, self.normals, self.velocities];
        let finite = vectors.iter().all(|values| values.iter().all(|value| value.is_finite()))
            && self.texture.iter().all(|value| value.is_finite())
            && self.strains.iter().all(|value| value.is_finite());
        if !finite {
            return refuse("is not finite");
        }
        let (triangles, wires, tetrahedra) = (self.triangles, self.wires, self.tetrahedra);
        let mut indices = triangles.as_flattened().iter().chain(wires.as_flattened()).chain(tetrahedra.as_flattened());
        if indices.any(|&ix| ix as usize >= count) {
            return refuse("names a vertex that is out of range");
        }
        Ok(())
    }
}

/// Error of invalid data, independent of the file.
fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

/// A name without blanks, at which many readers end it.
fn one_word(name: &str) -> String {
    name.replace(|c: char| c.is_whitespace() || c.is_control(), "_")
}
