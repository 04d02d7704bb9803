//! Kernels: a composed shader, its pipeline, and bindings found by name.

use super::{Buffers, Gpu, binding::Bindings, shader};
use crate::Error;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Values of a shader's `override`s, by name; names that the shader does not have are ignored.
pub type Constants = Vec<(&'static str, u32)>;

/// A compute pipeline. Its bindings are read from the shader: a variable is bound to the buffer of the same name.
#[derive(Debug)]
pub struct Kernel {
    name: &'static str,
    pipeline: wgpu::ComputePipeline,
    bindings: Bindings,
}

impl Kernel {
    fn compile(gpu: &Gpu, name: &'static str, constants: &Constants) -> Result<Self, Error> {
        let label = label_of(name);
        let launch = gpu.launch();
        let module = shader::parse(name, launch).map_err(Error::Gpu)?;
        let bindings = Bindings::of(gpu, &label, &module, wgpu::ShaderStages::COMPUTE)?;
        let layout = bindings.pipeline_layout(gpu, &label)?;
        let values: Vec<(&str, f64)> = constants.iter().map(|&(name, value)| (name, f64::from(value))).collect();
        let text = shader::compose(name, launch).map_err(Error::Gpu)?;
        let device = gpu.device();
        gpu.checked(|| {
            let checks = wgpu::ShaderRuntimeChecks { force_loop_bounding: false, ..Default::default() };
            let descriptor =
                wgpu::ShaderModuleDescriptor { label: Some(&label), source: wgpu::ShaderSource::Wgsl(text.into()) };
            // SAFETY: these are our own shaders, and each of their loops counts up to an end that is known before it: the test
            // `loops_come_to_an_end` reads them all. Bounds are checked as ever.
            #[expect(unsafe_code, reason = "a counter in every loop costs a twentieth on some drivers")]
            let module = unsafe { device.create_shader_module_trusted(descriptor, checks) };
            let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(&label),
                layout: Some(&layout),
                module: &module,
                entry_point: Some("main"),
                // Shaders write workgroup memory before they read it; zeroing would cost a barrier.
                compilation_options: wgpu::PipelineCompilationOptions {
                    zero_initialize_workgroup_memory: false,
                    constants: &values,
                },
                cache: None,
            });
            Self { name, pipeline, bindings }
        })
    }

    /// Binds every variable to the buffer of the same name.
    pub fn bind(self: &Arc<Self>, gpu: &Gpu, buffers: &Buffers, workgroups: u32) -> Result<Dispatch, Error> {
        self.bind_chunk(gpu, buffers, None, workgroups)
    }

    /// Binds every variable to the buffer of the same name, with the buffers of one chunk of the matrix where there are such.
    pub fn bind_chunk(
        self: &Arc<Self>,
        gpu: &Gpu,
        buffers: &Buffers,
        chunk: Option<usize>,
        workgroups: u32,
    ) -> Result<Dispatch, Error> {
        self.bind_named(gpu, |name| buffers.of_chunk(name, chunk).map(wgpu::Buffer::as_entire_binding), workgroups)
    }

    /// Binds every variable to the resource of the same name, which may be a texture.
    pub fn bind_named<'a>(
        self: &Arc<Self>,
        gpu: &Gpu,
        find: impl Fn(&str) -> Option<wgpu::BindingResource<'a>>,
        workgroups: u32,
    ) -> Result<Dispatch, Error> {
        let bind_group = self.bindings.bind(gpu, &label_of(self.name), find)?;
        Ok(Dispatch { kernel: self.clone(), bind_group, workgroups })
    }
}

/// Debug label of a kernel: `solve/spmv` is `tenter.solve.spmv`.
pub fn label_of(name: &str) -> String {
    format!("tenter.{}", name.replace('/', "."))
}

/// A kernel with its buffers and number of workgroups, ready to run.
#[derive(Debug)]
pub struct Dispatch {
    kernel: Arc<Kernel>,
    bind_group: wgpu::BindGroup,
    workgroups: u32,
}

impl Dispatch {
    /// The kernel's name.
    #[cfg(test)]
    pub fn name(&self) -> &'static str {
        self.kernel.name
    }

    /// Encodes the dispatch into a pass.
    pub fn run(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.kernel.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.dispatch_workgroups(self.workgroups, 1, 1);
    }
}

/// Kernels of a device, each compiled once.
#[derive(Debug, Clone, Default)]
pub struct KernelCache(Arc<Mutex<HashMap<Variant, Arc<Kernel>>>>);

/// A kernel by its name and the values of its `override`s.
type Variant = (&'static str, Constants);

impl KernelCache {
    /// A kernel, compiled now or earlier.
    pub fn get(&self, gpu: &Gpu, name: &'static str, constants: &Constants) -> Result<Arc<Kernel>, Error> {
        let mut kernels = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Values of `override`s that a kernel does not have make no new variant.
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
