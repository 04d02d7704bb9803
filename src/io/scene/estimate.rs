//! Coarser copies of a large scene, from whose sizes those of the scene follow without its meshes being made.
//!
//! ```text
//! size(n) ≈ size(n₂) + (n − n₂) (size(n₂) − size(n₁))/(n₂ − n₁)      n: vertices; n₁, n₂: those of the copies
//! ```

use super::{
    SceneFile,
    document::Document,
    mesh::MAX_VERTICES,
    syntax::Syntax,
    tree::{Data, Entries, Node},
};
use crate::Error;
use std::path::Path;

/// Number of generated vertices from which a scene of sheets is large.
const LARGE: f64 = 150_000.0;
/// Vertices of a sheet that take as long to build as one of a solid.
const SOLID: f64 = 5.0;
/// Number of vertices that no scene may have: reading the scene says so.
const MOST: f64 = MAX_VERTICES as f64;
/// Generated vertices of the two copies, about.
const COPIES: [f64; 2] = [3000.0, 6000.0];

/// Two coarser copies of a large scene.
pub struct Copies {
    pub files: [SceneFile; 2],
    /// Generated vertices of each copy and of the scene.
    pub vertices: [f64; 2],
    pub all_vertices: f64,
    /// Vertices of each body of the scene; `None` for those from files.
    pub by_body: Vec<Option<u64>>,
}

impl Copies {
    /// Reads a scene file as two coarser copies. `None` for a scene that is not large, or of which they cannot be made: one whose pins name single vertices, or one
    /// with an error, which reading the scene itself reports.
    pub fn read(path: &Path) -> Option<Self> {
        let text = SceneFile::text(path).ok()?;
        Self::parse(&text, path)
    }

    fn parse(text: &str, path: &Path) -> Option<Self> {
        let (root, complaint) = Syntax::of(path).parse(text);
        let counts: Vec<Option<f64>> = meshes(&root)?.into_iter().map(vertices).collect();
        let all: f64 = counts.iter().flatten().sum();
        let is_solid = |mesh: &Entries| matches!(keys(mesh), Some(["counts" | "cells"]));
        let work: f64 = meshes(&root)?
            .into_iter()
            .zip(&counts)
            .map(|(mesh, count)| count.unwrap_or(0.0) * if is_solid(mesh) { SOLID } else { 1.0 })
            .sum();
        if complaint.is_some() || all > MOST || work < LARGE {
            return None;
        }
        let copy = |wanted: f64| -> Result<Option<(SceneFile, f64)>, Error> {
            let mut coarse = root.clone();
            let Some(count) = coarsen(&mut coarse, wanted / all) else { return Ok(None) };
            let document = Document::of_tree(text, coarse);
            Ok(Some((SceneFile::build(&document, path.parent().unwrap_or(Path::new("")))?, count)))
        };
        let [(first, few), (second, more)] = [copy(COPIES[0]).ok()??, copy(COPIES[1]).ok()??];
        (few < more).then(|| Self {
            files: [first, second],
            vertices: [few, more],
            all_vertices: all,
            by_body: counts.into_iter().map(|count| count.map(|count| count as u64)).collect(),
        })
    }

    /// A quantity of the scene from those of the copies.
    pub fn of_scene(&self, first: u64, second: u64) -> u64 {
        let slope = (second as f64 - first as f64) / (self.vertices[1] - self.vertices[0]);
        (second as f64 + (self.all_vertices - self.vertices[1]) * slope).max(0.0) as u64
    }
}

/// Tables `mesh` of all bodies.
fn meshes(root: &Entries) -> Option<Vec<&Entries>> {
    let Data::List(bodies) = &root.get("body")?.data else { return None };
    bodies.iter().map(|body| table(table(body)?.get("mesh")?)).collect()
}

fn table(node: &Node) -> Option<&Entries> {
    if let Data::Table(entries) = &node.data { Some(entries) } else { None }
}

fn whole(node: &Node) -> Option<f64> {
    if let Data::Whole(_, value) = &node.data { value.map(|value| value as f64) } else { None }
}

/// Keys of the numbers of vertices or cells of a kind of mesh.
fn keys(mesh: &Entries) -> Option<&'static [&'static str]> {
    let Data::Text(kind) = &mesh.get("kind")?.data else { return None };
    Some(match kind.as_str() {
        "grid" | "irregular" => &["columns", "rows"],
        "disk" => &["rings"],
        "tube" => &["around", "along"],
        "block" => &["counts"],
        "ball" => &["cells"],
        "chain" => &["count"],
        _ => return None,
    })
}

/// Number of vertices of a generated mesh; `None` for others, and for tables with errors.
fn vertices(mesh: &Entries) -> Option<f64> {
    let keys = keys(mesh)?;
    let first = mesh.get(keys[0])?;
    Some(match keys {
        ["rings"] => 1.0 + 3.0 * whole(first)? * (whole(first)? + 1.0),
        ["cells"] => (whole(first)? + 1.0).powi(3),
        ["counts"] => numbers(first)?.into_iter().product(),
        ["count"] => whole(first)?,
        _ => whole(first)? * whole(mesh.get(keys[1])?)?,
    })
}

fn numbers(node: &Node) -> Option<Vec<f64>> {
    if let Data::List(list) = &node.data { list.iter().map(whole).collect() } else { None }
}

/// Makes the generated meshes coarser, so that they have about this share of their vertices. Returns how many there are.
fn coarsen(root: &mut Entries, share: f64) -> Option<f64> {
    let mut total = 0.0;
    let bodies = root.0.iter_mut().find(|entry| entry.key == "body")?;
    let Data::List(bodies) = &mut bodies.node.data else { return None };
    for body in bodies {
        let Data::Table(body) = &mut body.data else { return None };
        let mesh = body.0.iter_mut().find(|entry| entry.key == "mesh")?;
        let Data::Table(mesh) = &mut mesh.node.data else { return None };
        if keys(mesh).is_none() {
            continue;
        }
        // Numbers that are small already, as across a thin plate, stay: the factor of the others is searched for.
        let wanted = share * vertices(mesh)?;
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            let fits = vertices(&scaled(mesh, middle)?)? <= wanted;
            if fits { low = middle } else { high = middle }
        }
        *mesh = scaled(mesh, low)?;
        total += vertices(mesh)?;
    }
    Some(total)
}

/// A generated mesh whose numbers of vertices along its sides are scaled.
fn scaled(mesh: &Entries, factor: f64) -> Option<Entries> {
    let keys = keys(mesh)?;
    let mut mesh = mesh.clone();
    for entry in mesh.0.iter_mut().filter(|entry| keys.contains(&entry.key.as_str())) {
        match &mut entry.node.data {
            Data::List(list) => list.iter_mut().for_each(|node| scale(node, factor)),
            _ => scale(&mut entry.node, factor),
        }
    }
    Some(mesh)
}

/// Scales a number of vertices, of which enough remain for any mesh.
fn scale(node: &mut Node, factor: f64) {
    if let Data::Whole(text, Some(value)) = &mut node.data {
        *value = (*value).min(((*value as f64 * factor).round() as i64).max(4));
        *text = value.to_string();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(mesh: &str, more: &str) -> String {
        format!("[[body]]\nname = \"a\"\nmesh = {{ {mesh} }}\nmaterial = {{ preset = \"jelly\" }}\n{more}")
    }

    #[test]
    fn copies_are_small_and_sizes_follow_from_them() {
        let path = Path::new("a.toml");
        for (mesh, vertices) in [
            ("kind = \"block\", size = [1, 1, 1], counts = [150, 150, 150]", 3_375_000),
            ("kind = \"block\", size = [1, 1, 0.01], counts = [500, 500, 2]", 500_000),
            ("kind = \"ball\", radius = 1, cells = 99", 1_000_000),
        ] {
            let copies = Copies::parse(&scene(mesh, ""), path).unwrap();
            assert_eq!(copies.by_body, [Some(vertices)]);
            assert!(copies.vertices[1] < 10_000.0 && copies.vertices[0] > 1000.0, "{:?}", copies.vertices);
            let particles = copies.files.each_ref().map(|file| file.scene.bodies[0].mesh.positions.len() as u64);
            let found = copies.of_scene(particles[0], particles[1]) as f64;
            // A ball has fewer vertices than the cube that it is cut from.
            assert!((found / vertices as f64 - 1.0).abs() < 1e-9 || mesh.contains("ball"), "{mesh}: {found}");
        }
    }

    #[test]
    fn small_scenes_have_no_copies_nor_have_those_with_errors() {
        let path = Path::new("a.toml");
        let block = |count: u64| format!("kind = \"block\", size = [1, 1, 1], counts = [{count}, {count}, {count}]");
        assert!(Copies::parse(&scene(&block(20), ""), path).is_none());
        assert!(Copies::parse(&scene(&block(100), ""), path).is_some());
        assert!(Copies::parse(&scene(&block(100), "nonsense = 1"), path).is_none());
        assert!(Copies::parse(&scene(&block(100), "[[pin]]\nvertices = [999999]"), path).is_none());
        assert!(Copies::parse(&scene(&block(100), "[[pin]]\nvertices = [9999"), path).is_none());
        assert!(Copies::parse(&scene(&block(4_000_000_000), ""), path).is_none());
    }
}
