//! Contact between bodies, and of a body with itself.

use super::BodyId;

/// Contact of bodies with each other and with themselves: surfaces keep apart by a thickness, and rub with Coulomb friction.
///
/// ```
/// use tenter::{Body, BodyContact, Material, Mesh, Scene, glam::Vec3};
/// let mut scene = Scene::new();
/// scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 33, 33), Material::cotton()));
/// scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 33, 33).translated(0.1 * Vec3::Y), Material::silk()));
/// scene.contact = Some(BodyContact { friction: 0.5, ..Default::default() });
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BodyContact {
    /// Distance that surfaces keep, m. `None`: a fraction of the cells of each body.
    pub thickness: Option<f32>,
    /// Coulomb's coefficient μ between surfaces. Default: 0.3.
    pub friction: f32,
    /// Numbers for single bodies, in place of those above. A body is listed at most once.
    pub bodies: Vec<ContactOf>,
    /// Pairs of bodies that do not meet. A body paired with itself does not meet itself.
    pub ignored: Vec<[BodyId; 2]>,
    /// Whether a start with intersecting surfaces is refused. Otherwise it is reported, and bodies that intersect do not meet each other; a body that
    /// intersects itself does not meet itself. Default: off.
    pub refuse_intersections: bool,
}

/// Contact of one body.
///
/// ```
/// use tenter::{Body, BodyContact, ContactOf, Material, Mesh, Scene};
/// let mut scene = Scene::new();
/// let mesh = Mesh::grid(1.0, 1.0, 33, 33);
/// let rough = scene.add(Body::cloth(mesh.clone(), Material::wool()));
/// let ghost = scene.add(Body::cloth(mesh, Material::silk()));
/// let bodies = vec![
///     ContactOf { friction: Some(0.8), ..ContactOf::new(rough) },
///     ContactOf { meets: false, ..ContactOf::new(ghost) },
/// ];
/// scene.contact = Some(BodyContact { bodies, ..Default::default() });
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactOf {
    /// The body.
    pub body: BodyId,
    /// Whether the body meets any body, itself included. Default: on.
    pub meets: bool,
    /// Distance that the surface keeps from itself, m; from other bodies the mean of both. `None`: that of the scene.
    pub thickness: Option<f32>,
    /// Coulomb's coefficient μ; between two bodies the mean of both. `None`: that of the scene.
    pub friction: Option<f32>,
}

impl ContactOf {
    /// Contact of a body with the numbers of the scene.
    pub fn new(body: BodyId) -> Self {
        Self { body, meets: true, thickness: None, friction: None }
    }
}

impl Default for BodyContact {
    fn default() -> Self {
        Self { thickness: None, friction: 0.3, bodies: Vec::new(), ignored: Vec::new(), refuse_intersections: false }
    }
}
