//! Every composed shader validates, and Rust and WGSL agree on every shared struct. Needs no GPU.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use tenter::internals::{
    gpu::{
        layout,
        shader::{self, Launch},
    },
    topology::{EdgeMemory, Law},
};

fn validate(module: &naga::Module) -> Result<(), String> {
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(module)
        .map(|_| ())
        .map_err(|error| format!("{error:?}"))
}

#[test]
fn every_kernel_validates() {
    let names: Vec<_> = shader::kernel_names().collect();
    assert!(names.len() >= 11, "only {names:?}");
    for (name, launch) in names.iter().flat_map(|name| Launch::ALL.map(|launch| (name, launch))) {
        let module = shader::parse(name, launch).unwrap();
        validate(&module).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(module.entry_points.len(), 1, "{name}");
        assert_eq!(module.entry_points[0].name, "main", "{name}");
    }
}

/// What the compiled kernels rely on: they have no counters of wgpu's in their loops.
#[test]
fn loops_come_to_an_end() {
    let mut loops = 0;
    for (name, source) in shader::SOURCES {
        let code: String = source.lines().map(|line| line.split("//").next().unwrap().to_owned() + "\n").collect();
        assert!(!code.contains("while ") && !code.contains("loop {"), "{name}: only loops that count, for (…), please");
        for (at, _) in code.match_indices("for (") {
            loops += 1;
            let (head, rest) = code[at..].split_once(" {\n").unwrap();
            let counts = counts_up(head).unwrap_or_else(|| panic!("{name}: does not count up: {head}"));
            let body = &rest[..end_of_block(rest).unwrap()];
            let meddles = |line: &str| {
                let changed = line.trim().strip_prefix(counts).map(str::trim_start);
                changed.is_some_and(|rest| {
                    ["= ", "-= ", "+= ", "*= ", "/= ", "--", "++"].iter().any(|op| rest.starts_with(op))
                })
            };
            assert!(!body.lines().any(meddles), "{name}: {counts} is changed inside its loop");
        }
    }
    assert!(loops > 40, "only {loops} found");
    assert!(counts_up("for (var i = 9u; i < n; i -= 1u)").is_none());
    assert!(counts_up("for (var i = 0u; i < n; i += 0u)").is_none());
    assert!(counts_up("for (var i = 0u; true; i += 1u)").is_none());
}

/// The variable that a loop counts with, if it does: up to an end, in steps that are not nothing.
fn counts_up(head: &str) -> Option<&str> {
    let mut parts = head.strip_prefix("for (var ")?.strip_suffix(')')?.split("; ");
    let (start, condition, step) = (parts.next()?, parts.next()?, parts.next()?);
    let variable = start.split_once(" = ")?.0;
    let tested = condition.strip_prefix(variable)?;
    let stepped = step.strip_prefix(variable)?;
    let compares = tested.starts_with(" < ") || tested.starts_with(" <= ");
    let moves = stepped == "++" || stepped.starts_with(" += ") && !stepped.starts_with(" += 0");
    (compares && moves && parts.next().is_none()).then_some(variable)
}

/// Where the block ends whose opening brace has just been read.
fn end_of_block(text: &str) -> Option<usize> {
    let mut depth = 1;
    text.char_indices().find_map(|(at, letter)| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        (depth == 0).then_some(at)
    })
}

#[test]
fn every_drawing_validates() {
    let names: Vec<_> = shader::drawing_names().collect();
    assert!(names.len() >= 5, "only {names:?}");
    for name in names {
        let module = shader::parse(name, Launch::Hardware).unwrap();
        validate(&module).unwrap_or_else(|error| panic!("{name}: {error}"));
        let entries: Vec<_> = module.entry_points.iter().map(|entry| (entry.stage, entry.name.as_str())).collect();
        assert_eq!(entries[0], (naga::ShaderStage::Vertex, "vertex_main"), "{name}");
        assert!(entries[1..].iter().all(|entry| *entry == (naga::ShaderStage::Fragment, "fragment_main")), "{name}");
        // Within what every adapter has: everything is bound for both stages.
        let storage =
            module.global_variables.iter().filter(|(_, it)| matches!(it.space, naga::AddressSpace::Storage { .. }));
        assert!(storage.count() <= 8, "{name}");
        assert!(module.global_variables.iter().filter_map(|(_, it)| it.binding).all(|it| it.group == 0), "{name}");
    }
}

#[test]
fn the_element_models_validate_and_are_numbered_alike() {
    use tenter::internals::topology::ElementModel;
    // The table has no entry point of its own.
    let module = shader::parse("forces/element", Launch::Hardware).unwrap();
    validate(&module).unwrap();
    let numbers = module.constants.iter().filter(|(_, it)| it.name.as_ref().is_some_and(|it| it.starts_with("MODEL_")));
    assert_eq!(numbers.count(), ElementModel::ALL.len());
    let text = shader::compose("forces/element", Launch::Hardware).unwrap();
    for &model in ElementModel::ALL {
        // ShearPrinted is MODEL_SHEAR_PRINTED.
        let name = format!("{model:?}").chars().fold("MODEL".to_owned(), |name, letter| {
            format!("{name}{}{}", if letter.is_uppercase() { "_" } else { "" }, letter.to_ascii_uppercase())
        });
        assert_eq!(shader::constant(&module, &name), Some(model as u32), "{name}");
        assert!(
            text.contains(&format!("case {name}: {{ if has_model({name}) {{ row = ")),
            "{name} is not in the table"
        );
    }
    let broken = text.replace("row.force", "row.force.x");
    assert!(naga::front::wgsl::parse_str(&broken).map_or(true, |module| validate(&module).is_err()));
}

#[test]
fn a_broken_shader_does_not_validate() {
    let text = shader::compose("bench/copy", Launch::Hardware).unwrap();
    let broken = text.replace("destination[ix] = source[ix]", "source[ix] = destination[ix]");
    assert_ne!(text, broken);
    let refused = naga::front::wgsl::parse_str(&broken).map_or(true, |module| validate(&module).is_err());
    assert!(refused);
}

#[test]
fn the_software_launch_has_no_barriers() {
    // What makes it fast there. The single-workgroup solve cannot do without, nor can a rigid body, which is one workgroup, nor the coarse level, whose aggregates are
    // one workgroup each.
    let needs_barriers = |name: &str| ["solve/single", "solve/rigid"].contains(&name) || name.starts_with("coarse/");
    for name in shader::kernel_names().filter(|name| !needs_barriers(name)) {
        let text = shader::compose(name, Launch::Software).unwrap();
        assert!(!text.contains("workgroupBarrier") && !text.contains("workgroupUniformLoad"), "{name}");
    }
    assert!(shader::compose("solve/spmv", Launch::Hardware).unwrap().contains("workgroupBarrier"));
}

#[test]
fn kernels_keep_to_the_conventions() {
    for name in shader::kernel_names() {
        let module = shader::parse(name, Launch::Hardware).unwrap();
        let mut storage = 0;
        for (_, variable) in module.global_variables.iter() {
            let Some(binding) = &variable.binding else { continue };
            assert_eq!(binding.group, 0, "{name}");
            match (variable.name.as_deref(), binding.binding) {
                (Some("params"), binding) => assert_eq!(binding, 0, "{name}"),
                (Some("status"), binding) => assert_eq!(binding, 1, "{name}"),
                _ => {}
            }
            storage += u32::from(matches!(variable.space, naga::AddressSpace::Storage { .. }));
        }
        assert!(storage <= 8, "{name} binds {storage} storage buffers");
        let size = shader::constant(&module, "WORKGROUP_SIZE").unwrap();
        assert_eq!(module.entry_points[0].workgroup_size, [size, 1, 1], "{name}");
    }
}

#[test]
fn the_workgroup_size_stands_in_one_place() {
    let with_number =
        |source: &str| source.contains("@workgroup_size(") && !source.contains("@workgroup_size(WORKGROUP_SIZE)");
    for (name, source) in shader::SOURCES {
        assert!(!with_number(source), "{name} states a workgroup size of its own");
    }
}

/// A struct of a module as (field, offset) and its size.
fn layout_of(module: &naga::Module, name: &str) -> Option<(Vec<(String, usize)>, usize)> {
    module.types.iter().find_map(|(_, ty)| match &ty.inner {
        naga::TypeInner::Struct { members, span } if ty.name.as_deref() == Some(name) => {
            let field = |member: &naga::StructMember| (member.name.clone().unwrap_or_default(), member.offset as usize);
            Some((members.iter().map(field).collect(), *span as usize))
        }
        _ => None,
    })
}

fn compare(name: &str, offsets: &[(&str, usize)], size: usize) -> Result<(), String> {
    let mut seen = 0;
    for kernel in shader::kernel_names() {
        let Some((fields, span)) = layout_of(&shader::parse(kernel, Launch::Hardware).unwrap(), name) else { continue };
        seen += 1;
        let ours: Vec<_> = offsets.iter().map(|(field, offset)| (field.to_string(), *offset)).collect();
        if fields != ours || span != size {
            return Err(format!("{name} in {kernel}: {fields:?}, {span} bytes; in Rust {ours:?}, {size} bytes"));
        }
    }
    if seen == 0 { Err(format!("no kernel has {name}")) } else { Ok(()) }
}

#[test]
fn layouts_agree() {
    macro_rules! check {
        ($($name:ident),*) => { $(compare(stringify!($name), layout::$name::OFFSETS, size_of::<layout::$name>()).unwrap();)* };
    }
    check!(
        Params,
        Chunk,
        CoarseRow,
        Panel,
        CgState,
        SearchState,
        SearchRow,
        Contact,
        Rigid,
        RigidContact,
        SkinPoint,
        Status,
        Scheme,
        RungeKuttaStage,
        SymmetricBlock,
        Constraint,
        EdgeSlot,
        EdgeMaterial,
        Element,
        ElementMaterial,
        Load,
        Direction,
        Previous,
        Measure,
        Record,
        SurfaceLayout,
        Refit,
        SearchPart,
        Bounds,
        SurfacePair,
        Strut
    );
    macro_rules! check_picture {
        ($($name:ident),*) => { $({
            use layout::picture::$name;
            compare(stringify!($name), $name::OFFSETS, size_of::<$name>()).unwrap();
        })* };
    }
    check_picture!(View, Frame, Map, Block, Survey, Finish);
    compare("Eye", layout::view::Eye::OFFSETS, size_of::<layout::view::Eye>()).unwrap();
    compare("Ray", layout::view::Ray::OFFSETS, size_of::<layout::view::Ray>()).unwrap();
    let (fields, _) = layout_of(&shader::parse("solve/spmv", Launch::Hardware).unwrap(), "Partials").unwrap();
    assert_eq!(fields[1], ("sums".to_owned(), layout::PARTIALS_HEADER as usize));
}

#[test]
fn a_wrong_layout_is_noticed() {
    let mut offsets = layout::Params::OFFSETS.to_vec();
    offsets[2].1 += 4;
    assert!(compare("Params", &offsets, size_of::<layout::Params>()).is_err());
    assert!(compare("Params", layout::Params::OFFSETS, 1).is_err());
    assert!(compare("NoSuchStruct", &[], 0).is_err());
}

#[test]
fn constants_agree() {
    let coarse = shader::parse("coarse/pivot", Launch::Hardware).unwrap();
    let rows = tenter::internals::topology::aggregates::PANEL_ROWS as u32;
    assert_eq!(shader::constant(&coarse, "PANEL_ROWS"), Some(rows));
    let module = shader::parse("assembly/edges", Launch::Hardware).unwrap();
    let expected = [
        ("SLICE_ROWS", tenter::internals::topology::SLICE_ROWS as u32),
        ("MAX_MATERIALS", tenter::internals::topology::MAX_MATERIALS as u32),
        ("FLAG_CLAMP", layout::flag::CLAMP),
        ("FLAG_SCALAR_JACOBI", layout::flag::SCALAR_JACOBI),
        ("FLAG_MEASURE", layout::flag::MEASURE),
        ("FLAG_NO_PREDICTOR", layout::flag::NO_PREDICTOR),
        ("OUTCOME_LIMIT", layout::outcome::LIMIT),
        ("OUTCOME_CONVERGED", layout::outcome::CONVERGED),
        ("OUTCOME_INDEFINITE", layout::outcome::INDEFINITE),
        ("OUTCOME_NON_FINITE", layout::outcome::NON_FINITE),
        ("FAILED_SOLVE", layout::failed::SOLVE),
        ("FAILED_STATE", layout::failed::STATE),
        ("FAILED_RUNAWAY", layout::failed::RUNAWAY),
        ("LAW_LINEAR", Law::Linear as u32),
        ("LAW_NONE", Law::None as u32),
        ("LAW_TENSION_ONLY", Law::TensionOnly as u32),
        ("LAW_CUBIC", Law::Cubic as u32),
        ("LAW_CUBIC_ABSOLUTE", Law::CubicAbsolute as u32),
        ("LAW_BUCKLING", Law::Buckling as u32),
        ("MEMORY_NONE", EdgeMemory::None as u32),
        ("MEMORY_PLASTIC", EdgeMemory::Plastic as u32),
        ("MEMORY_SERIES", EdgeMemory::Series as u32),
    ];
    for (name, value) in expected {
        assert_eq!(shader::constant(&module, name), Some(value), "{name}");
    }
    let laws = module.constants.iter().filter(|(_, known)| known.name.as_ref().is_some_and(|n| n.starts_with("LAW_")));
    assert_eq!(laws.count(), Law::ALL.len());
    for (launch, size) in [(Launch::Hardware, 64), (Launch::Software, 16)] {
        let module = shader::parse("solve/spmv", launch).unwrap();
        assert_eq!(shader::constant(&module, "WORKGROUP_SIZE"), Some(size));
    }
    let module = shader::parse("picture/settle", Launch::Hardware).unwrap();
    assert_eq!(shader::constant(&module, "GROUND_STUDIO"), Some(layout::picture::ground::STUDIO));
    assert_eq!(shader::constant(&module, "GROUND_LEVEL"), Some(layout::picture::ground::LEVEL));
    assert_eq!(shader::constant(&module, "GROUND_UNDER"), Some(layout::picture::ground::UNDER));
    let module = shader::parse("integrate/begin", Launch::Hardware).unwrap();
    assert_eq!(shader::constant(&module, "UNCONSTRAINED"), Some(layout::UNCONSTRAINED));
}

#[test]
fn imports_are_taken_in_once_and_missing_ones_named() {
    let text = shader::compose("solve/single", Launch::Hardware).unwrap();
    assert_eq!(text.matches("struct SymmetricBlock").count(), 1);
    assert_eq!(text.matches("var<uniform> params").count(), 1);
    assert!(!text.lines().any(|line| line.starts_with("#import")));
    assert!(shader::compose("solve/nothing", Launch::Hardware).unwrap_err().contains("solve/nothing"));
}

/// Words that some statements load from or store to storage buffers, once through; calls included, loops apart.
#[derive(Debug, Default, PartialEq)]
struct Words {
    straight: u64,
    /// Of each loop, in order.
    loops: Vec<u64>,
}

fn count(module: &naga::Module, info: &naga::valid::ModuleInfo, function: &naga::Function, name: &str) -> Words {
    let handle =
        module.functions.iter().find(|(_, known)| known.name.as_deref() == Some(name)).map(|(handle, _)| handle);
    let mut words = Words::default();
    let types = |expression: naga::Handle<naga::Expression>| match handle {
        Some(handle) => info[handle][expression].ty.clone(),
        None => info.get_entry_point(0)[expression].ty.clone(),
    };
    let in_storage = |mut pointer: naga::Handle<naga::Expression>| loop {
        match function.expressions[pointer] {
            naga::Expression::Access { base, .. } | naga::Expression::AccessIndex { base, .. } => pointer = base,
            naga::Expression::GlobalVariable(variable) => {
                let space = module.global_variables[variable].space;
                return matches!(space, naga::AddressSpace::Storage { .. });
            }
            _ => return false,
        }
    };
    let size = |resolution: &naga::proc::TypeResolution| {
        u64::from(resolution.inner_with(&module.types).size(module.to_ctx())) / 4
    };
    let mut blocks = vec![(&function.body, 0usize)];
    let mut loops = 0;
    while let Some((block, level)) = blocks.pop() {
        for statement in block.iter() {
            let mut add = |amount: u64| match level {
                0 => words.straight += amount,
                level => words.loops[level - 1] += amount,
            };
            match statement {
                naga::Statement::Emit(range) => {
                    for expression in range.clone() {
                        if let naga::Expression::Load { pointer } = function.expressions[expression]
                            && in_storage(pointer)
                        {
                            add(size(&types(expression)));
                        }
                    }
                }
                naga::Statement::Store { pointer, value } if in_storage(*pointer) => add(size(&types(*value))),
                naga::Statement::Call { function: called, .. } => {
                    let called = &module.functions[*called];
                    let inner = count(module, info, called, called.name.as_deref().unwrap_or_default());
                    add(inner.straight);
                }
                naga::Statement::Block(inner) => blocks.push((inner, level)),
                naga::Statement::If { accept, reject, .. } => blocks.extend([(accept, level), (reject, level)]),
                naga::Statement::Loop { body, continuing, .. } => {
                    loops += 1;
                    words.loops.push(0);
                    blocks.extend([(body, loops), (continuing, loops)]);
                }
                _ => {}
            }
        }
    }
    words
}

fn words_of(kernel: &str, function: &str) -> Words {
    let module = shader::parse(kernel, Launch::Hardware).unwrap();
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module).unwrap();
    let (_, found) = module.functions.iter().find(|(_, known)| known.name.as_deref() == Some(function)).unwrap();
    count(&module, &info, found, function)
}

fn words_of_main(kernel: &str) -> Words {
    let module = shader::parse(kernel, Launch::Hardware).unwrap();
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module).unwrap();
    count(&module, &info, &module.entry_points[0].function, "")
}

#[test]
fn kernels_load_no_more_words_than_stated() {
    use tenter::internals::gpu::traffic;
    // A row of the matrix: two slice offsets, then per neighbour 9 words.
    let row = words_of("solve/spmv", "matrix_row");
    assert_eq!(row, Words { straight: 2 + traffic::SPMV_FULL_ROW_WORDS, loops: vec![traffic::SPMV_SLOT_WORDS] });
    let full = words_of("solve/spmv", "full_row");
    assert_eq!(full, Words { straight: traffic::SPMV_FULL_ROW_WORDS, loops: vec![traffic::SPMV_FULL_WORDS] });
    const { assert!(traffic::SPMV_SLOT_WORDS <= 9) };
    // The kernel around it: own vector, residual, product.
    for (kernel, row) in [("solve/spmv", 2 + traffic::SPMV_FULL_ROW_WORDS), ("solve/spmv_scalars", 2)] {
        assert_eq!(words_of(kernel, "row_product").straight, row);
        assert_eq!(words_of(kernel, "multiply").loops, [traffic::SPMV_ROW_WORDS - 2 + row]);
    }
    let scalar = words_of("solve/spmv_scalars", "scalar_row");
    assert_eq!(scalar, Words { straight: 2, loops: vec![traffic::SPMV_SCALAR_WORDS] });
    const { assert!(traffic::SPMV_SCALAR_WORDS <= 6) };
    // An update: everything but the product, which its caller loads, and u, which it stores. Both branches count: where
    // corrections follow u is loaded too.
    assert_eq!(
        words_of("solve/update", "update_row").straight,
        traffic::UPDATE_ROW_WORDS - 8 + traffic::CORRECTED_ROW_WORDS
    );
    // The coarse level, constrained rows included.
    for (kernel, row) in
        [("coarse/restrict", traffic::RESTRICT_ROW_WORDS), ("coarse/prolong", traffic::PROLONG_ROW_WORDS)]
    {
        assert_eq!(words_of_main(kernel).loops, [row + traffic::FREE_DIRECTIONS_WORDS], "{kernel}");
    }
    assert_eq!(
        words_of("coarse/prolong", "coefficient"),
        Words { straight: 0, loops: vec![traffic::COARSE_MATRIX_WORDS] }
    );
}
