//! naga translates every composed shader for every backend of wgpu, with the options that wgpu 30 passes. Needs no GPU.
//!
//! Each kernel is translated for both launches. Its `override`s take their defaults, the values of every built-in scene, and one after another every
//! value that a scene could give. `spirv-val` judges the SPIR-V where it is installed. No compiler for HLSL, MSL or GLSL is involved.

use naga::{
    AddressSpace, ShaderStage, TypeInner,
    back::{PipelineConstants, glsl, hlsl, msl, pipeline_constants::process_overrides, spv},
    proc::{BoundsCheckPolicies, BoundsCheckPolicy},
    valid::{Capabilities, ModuleInfo, ValidationFlags, Validator},
};
use std::{
    collections::{BTreeSet, HashSet},
    io::Write,
    path::Path,
    process::{Command, Stdio},
    sync::{LazyLock, Mutex},
};
use tenter::{
    Options, SceneFile,
    internals::{
        gpu::{
            self,
            shader::{self, Launch},
        },
        topology::{ElementModel, Law, Topology},
    },
};

/// A module that naga has validated, before its `override`s have values.
struct Program {
    name: String,
    module: naga::Module,
    info: ModuleInfo,
    /// Whether the module is a drawing. wgpu bounds its loops and clears its workgroup memory, unlike that of a kernel (`src/gpu/kernel.rs`).
    is_drawing: bool,
}

impl Program {
    fn new(name: &str, module: naga::Module, capabilities: Capabilities) -> Self {
        let info = Validator::new(ValidationFlags::all(), capabilities).validate(&module).unwrap();
        let is_drawing = module.entry_points.iter().any(|entry| entry.stage == ShaderStage::Vertex);
        Self { name: name.to_owned(), module, info, is_drawing }
    }

    fn of_file(name: &str, launch: Launch) -> Self {
        Self::new(&format!("{name}, {launch:?}"), shader::parse(name, launch).unwrap(), Capabilities::empty())
    }

    fn of_text(text: &str, capabilities: Capabilities) -> Self {
        Self::new("a control", naga::front::wgsl::parse_str(text).unwrap(), capabilities)
    }

    /// Stages, each translated by itself, as wgpu does.
    fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        self.module.entry_points.iter().map(|entry| Stage { program: self, stage: entry.stage, entry: &entry.name })
    }
}

/// A stage of a program.
#[derive(Clone, Copy)]
struct Stage<'a> {
    program: &'a Program,
    stage: ShaderStage,
    entry: &'a str,
}

impl Stage<'_> {
    /// Bound variables of the whole module, by their place.
    fn bound(&self) -> impl Iterator<Item = (naga::ResourceBinding, Kind)> {
        let module = &self.program.module;
        module.global_variables.iter().filter_map(|(_, it)| {
            let kind = match it.space {
                AddressSpace::Uniform => Kind::Uniform,
                AddressSpace::Storage { access } if access.contains(naga::StorageAccess::STORE) => Kind::Written,
                AddressSpace::Storage { .. } => Kind::Read,
                _ if matches!(module.types[it.ty].inner, TypeInner::Sampler { .. }) => Kind::Sampler,
                _ => Kind::Texture,
            };
            Some((it.binding?, kind))
        })
    }

    /// Bound variables with their numbers among those of one class, and the number of variables in each class.
    fn numbered(&self, class: fn(Kind) -> usize) -> (Vec<(naga::ResourceBinding, Kind, u8)>, [u8; 4]) {
        let mut counts = [0; 4];
        let number = |(binding, kind)| {
            let count = &mut counts[class(kind)];
            *count += 1;
            (binding, kind, *count - 1)
        };
        (self.bound().map(number).collect(), counts)
    }
}

/// What a variable is bound to.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Uniform,
    Read,
    Written,
    Texture,
    Sampler,
}

/// A dialect that a backend of wgpu translates to.
#[derive(Clone, Copy, Debug)]
enum Dialect {
    /// SPIR-V of this version; the driver checks bounds of buffers, or the shader does.
    Spirv {
        version: (u8, u8),
        driver_checks_bounds: bool,
    },
    Hlsl(hlsl::ShaderModel),
    Msl(u8, u8),
    Glsl(glsl::Version),
}

/// Vulkan 1.0, as on old drivers, to 1.3.
const VULKAN: [Dialect; 3] = [
    Dialect::Spirv { version: (1, 0), driver_checks_bounds: false },
    Dialect::Spirv { version: (1, 3), driver_checks_bounds: false },
    Dialect::Spirv { version: (1, 6), driver_checks_bounds: true },
];
/// The languages of fxc and of dxc.
const DIRECT3D: [Dialect; 2] = [Dialect::Hlsl(hlsl::ShaderModel::V5_1), Dialect::Hlsl(hlsl::ShaderModel::V6_0)];
/// macOS 10.14, 11 and 26.
const METAL: [Dialect; 3] = [Dialect::Msl(2, 1), Dialect::Msl(2, 3), Dialect::Msl(4, 0)];
/// OpenGL ES 3.1, the first with compute shaders, and OpenGL 4.3 and 4.5.
const OPENGL: [Dialect; 3] = [
    Dialect::Glsl(glsl::Version::Embedded { version: 310, is_webgl: false }),
    Dialect::Glsl(glsl::Version::Desktop(430)),
    Dialect::Glsl(glsl::Version::Desktop(450)),
];

/// A translated stage.
enum Translation {
    Words(Vec<u32>),
    Text(String),
}

impl Dialect {
    /// Translates a stage whose `override`s have values.
    fn write(self, stage: &Stage<'_>, module: &naga::Module, info: &ModuleInfo) -> Result<Translation, String> {
        match self {
            Dialect::Spirv { version, driver_checks_bounds } => {
                write_spirv(stage, module, info, version, driver_checks_bounds).map(Translation::Words)
            }
            Dialect::Hlsl(model) => write_hlsl(stage, module, info, model).map(Translation::Text),
            Dialect::Msl(major, minor) => write_msl(stage, module, info, (major, minor)).map(Translation::Text),
            Dialect::Glsl(version) => write_glsl(stage, module, info, version).map(Translation::Text),
        }
    }
}

/// wgpu-hal's `vulkan/adapter.rs` and `compile_stage` of `vulkan/device.rs`.
fn write_spirv(
    stage: &Stage<'_>,
    module: &naga::Module,
    info: &ModuleInfo,
    version: (u8, u8),
    driver_checks_bounds: bool,
) -> Result<Vec<u32>, String> {
    use spv::Capability as Able;
    let capabilities = [
        Able::Shader,
        Able::Matrix,
        Able::Sampled1D,
        Able::Image1D,
        Able::ImageQuery,
        Able::DerivativeControl,
        Able::StorageImageExtendedFormats,
    ];
    let of_buffers = if driver_checks_bounds { BoundsCheckPolicy::Unchecked } else { BoundsCheckPolicy::Restrict };
    let place = |binding: naga::ResourceBinding| spv::BindingInfo {
        descriptor_set: binding.group,
        binding: binding.binding,
        binding_array_size: None,
    };
    let is_drawing = stage.program.is_drawing;
    let options = spv::Options {
        lang_version: version,
        flags: spv::WriterFlags::LABEL_VARYINGS | spv::WriterFlags::FORCE_POINT_SIZE,
        capabilities: Some(capabilities.into_iter().collect()),
        bounds_check_policies: BoundsCheckPolicies {
            index: BoundsCheckPolicy::Restrict,
            buffer: of_buffers,
            image_load: of_buffers,
            binding_array: BoundsCheckPolicy::Unchecked,
        },
        zero_initialize_workgroup_memory: match is_drawing {
            true => spv::ZeroInitializeWorkgroupMemoryMode::Polyfill,
            false => spv::ZeroInitializeWorkgroupMemoryMode::None,
        },
        force_loop_bounding: is_drawing,
        use_storage_input_output_16: false,
        fake_missing_bindings: false,
        binding_map: stage.bound().map(|(binding, _)| (binding, place(binding))).collect(),
        ..Default::default()
    };
    let pipeline = spv::PipelineOptions { entry_point: stage.entry.to_owned(), shader_stage: stage.stage };
    spv::write_vec(module, info, &options, Some(&pipeline)).map_err(|error| error.to_string())
}

/// wgpu-hal's `create_pipeline_layout` and `load_shader` of `dx12/device.rs`.
fn write_hlsl(
    stage: &Stage<'_>,
    module: &naga::Module,
    info: &ModuleInfo,
    shader_model: hlsl::ShaderModel,
) -> Result<String, String> {
    let target = |register| hlsl::BindTarget { register, restrict_indexing: true, ..Default::default() };
    let (bound, [constants, views, _, samplers]) = stage.numbered(|kind| match kind {
        Kind::Uniform => 0,
        Kind::Read | Kind::Texture => 1,
        Kind::Written => 2,
        Kind::Sampler => 3,
    });
    let place = |kind, number: u8| match kind {
        Kind::Sampler => hlsl::BindTarget { space: 255, restrict_indexing: false, ..target(number.into()) },
        _ => target(number.into()),
    };
    let sampler_buffer = (hlsl::SamplerIndexBufferKey { group: 0 }, target(views.into()));
    let heap = |register| hlsl::BindTarget { register, ..Default::default() };
    let is_drawing = stage.program.is_drawing;
    let options = hlsl::Options {
        shader_model,
        binding_map: bound.into_iter().map(|(binding, kind, number)| (binding, place(kind, number))).collect(),
        fake_missing_bindings: false,
        special_constants_binding: Some(target(constants.into())),
        zero_initialize_workgroup_memory: is_drawing,
        restrict_indexing: true,
        sampler_heap_target: hlsl::SamplerHeapBindTargets {
            standard_samplers: heap(0),
            comparison_samplers: heap(2048),
        },
        sampler_buffer_binding_map: (samplers > 0).then_some(sampler_buffer).into_iter().collect(),
        force_loop_bounding: is_drawing,
        ..Default::default()
    };
    let pipeline = hlsl::PipelineOptions { entry_point: Some((stage.stage, stage.entry.to_owned())) };
    let fragment = hlsl::FragmentEntryPoint::new(&stage.program.module, "fragment_main");
    let mut text = String::new();
    let written = hlsl::Writer::new(&mut text, &options, &pipeline).write(module, info, fragment.as_ref());
    let names = written.map_err(|error| error.to_string())?.entry_point_names;
    assert_eq!(names.len(), 1);
    names.into_iter().collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    Ok(text)
}

/// wgpu-hal's `create_pipeline_layout` and `load_shader` of `metal/device.rs`.
fn write_msl(
    stage: &Stage<'_>,
    module: &naga::Module,
    info: &ModuleInfo,
    lang_version: (u8, u8),
) -> Result<String, String> {
    let (bound, [buffers, ..]) = stage.numbered(|kind| match kind {
        Kind::Uniform | Kind::Read | Kind::Written => 0,
        Kind::Texture => 1,
        Kind::Sampler => 2,
    });
    let place = |kind, number| match kind {
        Kind::Texture => msl::BindTarget { texture: Some(number), ..Default::default() },
        Kind::Sampler => {
            msl::BindTarget { sampler: Some(msl::BindSamplerTarget::Resource(number)), ..Default::default() }
        }
        _ => msl::BindTarget { buffer: Some(number), mutable: kind == Kind::Written, ..Default::default() },
    };
    let resources = msl::EntryPointResources {
        resources: bound.into_iter().map(|(binding, kind, number)| (binding, place(kind, number))).collect(),
        immediates_buffer: None,
        sizes_buffer: Some(buffers),
    };
    let is_drawing = stage.program.is_drawing;
    let options = msl::Options {
        lang_version,
        per_entry_point_map: msl::EntryPointResourceMap::from([(stage.entry.to_owned(), resources)]),
        spirv_cross_compatibility: false,
        fake_missing_bindings: false,
        bounds_check_policies: BoundsCheckPolicies {
            index: BoundsCheckPolicy::Restrict,
            buffer: BoundsCheckPolicy::Restrict,
            image_load: BoundsCheckPolicy::Restrict,
            binding_array: BoundsCheckPolicy::Unchecked,
        },
        zero_initialize_workgroup_memory: is_drawing,
        force_loop_bounding: is_drawing,
        ..Default::default()
    };
    let pipeline = msl::PipelineOptions {
        entry_point: Some((stage.stage, stage.entry.to_owned())),
        allow_and_force_point_size: false,
        vertex_pulling_transform: true,
        ..Default::default()
    };
    let (text, translated) = msl::write_string(module, info, &options, &pipeline).map_err(|error| error.to_string())?;
    for name in translated.entry_point_names {
        name.map_err(|error| error.to_string())?;
    }
    Ok(text)
}

/// wgpu-hal's `create_pipeline_layout` and `create_shader` of `gles/device.rs`.
fn write_glsl(
    stage: &Stage<'_>,
    module: &naga::Module,
    info: &ModuleInfo,
    version: glsl::Version,
) -> Result<String, String> {
    let (bound, _) = stage.numbered(|kind| match kind {
        Kind::Uniform => 0,
        Kind::Read | Kind::Written => 1,
        Kind::Texture => 2,
        Kind::Sampler => 3,
    });
    let options = glsl::Options {
        version,
        writer_flags: glsl::WriterFlags::ADJUST_COORDINATE_SPACE | glsl::WriterFlags::FORCE_POINT_SIZE,
        binding_map: bound.into_iter().map(|(binding, _, number)| (binding, number)).collect(),
        zero_initialize_workgroup_memory: stage.program.is_drawing,
    };
    let pipeline =
        glsl::PipelineOptions { shader_stage: stage.stage, entry_point: stage.entry.to_owned(), multiview: None };
    let policies = BoundsCheckPolicies {
        index: BoundsCheckPolicy::Unchecked,
        buffer: BoundsCheckPolicy::Unchecked,
        image_load: match version {
            glsl::Version::Desktop(430..) => BoundsCheckPolicy::ReadZeroSkipWrite,
            _ => BoundsCheckPolicy::Unchecked,
        },
        binding_array: BoundsCheckPolicy::Unchecked,
    };
    let mut text = String::new();
    let mut writer =
        glsl::Writer::new(&mut text, module, info, &options, &pipeline, policies).map_err(|error| error.to_string())?;
    writer.write().map_err(|error| error.to_string())?;
    Ok(text)
}

/// Gives a stage's `override`s values and translates it to some dialects.
fn translate(
    stage: &Stage<'_>,
    constants: &PipelineConstants,
    dialects: &[Dialect],
) -> Result<Vec<Translation>, String> {
    let Program { name, module, info, .. } = stage.program;
    let (module, info) = process_overrides(module, info, Some((stage.stage, stage.entry)), constants)
        .map_err(|error| format!("{name}, {}, {constants:?}: {error}", stage.entry))?;
    let one = |dialect: &Dialect| {
        let written = dialect.write(stage, &module, &info);
        written.map_err(|error| format!("{name}, {}, {constants:?}, {dialect:?}: {error}", stage.entry))
    };
    dialects.iter().map(one).collect()
}

/// Values of `override`s that the built-in scenes set.
static OF_SCENES: LazyLock<Vec<Vec<(&'static str, u32)>>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let scenes = files.filter(|path| path.extension().is_some_and(|it| it == "toml"));
    let constants: BTreeSet<_> = scenes
        .map(|path| {
            let file = SceneFile::read(&path).unwrap();
            gpu::scene_constants(&Topology::build(&file.scene, &Options::default()).unwrap())
        })
        .collect();
    assert!(constants.len() > 5, "{constants:?}");
    constants.into_iter().collect()
});

/// Values of a program's `override`s, by name: none; those of each built-in scene; each value of each `override` beside the defaults, and beside the
/// least of the others.
fn variants(program: &Program) -> Vec<PipelineConstants> {
    let module = &program.module;
    let overrides: Vec<(&str, Vec<u32>)> = module
        .overrides
        .iter()
        .map(|(_, it)| {
            let name = it.name.as_deref().unwrap();
            let default = it.init.map(|init| &module.global_expressions[init]);
            let values = match default {
                Some(naga::Expression::Literal(naga::Literal::Bool(_))) => vec![0, 1],
                // A bit for each model.
                Some(naga::Expression::Literal(naga::Literal::U32(u32::MAX))) => {
                    (0..ElementModel::ALL.len().max(Law::ALL.len())).map(|bit| 1 << bit).chain([0]).collect()
                }
                // A number or a distance, whose default is the least.
                _ => (1..8).collect(),
            };
            (name, values)
        })
        .collect();
    let constants = |values: &[(&str, u32)]| -> PipelineConstants {
        values.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect()
    };
    let least: Vec<(&str, u32)> =
        overrides.iter().filter(|(_, values)| values.contains(&0)).map(|(name, _)| (*name, 0)).collect();
    let mut found = vec![constants(&[]), constants(&least)];
    for scene in &*OF_SCENES {
        let has = |(name, _): &&(&str, u32)| overrides.iter().any(|(known, _)| known == name);
        found.push(constants(&scene.iter().filter(has).copied().collect::<Vec<_>>()));
    }
    for (name, values) in &overrides {
        for &value in values {
            found.push(constants(&[(*name, value)]));
            let mut beside = constants(&least);
            beside.insert((*name).to_owned(), value.into());
            found.push(beside);
        }
    }
    let sorted = |values: &PipelineConstants| {
        let mut values: Vec<_> = values.iter().map(|(name, value)| (name.clone(), value.to_bits())).collect();
        values.sort_unstable();
        values
    };
    let mut seen = HashSet::new();
    found.retain(|values| seen.insert(sorted(values)));
    found
}

/// Every program: kernels in both launches, and drawings.
fn programs() -> Vec<Program> {
    let kernels = shader::kernel_names().flat_map(|name| Launch::ALL.map(|launch| (name, launch)));
    let drawings = shader::drawing_names().map(|name| (name, Launch::Hardware));
    kernels.chain(drawings).map(|(name, launch)| Program::of_file(name, launch)).collect()
}

/// Translates every program in every variant to these dialects on all cores, and hands on what results.
fn translate_all(dialects: &[Dialect], judge: impl Fn(&Stage<'_>, &Translation) -> Result<(), String> + Sync) {
    let programs = programs();
    let queue = Mutex::new(programs.iter().collect::<Vec<_>>());
    let problems = Mutex::new(Vec::new());
    let work = || {
        while let Some(program) = { queue.lock().unwrap().pop() } {
            for constants in variants(program) {
                for stage in program.stages() {
                    let result = translate(&stage, &constants, dialects)
                        .and_then(|written| written.iter().try_for_each(|written| judge(&stage, written)));
                    if let Err(problem) = result {
                        problems.lock().unwrap().push(problem);
                    }
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let problems = problems.into_inner().unwrap();
    assert!(problems.is_empty(), "{} refused:\n{}", problems.len(), problems[..problems.len().min(20)].join("\n"));
}

fn nothing_more(_: &Stage<'_>, written: &Translation) -> Result<(), String> {
    match written {
        Translation::Words(words) if words.len() > 20 => Ok(()),
        Translation::Text(text) if text.len() > 80 => Ok(()),
        _ => Err("next to nothing was written".to_owned()),
    }
}

#[test]
fn vulkan_gets_every_shader() {
    let judge = Judge::find();
    translate_all(&VULKAN, |stage, written| {
        nothing_more(stage, written)?;
        match (&judge, written) {
            (Some(judge), Translation::Words(words)) => {
                judge.check(words).map_err(|problem| format!("{}, {}: {problem}", stage.program.name, stage.entry))
            }
            _ => Ok(()),
        }
    });
}

#[test]
fn direct3d_gets_every_shader() {
    translate_all(&DIRECT3D, nothing_more);
}

#[test]
fn metal_gets_every_shader() {
    translate_all(&METAL, nothing_more);
}

#[test]
fn opengl_gets_every_shader() {
    translate_all(&OPENGL, nothing_more);
}

/// The program `spirv-val`, and what it has judged.
struct Judge {
    seen: Mutex<HashSet<Vec<u32>>>,
}

impl Judge {
    /// The judge, or a message that there is none.
    fn find() -> Option<Self> {
        let found = Command::new("spirv-val").arg("--version").stdout(Stdio::null()).status();
        if found.is_ok_and(|status| status.success()) {
            return Some(Self { seen: Mutex::default() });
        }
        println!("skipped: spirv-val is not installed, so nothing judges the SPIR-V");
        None
    }

    /// Checks SPIR-V by the rules of the oldest Vulkan that takes its version.
    fn check(&self, words: &[u32]) -> Result<(), String> {
        if !self.seen.lock().unwrap().insert(words.to_vec()) {
            return Ok(());
        }
        let target = match words[1] {
            0x1_0000 => "vulkan1.0",
            0x1_0300 => "vulkan1.1",
            _ => "vulkan1.3",
        };
        let mut child = Command::new("spirv-val")
            .args(["--target-env", target, "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        // The judge may end before it has read everything.
        let _ = child.stdin.take().unwrap().write_all(&bytes);
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        if output.status.success() {
            return Ok(());
        }
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Err(format!("{target}: {}", said.concat()))
    }
}

#[test]
fn damaged_spirv_is_refused() {
    let Some(judge) = Judge::find() else { return };
    let program = Program::of_file("bench/copy", Launch::Hardware);
    let stage = program.stages().next().unwrap();
    for dialect in VULKAN {
        let written = translate(&stage, &PipelineConstants::default(), &[dialect]).unwrap();
        let [Translation::Words(words)] = written.as_slice() else { panic!("no SPIR-V") };
        judge.check(words).unwrap();
        // The last word is OpFunctionEnd.
        let mut damaged = words.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(judge.check(&damaged).is_err(), "{dialect:?}");
        // A word of the middle: the result of some instruction gets another number, or its length changes.
        let mut damaged = words.clone();
        damaged[words.len() / 2] ^= 0x0070_0000;
        assert!(judge.check(&damaged).is_err(), "{dialect:?}");
    }
}

/// Each writer refuses something, and the problem names shader and dialect.
#[test]
fn every_writer_can_refuse() {
    let refused = |program: &Program, entry: &str, dialect: Dialect| {
        let stage = program.stages().find(|stage| stage.entry == entry).unwrap();
        let problem = translate(&stage, &PipelineConstants::default(), &[dialect]).err().unwrap();
        assert!(problem.contains(&program.name) && problem.contains(&format!("{dialect:?}")), "{problem}");
        problem
    };
    let primitive =
        "@fragment fn main(@builtin(primitive_index) ix: u32) -> @location(0) vec4<f32> { return vec4(f32(ix)); }";
    let primitive = Program::of_text(&format!("enable primitive_index;\n{primitive}"), Capabilities::PRIMITIVE_INDEX);
    assert!(refused(&primitive, "main", VULKAN[1]).contains("Geometry"));
    assert!(refused(&primitive, "main", METAL[0]).contains("primitive_id"));
    // What macOS 10.13 lacks.
    let cloth = Program::of_file("picture/cloth", Launch::Hardware);
    assert!(refused(&cloth, "vertex_main", Dialect::Msl(2, 0)).contains("invariant"));
    let view =
        "@vertex fn main(@builtin(view_index) ix: u32) -> @builtin(position) vec4<f32> { return vec4(f32(ix)); }";
    let view = Program::of_text(view, Capabilities::MULTIVIEW);
    assert!(refused(&view, "main", DIRECT3D[0]).contains("view_index"));
    // What pictures used to do.
    let text = shader::compose("picture/compose", Launch::Hardware).unwrap();
    let text = text
        .replace("var shadow: texture_2d<f32>", "var shadow: texture_depth_2d")
        .replace("textureGather(0, shadow", "textureGather(shadow")
        .replace("textureLoad(shadow, texel, 0)", "vec4(textureLoad(shadow, texel, 0))");
    let depth = Program::of_text(&text, Capabilities::empty());
    for dialect in OPENGL {
        assert!(refused(&depth, "fragment_main", dialect).contains("depth textures"));
    }
}

/// Variants contain the defaults, the values of scenes, and every value alone.
#[test]
fn overrides_take_the_values_of_scenes() {
    let program = Program::of_file("assembly/edges", Launch::Hardware);
    let found = variants(&program);
    assert!(found.iter().any(PipelineConstants::is_empty));
    let of_drape = gpu::scene_constants(
        &Topology::build(
            &SceneFile::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/drape.toml")).unwrap().scene,
            &Options::default(),
        )
        .unwrap(),
    );
    let laws = of_drape.iter().find(|(name, _)| *name == "EDGE_LAWS").unwrap().1;
    assert!(found.iter().any(|values| values.len() > 3 && values["EDGE_LAWS"] == f64::from(laws)));
    for (_, law) in program.module.overrides.iter() {
        let name = law.name.as_deref().unwrap();
        assert!(found.iter().any(|values| values.len() == 1 && values.contains_key(name)), "{name}");
    }
    let unknown = [("NO_SUCH_OVERRIDE".to_owned(), 1.0)].into_iter().collect();
    assert!(translate(&program.stages().next().unwrap(), &unknown, &VULKAN).is_err());
}
