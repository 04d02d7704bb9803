//! Bindings of a shader, read from its source: a variable is bound to the buffer or texture of the same name.

use super::Gpu;
use crate::Error;

/// Bind group layout of a shader, and the names of its variables.
#[derive(Debug)]
pub struct Bindings {
    layout: wgpu::BindGroupLayout,
    names: Vec<(u32, String)>,
}

impl Bindings {
    /// Bindings of a module, visible to the given shader stages.
    pub fn of(gpu: &Gpu, label: &str, module: &naga::Module, visibility: wgpu::ShaderStages) -> Result<Self, Error> {
        let mut names = Vec::new();
        let mut entries = Vec::new();
        for (_, variable) in module.global_variables.iter() {
            let Some(binding) = &variable.binding else { continue };
            let ty = kind(module, variable).map_err(|problem| Error::Gpu(format!("{label}: {problem}")))?;
            names.push((binding.binding, variable.name.clone().unwrap_or_default()));
            entries.push(wgpu::BindGroupLayoutEntry { binding: binding.binding, visibility, ty, count: None });
        }
        let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries };
        Ok(Self { layout: gpu.checked(|| gpu.device().create_bind_group_layout(&descriptor))?, names })
    }

    /// A pipeline layout with this group alone.
    pub fn pipeline_layout(&self, gpu: &Gpu, label: &str) -> Result<wgpu::PipelineLayout, Error> {
        let descriptor = wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &[Some(&self.layout)],
            ..Default::default()
        };
        gpu.checked(|| gpu.device().create_pipeline_layout(&descriptor))
    }

    /// Binds every variable to the resource of the same name.
    pub fn bind<'a>(
        &self,
        gpu: &Gpu,
        label: &str,
        find: impl Fn(&str) -> Option<wgpu::BindingResource<'a>>,
    ) -> Result<wgpu::BindGroup, Error> {
        let mut entries = Vec::with_capacity(self.names.len());
        for (binding, name) in &self.names {
            let resource = find(name).ok_or_else(|| Error::Gpu(format!("{label}: no buffer {name}")))?;
            entries.push(wgpu::BindGroupEntry { binding: *binding, resource });
        }
        let descriptor = wgpu::BindGroupDescriptor { label: Some(label), layout: &self.layout, entries: &entries };
        gpu.checked(|| gpu.device().create_bind_group(&descriptor))
    }
}

fn kind(module: &naga::Module, variable: &naga::GlobalVariable) -> Result<wgpu::BindingType, String> {
    let buffer = |ty| wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
    Ok(match variable.space {
        naga::AddressSpace::Uniform => buffer(wgpu::BufferBindingType::Uniform),
        naga::AddressSpace::Storage { access } => {
            let read_only = !access.contains(naga::StorageAccess::STORE);
            buffer(wgpu::BufferBindingType::Storage { read_only })
        }
        naga::AddressSpace::Handle => texture(&module.types[variable.ty].inner)?,
        other => return Err(format!("cannot bind {other:?}")),
    })
}

/// Binding type of a texture. Shaders load single texels, without a filtering sampler.
fn texture(ty: &naga::TypeInner) -> Result<wgpu::BindingType, String> {
    let class = match *ty {
        naga::TypeInner::Sampler { comparison: false } => {
            return Ok(wgpu::BindingType::Sampler(wgpu::SamplerBindingType::NonFiltering));
        }
        naga::TypeInner::Image { dim: naga::ImageDimension::D2, arrayed: false, class } => class,
        _ => return Err(format!("cannot bind {ty:?}")),
    };
    let (sample_type, multisampled) = match class {
        naga::ImageClass::Sampled { kind: naga::ScalarKind::Float, multi } => {
            (wgpu::TextureSampleType::Float { filterable: false }, multi)
        }
        naga::ImageClass::Depth { multi } => (wgpu::TextureSampleType::Depth, multi),
        other => return Err(format!("cannot bind {other:?}")),
    };
    Ok(wgpu::BindingType::Texture { sample_type, view_dimension: wgpu::TextureViewDimension::D2, multisampled })
}
