//! Ties unite particles from the start; seams unite them once their sides have been drawn together.

use super::{BodyId, Scene, Vertices};

/// Vertices of two bodies, or of one, that move as one from the start: pair by pair, in ascending order.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tie {
    /// Vertices of one side.
    pub first: (BodyId, Vertices),
    /// Vertices of the other side, as many.
    pub second: (BodyId, Vertices),
}

/// Two rows of vertices that are sewn together (Etzmuß 6.3): springs of rest length zero draw them to each other, and each pair becomes one
/// particle as soon as it is near enough.
///
/// Pairs that pins hold at both ends close when one of these is let go. Pairs that never meet stay open:
/// [`Simulation::open_seams`](crate::Simulation::open_seams).
///
/// ```
/// use tenter::{Backend, Body, Material, Mesh, Options, Scene, Seam, Simulation};
/// # fn main() -> Result<(), tenter::Error> {
/// let mut scene = Scene::new();
/// let sheet = scene.add(Body::cloth(Mesh::grid(0.4, 0.2, 9, 3), Material::cotton()));
/// // A tube: the left side to the right one.
/// scene.sew(Seam { weightless: true, ..Seam::new((sheet, vec![0, 9, 18]), (sheet, vec![8, 17, 26])) });
/// let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default())?;
/// assert_eq!(simulation.open_seams(), 3);
/// simulation.advance(0.1)?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Seam {
    /// Vertices of one side, in the order in which they are sewn.
    pub first: (BodyId, Vec<u32>),
    /// Vertices of the other side, in the order in which they are sewn.
    pub second: (BodyId, Vec<u32>),
    /// Stiffness of the spring of each pair, N/m. Default: 5.
    pub stiffness: f32,
    /// Damping of the relative velocity of each pair, N·s/m: divided by the stiffness, the time in which sides that are not held come together, s. Default: 0.5,
    /// which explicit integrators need short steps for.
    pub damping: f32,
    /// Pairs nearer than this become one, m. Default: 0.002.
    pub distance: f32,
    /// Nothing in the scene has any weight until this seam is closed. Default: false.
    pub weightless: bool,
}

impl Seam {
    /// A seam of two sides, with the default spring and distance.
    pub fn new(first: (BodyId, Vec<u32>), second: (BodyId, Vec<u32>)) -> Self {
        Self { first, second, stiffness: 5.0, damping: 0.5, distance: 0.002, weightless: false }
    }

    /// Checks the numbers; an error names the one that makes no sense, and why.
    pub(crate) fn check(&self) -> Result<(), (&'static str, String)> {
        let parts = [(self.stiffness, "stiffness"), (self.damping, "damping"), (self.distance, "distance")];
        match parts.into_iter().find(|(value, _)| !(value.is_finite() && *value >= 0.0)) {
            Some((value, part)) => Err((part, format!("must be finite and not negative, not {value}"))),
            None if self.distance == 0.0 => Err(("distance", "must be above 0: nothing ever is nearer".to_owned())),
            None => Ok(()),
        }
    }
}

impl Scene {
    /// Makes vertices one, pair by pair in ascending order, from the start. Where they lie apart, each pair starts at its centre of mass,
    /// or where a pin holds it.
    ///
    /// ```
    /// use tenter::{Body, Material, Mesh, Scene, Side, Vertices, glam::Vec3};
    /// let mut scene = Scene::new();
    /// let left = scene.add(Body::cloth(Mesh::grid(0.5, 0.5, 8, 8), Material::cotton()));
    /// let right = scene.add(Body::cloth(Mesh::grid(0.5, 0.5, 8, 8).translated(0.5 * Vec3::X), Material::cotton()));
    /// scene.tie((left, Vertices::Side(Side::Right)), (right, Vertices::Side(Side::Left)));
    /// ```
    pub fn tie(&mut self, first: (BodyId, Vertices), second: (BodyId, Vertices)) {
        self.ties.push(Tie { first, second });
    }

    /// Sews two rows of vertices together.
    pub fn sew(&mut self, seam: Seam) {
        self.seams.push(seam);
    }
}
