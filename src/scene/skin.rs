//! A fine surface on a coarse body: what is seen, where the body is what is simulated.

use super::{Body, Mesh};

impl Body {
    /// Returns the body with a skin: a surface without mass that moves along. The skin lies in the frame of [`Body::mesh`] as
    /// it is at rest, and hangs on its tetrahedra if it has any, or else on its triangles, wherever it lies: inside, or outside but no
    /// farther than the body is large. See [`Simulation::skin_positions`](crate::Simulation::skin_positions).
    ///
    /// ```
    /// use tenter::{Body, Material, Mass, Mesh, glam::Vec3};
    /// let coarse = Mesh::block(Vec3::ONE, [4, 4, 4]);
    /// let fine = Mesh::block(Vec3::ONE, [40, 40, 40]);
    /// let skin = Mesh::from_triangles(fine.positions, fine.triangles);
    /// let body = Body::solid(coarse, Material::loose(Mass::Volume(1000.0))).with_skin(skin);
    /// assert!(body.skin.is_some());
    /// ```
    pub fn with_skin(mut self, skin: Mesh) -> Self {
        self.skin = Some(skin);
        self
    }
}
