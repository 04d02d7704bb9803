//! What is written for other programs, read back by other means: every number to the bit, every file whole or not there.

/// Animations in GLB files.
mod animation;
/// Nonsense, full disks, interruptions.
mod failures;
/// OBJ files.
mod obj;
/// PLY files.
mod ply;
/// Point caches.
mod point_cache;
/// Strains that are exported and measured.
mod strain;
/// VTU and PVD files.
mod vtu;

use glam::{Vec2, Vec3};
use std::{fs, path::Path};
use tenter::Mesh;
use tenter::io::export::{Frame, Part};

/// Numbers with all their digits, small, large and of either sign.
fn numbers<const N: usize>(count: usize, seed: u64) -> Vec<[f32; N]> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut number = || (rng.f32() - 0.5) * 10f32.powi(rng.i32(-6..6));
    (0..count).map(|_| [(); N].map(|()| number())).collect()
}

fn vectors(count: usize, seed: u64) -> Vec<Vec3> {
    numbers::<3>(count, seed).into_iter().map(Vec3::from).collect()
}

fn units(count: usize, seed: u64) -> Vec<Vec3> {
    vectors(count, seed).into_iter().map(Vec3::normalize).collect()
}

/// Owner of some parts: a sheet with everything, a chain with next to nothing, a solid, two loose points, and nothing at all.
struct Things {
    sheet: Mesh,
    chain: Mesh,
    solid: Mesh,
    normals: Vec<Vec3>,
    texture: Vec<Vec2>,
    velocities: Vec<Vec3>,
    strains: Vec<f32>,
    points: Vec<Vec3>,
}

impl Things {
    fn new(seed: u64) -> Self {
        let mut sheet = Mesh::grid(1.0, 1.0, 3, 2);
        sheet.positions = vectors(6, seed);
        let mut chain = Mesh::chain(Vec3::ZERO, Vec3::Y, 4);
        chain.positions = vectors(4, seed + 1);
        let mut solid = Mesh::block(Vec3::ONE, [2, 2, 2]);
        solid.positions = vectors(8, seed + 2);
        Self {
            sheet,
            chain,
            solid,
            normals: units(6, seed + 3),
            texture: numbers::<2>(6, seed + 4).into_iter().map(Vec2::from).collect(),
            velocities: vectors(6, seed + 5),
            strains: numbers::<1>(6, seed + 6).into_iter().flatten().collect(),
            points: vectors(2, seed + 7),
        }
    }

    fn parts(&self) -> [Part<'_>; 5] {
        [
            Part {
                name: "the sheet",
                positions: &self.sheet.positions,
                triangles: &self.sheet.triangles,
                normals: &self.normals,
                texture: &self.texture,
                velocities: &self.velocities,
                strains: &self.strains,
                ..Default::default()
            },
            Part {
                name: "chain",
                positions: &self.chain.positions,
                wires: &self.chain.wires,
                strains: &self.strains[..4],
                ..Default::default()
            },
            Part { name: "nothing", ..Default::default() },
            Part {
                name: "solid",
                positions: &self.solid.positions,
                triangles: &self.solid.triangles,
                tetrahedra: &self.solid.tetrahedra,
                ..Default::default()
            },
            Part { name: "points", positions: &self.points, ..Default::default() },
        ]
    }
}

/// Of all parts, one after the other.
fn all_positions(parts: &[Part]) -> Vec<Vec3> {
    parts.iter().flat_map(|part| part.positions).copied().collect()
}

fn bits(values: &[Vec3]) -> Vec<[u32; 3]> {
    values.iter().map(|value| value.to_array().map(f32::to_bits)).collect()
}

fn floats(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A frame of the things, moved about.
fn pushed(seed: u64, time: f64, push: impl FnOnce(&Frame)) -> Vec<Vec3> {
    let things = Things::new(seed);
    let parts = things.parts();
    push(&Frame { time, parts: &parts });
    all_positions(&parts)
}
