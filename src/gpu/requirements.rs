//! Requirements of a device: what every simulation needs of it, and what drawings need besides.
//!
//! A device that tenter opens has wgpu's default limits at least, which suffice. A host's device may have less, and an adapter without compute shaders,
//! such as one of OpenGL ES 3.0, gives no device at all. Either is refused before anything is made, by the name of what is missing.

/// Advice where a run can go on without pictures.
#[cfg(feature = "cli")]
pub const WITHOUT_PICTURES: &str = "Frames of other formats than png can be written without";

/// A limit that every simulation needs, however small.
struct Need {
    limit: &'static str,
    amount: u64,
    read: fn(&wgpu::Limits) -> u64,
}

/// Limits that kernels need, whatever the scene; none is larger than wgpu's default.
const NEEDS: [Need; 8] = [
    Need { limit: STORAGE_BUFFERS, amount: 8, read: |limits| limits.max_storage_buffers_per_shader_stage.into() },
    Need {
        limit: "max_uniform_buffers_per_shader_stage",
        amount: 4,
        read: |limits| limits.max_uniform_buffers_per_shader_stage.into(),
    },
    Need { limit: INVOCATIONS, amount: 64, read: |limits| limits.max_compute_invocations_per_workgroup.into() },
    Need {
        limit: "max_compute_workgroup_size_x",
        amount: 64,
        read: |limits| limits.max_compute_workgroup_size_x.into(),
    },
    Need {
        limit: "max_compute_workgroup_storage_size",
        amount: 11 << 10,
        read: |limits| limits.max_compute_workgroup_storage_size.into(),
    },
    Need { limit: "max_bindings_per_bind_group", amount: 12, read: |limits| limits.max_bindings_per_bind_group.into() },
    Need { limit: "max_bind_groups", amount: 1, read: |limits| limits.max_bind_groups.into() },
    Need {
        limit: "max_compute_workgroups_per_dimension",
        amount: 65_535,
        read: |limits| limits.max_compute_workgroups_per_dimension.into(),
    },
];
const STORAGE_BUFFERS: &str = "max_storage_buffers_per_shader_stage";
const INVOCATIONS: &str = "max_compute_invocations_per_workgroup";

/// A limit that is too small.
#[derive(Debug, Clone, Copy)]
struct Shortage {
    limit: &'static str,
    needs: u64,
    gives: u64,
}

/// Names of the abilities and limits that a device lacks to simulate any scene; `None` if it lacks none.
pub fn device_lacks(limits: &wgpu::Limits) -> Option<String> {
    let shortage = |need: &Need| {
        let gives = (need.read)(limits);
        (gives < need.amount).then_some(Shortage { limit: need.limit, needs: need.amount, gives })
    };
    listed(wgpu::DownlevelFlags::all(), &NEEDS.iter().filter_map(shortage).collect::<Vec<_>>())
}

/// Names of the abilities and limits that tenter asks of a device and an adapter lacks; `None` if it lacks none.
pub fn adapter_lacks(limits: &wgpu::Limits, flags: wgpu::DownlevelFlags) -> Option<String> {
    let mut shortages = Vec::new();
    let note = |limit, needs, gives| shortages.push(Shortage { limit, needs, gives });
    wgpu::Limits::default().check_limits_with_fail_fn(limits, false, note);
    listed(flags, &shortages)
}

/// Whole abilities first: without them every limit that belongs to them is zero, and none is worth a word.
fn listed(flags: wgpu::DownlevelFlags, shortages: &[Shortage]) -> Option<String> {
    let none_of = |limit| shortages.iter().any(|shortage| shortage.limit == limit && shortage.gives == 0);
    let mut missing = Vec::new();
    if !flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) || none_of(INVOCATIONS) {
        missing.push("compute shaders".to_owned());
    }
    if none_of(STORAGE_BUFFERS) {
        missing.push("storage buffers".to_owned());
    }
    if missing.is_empty() {
        let few = |Shortage { limit, needs, gives }: &Shortage| format!("{needs} of {limit} (there are {gives})");
        missing.extend(shortages.iter().map(few));
    }
    joined(&missing)
}

/// A texture that is drawn on.
#[cfg(feature = "cli")]
#[derive(Debug, Clone, Copy)]
pub struct TargetNeed {
    /// Format of the texture.
    pub format: wgpu::TextureFormat,
    /// Usages besides that as a target.
    pub usages: wgpu::TextureUsages,
    /// Abilities of the format, such as blending and several samples.
    pub flags: wgpu::TextureFormatFeatureFlags,
}

/// What an adapter that simulates lacks to draw on these targets; `None` if nothing.
#[cfg(feature = "cli")]
pub fn drawing_lacks(
    flags: wgpu::DownlevelFlags,
    features_of: impl Fn(wgpu::TextureFormat) -> wgpu::TextureFormatFeatures,
    targets: &[TargetNeed],
) -> Option<String> {
    use wgpu::DownlevelFlags as Flags;
    let abilities = [
        (Flags::VERTEX_STORAGE, "storage buffers in vertex shaders"),
        (Flags::FRAGMENT_STORAGE, "storage buffers in fragment shaders"),
        (Flags::UNRESTRICTED_INDEX_BUFFER, "index buffers that shaders write"),
        (Flags::MSL2_1, "Metal Shading Language 2.1"),
    ];
    let missing = abilities.iter().filter(|(flag, _)| !flags.contains(*flag));
    let mut missing: Vec<String> = missing.map(|(_, name)| (*name).to_owned()).collect();
    for target in targets {
        let has = features_of(target.format);
        let usages = (target.usages | wgpu::TextureUsages::RENDER_ATTACHMENT) - has.allowed_usages;
        if !usages.is_empty() {
            missing.push(format!("{usages:?} of textures of format {:?}", target.format));
        }
        let abilities = target.flags - has.flags;
        if !abilities.is_empty() {
            missing.push(format!("{abilities:?} of textures of format {:?}", target.format));
        }
    }
    joined(&missing)
}

/// A list as in a sentence: a, b and c.
fn joined(words: &[String]) -> Option<String> {
    let (last, first) = words.split_last()?;
    Some(if first.is_empty() { last.clone() } else { format!("{} and {last}", first.join(", ")) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::shader::{self, Launch};

    #[test]
    fn every_kernel_keeps_to_the_needs() {
        let mut most = [0; NEEDS.len()];
        for (name, launch) in shader::kernel_names().flat_map(|name| Launch::ALL.map(|launch| (name, launch))) {
            let module = shader::parse(name, launch).unwrap();
            let of = |wanted: fn(naga::AddressSpace) -> bool| {
                module.global_variables.iter().filter(move |(_, variable)| wanted(variable.space))
            };
            let storage = of(|space| matches!(space, naga::AddressSpace::Storage { .. })).count() as u64;
            let uniform = of(|space| space == naga::AddressSpace::Uniform).count() as u64;
            let shared = of(|space| space == naga::AddressSpace::WorkGroup)
                .map(|(_, variable)| {
                    u64::from(module.types[variable.ty].inner.size(module.to_ctx())).next_multiple_of(16)
                })
                .sum::<u64>();
            let size = u64::from(module.entry_points[0].workgroup_size[0]);
            let bindings = module.global_variables.iter().filter_map(|(_, variable)| variable.binding);
            let last = bindings.map(|binding| u64::from(binding.binding) + 1).max().unwrap_or(0);
            let found = [storage, uniform, size, size, shared, last];
            for (most, found) in most.iter_mut().zip(found) {
                *most = found.max(*most);
            }
        }
        for (need, most) in NEEDS.iter().zip(most) {
            assert!(most <= need.amount, "a kernel needs {most} of {}", need.limit);
        }
        // Needs are no larger than is of use.
        assert_eq!((most[0], most[2], most[5]), (NEEDS[0].amount, NEEDS[2].amount, NEEDS[5].amount));
        assert!(most[1] + 1 >= NEEDS[1].amount && 2 * most[4] > NEEDS[4].amount, "{most:?}");
        assert_eq!(device_lacks(&wgpu::Limits::default()), None);
    }

    #[test]
    fn a_device_with_less_is_refused_by_name() {
        // OpenGL ES 3.1 at its least: few storage buffers.
        let lacks = device_lacks(&wgpu::Limits::downlevel_defaults()).unwrap();
        assert_eq!(lacks, "8 of max_storage_buffers_per_shader_stage (there are 4)");
        let lacks = device_lacks(&wgpu::Limits::downlevel_webgl2_defaults()).unwrap();
        assert_eq!(lacks, "compute shaders and storage buffers");
        let limits = wgpu::Limits { max_storage_buffers_per_shader_stage: 0, ..Default::default() };
        assert_eq!(device_lacks(&limits).unwrap(), "storage buffers");
        let limits = wgpu::Limits { max_compute_invocations_per_workgroup: 32, ..Default::default() };
        assert_eq!(device_lacks(&limits).unwrap(), "64 of max_compute_invocations_per_workgroup (there are 32)");
    }

    #[test]
    fn an_adapter_without_compute_shaders_is_refused_by_name() {
        let all = wgpu::DownlevelFlags::all();
        assert_eq!(adapter_lacks(&wgpu::Limits::default(), all), None);
        let lacks = adapter_lacks(&wgpu::Limits::default(), all - wgpu::DownlevelFlags::COMPUTE_SHADERS);
        assert_eq!(lacks.unwrap(), "compute shaders");
        let lacks = adapter_lacks(&wgpu::Limits::downlevel_webgl2_defaults(), wgpu::DownlevelFlags::empty());
        assert_eq!(lacks.unwrap(), "compute shaders and storage buffers");
        let limits = wgpu::Limits { max_texture_dimension_2d: 4096, max_bind_groups: 2, ..Default::default() };
        let lacks = adapter_lacks(&limits, all).unwrap();
        assert!(
            lacks.contains("8192 of max_texture_dimension_2d (there are 4096) and 4 of max_bind_groups"),
            "{lacks}"
        );
    }

    #[cfg(feature = "cli")]
    #[test]
    fn what_pictures_lack_is_named() {
        use wgpu::{DownlevelFlags as Flags, TextureFormatFeatureFlags as Abilities, TextureUsages as Usages};
        let target = TargetNeed {
            format: wgpu::TextureFormat::Rgba16Float,
            usages: Usages::TEXTURE_BINDING,
            flags: Abilities::MULTISAMPLE_X4,
        };
        let features = |allowed_usages, flags| move |_| wgpu::TextureFormatFeatures { allowed_usages, flags };
        let lacks = |flags, allowed, abilities| drawing_lacks(flags, features(allowed, abilities), &[target]);
        assert_eq!(lacks(Flags::all(), Usages::all(), Abilities::all()), None);
        // Many phones with OpenGL ES 3.1.
        let found = lacks(Flags::all() - Flags::VERTEX_STORAGE, Usages::all(), Abilities::all());
        assert_eq!(found.unwrap(), "storage buffers in vertex shaders");
        let found = lacks(Flags::all(), Usages::TEXTURE_BINDING, Abilities::all()).unwrap();
        assert!(found.contains("RENDER_ATTACHMENT") && found.contains("Rgba16Float"), "{found}");
        let found = lacks(Flags::all() - Flags::MSL2_1, Usages::all(), Abilities::FILTERABLE).unwrap();
        assert!(found.contains("Metal Shading Language 2.1 and ") && found.contains("MULTISAMPLE_X4"), "{found}");
    }
}
