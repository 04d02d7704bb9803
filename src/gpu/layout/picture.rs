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
    /// Camera, lights and counts of a picture: `shaders/picture/view.wgsl`.
    View {
        /// Position of the camera, m.
        eye: [f32; 3],
        /// Focal length, pixels per unit of tangent.
        focal_length: f32,
        /// Unit vector to the right of the camera.
        right: [f32; 3],
        /// Width of the picture, pixels.
        width: f32,
        /// Unit vector up in the picture.
        up: [f32; 3],
        /// Height of the picture, pixels.
        height: f32,
        /// Unit vector along the view.
        forward: [f32; 3],
        /// Height of a level solid ground, m.
        ground: f32,
        /// Unit vector towards the key light.
        toward_key: [f32; 3],
        /// Kind of ground: `ground::…`.
        ground_kind: u32,
        /// Unit vector to the right in the shadow map of the key light.
        key_right: [f32; 3],
        /// Width of a tile, pixels.
        tile_width: f32,
        /// Unit vector up in the shadow map of the key light.
        key_up: [f32; 3],
        /// Height of a tile, pixels.
        tile_height: f32,
        /// Unit vector towards the rim light, behind the scene.
        toward_rim: [f32; 3],
        /// Number of tiles in a row.
        tiles_across: u32,
        /// Number of vertices of surfaces and solids.
        vertex_count: u32,
        /// Number of vertices of beads and planes.
        prop_count: u32,
        /// Number of all triangles.
        triangle_count: u32,
        /// Number of blocks of triangles that cast shadows.
        block_count: u32,
        /// Number of finishes.
        finish_count: u32,
        /// Number of beads: marked points.
        bead_count: u32,
        /// Number of axes of soft light, each with its opposite direction.
        axis_count: u32,
        /// Number of layers: [`LAYERS`].
        layer_count: u32,
        /// Radius of a bead, relative to the radius of the scene.
        bead_part: f32,
        /// Side of the map of one axis, texels.
        map_side: u32,
        /// Number of maps in a row.
        maps_across: u32,
        /// Side of the shadow map of the key light, texels.
        shadow_side: u32,
        /// Shift of each layer, pixels.
        shifts: [[f32; 4]; LAYERS],
        /// Samples of a soft shadow in the unit disc, each with its distance from the centre.
        taps: [[f32; 4]; TAPS],
        /// Colours of the colour map, linear light.
        colours: [[f32; 4]; COLOURS],
    }
}

shared_struct! {
    /// Bounds of a picture, computed from its vertices: `shaders/picture/frame.wgsl`.
    Frame {
        /// Centre of the bounds, m.
        centre: [f32; 3],
        /// Radius of the sphere around the bounds, m.
        radius: f32,
        /// Half the size of the bounds, m.
        half_size: [f32; 3],
        /// Height of the ground, m.
        ground: f32,
        /// Lower bounds of shadow casters along `key_right`, `key_up` and `toward_key`, m.
        key_minimum: [f32; 3],
        /// Radius of a bead, m.
        bead_radius: f32,
        /// Upper bounds of shadow casters along `key_right`, `key_up` and `toward_key`, m.
        key_maximum: [f32; 3],
        /// Keeps the size a multiple of 16.
        unused: u32,
    }
}

shared_struct! {
    /// Depth map of parallel light from one direction: `shaders/picture/map.wgsl`.
    Map {
        /// Unit vector to the right in the map.
        right: [f32; 3],
        /// Width of a texel, m.
        texel: f32,
        /// Unit vector up in the map.
        up: [f32; 3],
        /// Half the range of heights, m.
        reach: f32,
        /// Unit vector towards the light.
        toward: [f32; 3],
        /// Height of the middle of the range, m.
        middle: f32,
        /// Corner of the map along `right` and `up`, m.
        corner: [f32; 2],
        /// Keeps the next field aligned to 16.
        unused: [f32; 2],
        /// Light from this direction, linear.
        light: [f32; 3],
        /// Keeps the next field aligned to 16.
        unused_too: u32,
        /// Light from the opposite direction, linear.
        opposite_light: [f32; 3],
        /// Keeps the next field aligned to 16.
        unused_at_all: u32,
        /// Row of the projection matrix for x.
        draw_x: [f32; 4],
        /// Row of the projection matrix for y.
        draw_y: [f32; 4],
        /// Row of the projection matrix for the height, from -1 to 1.
        draw_height: [f32; 4],
    }
}

shared_struct! {
    /// A range of triangles of one surface, short enough for one thread: `shaders/picture/blocks.wgsl`.
    Block {
        /// First triangle.
        first: u32,
        /// Triangle after the last.
        end: u32,
        /// Index of the finish of the surface.
        finish_ix: u32,
        /// Keeps the size a multiple of 16.
        unused: u32,
    }
}

shared_struct! {
    /// Bounds and counts of a block of triangles: `shaders/picture/blocks.wgsl`.
    Survey {
        /// Lower bounds, m.
        minimum: [f32; 3],
        /// Number of smooth triangles.
        smooth_count: u32,
        /// Upper bounds, m.
        maximum: [f32; 3],
        /// Number of sharp triangles.
        sharp_count: u32,
        /// Lower bounds along `key_right`, `key_up` and `toward_key`, m.
        key_minimum: [f32; 3],
        /// Keeps the next field aligned to 16.
        unused: u32,
        /// Upper bounds along `key_right`, `key_up` and `toward_key`, m.
        key_maximum: [f32; 3],
        /// Keeps the size a multiple of 16.
        unused_too: u32,
    }
}

shared_struct! {
    /// Optical properties of a surface: `shaders/picture/finish.wgsl`.
    Finish {
        /// Albedo of the front.
        front: [f32; 3],
        /// Length of one check in rest coordinates; 0: plain.
        check: f32,
        /// Albedo of the back.
        back: [f32; 3],
        /// 1 if triangles are shown flat; the shader decides.
        faceted: u32,
        /// Part of the key light that shines through.
        transmission: f32,
        /// Keeps the size a multiple of 16.
        unused: u32,
        /// Keeps the size a multiple of 16.
        unused_too: u32,
        /// Keeps the size a multiple of 16.
        unused_at_all: u32,
    }
}
