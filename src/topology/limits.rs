//! Bounds of forces and stiffnesses: finite input may overflow on the GPU, which computes in f32 and inverts 3×3 blocks by products of three entries.
//!
//! Every edge and element is evaluated once, in f64, at the start. No real cloth comes near the bounds.

use super::{Edge, EdgeMaterial, Element, ElementMaterial};
use crate::{
    Error,
    forces::{
        element::{ElementState, element_row},
        law::edge_law,
    },
};
use glam::{DMat3, DVec3};

/// Largest force (N), stiffness (N/m) and viscosity (N·s/m) of one edge or element: its cube, times the cube of a step of 0.1 s and of the
/// number of neighbours, is still an f32.
pub const LARGEST: f64 = 1e13;

/// Strains at which the law of an edge is evaluated.
const STRAINS: [f64; 3] = [-0.1, 0.0, 0.1];

/// Checks an edge against the bounds. `field` names its material.
pub fn check_edge(material: &EdgeMaterial, edge: &Edge, field: &str) -> Result<(), Error> {
    let field = || field.to_owned();
    let laws = STRAINS.map(|strain| edge_law(material, edge, &[0.0; 4], (1.0 + strain) * edge.rest_length, 1.0));
    let stiffness = laws.iter().fold(edge.scalar.abs(), |most, law| largest(most, [law.tension, law.slope]));
    refuse(field, "stiff", stiffness, "N/m", &edge.ends)?;
    let viscosity = largest(
        (edge.scalar * material.scalar_time).abs(),
        [edge.weight * material.damping, edge.weight * material.drag],
    );
    refuse(field, "viscous", viscosity, "N·s/m", &edge.ends)
}

/// Checks an element against the bounds, with its particles at their initial positions.
pub fn check_element(
    material: &ElementMaterial,
    element: &Element,
    x: [DVec3; 4],
    field: &dyn Fn() -> String,
) -> Result<(), Error> {
    let stored = material.parameters.iter().chain(&element.rest);
    if let Some(value) = stored.map(|value| value.abs()).find(|value| !(*value as f32).is_finite()) {
        let message =
            format!("what follows from its numbers and the mesh, {value:.1e}, is too large for single precision");
        return Err(Error::scene(field(), message));
    }
    let particles = &element.particles[..material.model.particle_count()];
    let state = ElementState { x, v: [DVec3::ZERO; 4], normals: [DVec3::Y; 4] };
    // One particle suffices, because its blocks are shared with the others.
    let row = element_row(material, element, &state, 0, true);
    let size = |blocks: &[DMat3]| blocks.iter().fold(0.0, |most, block| largest(most, block.to_cols_array()));
    let blocks = 1..particles.len();
    refuse(field, "stiff", largest(size(&row.stiffness[blocks.clone()]), row.force.to_array()), "N/m", particles)?;
    refuse(field, "viscous", size(&row.damping[blocks]), "N·s/m", particles)
}

fn refuse(field: impl Fn() -> String, what: &str, value: f64, unit: &str, particles: &[u32]) -> Result<(), Error> {
    if value <= LARGEST {
        return Ok(());
    }
    let message = format!(
        "is too {what} for single precision between particles {particles:?}: {value:.1e} {unit}, at most {LARGEST:.0e}. Lower its \
         numbers; or the mesh is too fine for them"
    );
    Err(Error::scene(field(), message))
}

/// The largest magnitude; NaN counts as infinite.
fn largest<const N: usize>(most: f64, values: [f64; N]) -> f64 {
    values.into_iter().fold(most, |most, value| if value.is_nan() { f64::INFINITY } else { most.max(value.abs()) })
}
