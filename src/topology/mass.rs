//! Lumped mass: each particle carries a share of its body.

use crate::{Body, Error, Mass};

/// Resolution of positions that no mesh needs, m.
const FINE: f32 = 1e-6;

/// Mass of each vertex, kg. The error says which mass is not positive and finite.
pub fn lump(body: &Body, field: &str) -> Result<Vec<f64>, Error> {
    let mesh = &body.mesh;
    let count = mesh.positions.len();
    let (value, name) = match body.material.mass {
        Mass::Surface(value) => (value, "density"),
        Mass::Volume(value) => (value, "volume_density"),
        Mass::Line(value) => (value, "line_density"),
        Mass::Total(value) => (value, "mass"),
    };
    let mesh_field = format!("{field}.mesh");
    let field = format!("{field}.material.{name}");
    if !(value.is_finite() && value > 0.0) {
        return Err(Error::scene(field, format!("must be positive and finite, not {value}")));
    }
    let value = f64::from(value);
    let at = |ix: u32| mesh.positions[ix as usize].as_dvec3();
    let mut masses = vec![0.0; count];
    match body.material.mass {
        Mass::Surface(_) => {
            for &[a, b, c] in &mesh.triangles {
                let area = 0.5 * (at(b) - at(a)).cross(at(c) - at(a)).length();
                for vertex in [a, b, c] {
                    masses[vertex as usize] += value * area / 3.0;
                }
            }
        }
        Mass::Volume(_) => {
            for &[a, b, c, d] in &mesh.tetrahedra {
                let volume = (at(b) - at(a)).dot((at(c) - at(a)).cross(at(d) - at(a))).abs() / 6.0;
                for vertex in [a, b, c, d] {
                    masses[vertex as usize] += value * volume / 4.0;
                }
            }
        }
        Mass::Line(_) => {
            for &[a, b] in &mesh.wires {
                let length = at(a).distance(at(b));
                for vertex in [a, b] {
                    masses[vertex as usize] += 0.5 * value * length;
                }
            }
        }
        Mass::Total(_) => masses.fill(value / count.max(1) as f64),
    }
    // The GPU computes in f32, where a mass may vanish.
    let Some(ix) = masses.iter().position(|&m| !((m as f32).is_normal() && m > 0.0)) else { return Ok(masses) };
    let mass = masses[ix];
    let used = match body.material.mass {
        Mass::Surface(_) => mesh.triangles.as_flattened().contains(&(ix as u32)),
        Mass::Volume(_) => mesh.tetrahedra.as_flattened().contains(&(ix as u32)),
        Mass::Line(_) => mesh.wires.as_flattened().contains(&(ix as u32)),
        Mass::Total(_) => false,
    };
    let position = mesh.positions[ix];
    let far = position.abs().max_element();
    // Distance to the next number of f32.
    let gap = far.next_up() - far;
    if used && mass == 0.0 && gap > FINE {
        let message = format!(
            "vertex {ix} is at {position} m, where positions are multiples of {gap} m in f32, and all that it belongs to has shrunk to nothing: bring the mesh nearer to the origin"
        );
        return Err(Error::scene(mesh_field, message));
    }
    let reason =
        if used { "what it belongs to has no size, or next to none" } else { "it belongs to nothing that has any" };
    Err(Error::scene(field, format!("vertex {ix} gets no usable mass ({mass} kg): {reason}")))
}
