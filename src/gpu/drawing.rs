//! Drawings: a composed shader with a vertex and an optional fragment stage, its pipeline, and bindings found by name.

use super::{Gpu, binding::Bindings, kernel::label_of, shader};
use crate::Error;
use std::sync::Arc;

/// Shader and targets of a drawing. Triangles are drawn from both sides.
#[derive(Debug, Clone)]
pub struct DrawingPlan {
    /// The shader: entry points `vertex_main` and, if there is a colour, `fragment_main`.
    pub name: &'static str,
    /// Type of primitives.
    pub topology: wgpu::PrimitiveTopology,
    /// Format of the colour target, and how fragments blend with it.
    pub colour: Option<wgpu::ColorTargetState>,
    /// Comparison of a fragment's depth with the depth target; `None` without a depth target.
    pub depth: Option<wgpu::CompareFunction>,
    /// Samples per pixel.
    pub samples: u32,
}

/// Format of every depth target.
pub const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// A render pipeline. Its bindings are read from the shader, like those of a [`Kernel`](super::kernel::Kernel).
#[derive(Debug)]
pub struct Drawing {
    label: String,
    pipeline: wgpu::RenderPipeline,
    bindings: Bindings,
}

impl Drawing {
    /// Compiles a drawing.
    pub fn new(gpu: &Gpu, plan: &DrawingPlan) -> Result<Arc<Self>, Error> {
        let (name, launch) = (plan.name, gpu.launch());
        let label = label_of(name);
        let parsed = shader::parse(name, launch).map_err(Error::Gpu)?;
        let bindings = Bindings::of(gpu, &label, &parsed, wgpu::ShaderStages::VERTEX_FRAGMENT)?;
        let layout = bindings.pipeline_layout(gpu, &label)?;
        let text = shader::compose(name, launch).map_err(Error::Gpu)?;
        let targets = [plan.colour.clone()];
        let pipeline = gpu.checked(|| {
            let module = gpu.device().create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(&label),
                source: wgpu::ShaderSource::Wgsl(text.into()),
            });
            gpu.device().create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(&label),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("vertex_main"),
                    compilation_options: Default::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState { topology: plan.topology, ..Default::default() },
                depth_stencil: plan.depth.map(|compare| wgpu::DepthStencilState {
                    format: DEPTH_FORMAT,
                    depth_write_enabled: Some(true),
                    depth_compare: Some(compare),
                    stencil: Default::default(),
                    bias: Default::default(),
                }),
                multisample: wgpu::MultisampleState { count: plan.samples, ..Default::default() },
                fragment: plan.colour.is_some().then(|| wgpu::FragmentState {
                    module: &module,
                    entry_point: Some("fragment_main"),
                    compilation_options: Default::default(),
                    targets: &targets,
                }),
                multiview_mask: None,
                cache: None,
            })
        })?;
        Ok(Arc::new(Self { label, pipeline, bindings }))
    }

    /// Binds every variable to the resource of the same name.
    pub fn bind<'a>(
        self: &Arc<Self>,
        gpu: &Gpu,
        find: impl Fn(&str) -> Option<wgpu::BindingResource<'a>>,
    ) -> Result<BoundDrawing, Error> {
        let bind_group = self.bindings.bind(gpu, &self.label, find)?;
        Ok(BoundDrawing { drawing: self.clone(), bind_group })
    }
}

/// A drawing with its resources, ready to draw.
#[derive(Debug)]
pub struct BoundDrawing {
    drawing: Arc<Drawing>,
    bind_group: wgpu::BindGroup,
}

impl BoundDrawing {
    /// Sets pipeline and bindings of a pass.
    pub fn set(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.drawing.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
    }
}
