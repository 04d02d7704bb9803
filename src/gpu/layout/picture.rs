//! Structs shared with the shaders that draw pictures.

use bytemuck::{Pod, Zeroable};

/// Number of times that a picture is drawn, each shifted by a part of a pixel.
pub const LAYERS: usize = 2;
/// Number of samples of a soft shadow.
pub const TAPS: usize = 32;
/// Number of colours of a colour map.
pub const COLOURS: usize = 10;

/// Values of `View::ground_kind`: the ground of the studio, a solid ground of known height, a solid ground just below all objects.
pub mod ground {
    /// `GROUND_STUDIO`: the ground of the studio.
    pub const STUDIO: u32 = 0;
    /// `GROUND_LEVEL`: a solid ground of known height.
    pub const LEVEL: u32 = 1;
    /// `GROUND_UNDER`: a solid ground just below all objects.
    pub const UNDER: u32 = 2;
}

shared_struct! {
    /// `shaders/picture/view.wgsl`
    View {
        /// m
        eye: [f32; 3],
        /// Pixels per unit of tangent.
        focal_length: f32,
        /// Unit length.
        right: [f32; 3],
        /// Pixels.
        width: f32,
        /// Unit length.
        up: [f32; 3],
        /// Pixels.
        height: f32,
        /// Unit length.
        forward: [f32; 3],
        /// Height of a level solid ground, m.
        ground: f32,
        /// Unit length.
        toward_key: [f32; 3],
        /// `ground::…`
        ground_kind: u32,
        /// Unit length.
        key_right: [f32; 3],
        /// Pixels.
        tile_width: f32,
        /// Unit length.
        key_up: [f32; 3],
        /// Pixels.
        tile_height: f32,
        /// Unit length.
        toward_rim: [f32; 3],
        /// Tiles in a row.
        tiles_across: u32,
        /// Of surfaces and solids.
        vertex_count: u32,
        /// Vertices of beads and planes.
        prop_count: u32,
        /// All.
        triangle_count: u32,
        /// Of triangles that cast shadows.
        block_count: u32,
        /// Surfaces of all kinds.
        finish_count: u32,
        /// Marked points.
        bead_count: u32,
        /// Directions of soft light, each with its opposite.
        axis_count: u32,
        /// [`LAYERS`]
        layer_count: u32,
        /// Radius of a bead, in radii of everything.
        bead_part: f32,
        /// Texels.
        map_side: u32,
        /// Maps in a row.
        maps_across: u32,
        /// Texels.
        shadow_side: u32,
        /// Pixels.
        shifts: [[f32; 4]; LAYERS],
        /// In a disc of radius one, and the distance from its middle.
        taps: [[f32; 4]; TAPS],
        /// Linear light.
        colours: [[f32; 4]; COLOURS],
    }
}

shared_struct! {
    /// `shaders/picture/frame.wgsl`
    Frame {
        /// m
        centre: [f32; 3],
        /// m
        radius: f32,
        /// m
        half_size: [f32; 3],
        /// m
        ground: f32,
        /// m
        key_minimum: [f32; 3],
        /// m
        bead_radius: f32,
        /// m
        key_maximum: [f32; 3],
        /// Nothing.
        unused: u32,
    }
}

shared_struct! {
    /// `shaders/picture/map.wgsl`
    Map {
        /// Unit length.
        right: [f32; 3],
        /// m
        texel: f32,
        /// Unit length.
        up: [f32; 3],
        /// m
        reach: f32,
        /// Unit length.
        toward: [f32; 3],
        /// m
        middle: f32,
        /// m
        corner: [f32; 2],
        /// Nothing.
        unused: [f32; 2],
        /// Linear light.
        light: [f32; 3],
        /// Nothing.
        unused_too: u32,
        /// Linear light.
        opposite_light: [f32; 3],
        /// Nothing.
        unused_at_all: u32,
        /// A matrix' row.
        draw_x: [f32; 4],
        /// A matrix' row.
        draw_y: [f32; 4],
        /// A matrix' row.
        draw_height: [f32; 4],
    }
}

shared_struct! {
    /// `shaders/picture/blocks.wgsl`
    Block {
        /// Triangle.
        first: u32,
        /// Triangle after the last.
        end: u32,
        /// Their surface.
        finish_ix: u32,
        /// Nothing.
        unused: u32,
    }
}

shared_struct! {
    /// `shaders/picture/blocks.wgsl`
    Survey {
        /// m
        minimum: [f32; 3],
        /// Triangles.
        smooth_count: u32,
        /// m
        maximum: [f32; 3],
        /// Triangles.
        sharp_count: u32,
        /// m
        key_minimum: [f32; 3],
        /// Nothing.
        unused: u32,
        /// m
        key_maximum: [f32; 3],
        /// Nothing.
        unused_too: u32,
    }
}

shared_struct! {
    /// `shaders/picture/finish.wgsl`
    Finish {
        /// Albedo.
        front: [f32; 3],
        /// Length of one check in rest coordinates; 0: plain.
        check: f32,
        /// Albedo.
        back: [f32; 3],
        /// 1: triangles are shown flat. The shader decides.
        faceted: u32,
        /// Part of the key light that shines through.
        transmission: f32,
        /// Nothing.
        unused: u32,
        /// Nothing.
        unused_too: u32,
        /// Nothing.
        unused_at_all: u32,
    }
}
