//! Edges of a body: which vertices its springs join.

use super::{EdgeMaterial, Law, MAX_MATERIALS, adjacency::hinges};
use crate::{Body, Error, Mesh, Spring};
use std::collections::BTreeSet;

/// A spring between two particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// The particles it joins.
    pub ends: [u32; 2],
    /// m
    pub rest_length: f64,
    /// Multiplies the law.
    pub weight: f64,
    /// Index into the materials.
    pub material: u32,
}

/// Which vertices of a mesh one kind of spring joins.
type Pairs = fn(&Mesh) -> Vec<[u32; 2]>;

/// Adds the springs of a body whose first particle is `first`.
pub fn add(
    body: &Body,
    field: &str,
    first: u32,
    edges: &mut Vec<Edge>,
    materials: &mut Vec<EdgeMaterial>,
) -> Result<(), Error> {
    let kinds: [(&str, Spring, Pairs); 3] = [
        ("structural", body.material.structural, structural),
        ("shear", body.material.shear, shear),
        ("bend", body.material.bend, bend),
    ];
    for (name, spring, pairs) in kinds {
        let field = format!("{field}.material.{name}");
        for (value, part) in [(spring.stiffness, "stiffness"), (spring.damping, "damping")] {
            if !(value.is_finite() && value >= 0.0) {
                let message = format!("must be finite and not negative, not {value}");
                return Err(Error::scene(format!("{field}.{part}"), message));
            }
        }
        if spring.stiffness == 0.0 && spring.damping == 0.0 {
            continue;
        }
        let material = material_ix(spring, &field, materials)?;
        for [a, b] in pairs(&body.mesh) {
            let rest_length =
                body.mesh.positions[a as usize].as_dvec3().distance(body.mesh.positions[b as usize].as_dvec3());
            if !(rest_length as f32).is_normal() {
                let message = format!("vertices {a} and {b} are joined by an edge, but lie in the same place");
                return Err(Error::scene(field.replace(&format!(".material.{name}"), ".mesh"), message));
            }
            edges.push(Edge { ends: [first + a, first + b], rest_length, weight: 1.0, material });
        }
    }
    Ok(())
}

fn material_ix(spring: Spring, field: &str, materials: &mut Vec<EdgeMaterial>) -> Result<u32, Error> {
    let material =
        EdgeMaterial { law: Law::Linear, stiffness: f64::from(spring.stiffness), damping: f64::from(spring.damping) };
    let ix = materials.iter().position(|known| *known == material).unwrap_or(materials.len());
    if ix == MAX_MATERIALS {
        return Err(Error::scene(field, format!("more than {MAX_MATERIALS} different springs in one scene")));
    }
    if ix == materials.len() {
        materials.push(material);
    }
    Ok(ix as u32)
}

/// Pairs of grid vertices `(columns, rows)` apart.
fn grid_pairs(mesh: &Mesh, offsets: &[(i64, i64)]) -> Option<Vec<[u32; 2]>> {
    let grid = mesh.grid?;
    let (columns, rows) = (i64::from(grid.columns), i64::from(grid.rows));
    let mut pairs = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            for (right, down) in offsets {
                let (to_column, to_row) = (column + right, row + down);
                if (0..columns).contains(&to_column) && (0..rows).contains(&to_row) {
                    pairs.push([(row * columns + column) as u32, (to_row * columns + to_column) as u32]);
                }
            }
        }
    }
    Some(pairs)
}

fn structural(mesh: &Mesh) -> Vec<[u32; 2]> {
    if let Some(pairs) = grid_pairs(mesh, &[(1, 0), (0, 1)]) {
        return pairs;
    }
    let sides = mesh.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let edges = mesh.tetrahedra.iter().flat_map(|&[a, b, c, d]| [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]]);
    let all = sides.chain(edges).chain(mesh.wires.iter().copied()).filter(|[a, b]| a != b);
    all.map(ascending).collect::<BTreeSet<_>>().into_iter().collect()
}

fn shear(mesh: &Mesh) -> Vec<[u32; 2]> {
    grid_pairs(mesh, &[(1, 1), (-1, 1)]).unwrap_or_default()
}

fn bend(mesh: &Mesh) -> Vec<[u32; 2]> {
    if let Some(pairs) = grid_pairs(mesh, &[(2, 0), (0, 2)]) {
        return pairs;
    }
    // Across every side: from the opposite vertex of one triangle to that of the other.
    let pairs: BTreeSet<_> = hinges(&mesh.triangles).iter().map(|hinge| ascending(hinge.wings)).collect();
    pairs.into_iter().collect()
}

fn ascending([a, b]: [u32; 2]) -> [u32; 2] {
    if a < b { [a, b] } else { [b, a] }
}
