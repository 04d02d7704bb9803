//! From WGSL to SPIR-V, with the choices of wgpu's Vulkan backend.

use crate::scenes::Variant;
use naga::{
    back::{pipeline_constants::process_overrides, spv},
    proc::{BoundsCheckPolicies, BoundsCheckPolicy},
    valid::{Capabilities, ValidationFlags, Validator},
};

/// Kind of a binding.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Uniform,
    Storage,
    Texture,
    StorageTexture,
    Sampler,
}

/// A kernel in SPIR-V with its bindings, all of them in group 0.
pub struct Spirv {
    pub words: Vec<u32>,
    pub bindings: Vec<(u32, Kind)>,
}

/// Translates a kernel with its overrides.
pub fn translate(variant: &Variant) -> Result<Spirv, String> {
    let Variant { kernel, text, constants, .. } = variant;
    let module =
        naga::front::wgsl::parse_str(text).map_err(|error| format!("{kernel}: {}", error.emit_to_string(text)))?;
    let checked = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module);
    let info = checked.map_err(|error| format!("{kernel}: {error:?}"))?;
    let values = constants.iter().map(|&(name, value)| (name.to_owned(), f64::from(value))).collect();
    let entry = (naga::ShaderStage::Compute, "main");
    let (module, info) =
        process_overrides(&module, &info, Some(entry), &values).map_err(|error| format!("{kernel}: {error}"))?;
    let options = spv::Options {
        lang_version: (1, 6),
        // As on a device with robust access to buffers, which RADV has.
        bounds_check_policies: BoundsCheckPolicies {
            index: BoundsCheckPolicy::Restrict,
            buffer: BoundsCheckPolicy::Unchecked,
            image_load: BoundsCheckPolicy::Unchecked,
            binding_array: BoundsCheckPolicy::Unchecked,
        },
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        force_loop_bounding: false,
        ..Default::default()
    };
    let pipeline = spv::PipelineOptions { shader_stage: entry.0, entry_point: entry.1.to_owned() };
    let words =
        spv::write_vec(&module, &info, &options, Some(&pipeline)).map_err(|error| format!("{kernel}: {error}"))?;
    let bound =
        module.global_variables.iter().filter_map(|(_, variable)| Some((variable.binding.as_ref()?.binding, variable)));
    let bindings = bound.map(|(binding, variable)| (binding, kind(&module, variable))).collect();
    Ok(Spirv { words, bindings })
}

fn kind(module: &naga::Module, variable: &naga::GlobalVariable) -> Kind {
    match (variable.space, &module.types[variable.ty].inner) {
        (naga::AddressSpace::Uniform, _) => Kind::Uniform,
        (naga::AddressSpace::Handle, naga::TypeInner::Sampler { .. }) => Kind::Sampler,
        (naga::AddressSpace::Handle, naga::TypeInner::Image { class: naga::ImageClass::Storage { .. }, .. }) => {
            Kind::StorageTexture
        }
        (naga::AddressSpace::Handle, _) => Kind::Texture,
        _ => Kind::Storage,
    }
}
