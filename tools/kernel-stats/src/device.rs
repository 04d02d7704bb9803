//! RADV's device without hardware, and the statistics of pipelines compiled on it.

use crate::spirv::{Kind, Spirv};
use ash::{khr::pipeline_executable_properties as executable, vk};
use std::ffi::CStr;

/// What the driver reports of a compiled kernel.
#[derive(Debug, Default)]
pub struct Statistics {
    /// Vector registers per thread.
    pub vgprs: u64,
    /// Scalar registers per wave.
    pub sgprs: u64,
    /// Waves that fit one SIMD, as the driver counts them: waves of 32 threads on RDNA, of 64 before.
    pub waves: u64,
    /// Workgroup memory, bytes.
    pub lds: u64,
    /// Registers moved to memory, vector and scalar.
    pub spills: u64,
    /// Private memory of a wave, bytes.
    pub scratch: u64,
    pub instructions: u64,
    /// Cycles that the busiest unit needs per wave, an estimate of the compiler.
    pub throughput: u64,
    /// Code size.
    pub bytes: u64,
}

/// A Vulkan device that compiles and cannot run.
pub struct Device {
    device: ash::Device,
    properties: executable::Device,
    instance: ash::Instance,
    name: String,
    // Unloads the library, and so comes last.
    _entry: ash::Entry,
}

/// File that names the driver RADV to the Vulkan loader.
pub fn driver_file() -> Result<String, String> {
    const FOLDERS: [&str; 3] = ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
    let files = FOLDERS.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().filter_map(Result::ok);
    let mut drivers = files.filter(|file| file.file_name().to_string_lossy().starts_with("radeon_icd"));
    let found = drivers.next().map(|file| file.path().to_string_lossy().into_owned());
    found.ok_or_else(|| {
        format!(
            "no radeon_icd*.json in {}: install Mesa's Vulkan drivers (Debian: mesa-vulkan-drivers)",
            FOLDERS.join(", ")
        )
    })
}

impl Device {
    /// Opens the first device that the environment offers.
    pub fn open() -> Result<Self, String> {
        let failed = |what: &'static str| move |error: vk::Result| format!("{what}: {error}");
        // SAFETY: the library is the system's Vulkan loader; every handle below comes from the object it is used with, and structures outlive the calls.
        unsafe {
            let entry =
                ash::Entry::load().map_err(|error| format!("no Vulkan loader ({error}): install libvulkan1"))?;
            let about = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
            let wanted = vk::InstanceCreateInfo::default().application_info(&about);
            let instance = entry.create_instance(&wanted, None).map_err(failed("vkCreateInstance"))?;
            let all = instance.enumerate_physical_devices().map_err(failed("vkEnumeratePhysicalDevices"))?;
            let &physical = all.first().ok_or("the driver offers no device: does it know this family?")?;
            let name = instance.get_physical_device_properties(physical);
            let name =
                name.device_name_as_c_str().map_or_else(|_| String::new(), |name| name.to_string_lossy().into_owned());
            let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
            let extensions = [executable::NAME.as_ptr(), ash::ext::robustness2::NAME.as_ptr()];
            let mut statistics =
                vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default().pipeline_executable_info(true);
            // As wgpu asks for it.
            let mut robust = vk::PhysicalDeviceRobustness2FeaturesEXT::default()
                .robust_buffer_access2(true)
                .robust_image_access2(true);
            let features = vk::PhysicalDeviceFeatures::default().robust_buffer_access(true);
            let wanted = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&extensions)
                .enabled_features(&features)
                .push_next(&mut statistics)
                .push_next(&mut robust);
            let device = instance.create_device(physical, &wanted, None).map_err(failed("vkCreateDevice"))?;
            let properties = executable::Device::new(&instance, &device);
            Ok(Self { device, properties, instance, name, _entry: entry })
        }
    }

    /// Name of the device.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Compiles a kernel and reads its statistics.
    pub fn compile(&self, spirv: &Spirv) -> Result<Statistics, vk::Result> {
        let device = &self.device;
        let kinds = spirv.bindings.iter().map(|&(binding, kind)| {
            let kind = match kind {
                Kind::Uniform => vk::DescriptorType::UNIFORM_BUFFER,
                Kind::Storage => vk::DescriptorType::STORAGE_BUFFER,
                Kind::Texture => vk::DescriptorType::SAMPLED_IMAGE,
                Kind::StorageTexture => vk::DescriptorType::STORAGE_IMAGE,
                Kind::Sampler => vk::DescriptorType::SAMPLER,
            };
            let binding = vk::DescriptorSetLayoutBinding::default().binding(binding).descriptor_type(kind);
            binding.descriptor_count(1).stage_flags(vk::ShaderStageFlags::COMPUTE)
        });
        let kinds: Vec<_> = kinds.collect();
        // SAFETY: all handles are made here from this device, in valid order, and destroyed once.
        unsafe {
            let module =
                device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(&spirv.words), None)?;
            let set = device
                .create_descriptor_set_layout(&vk::DescriptorSetLayoutCreateInfo::default().bindings(&kinds), None)?;
            let sets = [set];
            let layout =
                device.create_pipeline_layout(&vk::PipelineLayoutCreateInfo::default().set_layouts(&sets), None)?;
            let stage = vk::PipelineShaderStageCreateInfo::default()
                .stage(vk::ShaderStageFlags::COMPUTE)
                .module(module)
                .name(c"main");
            let wanted = vk::ComputePipelineCreateInfo::default()
                .flags(vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR)
                .stage(stage)
                .layout(layout);
            let made = device.create_compute_pipelines(vk::PipelineCache::null(), &[wanted], None);
            let statistics = made.map_err(|(_, error)| error).and_then(|pipelines| {
                let statistics = self.statistics(pipelines[0]);
                device.destroy_pipeline(pipelines[0], None);
                statistics
            });
            device.destroy_pipeline_layout(layout, None);
            device.destroy_descriptor_set_layout(set, None);
            device.destroy_shader_module(module, None);
            statistics
        }
    }

    /// # Safety
    /// The pipeline is a compute pipeline of this device, made with its statistics kept.
    unsafe fn statistics(&self, pipeline: vk::Pipeline) -> Result<Statistics, vk::Result> {
        let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline);
        // SAFETY: as the caller promises; a compute pipeline has one executable, the first.
        let all = unsafe { self.properties.get_pipeline_executable_statistics(&info)? };
        let mut found = Statistics::default();
        for statistic in &all {
            let name = statistic.name_as_c_str().map_or("", |name: &CStr| name.to_str().unwrap_or(""));
            // SAFETY: RADV reports 64-bit integers.
            let value = unsafe { statistic.value.u64 };
            match name {
                "VGPRs" => found.vgprs = value,
                "SGPRs" => found.sgprs = value,
                "Subgroups per SIMD" => found.waves = value,
                "LDS size" | "LDS Size" => found.lds = value,
                "Spilled VGPRs" | "Spilled SGPRs" => found.spills += value,
                "Scratch size" | "Scratch Size" => found.scratch = value,
                "Instructions" => found.instructions = value,
                "Inverse Throughput" => found.throughput = value,
                "Code size" | "Code Size" => found.bytes = value,
                _ => {}
            }
        }
        Ok(found)
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: nothing of the device or the instance is in use any more.
        unsafe {
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}
