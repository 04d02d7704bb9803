//! Beads: small spheres that mark points, such as pinned particles. `shaders/picture/props.wgsl` computes their vertices.

use glam::Vec3;

use super::{Picture, bounds::is_drawable};

/// Largest number of beads: each has as many triangles as a patch of cloth. Further points are thinned out.
const MOST_BEADS: usize = 1024;

const MERIDIANS: u32 = 14;
const PARALLELS: u32 = 8;

/// Number of vertices of a bead.
pub(super) const VERTICES: u32 = MERIDIANS * (PARALLELS + 1);

/// Albedo of beads, dark.
pub(super) const COLOUR: Vec3 = Vec3::new(0.035, 0.036, 0.042);

/// Selects the points that get a bead.
pub(super) fn places(pins: &[Vec3]) -> Vec<Vec3> {
    let drawable = || pins.iter().copied().filter(|pin| is_drawable(*pin));
    let step = drawable().count().div_ceil(MOST_BEADS).max(1);
    drawable().step_by(step).collect()
}

/// Radius of a bead in radii of the frame: small in a row along a pinned edge, larger at a few corners. In a picture without
/// surfaces beads are as large as a chain leaves room for.
pub(super) fn part(picture: &Picture<'_>, count: usize) -> f32 {
    let alone = picture.surfaces.iter().all(|surface| surface.triangles.is_empty());
    match count {
        _ if alone => (0.7 / count.max(1) as f32).clamp(0.004, 0.05),
        0..=16 => 0.010,
        _ => 0.004,
    }
}

/// Triangles of a bead whose first vertex is `base`, counter-clockwise seen from outside.
pub(super) fn triangles(base: u32) -> impl Iterator<Item = [u32; 3]> {
    let cells = (0..PARALLELS).flat_map(|parallel| (0..MERIDIANS).map(move |meridian| (parallel, meridian)));
    cells.flat_map(move |(parallel, meridian)| {
        let next = (meridian + 1) % MERIDIANS;
        let upper = base + parallel * MERIDIANS;
        let lower = upper + MERIDIANS;
        [[upper + meridian, upper + next, lower + next], [upper + meridian, lower + next, lower + meridian]]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::shader::{self, Launch};

    #[test]
    fn the_shader_makes_as_many_vertices() {
        let module = shader::parse("picture/props", Launch::Hardware).unwrap();
        assert_eq!(shader::constant(&module, "BEAD_MERIDIANS"), Some(MERIDIANS));
        assert_eq!(shader::constant(&module, "BEAD_PARALLELS"), Some(PARALLELS));
        assert!(triangles(7).flatten().all(|corner| (7..7 + VERTICES).contains(&corner)));
    }

    #[test]
    fn many_points_are_thinned_out() {
        assert_eq!(places(&[Vec3::NAN, Vec3::ONE]), [Vec3::ONE]);
        let count = places(&vec![Vec3::ZERO; 5000]).len();
        assert!((500..=MOST_BEADS).contains(&count), "{count}");
    }
}
