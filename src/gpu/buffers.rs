//! Buffers: planned first, so that a plan that does not fit is refused by name before anything is allocated.

use super::{Gpu, context::LimitNeed};
use crate::{Error, inject};
use std::collections::HashMap;

/// Name, size and usage of a buffer before it is allocated.
#[derive(Debug, Clone, PartialEq)]
pub struct BufferPlan {
    /// Name of the buffer in the shaders.
    pub name: &'static str,
    /// The chunk of the matrix that the buffer belongs to; `None` for buffers without chunks.
    pub chunk: Option<usize>,
    /// Size in bytes; never 0.
    pub bytes: u64,
    /// Usage flags of wgpu.
    pub usage: wgpu::BufferUsages,
}

impl BufferPlan {
    /// Plans a storage buffer of `count` elements of `element_bytes` bytes.
    pub fn storage(name: &'static str, count: usize, element_bytes: usize) -> Self {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        Self { name, chunk: None, bytes: count.max(1) as u64 * element_bytes as u64, usage }
    }

    /// Plans a uniform buffer.
    pub fn uniform(name: &'static str, bytes: usize) -> Self {
        Self {
            name,
            chunk: None,
            bytes: bytes as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        }
    }

    /// Makes the buffer that of one chunk of the matrix.
    pub fn of_chunk(mut self, chunk: usize) -> Self {
        self.chunk = Some(chunk);
        self
    }

    /// Makes the buffer bindable as uniform, for kernels that only read it.
    pub fn as_uniform(mut self) -> Self {
        self.usage |= wgpu::BufferUsages::UNIFORM;
        self
    }

    /// Makes the buffer usable as an index buffer too.
    pub(crate) fn for_indices(mut self) -> Self {
        self.usage |= wgpu::BufferUsages::INDEX;
        self
    }

    /// Makes the buffer usable as a vertex buffer too.
    pub fn as_vertices(mut self) -> Self {
        self.usage |= wgpu::BufferUsages::VERTEX;
        self
    }
}

/// Named buffers on one device; some have one instance per chunk of the matrix.
#[derive(Debug, Default)]
pub struct Buffers(HashMap<(&'static str, Option<usize>), wgpu::Buffer>);

impl Buffers {
    /// A device that can hold the plan: the given one, or one with larger limits on the same adapter.
    pub(crate) async fn device_for(plan: &[BufferPlan], gpu: &Gpu) -> Result<Gpu, Error> {
        let mut needs = Vec::new();
        for buffer in plan {
            let what = format!("buffer {:?}", buffer.name);
            needs.push(LimitNeed {
                limit: "max_storage_buffer_binding_size",
                what: what.clone(),
                amount: buffer.bytes,
                read: |limits| limits.max_storage_buffer_binding_size,
                raise: |limits, amount| {
                    limits.max_storage_buffer_binding_size = limits.max_storage_buffer_binding_size.max(amount);
                },
            });
            if buffer.usage.contains(wgpu::BufferUsages::UNIFORM) {
                needs.push(LimitNeed {
                    limit: "max_uniform_buffer_binding_size",
                    what: what.clone(),
                    amount: buffer.bytes,
                    read: |limits| limits.max_uniform_buffer_binding_size,
                    raise: |limits, amount| {
                        limits.max_uniform_buffer_binding_size = limits.max_uniform_buffer_binding_size.max(amount);
                    },
                });
            }
            needs.push(LimitNeed {
                limit: "max_buffer_size",
                what,
                amount: buffer.bytes,
                read: |limits| limits.max_buffer_size,
                raise: |limits, amount| limits.max_buffer_size = limits.max_buffer_size.max(amount),
            });
        }
        gpu.with_limits(&needs).await
    }

    /// Allocates the buffers of a plan.
    pub(crate) fn create(plan: &[BufferPlan], gpu: &Gpu) -> Result<Self, Error> {
        if inject::due() {
            return Err(Error::OutOfMemory("injected".to_owned()));
        }
        let create = |buffer: &BufferPlan| {
            let label = format!("tenter.{}", buffer.name);
            let descriptor = wgpu::BufferDescriptor {
                label: Some(&label),
                size: buffer.bytes,
                usage: buffer.usage,
                mapped_at_creation: false,
            };
            ((buffer.name, buffer.chunk), gpu.device().create_buffer(&descriptor))
        };
        gpu.checked(|| Self(plan.iter().map(create).collect()))
    }

    /// Allocates buffers in place of those with the same names.
    pub(crate) fn replace(&mut self, plan: &[BufferPlan], gpu: &Gpu) -> Result<(), Error> {
        // The old buffers go first, so that there is room.
        self.0.retain(|(name, chunk), _| !plan.iter().any(|new| new.name == *name && new.chunk == *chunk));
        let new = Self::create(plan, gpu)?;
        self.0.extend(new.0);
        Ok(())
    }

    /// A buffer by name.
    pub fn get(&self, name: &str) -> Option<&wgpu::Buffer> {
        self.of_chunk(name, None)
    }

    /// A buffer of a chunk, or the one without chunks.
    pub fn of_chunk(&self, name: &str, chunk: Option<usize>) -> Option<&wgpu::Buffer> {
        let find = |wanted| self.0.iter().find(|((known, chunk), _)| *known == name && *chunk == wanted);
        find(chunk).or_else(|| find(None)).map(|(_, buffer)| buffer)
    }

    /// A buffer that the plan contains for certain.
    pub(crate) fn named(&self, name: &'static str) -> Result<&wgpu::Buffer, Error> {
        self.get(name).ok_or_else(|| Error::Gpu(format!("no buffer {name}")))
    }

    /// Zeroes a buffer, before the next submission.
    pub(crate) fn clear(&self, gpu: &Gpu, name: &'static str) -> Result<(), Error> {
        let buffer = self.named(name)?;
        gpu.issue(|| {
            let mut encoder = gpu.device().create_command_encoder(&Default::default());
            encoder.clear_buffer(buffer, 0, None);
            gpu.queue().submit([encoder.finish()]);
        })
    }

    /// Writes the whole buffer of a chunk, before the next submission.
    pub(crate) fn write_chunk<T: bytemuck::Pod>(
        &self,
        gpu: &Gpu,
        name: &'static str,
        chunk: usize,
        data: &[T],
    ) -> Result<(), Error> {
        let buffer = self.of_chunk(name, Some(chunk)).ok_or_else(|| Error::Gpu(format!("no buffer {name}")))?;
        gpu.issue(|| gpu.queue().write_buffer(buffer, 0, bytemuck::cast_slice(data)))
    }

    /// Writes elements from an index on, before the next submission.
    pub(crate) fn write<T: bytemuck::Pod>(
        &self,
        gpu: &Gpu,
        name: &'static str,
        first: usize,
        data: &[T],
    ) -> Result<(), Error> {
        let buffer = self.named(name)?;
        let offset = (first * size_of::<T>()) as u64;
        if data.is_empty() {
            return Ok(());
        }
        gpu.issue(|| gpu.queue().write_buffer(buffer, offset, bytemuck::cast_slice(data)))
    }
}
