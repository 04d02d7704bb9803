//! Surfaces joined into one mesh: bad triangles dropped, normals smoothed, bounds known.

use std::ops::Range;

use glam::{Vec2, Vec3};

use super::Surface;

/// Coordinates beyond this (metres) belong to a particle that ran away; drawing it would shrink
/// everything else to a dot, and its squared lengths would soon overflow.
const FARTHEST_COORDINATE: f32 = 1.0e6;

/// How a surface takes light.
#[derive(Clone, Copy, Debug)]
pub(super) struct Material {
    pub front: Vec3,
    pub back: Vec3,
    /// Marks that are no part of the scene leave no shadow on it.
    pub casts_shadow: bool,
    /// Whether triangles are shown flat; [`Mesh::finish`] decides.
    pub is_faceted: bool,
    /// Length of one check of the weave in rest coordinates; `None` for a plain surface.
    pub check: Option<f32>,
}

/// One triangle: corners into the mesh's vertices, and the surface it came from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub corners: [usize; 3],
    pub material: usize,
}

/// Every drawable triangle of a picture.
#[derive(Debug, Default)]
pub(super) struct Mesh {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub rest_coordinates: Vec<Vec2>,
    pub triangles: Vec<Triangle>,
    pub materials: Vec<Material>,
    pub bounds: Bounds,
    /// Height of a solid ground, which hides what is below it; without one the studio has its own.
    pub ground: Option<f32>,
    is_drawn: Vec<bool>,
}

impl Mesh {
    /// Joins `surfaces`; call [`Mesh::finish`] once everything is added.
    pub fn new(surfaces: &[Surface<'_>]) -> Self {
        let mut mesh = Self::default();
        for surface in surfaces {
            let colour = sane_colour(Vec3::from_array(surface.colour));
            let vertices = mesh.add(
                surface.positions,
                surface.triangles,
                Material { front: colour, back: back_of(colour), casts_shadow: true, is_faceted: false, check: None },
            );
            if surface.rest_coordinates.len() == surface.positions.len() {
                mesh.rest_coordinates[vertices].copy_from_slice(surface.rest_coordinates);
                if let Some(material) = mesh.materials.last_mut() {
                    material.check = super::weave::check_length(surface.rest_coordinates);
                }
            }
        }
        mesh
    }

    /// Adds one surface and returns where its vertices went.
    pub fn add(&mut self, positions: &[Vec3], triangles: &[[u32; 3]], material: Material) -> Range<usize> {
        let base = self.positions.len();
        let is_good = |corner: u32| positions.get(corner as usize).is_some_and(|position| is_drawable(*position));
        for corners in triangles {
            let [a, b, c] = *corners;
            let is_degenerate = a == b || b == c || c == a;
            if !is_degenerate && corners.iter().all(|corner| is_good(*corner)) {
                self.triangles.push(Triangle {
                    corners: corners.map(|corner| base + corner as usize),
                    material: self.materials.len(),
                });
            }
        }
        self.materials.push(material);
        self.positions.extend_from_slice(positions);
        self.rest_coordinates.resize(self.positions.len(), Vec2::ZERO);
        base..self.positions.len()
    }

    /// Works out normals and bounds.
    pub fn finish(&mut self) {
        self.is_drawn = vec![false; self.positions.len()];
        let mut normals = vec![Vec3::ZERO; self.positions.len()];
        for triangle in &self.triangles {
            let [a, b, c] = triangle.corners.map(|corner| self.positions[corner]);
            // Twice the area long, so large triangles weigh more.
            let area_normal = (b - a).cross(c - a);
            for corner in triangle.corners {
                normals[corner] += area_normal;
                self.is_drawn[corner] = true;
            }
        }
        self.normals = rounded(&self.triangles, normals);
        self.mark_faceted();
        self.bounds = Bounds::of(self.drawn_positions());
    }

    /// Finds surfaces that are mostly sharp edges, like a box: smooth normals would make their
    /// flat sides look dented.
    fn mark_faceted(&mut self) {
        let mut counts = vec![[0_usize; 2]; self.materials.len()];
        for triangle in &self.triangles {
            let [a, b, c] = self.corners(triangle);
            let face_normal = (b - a).cross(c - a).normalize_or_zero();
            let is_sharp = triangle.corners.iter().any(|corner| self.normals[*corner].dot(face_normal) < 0.62);
            counts[triangle.material][usize::from(is_sharp)] += 1;
        }
        for (material, [smooth, sharp]) in self.materials.iter_mut().zip(counts) {
            material.is_faceted = sharp > smooth;
        }
    }

    /// Positions of the vertices that some triangle uses.
    pub fn drawn_positions(&self) -> impl Iterator<Item = Vec3> + Clone {
        self.positions.iter().zip(&self.is_drawn).filter_map(|(position, is_drawn)| is_drawn.then_some(*position))
    }

    /// Height of the ground.
    pub fn ground_height(&self) -> f32 {
        self.ground.unwrap_or_else(|| self.bounds.ground_height())
    }

    /// The corners of a triangle in space.
    pub fn corners(&self, triangle: &Triangle) -> [Vec3; 3] {
        triangle.corners.map(|corner| self.positions[corner])
    }
}

/// Unit normals out of area-weighted ones, each averaged with those around it.
///
/// Across a sharp crease one triangle wide, plain vertex normals alternate along the diagonals of
/// the grid and the crease looks like a saw.
fn rounded(triangles: &[Triangle], mut normals: Vec<Vec3>) -> Vec<Vec3> {
    for normal in &mut normals {
        *normal = normal.normalize_or(Vec3::Y);
    }
    let mut sums: Vec<Vec3> = normals.iter().map(|normal| 2.0 * *normal).collect();
    for triangle in triangles {
        let [a, b, c] = triangle.corners;
        let sum = normals[a] + normals[b] + normals[c];
        for corner in triangle.corners {
            sums[corner] += sum;
        }
    }
    let pairs = sums.into_iter().zip(normals);
    pairs.map(|(sum, normal)| sum.normalize_or(normal)).collect()
}

/// Whether a position can be drawn at all.
pub(super) fn is_drawable(position: Vec3) -> bool {
    // A comparison with NaN is false, so this also rejects every non-finite coordinate.
    position.abs().max_element() <= FARTHEST_COORDINATE && position.is_finite()
}

/// Albedo limited to what keeps light finite.
fn sane_colour(colour: Vec3) -> Vec3 {
    if colour.is_finite() { colour.clamp(Vec3::ZERO, Vec3::ONE) } else { Vec3::splat(0.5) }
}

/// The other side of a fabric: darker, a little greyer, and turned in hue.
fn back_of(front: Vec3) -> Vec3 {
    let luminance = front.dot(Vec3::new(0.2126, 0.7152, 0.0722));
    let turned = front.lerp(Vec3::new(front.z, front.x, front.y), 0.10);
    let greyed = turned.lerp(Vec3::splat(luminance), 0.22);
    greyed * Vec3::new(0.60, 0.62, 0.70)
}

/// An axis-aligned box, never empty: without points it is a small one around the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    pub minimum: Vec3,
    pub maximum: Vec3,
}

impl Bounds {
    /// The box around `points`.
    pub fn of(points: impl Iterator<Item = Vec3>) -> Self {
        points
            .map(|point| Self { minimum: point, maximum: point })
            .reduce(|a, b| Self { minimum: a.minimum.min(b.minimum), maximum: a.maximum.max(b.maximum) })
            .unwrap_or_default()
    }

    /// The middle of the box.
    pub fn centre(&self) -> Vec3 {
        self.minimum.midpoint(self.maximum)
    }

    /// Radius of the sphere around the box, kept above zero so that it can be divided by.
    pub fn radius(&self) -> f32 {
        (0.5 * (self.maximum - self.minimum).length()).max(1.0e-3)
    }

    /// Height of the studio ground: a little under the lowest point, so that nothing touches it.
    pub fn ground_height(&self) -> f32 {
        self.minimum.y - 0.006 * self.radius()
    }
}
