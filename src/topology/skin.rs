//! Skins: fine surfaces bound to coarse bodies. A vertex is bound to a tetrahedron as in Teschner (6.1), or to a triangle as in Etzmuß (2.7) with an offset along
//! the normal.
//!
//! At rest every vertex of a skin is where it was given, even outside its tetrahedron or beside its triangle: weights may be negative. A skin follows an affine
//! deformation of its solid exactly.

mod carrier;
mod tree;

use super::{Fans, MAX_PARTICLES};
use crate::parallel::*;
use crate::{Body, Error, Mesh, Scene};
use carrier::Carriers;
use glam::DVec3;
use std::ops::Range;

/// Binding of a skin vertex to a body:
/// x = x₀ + a (x₁ - x₀) + b (x₂ - x₀) + c t, where t is x₃ - x₀ in a tetrahedron, and the unit normal over a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkinPoint {
    /// Corners, by particle in the user's order. Over a triangle the last one is not used.
    pub particles: [u32; 4],
    /// Weights a, b, c; over a triangle c is in m.
    pub weights: DVec3,
    /// Whether the vertex is bound to a tetrahedron.
    pub solid: bool,
}

/// Skins of all bodies, one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skins {
    /// Vertices of all skins.
    pub points: Vec<SkinPoint>,
    /// Range of the vertices of each body; empty for a body without skin.
    pub ranges: Vec<Range<usize>>,
    /// Triangles around each skin vertex.
    pub fans: Fans,
}

impl Skins {
    /// Binds the skins of a scene to their bodies, given the first particle of each body.
    pub(super) fn build(scene: &Scene, first_of_body: &[u32]) -> Result<Self, Error> {
        let mut skins = Self::default();
        let mut triangles = Vec::new();
        for ((ix, body), &first) in scene.bodies.iter().enumerate().zip(first_of_body) {
            let start = skins.points.len();
            if let Some(skin) = &body.skin {
                let refuse = |message| Error::scene(format!("body[{ix}].skin"), message);
                if start + skin.positions.len() > MAX_PARTICLES {
                    return Err(refuse(format!("more than {MAX_PARTICLES} vertices of all skins")));
                }
                check(skin).map_err(refuse)?;
                skins.points.extend(hang(skin, body, first).map_err(refuse)?);
                triangles.extend(skin.triangles.iter().map(|corners| corners.map(|vertex| start as u32 + vertex)));
            }
            skins.ranges.push(start..skins.points.len());
        }
        if !skins.is_empty() {
            skins.fans = Fans::build(skins.points.len(), triangles.into_iter());
        }
        Ok(skins)
    }

    /// Whether no body has a skin.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }
}

fn check(skin: &Mesh) -> Result<(), String> {
    let count = skin.positions.len();
    if count == 0 {
        return Err("has no vertices".to_owned());
    }
    if let Some(ix) = skin.positions.iter().position(|position| !position.is_finite()) {
        return Err(format!("vertex {ix} is not finite"));
    }
    let outside = |&vertex: &u32| vertex as usize >= count;
    let wrong = [
        ("triangle", skin.triangles.iter().position(|corners| corners.iter().any(outside))),
        ("tetrahedron", skin.tetrahedra.iter().position(|corners| corners.iter().any(outside))),
        ("wire", skin.wires.iter().position(|corners| corners.iter().any(outside))),
    ];
    match wrong.iter().find_map(|(what, ix)| ix.map(|ix| (what, ix))) {
        Some((what, ix)) => {
            Err(format!("{what} {ix} names a vertex that is out of range: the skin has {count} vertices"))
        }
        None => Ok(()),
    }
}

/// Binds every vertex to the nearest tetrahedron or triangle.
fn hang(skin: &Mesh, body: &Body, first: u32) -> Result<Vec<SkinPoint>, String> {
    let carriers = Carriers::of(&body.mesh)?;
    let size = carriers.size();
    let found: Vec<(SkinPoint, f64)> =
        skin.positions.par_iter().map(|position| carriers.hang(position.as_dvec3())).collect();
    if let Some(ix) = found.iter().position(|(_, distance)| *distance > size) {
        let distance = found[ix].1;
        return Err(format!(
            "vertex {ix} is {distance:.3} m from the body, which is {size:.3} m large: it should lie in the frame of the body's mesh"
        ));
    }
    let numbered =
        |(point, _): (SkinPoint, f64)| SkinPoint { particles: point.particles.map(|ix| first + ix), ..point };
    Ok(found.into_iter().map(numbered).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mass, Material};
    use glam::Vec3;

    fn body(mesh: Mesh, skin: Mesh) -> Body {
        Body::cloth(mesh, Material::loose(Mass::Total(1.0))).with_skin(skin)
    }

    fn random(rng: &mut fastrand::Rng, size: f32) -> Vec3 {
        size * Vec3::from_array([(); 3].map(|()| 2.0 * rng.f32() - 1.0))
    }

    /// Inside a body every vertex lies in its tetrahedron; near a sheet, above its triangle. Checked against all pairs.
    #[test]
    fn nothing_is_nearer() {
        let mut rng = fastrand::Rng::with_seed(9);
        let mut block = Mesh::block(Vec3::ONE, [5, 5, 5]);
        block.positions.iter_mut().for_each(|position| *position += random(&mut rng, 0.04));
        let inside: Vec<Vec3> = (0..300).map(|_| random(&mut rng, 0.44)).collect();
        let mut scene = Scene::new();
        scene.add(body(block, Mesh::points(inside.clone())));
        for (point, position) in Skins::build(&scene, &[0]).unwrap().points.iter().zip(inside) {
            let w = point.weights;
            let lowest = w.min_element().min(1.0 - w.element_sum());
            assert!(point.solid && lowest > -1e-12, "{position}: {w}");
        }
        let mut sheet = Mesh::grid(1.0, 1.0, 9, 9);
        sheet.positions.iter_mut().for_each(|position| *position += random(&mut rng, 0.1));
        let around: Vec<Vec3> = (0..300).map(|_| random(&mut rng, 0.8)).collect();
        let mut scene = Scene::new();
        scene.add(body(sheet.clone(), Mesh::points(around.clone())));
        let corner = |ix: u32| sheet.positions[ix as usize].as_dvec3();
        let points = Skins::build(&scene, &[0]).unwrap().points;
        for (point, position) in points.iter().zip(around) {
            let distance = |corners: [u32; 3]| {
                let (nearest, _) = crate::contact::nearest_in_triangle(corners.map(corner), position.as_dvec3());
                nearest.distance(position.as_dvec3())
            };
            let least = sheet.triangles.iter().map(|&corners| distance(corners)).fold(f64::INFINITY, f64::min);
            let [a, b, c, _] = point.particles;
            assert!((distance([a, b, c]) - least).abs() < 1e-12 && !point.solid);
        }
    }

    #[test]
    fn what_cannot_hang_is_refused() {
        let block = || Mesh::block(Vec3::ONE, [3, 3, 3]);
        let point = |x: f32| Mesh::points(vec![Vec3::ZERO, Vec3::X * x]);
        let triangle = |corners| Mesh::from_triangles(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![corners]);
        let wires = Mesh { wires: vec![[0, 9]], ..point(0.0) };
        let flat = Mesh::from_tetrahedra(vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::X + Vec3::Z], vec![[0, 1, 2, 3]]);
        let cases = [
            (block(), Mesh::default(), "no vertices"),
            (block(), point(f32::NAN), "vertex 1 is not finite"),
            (block(), point(2.5), "vertex 1 is 2.000 m from the body"),
            (block(), triangle([0, 1, 3]), "triangle 0 names a vertex"),
            (block(), wires, "wire 0 names a vertex"),
            (Mesh::chain(Vec3::ZERO, Vec3::X, 3), point(0.5), "neither tetrahedra nor triangles"),
            (Mesh { triangles: Vec::new(), ..flat }, point(0.5), "neither tetrahedra nor triangles"),
        ];
        for (mesh, skin, expected) in cases {
            let mut scene = Scene::new();
            scene.add(body(block(), point(0.1)));
            scene.add(body(mesh, skin));
            match Skins::build(&scene, &[0, 27]) {
                Err(Error::Scene { field, message }) => {
                    assert!(field == "body[1].skin" && message.contains(expected), "{field}: {message}");
                }
                other => panic!("{expected}: {other:?}"),
            }
        }
    }

    #[test]
    fn skins_follow_each_other() {
        let mut scene = Scene::new();
        scene.add(body(Mesh::block(Vec3::ONE, [2, 2, 2]), Mesh::grid(1.0, 1.0, 3, 3)));
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 2, 2), Material::loose(Mass::Total(1.0))));
        scene.add(body(Mesh::grid(1.0, 1.0, 2, 2), Mesh::grid(1.0, 1.0, 2, 3)));
        let skins = Skins::build(&scene, &[0, 8, 12]).unwrap();
        assert_eq!(skins.ranges, [0..9, 9..9, 9..15]);
        assert!(skins.points[9..].iter().all(|point| point.particles[..3].iter().all(|&ix| (12..16).contains(&ix))));
        assert!(skins.fans.row(9).iter().flatten().all(|&ix| (9..15).contains(&ix)));
        assert_eq!(skins.fans.corners.len(), 3 * (8 + 4));
    }
}
