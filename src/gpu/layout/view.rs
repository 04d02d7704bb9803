//! Structs shared with the shaders that draw live views.

use super::picture::COLOURS;
use bytemuck::{Pod, Zeroable};

shared_struct! {
    /// Camera, lights and counts of a view: `shaders/view/eye.wgsl`.
    Eye {
        /// World to clip space, reversed depth, by columns.
        clip: [[f32; 4]; 4],
        /// World to the clip space of the shadow map, by columns.
        shadow_clip: [[f32; 4]; 4],
        /// Position of the camera, m.
        place: [f32; 3],
        /// Number of particles.
        particle_count: u32,
        /// Unit vector towards the key light.
        toward_key: [f32; 3],
        /// Number of vertices of skins.
        skin_count: u32,
        /// Unit vector towards the rim light.
        toward_rim: [f32; 3],
        /// Number of all vertices.
        vertex_count: u32,
        /// From the middle of the picture to its right edge, at unit depth.
        right: [f32; 3],
        /// Height of the picture, pixels.
        height: f32,
        /// From the middle of the picture to its upper edge, at unit depth.
        up: [f32; 3],
        /// Radius of a bead, m.
        bead_radius: f32,
        /// Unit vector along the view.
        forward: [f32; 3],
        /// Height of the ground, m.
        ground: f32,
        /// Middle of the scene, m.
        centre: [f32; 3],
        /// Radius of the scene, m.
        radius: f32,
        /// Width of a texel of the shadow map, m.
        shadow_texel: f32,
        /// Side of the shadow map, texels.
        shadow_side: f32,
        /// Factor on values before the colour map; negative for plain colours.
        value_scale: f32,
        /// Brightness of wires.
        wire: f32,
        /// Colour map, linear light.
        colours: [[f32; 4]; COLOURS],
    }
}

shared_struct! {
    /// Material of a drawn surface: `shaders/view/surface.wgsl`.
    Coat {
        /// Albedo of the front, linear light.
        front: [f32; 3],
        /// Length of one check of the weave in rest coordinates; 0 for a plain surface.
        check: f32,
        /// Albedo of the back, linear light.
        back: [f32; 3],
        /// Fraction of the key light transmitted through the surface.
        through: f32,
    }
}

shared_struct! {
    /// Ray to pick along: `shaders/view/pick.wgsl`.
    Ray {
        /// Start of the ray, m.
        origin: [f32; 3],
        /// Number of items: triangles and beads.
        item_count: u32,
        /// Unit vector along the ray.
        direction: [f32; 3],
        /// Radius of a bead, m.
        bead_radius: f32,
    }
}
