//! Time of collision detection on the CPU, for `benches/contacts.rs`.

use crate::{
    Collider, Mesh, Pose, Shape,
    contact::{DPose, Form, Obstacle, Path, touches},
};
use glam::{DVec3, Quat, Vec3};
use std::f32::consts::TAU;

/// Positions of the particles relative to the colliders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Situation {
    /// No particle is near a collider, the most frequent case.
    Far,
    /// A quarter of the particles touch a collider.
    Near,
    /// A quarter of the particles touch a mesh of 1024 triangles instead of the simple shapes.
    NearMesh,
}

impl Situation {
    /// All situations.
    pub const ALL: [Situation; 3] = [Situation::Far, Situation::Near, Situation::NearMesh];

    /// Short, stable name.
    pub fn name(self) -> &'static str {
        match self {
            Situation::Far => "far",
            Situation::Near => "near",
            Situation::NearMesh => "near-mesh",
        }
    }
}

/// A sheet of particles over a plane, a sphere, a rotated box and a capsule.
pub struct ContactBench {
    forms: Vec<(Form, DPose)>,
    paths: Vec<Path>,
}

impl ContactBench {
    /// A bench with n×n particles.
    pub fn new(situation: Situation, n: u32) -> Self {
        let turned = |position: Vec3| Pose { position, rotation: Quat::from_rotation_x(0.4) };
        let at = |shape: Shape, x: f32, z: f32| Collider::fixed(shape, turned(Vec3::new(x, 0.0, z)));
        let colliders = match situation {
            Situation::NearMesh => vec![at(Shape::Mesh { surface: torus(0.4, 0.15, 32, 16), cells: 48 }, 0.0, 0.0)],
            _ => vec![
                Collider::plane([0.0, -0.1, 0.0], Vec3::Y),
                Collider::sphere([-0.25, 0.0, -0.25], 0.2),
                at(Shape::Box { half: Vec3::new(0.2, 0.15, 0.2) }, 0.25, -0.25),
                at(Shape::Capsule { radius: 0.1, half_length: 0.2 }, 0.0, 0.25),
            ],
        };
        let forms = colliders.iter().map(|collider| (Form::new(collider), collider.start().into())).collect();
        let height = if situation == Situation::Far { 0.6 } else { 0.1 };
        let step = DVec3::new(1e-3, -5e-3, 0.0);
        let place = |ix: u32| f64::from(ix) / f64::from(n) - 0.5;
        let path = |ix: u32| {
            let now = DVec3::new(place(ix % n), height, place(ix / n));
            Path { before: now - step, now, ahead: now + step, steady: now + step }
        };
        Self { forms, paths: (0..n * n).map(path).collect() }
    }

    /// Number of pairs of a particle and a collider.
    pub fn pairs(&self) -> usize {
        self.forms.len() * self.paths.len()
    }

    /// Detects contacts once; returns the number of touches.
    pub fn run(&self) -> usize {
        let mut obstacles = Vec::with_capacity(self.forms.len());
        for (form, pose) in &self.forms {
            let collider = obstacles.len() as u32;
            obstacles.push(Obstacle {
                form,
                before: *pose,
                start: *pose,
                end: *pose,
                thickness: 0.005,
                margin: 0.0,
                collider,
            });
        }
        touches(&obstacles, self.paths.len(), |row| self.paths[row]).iter().filter(|touch| !touch.watched).count()
    }
}

/// A torus about y with normals outwards, m.
pub fn torus(radius: f32, tube: f32, around: u32, across: u32) -> Mesh {
    let mut mesh = Mesh::default();
    for i in 0..around {
        for j in 0..across {
            let (sin, cos) = (TAU * i as f32 / around as f32).sin_cos();
            let (up, out) = (TAU * j as f32 / across as f32).sin_cos();
            mesh.positions.push(Vec3::new((radius + tube * out) * cos, tube * up, (radius + tube * out) * sin));
            let at = |i: u32, j: u32| i % around * across + j % across;
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)];
            mesh.triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn situations_are_what_they_say() {
        let [far, near, mesh] = Situation::ALL.map(|situation| ContactBench::new(situation, 100));
        assert_eq!((far.pairs(), near.pairs(), mesh.pairs()), (40_000, 40_000, 10_000));
        assert_eq!(far.run(), 0);
        assert!((1500..4500).contains(&near.run()), "{}", near.run());
        assert!((1500..6000).contains(&mesh.run()), "{}", mesh.run());
    }

    #[test]
    fn the_torus_can_be_simulated() {
        let surface = torus(0.4, 0.15, 32, 16);
        assert_eq!(surface.triangles.len(), 1024);
        assert_eq!(Collider::fixed(Shape::Mesh { surface, cells: 16 }, Pose::default()).check(), Ok(()));
    }
}
