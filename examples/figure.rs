//! Writes the walking figure of the scene `skirt`: a closed surface, its vertices over time, and the skirt.
//!
//!     cargo run --release --example figure -- scenes/meshes
//!
//! The figure walks on the spot. It stands at first, and takes its first step within half a second.

use glam::{Mat3, Vec3};
use std::{
    f32::consts::TAU,
    fmt::Write,
    path::{Path, PathBuf},
};

/// Frames in a second.
const RATE: f32 = 25.0;
/// Frames from one sample of the cache to the next, and number of samples.
const STEP: f32 = 2.0;
const SAMPLES: u32 = 34;
/// Time of two steps, s.
const PERIOD: f32 = 1.1;
/// Vertices around a limb.
const AROUND: u32 = 12;

/// A surface of rings around a line, with a point at each end.
struct Limb {
    rings: Vec<Vec<Vec3>>,
}

impl Limb {
    /// Vertices: the first end, the rings, the last end.
    fn positions(&self) -> Vec<Vec3> {
        let middle = |ring: &Vec<Vec3>| ring.iter().sum::<Vec3>() / ring.len() as f32;
        let mut positions = vec![self.rings.first().map_or(Vec3::ZERO, middle)];
        positions.extend(self.rings.iter().flatten());
        positions.push(self.rings.last().map_or(Vec3::ZERO, middle));
        positions
    }

    /// Triangles, counter-clockwise from outside for rings that go up or down along the line as seen from its start.
    fn triangles(&self, first: u32) -> Vec<[u32; 3]> {
        let (count, rings) = (AROUND, self.rings.len() as u32);
        let at = |ring: u32, ix: u32| first + 1 + ring * count + ix % count;
        let mut triangles = Vec::new();
        for ix in 0..count {
            triangles.push([first, at(0, ix + 1), at(0, ix)]);
            for ring in 0..rings - 1 {
                triangles.push([at(ring, ix), at(ring, ix + 1), at(ring + 1, ix + 1)]);
                triangles.push([at(ring, ix), at(ring + 1, ix + 1), at(ring + 1, ix)]);
            }
            triangles.push([first + 1 + rings * count, at(rings - 1, ix), at(rings - 1, ix + 1)]);
        }
        triangles
    }
}

/// A ring about a centre: an ellipse across an axis.
fn ring(centre: Vec3, turn: Mat3, [wide, deep]: [f32; 2]) -> Vec<Vec3> {
    let angle = |ix: u32| TAU * ix as f32 / AROUND as f32;
    (0..AROUND).map(|ix| centre + turn * Vec3::new(wide * angle(ix).cos(), 0.0, -deep * angle(ix).sin())).collect()
}

/// Hips and trunk, from below.
fn trunk(time: f32) -> Limb {
    let swing = stride(time) * 0.06 * (TAU * time / PERIOD).sin();
    let profile = [
        (0.80, 0.04, 0.04),
        (0.82, 0.13, 0.09),
        (0.87, 0.165, 0.115),
        (0.93, 0.17, 0.12),
        (0.99, 0.145, 0.10),
        (1.06, 0.115, 0.085),
        (1.14, 0.13, 0.09),
        (1.24, 0.15, 0.10),
        (1.32, 0.13, 0.08),
        (1.36, 0.05, 0.04),
    ];
    let at = |&(y, wide, deep): &(f32, f32, f32)| {
        // The waist stands still.
        let share = ((1.05 - y) / 0.2f32).clamp(0.0, 1.0);
        ring(Vec3::Y * y, Mat3::from_rotation_y(share * swing), [wide, deep])
    };
    Limb { rings: profile.iter().map(at).collect() }
}

/// A leg from above, for a side of -1 or 1.
fn leg(side: f32, time: f32) -> Limb {
    let phase = TAU * time / PERIOD + if side > 0.0 { 0.0 } else { 0.5 * TAU };
    let (thigh, knee) = (0.42 * phase.sin(), 0.75 * (phase + 0.9).cos().max(0.0));
    let (thigh, knee) = (stride(time) * thigh, stride(time) * knee);
    let length = 0.80;
    let mut centre = Vec3::new(0.085 * side, 0.89, 0.0);
    let mut rings = Vec::new();
    let parts = 14;
    for part in 0..=parts {
        let share = part as f32 / parts as f32;
        let bend = ((share - 0.46) / 0.12).clamp(0.0, 1.0);
        // Forward is +z; a knee bends backwards.
        let angle = thigh - bend * knee;
        let turn = Mat3::from_rotation_x(-angle);
        let radius = if part == 0 || part == parts { 0.03 } else { 0.088 - 0.045 * share };
        // Rings go downwards: turned over, so that the surface faces outwards.
        rings.push(ring(centre, turn * Mat3::from_rotation_x(0.5 * TAU), [radius; 2]));
        centre += turn * (Vec3::NEG_Y * length / parts as f32);
    }
    Limb { rings }
}

/// Share of the full stride: the figure stands at first.
fn stride(time: f32) -> f32 {
    let share = (time / 0.5).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

fn limbs(time: f32) -> [Limb; 3] {
    [trunk(time), leg(-1.0, time), leg(1.0, time)]
}

fn obj(comment: &str, positions: &[Vec3], triangles: &[[u32; 3]]) -> String {
    let mut text = format!("# {comment}\n");
    for Vec3 { x, y, z } in positions {
        let _ = writeln!(text, "v {x:.5} {y:.5} {z:.5}");
    }
    for [a, b, c] in triangles {
        let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
    }
    text
}

fn figure(folder: &Path) -> std::io::Result<()> {
    let (mut triangles, mut first) = (Vec::new(), 0);
    for limb in limbs(0.0) {
        triangles.extend(limb.triangles(first));
        first += limb.positions().len() as u32;
    }
    let positions = |time: f32| limbs(time).iter().flat_map(Limb::positions).collect::<Vec<_>>();
    let start = positions(0.0);
    let comment = "A figure of trunk and legs, m. Written by examples/figure.rs.";
    std::fs::write(folder.join("figure.obj"), obj(comment, &start, &triangles))?;
    let mut cache = b"POINTCACHE2\0".to_vec();
    cache.extend(1i32.to_le_bytes());
    cache.extend((start.len() as i32).to_le_bytes());
    cache.extend([0.0, STEP].iter().flat_map(|number: &f32| number.to_le_bytes()));
    cache.extend((SAMPLES as i32).to_le_bytes());
    for sample in 0..SAMPLES {
        let positions = positions(sample as f32 * STEP / RATE);
        cache.extend(positions.iter().flat_map(|x| x.to_array()).flat_map(f32::to_le_bytes));
    }
    std::fs::write(folder.join("figure.pc2"), cache)
}

/// A skirt around the waist: rings from its band to its hem.
fn skirt(folder: &Path) -> std::io::Result<()> {
    let (around, rings) = (48u32, 18u32);
    let angle = |ix: u32| TAU * ix as f32 / around as f32;
    let mut positions = Vec::new();
    for ring in 0..=rings {
        let share = ring as f32 / rings as f32;
        let height = 1.06 - 0.50 * share;
        // Over the hips, then outwards.
        let (wide, deep) = (0.125 + 0.20 * share.powf(0.8), 0.095 + 0.20 * share.powf(0.8));
        positions.extend((0..around).map(|ix| Vec3::new(wide * angle(ix).cos(), height, -deep * angle(ix).sin())));
    }
    let at = |ring: u32, ix: u32| ring * around + ix % around;
    let mut triangles = Vec::new();
    for ring in 0..rings {
        for ix in 0..around {
            let [a, b, c, d] = [at(ring, ix), at(ring, ix + 1), at(ring + 1, ix + 1), at(ring + 1, ix)];
            if (ring + ix) % 2 == 0 {
                triangles.extend([[a, c, b], [a, d, c]]);
            } else {
                triangles.extend([[a, d, b], [b, d, c]]);
            }
        }
    }
    let comment = "A skirt of 18 rings of 48 vertices, m; the first ring is its band. Written by examples/figure.rs.";
    std::fs::write(folder.join("skirt.obj"), obj(comment, &positions, &triangles))
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).map_or_else(|| PathBuf::from("scenes/meshes"), PathBuf::from);
    figure(&folder)?;
    skirt(&folder)
}
