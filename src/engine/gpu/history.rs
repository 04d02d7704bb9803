//! Memory of edges: conversion between the order of the topology and the slots of the GPU, where both ends of an edge hold a copy.

use super::GpuEngine;
use crate::{Error, engine::upload, gpu::Readback};

impl GpuEngine {
    pub async fn read_history(&mut self) -> Result<Vec<[f64; 4]>, Error> {
        self.finish().await?;
        let mut history = vec![[0.0; 4]; self.topology.edges.len()];
        if !self.topology.has_memory() {
            return Ok(history);
        }
        let matrix = upload::matrix(&self.topology, self.device.largest_binding);
        let sliced = &matrix.compact;
        for (ix, slices) in matrix.chunks.iter().enumerate() {
            let Some(source) = self.device.buffers.of_chunk("history", Some(ix)) else { continue };
            let mut readback = Readback::new(&self.device.gpu, "tenter.history", source.size())?;
            let bytes = readback.fetch(&self.device.gpu, source, 0, |_| {}, "a copy of the history").await?;
            let slots = bytes.chunks_exact(16).map(bytemuck::pod_read_unaligned::<[f32; 4]>);
            for (block, value) in sliced.block[sliced.slots(slices)].iter().zip(slots) {
                if let Some(place) = block {
                    let edge = self.topology.pattern.incidences[*place as usize].edge;
                    history[edge as usize] = value.map(f64::from);
                }
            }
        }
        Ok(history)
    }

    pub fn set_edge_history(&self, history: &[[f64; 4]]) -> Result<(), Error> {
        if !self.topology.has_memory() {
            return Ok(());
        }
        let matrix = upload::matrix(&self.topology, self.device.largest_binding);
        let sliced = &matrix.compact;
        let of_block = |block: &Option<u32>| match block {
            Some(place) => {
                let edge = self.topology.pattern.incidences[*place as usize].edge;
                history[edge as usize].map(|value| value as f32)
            }
            None => [0.0; 4],
        };
        for (ix, slices) in matrix.chunks.iter().enumerate() {
            let slots: Vec<[f32; 4]> = sliced.block[sliced.slots(slices)].iter().map(of_block).collect();
            self.device.buffers.write_chunk(&self.device.gpu, "history", ix, &slots)?;
        }
        Ok(())
    }
}
