//! Kernels: a composed shader, its pipeline, and bindings found by name.

use super::{Buffers, Gpu, shader};
use crate::Error;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Values of a shader's `override`s, by name; those it does not have are ignored.
pub type Constants = Vec<(&'static str, u32)>;

/// A compute pipeline. Its bindings are read from the shader: a variable is bound to the buffer of the same name.
#[derive(Debug)]
pub struct Kernel {
    name: &'static str,
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    bindings: Vec<(u32, String)>,
}

impl Kernel {
    fn compile(gpu: &Gpu, name: &'static str, constants: &Constants) -> Result<Self, Error> {
        let label = label_of(name);
        let launch = gpu.launch();
        let module = shader::parse(name, launch).map_err(Error::Gpu)?;
        let mut bindings = Vec::new();
        let mut entries = Vec::new();
        for (_, variable) in module.global_variables.iter() {
            let Some(binding) = &variable.binding else { continue };
            let ty = match variable.space {
                naga::AddressSpace::Uniform => wgpu::BufferBindingType::Uniform,
                naga::AddressSpace::Storage { access } => {
                    wgpu::BufferBindingType::Storage { read_only: !access.contains(naga::StorageAccess::STORE) }
                }
                other => return Err(Error::Gpu(format!("{name}: cannot bind {other:?}"))),
            };
            bindings.push((binding.binding, variable.name.clone().unwrap_or_default()));
            entries.push(wgpu::BindGroupLayoutEntry {
                binding: binding.binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
                count: None,
            });
        }
        let values: Vec<(&str, f64)> = constants.iter().map(|&(name, value)| (name, f64::from(value))).collect();
        let text = shader::compose(name, launch).map_err(Error::Gpu)?;
        let device = gpu.device();
        gpu.checked(|| {
            let layout = device
                .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(&label), entries: &entries });
            let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(&label),
                bind_group_layouts: &[Some(&layout)],
                ..Default::default()
            });
            let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(&label),
                source: wgpu::ShaderSource::Wgsl(text.into()),
            });
            let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(&label),
                layout: Some(&pipeline_layout),
                module: &module,
                entry_point: Some("main"),
                // Everything is written before it is read; zeroing would cost a barrier.
                compilation_options: wgpu::PipelineCompilationOptions {
                    zero_initialize_workgroup_memory: false,
                    constants: &values,
                },
                cache: None,
            });
            Self { name, pipeline, layout, bindings }
        })
    }

    /// Binds every variable to the buffer of its name.
    pub fn bind(self: &Arc<Self>, gpu: &Gpu, buffers: &Buffers, workgroups: u32) -> Result<Dispatch, Error> {
        self.bind_chunk(gpu, buffers, None, workgroups)
    }

    /// The same, with the buffers of one chunk of the matrix where there are such.
    pub fn bind_chunk(
        self: &Arc<Self>,
        gpu: &Gpu,
        buffers: &Buffers,
        chunk: Option<usize>,
        workgroups: u32,
    ) -> Result<Dispatch, Error> {
        let mut entries = Vec::with_capacity(self.bindings.len());
        for (binding, name) in &self.bindings {
            let buffer =
                buffers.of_chunk(name, chunk).ok_or_else(|| Error::Gpu(format!("{}: no buffer {name}", self.name)))?;
            entries.push(wgpu::BindGroupEntry { binding: *binding, resource: buffer.as_entire_binding() });
        }
        let label = label_of(self.name);
        let descriptor = wgpu::BindGroupDescriptor { label: Some(&label), layout: &self.layout, entries: &entries };
        let bind_group = gpu.checked(|| gpu.device().create_bind_group(&descriptor))?;
        Ok(Dispatch { kernel: self.clone(), bind_group, workgroups })
    }
}

/// `solve/spmv` is `tenter.solve.spmv` in every debugger.
fn label_of(name: &str) -> String {
    format!("tenter.{}", name.replace('/', "."))
}

/// A kernel with its buffers and size: ready to run.
#[derive(Debug)]
pub struct Dispatch {
    kernel: Arc<Kernel>,
    bind_group: wgpu::BindGroup,
    workgroups: u32,
}

impl Dispatch {
    /// Adds it to a pass.
    pub fn run(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.kernel.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.dispatch_workgroups(self.workgroups, 1, 1);
    }
}

/// Kernels of a device, each compiled once.
#[derive(Debug, Clone, Default)]
pub struct KernelCache(Arc<Mutex<HashMap<Variant, Arc<Kernel>>>>);

/// A kernel by its name, and what was left out of it.
type Variant = (&'static str, Constants);

impl KernelCache {
    /// Compiled now or earlier.
    pub fn get(&self, gpu: &Gpu, name: &'static str, constants: &Constants) -> Result<Arc<Kernel>, Error> {
        let mut kernels = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Kernels that do not ask for a value are the same whatever it is.
        let text = shader::compose(name, gpu.launch()).map_err(Error::Gpu)?;
        let asked = |constant: &&(&'static str, u32)| text.contains(&format!("override {}:", constant.0));
        let constants: Constants = constants.iter().filter(asked).copied().collect();
        let key = (name, constants.clone());
        if let Some(kernel) = kernels.get(&key) {
            return Ok(kernel.clone());
        }
        let kernel = Arc::new(Kernel::compile(gpu, name, &constants)?);
        kernels.insert(key, kernel.clone());
        Ok(kernel)
    }
}
