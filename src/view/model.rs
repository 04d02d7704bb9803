//! What a view draws of a scene: vertices of particles, skins and colliders in one list, without their positions.

use super::{
    coat::{COLOURS, TRANSMISSION, back_of, is_closed, rest_coordinates},
    hull::Hull,
    weave,
};
use crate::{ColliderId, Pose, Scene, Shape, gpu::layout::view::Coat, topology::Fans};
use glam::Vec3;
use std::collections::BTreeSet;

/// Albedo of colliders, neutral so that cloth stands out.
const COLLIDER: [f32; 3] = [0.36, 0.365, 0.36];
/// Cosine of a plane's slope above which it is the ground.
const LEVEL: f32 = 0.999;

/// The drawn parts of a scene.
pub(super) struct Model {
    pub particle_count: usize,
    pub skin_count: usize,
    /// Corners of all drawn triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Ends of the edges of bodies, each once.
    pub wires: Vec<[u32; 2]>,
    /// Triangles and beads (equal corners) that a ray may hit: of bodies, then of colliders.
    pub items: Vec<[u32; 3]>,
    /// Collider of each item after those of bodies.
    pub item_colliders: Vec<ColliderId>,
    /// Triangles around each vertex, laid out as in `shaders/view/normals.wgsl`.
    pub fans: Vec<u32>,
    /// Rest coordinate, value or -1, and coat of each vertex.
    pub details: Vec<[f32; 4]>,
    pub coats: Vec<Coat>,
    /// Vertices of colliders in their own frames, with the index of their pose.
    pub hulls: Vec<[f32; 4]>,
    /// Particles of bodies without triangles.
    pub loose: Vec<u32>,
    /// Radius of a bead, m.
    pub bead_radius: f32,
    /// Height of a level plane, m.
    pub ground: Option<f32>,
    /// Corners of the box around all bodies at the start, m.
    pub bounds: [Vec3; 2],
    /// Poses of all colliders at the start.
    pub poses: Vec<Pose>,
}

impl Model {
    pub fn new(scene: &Scene) -> Self {
        let bounds = bounds(scene);
        let radius = (0.5 * (bounds[1] - bounds[0]).length()).max(1e-3);
        let mut model = Self {
            particle_count: scene.particle_count(),
            skin_count: 0,
            triangles: Vec::new(),
            wires: Vec::new(),
            items: Vec::new(),
            item_colliders: Vec::new(),
            fans: Vec::new(),
            details: Vec::new(),
            coats: Vec::new(),
            hulls: Vec::new(),
            loose: Vec::new(),
            bead_radius: 0.0,
            ground: None,
            bounds,
            poses: scene.colliders.iter().map(|collider| collider.start()).collect(),
        };
        model.add_bodies(scene);
        let beads = model.loose.len().max(1) as f32;
        model.bead_radius = radius * if model.triangles.is_empty() { (0.7 / beads).clamp(0.006, 0.04) } else { 0.008 };
        model.add_skins(scene);
        model.add_colliders(scene, radius);
        let fans = Fans::build(model.details.len(), model.triangles.iter().copied());
        model.fans = fans.offsets;
        model.fans.extend(fans.corners.as_flattened());
        model
    }

    fn add_bodies(&mut self, scene: &Scene) {
        let mut first = 0u32;
        for (ix, body) in scene.bodies.iter().enumerate() {
            let count = body.mesh.positions.len();
            let triangles = within(&body.mesh.triangles, count);
            let rest = rest_coordinates(body);
            let rest = Some(rest).filter(|rest| rest.len() == count && body.skin.is_none());
            let check = rest.as_deref().and_then(weave::check_length).unwrap_or(0.0);
            self.coats.push(coat(COLOURS[ix % COLOURS.len()], check, &triangles));
            let coat_ix = f32::from_bits(ix as u32);
            let coordinate =
                |vertex: usize| rest.as_ref().filter(|_| check > 0.0).map_or([0.0; 2], |rest| rest[vertex].to_array());
            self.details.extend((0..count).map(coordinate).map(|[u, v]| [u, v, -1.0, coat_ix]));
            let moved = triangles.iter().map(|corners| corners.map(|corner| first + corner));
            self.items.extend(moved.clone());
            if body.skin.is_none() {
                self.triangles.extend(moved);
            }
            let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
            let wires = body.mesh.wires.iter().copied().filter(|wire| wire.iter().all(|end| (*end as usize) < count));
            let wires: BTreeSet<[u32; 2]> = sides.chain(wires).map(|[a, b]| [a.min(b), a.max(b)]).collect();
            self.wires.extend(wires.iter().map(|ends| ends.map(|end| first + end)));
            if triangles.is_empty() {
                let all = first..first + count as u32;
                self.loose.extend(all.clone());
                self.items.extend(all.map(|particle| [particle; 3]));
            }
            first += count as u32;
        }
    }

    fn add_skins(&mut self, scene: &Scene) {
        for (ix, body) in scene.bodies.iter().enumerate() {
            let Some(skin) = &body.skin else { continue };
            let first = self.details.len() as u32;
            let triangles = within(&skin.triangles, skin.positions.len());
            self.triangles.extend(triangles.iter().map(|corners| corners.map(|corner| first + corner)));
            // The coat of the body, whose skin may be closed where its mesh is open.
            self.coats[ix] = coat(COLOURS[ix % COLOURS.len()], 0.0, &triangles);
            self.details.extend(skin.positions.iter().map(|_| [0.0, 0.0, -1.0, f32::from_bits(ix as u32)]));
            self.skin_count += skin.positions.len();
        }
    }

    fn add_colliders(&mut self, scene: &Scene, radius: f32) {
        let coat_ix = self.coats.len() as u32;
        self.coats.push(Coat { front: COLLIDER, back: COLLIDER, ..Default::default() });
        for (ix, collider) in scene.colliders.iter().enumerate() {
            let pose = self.poses[ix];
            let normal = pose.rotation * Vec3::Y;
            let mut hull = Hull::of(&collider.shape, collider.thickness);
            if matches!(collider.shape, Shape::Plane) {
                if normal.y > LEVEL {
                    let height = pose.position.y - 0.5 * collider.thickness.max(0.0);
                    self.ground = Some(self.ground.map_or(height, |known| known.max(height)));
                    continue;
                }
                // The part of the plane that is nearest to the bodies.
                let middle = pose.rotation.inverse() * (0.5 * (self.bounds[0] + self.bounds[1]) - pose.position);
                let middle = Vec3::new(middle.x, -0.5 * collider.thickness.max(0.0), middle.z);
                hull.push_face(middle, 2.6 * radius * Vec3::Z, 2.6 * radius * Vec3::X, 1);
            }
            let first = self.details.len() as u32;
            let triangles = hull.triangles.iter().map(|corners| corners.map(|corner| first + corner));
            self.triangles.extend(triangles.clone());
            self.items.extend(triangles.clone());
            self.item_colliders.extend(triangles.map(|_| ColliderId(ix)));
            let pose_ix = f32::from_bits(ix as u32);
            self.hulls.extend(hull.positions.iter().map(|place| place.extend(pose_ix).to_array()));
            self.details.extend(hull.positions.iter().map(|_| [0.0, 0.0, -1.0, f32::from_bits(coat_ix)]));
        }
    }
}

/// Triangles with different corners that exist.
fn within(triangles: &[[u32; 3]], count: usize) -> Vec<[u32; 3]> {
    let good = |[a, b, c]: &&[u32; 3]| a != b && b != c && c != a && (*a.max(b).max(c) as usize) < count;
    triangles.iter().filter(good).copied().collect()
}

fn coat(colour: [f32; 3], check: f32, triangles: &[[u32; 3]]) -> Coat {
    let front = Vec3::from_array(colour);
    let through = if is_closed(triangles) { 0.0 } else { TRANSMISSION };
    let back = if is_closed(triangles) { front } else { back_of(front) };
    Coat { front: colour, check, back: back.to_array(), through }
}

/// Corners of the box around all bodies, m.
fn bounds(scene: &Scene) -> [Vec3; 2] {
    let places = || scene.bodies.iter().flat_map(|body| body.start_positions()).filter(|place| place.is_finite());
    let least = places().copied().reduce(Vec3::min).unwrap_or_default();
    [least, places().copied().reduce(Vec3::max).unwrap_or_default()]
}
