//! Render targets. A large picture is drawn in tiles, so that memory stays bounded.

use super::MAXIMUM_SIDE;
use crate::{
    Error,
    gpu::{DEPTH_FORMAT, Gpu, Readback, TargetNeed, layout::picture::LAYERS},
};
use wgpu::{TextureFormatFeatureFlags as Abilities, TextureUsages as Usages};

/// Longest side of a tile, pixels.
const TILE: u32 = 1280;
/// Samples per pixel and layer.
pub(super) const SAMPLES: u32 = 4;
/// Texels along each side of a depth map of ambient light.
pub(super) const MAP_SIDE: u32 = 320;
/// Largest number of pixels of a small picture, such as a frame of a sequence.
const FEW_PIXELS: u32 = 640 * 480;
/// Texels along each side of the key light's depth map.
pub(super) const SHADOW_SIDE: u32 = 2048;

/// Heights from both ends of an axis.
pub(super) const HEIGHT_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg16Float;
/// Linear light and coverage.
pub(super) const LIGHT_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Format of the picture that is read back.
pub(super) const BYTE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

/// What the textures of a picture need of an adapter.
pub(super) const NEEDS: [TargetNeed; 4] = [
    TargetNeed { format: HEIGHT_FORMAT, usages: Usages::TEXTURE_BINDING, flags: Abilities::BLENDABLE },
    TargetNeed {
        format: LIGHT_FORMAT,
        usages: Usages::TEXTURE_BINDING,
        flags: Abilities::MULTISAMPLE_X4.union(Abilities::MULTISAMPLE_RESOLVE),
    },
    TargetNeed { format: DEPTH_FORMAT, usages: Usages::TEXTURE_BINDING, flags: Abilities::MULTISAMPLE_X4 },
    TargetNeed { format: BYTE_FORMAT, usages: Usages::COPY_SRC, flags: Abilities::empty() },
];

/// Size of a picture and of its tiles, pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    pub width: u32,
    pub height: u32,
    pub tile_width: u32,
    pub tile_height: u32,
}

impl Size {
    pub fn new(width: u32, height: u32) -> Self {
        let [width, height] = [width, height].map(|side| side.clamp(1, MAXIMUM_SIDE));
        Self { width, height, tile_width: width.min(TILE), tile_height: height.min(TILE) }
    }

    pub fn tiles_across(&self) -> u32 {
        self.width.div_ceil(self.tile_width)
    }

    /// Number of depth maps of ambient light in a row, and of rows. A small picture hides the steps of few directions.
    pub fn maps_across(&self) -> u32 {
        if self.width * self.height > FEW_PIXELS { 6 } else { 5 }
    }

    /// Number of directions of ambient light, each with its opposite.
    pub fn axes(&self) -> u32 {
        self.maps_across() * self.maps_across()
    }

    /// Corner of each tile, pixels.
    pub fn tiles(self) -> impl Iterator<Item = (u32, u32)> {
        let down = 0..self.height.div_ceil(self.tile_height);
        down.flat_map(move |row| (0..self.tiles_across()).map(move |column| (column, row)))
            .map(move |(column, row)| (column * self.tile_width, row * self.tile_height))
    }

    /// Bytes of a tile's row, with the padding that copies need.
    pub fn row_bytes(&self) -> u32 {
        (4 * self.tile_width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
    }
}

/// Textures of one size.
pub(super) struct Targets {
    pub size: Size,
    pub heights: wgpu::TextureView,
    pub shadow: wgpu::TextureView,
    pub samples: wgpu::TextureView,
    pub depth: wgpu::TextureView,
    /// One texture per layer: llvmpipe resolves samples into the first layer of a texture only.
    pub layers: [wgpu::TextureView; LAYERS],
    pub nearest: wgpu::Sampler,
    pub bytes: wgpu::Texture,
    pub readback: Readback,
}

impl Targets {
    pub fn new(gpu: &Gpu, size: Size) -> Result<Self, Error> {
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let read = drawn | wgpu::TextureUsages::TEXTURE_BINDING;
        let texture = |name: &str, size: [u32; 3], format, sample_count, usage| {
            gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some(&format!("tenter.picture.{name}")),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: size[2] },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let view = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let tile = [size.tile_width, size.tile_height, 1];
        let maps = [size.maps_across() * MAP_SIDE, size.maps_across() * MAP_SIDE, 1];
        let bytes = u64::from(size.row_bytes()) * u64::from(size.tile_height);
        let readback = Readback::new(gpu, "tenter.picture", bytes)?;
        gpu.checked(|| Self {
            size,
            heights: view(&texture("heights", maps, HEIGHT_FORMAT, 1, read)),
            shadow: view(&texture("shadow", [SHADOW_SIDE, SHADOW_SIDE, 1], DEPTH_FORMAT, 1, read)),
            samples: view(&texture("samples", tile, LIGHT_FORMAT, SAMPLES, drawn)),
            depth: view(&texture("depth", tile, DEPTH_FORMAT, SAMPLES, drawn)),
            layers: std::array::from_fn(|_| view(&texture("layer", tile, LIGHT_FORMAT, 1, read))),
            nearest: gpu.device().create_sampler(&Default::default()),
            bytes: texture("bytes", tile, BYTE_FORMAT, 1, drawn | wgpu::TextureUsages::COPY_SRC),
            readback,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Size;

    #[test]
    fn tiles_cover_the_picture_and_rows_are_aligned() {
        for (width, height, count) in [(640, 480, 1), (1280, 960, 1), (1281, 1, 2), (8192, 8192, 49)] {
            let size = Size::new(width, height);
            assert_eq!(size.tiles().count(), count);
            let (left, top) = size.tiles().last().unwrap();
            assert!(left < width && left + size.tile_width >= width);
            assert!(top < height && top + size.tile_height >= height);
            assert!(size.row_bytes() >= 4 * size.tile_width && size.row_bytes().is_multiple_of(256));
        }
        assert_eq!((Size::new(0, 0).width, Size::new(u32::MAX, 7).width), (1, 8192));
    }
}
