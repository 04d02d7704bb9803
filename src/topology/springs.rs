//! Edges of a body: the pairs of vertices that its springs join.

use super::{Edge, EdgeMaterial, MAX_MATERIALS, adjacency::hinges, limits};
use crate::{Body, Error, Mesh, Spring, SpringLaw};
use std::collections::{BTreeSet, HashMap};

/// Name in scene files of springs along the edges of the mesh.
const STRUCTURAL: &str = "structural";

/// Pairs of vertices of a mesh that one kind of spring joins.
type Pairs = fn(&Mesh) -> Result<Vec<[u32; 2]>, String>;

/// Adds the springs of a body whose first particle is `first`.
pub fn add(
    body: &Body,
    field: &str,
    first: u32,
    edges: &mut Vec<Edge>,
    materials: &mut Vec<EdgeMaterial>,
) -> Result<(), Error> {
    let kinds: [(&str, Spring, Pairs); 3] = [
        (STRUCTURAL, body.material.structural, |mesh| Ok(structural(mesh))),
        ("shear", body.material.shear, |mesh| Ok(shear(mesh))),
        ("crossover", body.material.crossover, crossover),
    ];
    for (name, spring, pairs) in kinds {
        let field = format!("{field}.material.{name}");
        let Some(material) = EdgeMaterial::of_spring(&spring, &field)? else { continue };
        let ix = material_ix(material, &field, materials)?;
        let mut softest: Option<(f64, f64)> = None;
        let mesh_field = field.replace(&format!(".material.{name}"), ".mesh");
        for [a, b] in pairs(&body.mesh).map_err(|message| Error::scene(&mesh_field, message))? {
            let rest_length =
                body.mesh.positions[a as usize].as_dvec3().distance(body.mesh.positions[b as usize].as_dvec3());
            let weight = EdgeMaterial::weight(&spring.law, rest_length);
            if !((rest_length as f32).is_normal() && weight <= limits::LARGEST) {
                let message =
                    format!("vertices {a} and {b} are joined by an edge, but lie in the same place, or nearly so");
                return Err(Error::scene(mesh_field, message));
            }
            softest = softest.or_else(|| material.softens(rest_length));
            let ends = [first + a, first + b];
            let edge = Edge { ends, rest_length, weight, material: ix, scalar: 0.0, structural: name == STRUCTURAL };
            limits::check_edge(&material, &edge, &field)?;
            edges.push(edge);
        }
        // That StVK softens under compression is well known.
        if let (Some((ratio, slope)), false) = (softest, matches!(spring.law, SpringLaw::Stvk { .. })) {
            log::warn!("{field}: softens: the slope is {slope:.3e} N/m at {ratio:.2} of the rest length");
        }
    }
    Ok(())
}

/// Adds linear couplings -s (x_i - x_j) between particles, each with its s in N/m: to the first edge of the pair whose material has the scalar
/// viscosity of `material`, or else as an edge of `material`, which must have [`Law::None`](super::Law::None). `distance` of a pair at rest, m, is recorded only.
pub fn couple(
    edges: &mut Vec<Edge>,
    materials: &[EdgeMaterial],
    material: u32,
    couplings: impl IntoIterator<Item = ([u32; 2], f64)>,
    distance: impl Fn([u32; 2]) -> f64,
) {
    let time_of = |ix: u32| materials.get(ix as usize).map(|known| known.scalar_time);
    let mut edge_of: HashMap<[u32; 2], usize> = HashMap::new();
    for (ix, edge) in edges.iter().enumerate() {
        if time_of(edge.material) == time_of(material) {
            edge_of.entry(ascending(edge.ends)).or_insert(ix);
        }
    }
    // A particle has no coupling with itself.
    for (pair, scalar) in couplings.into_iter().filter(|([a, b], _)| a != b) {
        let ix = *edge_of.entry(ascending(pair)).or_insert_with(|| {
            let distance = distance(pair);
            // No force depends on the rest length of coincident particles.
            let rest_length = if (distance as f32).is_normal() { distance } else { 1.0 };
            edges.push(Edge {
                ends: ascending(pair),
                rest_length,
                weight: 1.0,
                material,
                scalar: 0.0,
                structural: false,
            });
            edges.len() - 1
        });
        edges[ix].scalar += scalar;
    }
}

/// Index of a material, which is added if it is new.
pub(super) fn material_ix(
    material: EdgeMaterial,
    field: &str,
    materials: &mut Vec<EdgeMaterial>,
) -> Result<u32, Error> {
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

/// Pairs of vertices along the edges of a mesh: those of a grid's lines, or of triangles, tetrahedra and wires.
pub(crate) fn structural(mesh: &Mesh) -> Vec<[u32; 2]> {
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

fn crossover(mesh: &Mesh) -> Result<Vec<[u32; 2]>, String> {
    if let Some(pairs) = grid_pairs(mesh, &[(2, 0), (0, 2)]) {
        return Ok(pairs);
    }
    // Across every side: from the opposite vertex of one triangle to that of the other.
    let pairs: BTreeSet<_> = hinges(&mesh.triangles)?.iter().map(|hinge| ascending(hinge.wings)).collect();
    Ok(pairs.into_iter().collect())
}

fn ascending([a, b]: [u32; 2]) -> [u32; 2] {
    if a < b { [a, b] } else { [b, a] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn couplings_join_edges_that_are_there() {
        let materials = [EdgeMaterial::linear(10.0), EdgeMaterial::coupling(0.0), EdgeMaterial::coupling(0.1)];
        let edge =
            |ends, material| Edge { ends, rest_length: 1.0, weight: 1.0, material, scalar: 0.0, structural: false };
        let mut edges = vec![edge([0, 1], 0), edge([0, 1], 0), edge([2, 1], 0)];
        let couplings = [([1, 0], 2.0), ([0, 1], -0.5), ([1, 2], 3.0), ([3, 0], -1.0), ([0, 3], -1.0)];
        couple(&mut edges, &materials, 1, couplings, |_| 0.25);
        let scalars: Vec<f64> = edges.iter().map(|edge| edge.scalar).collect();
        assert_eq!(scalars, [1.5, 0.0, 3.0, -2.0]);
        assert_eq!(edges[3], Edge { rest_length: 0.25, scalar: -2.0, ..edge([0, 3], 1) });

        // Another viscosity needs another material, so that the coupling becomes an edge of its own.
        couple(&mut edges, &materials, 2, [([0, 1], 4.0)], |_| 0.0);
        assert_eq!(edges.len(), 5);
        assert_eq!(edges[4], Edge { scalar: 4.0, ..edge([0, 1], 2) });
    }

    #[test]
    fn distance_energy_is_weighted_by_length() {
        let spring = Spring::from(SpringLaw::Distance { stiffness: 3.0 }).damped(0.5);
        let mut mesh = Mesh::chain(glam::Vec3::ZERO, glam::Vec3::X, 3);
        mesh.positions[1].x = 0.25;
        let body = Body::cloth(mesh, crate::Material::springs(crate::Mass::Total(1.0), spring));
        let (mut edges, mut materials) = (Vec::new(), Vec::new());
        add(&body, "body[0]", 0, &mut edges, &mut materials).unwrap();
        assert_eq!(edges.iter().map(|edge| edge.weight).collect::<Vec<_>>(), [16.0, 16.0 / 9.0]);
        assert_eq!(materials, [EdgeMaterial { damping: 0.5, ..EdgeMaterial::linear(3.0) }]);
    }
}
