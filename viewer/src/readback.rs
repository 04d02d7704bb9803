//! Reads the picture back without waiting.

use eframe::wgpu;
use std::sync::mpsc::{Receiver, channel};

/// Size of a picture, and its bytes, RGBA.
pub type Bytes = ([u32; 2], Vec<u8>);

/// A picture that is under way from the device.
pub struct Pixels {
    buffer: wgpu::Buffer,
    size: [u32; 2],
    row: u32,
    mapped: Receiver<Result<(), wgpu::BufferAsyncError>>,
}

impl Pixels {
    /// Asks for the pixels of a texture.
    pub fn of(device: &wgpu::Device, queue: &wgpu::Queue, texture: &wgpu::Texture, size: [u32; 2]) -> Self {
        let row = (4 * size[0]).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("viewer.pixels"),
            size: u64::from(row) * u64::from(size[1]),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
        let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
        queue.submit([encoder.finish()]);
        let (sender, mapped) = channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver is gone with its window.
            let _ = sender.send(result);
        });
        Self { buffer, size, row, mapped }
    }

    /// Size of the picture and its bytes, RGBA, when they have arrived.
    pub fn take(&self) -> Option<Result<Bytes, String>> {
        let mapped = self.mapped.try_recv().ok()?;
        Some(mapped.map_err(|error| error.to_string()).and_then(|()| {
            let bytes = self.buffer.get_mapped_range(..).map_err(|error| error.to_string())?;
            let rows = bytes.chunks_exact(self.row as usize);
            Ok((self.size, rows.flat_map(|row| &row[..4 * self.size[0] as usize]).copied().collect()))
        }))
    }
}
