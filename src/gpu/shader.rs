//! WGSL sources and their imports.
//!
//! A shader imports files with lines of the form `#import shared/params`. Each file is included once, before the first file
//! that imports it; WGSL requires no other order.
//!
//! A line that begins with `//test ` is a comment in the library and code in its unit tests. The tables of `forces/` contain toy models
//! in this way, so that a test can follow the recipe for adding one.

/// Every file below `shaders/`, by its path without the extension: `build.rs` lists them.
pub const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/shaders.rs"));

/// Names of the files that have an entry point: the kernels.
pub fn kernel_names() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().filter(|(_, source)| source.contains("@compute")).map(|(name, _)| *name)
}

/// Names of the files with a vertex stage: the drawings.
pub fn drawing_names() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().filter(|(_, source)| source.contains("@vertex")).map(|(name, _)| *name)
}

/// The mapping of rows to threads on a device: the file that `#import launch` stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Launch {
    /// Launch on a GPU: `launch/hardware`.
    Hardware,
    /// Launch on a driver that runs shaders on the CPU: `launch/software`.
    Software,
}

impl Launch {
    /// Both launches.
    pub const ALL: [Launch; 2] = [Launch::Hardware, Launch::Software];

    fn file(self) -> &'static str {
        match self {
            Launch::Hardware => "launch/hardware",
            Launch::Software => "launch/software",
        }
    }
}

/// The source of a kernel with all its imports.
pub fn compose(name: &str, launch: Launch) -> Result<String, String> {
    let mut text = String::new();
    take_in(name, launch, &mut Vec::new(), &mut text)?;
    Ok(text)
}

fn take_in(name: &str, launch: Launch, taken: &mut Vec<String>, text: &mut String) -> Result<(), String> {
    let name = if name == "launch" { launch.file() } else { name };
    if taken.iter().any(|known| known == name) {
        return Ok(());
    }
    taken.push(name.to_owned());
    let (_, source) =
        SOURCES.iter().find(|(known, _)| *known == name).ok_or_else(|| format!("there is no shader {name}"))?;
    let lines =
        || source.lines().map(|line| if cfg!(test) { line.strip_prefix("//test ").unwrap_or(line) } else { line });
    let import = |line: &str| line.trim().strip_prefix("#import ").map(|name| name.trim().to_owned());
    for wanted in lines().filter_map(import) {
        take_in(&wanted, launch, taken, text).map_err(|error| format!("{name}: {error}"))?;
    }
    for line in lines().filter(|line| import(line).is_none()) {
        text.push_str(line);
        text.push('\n');
    }
    Ok(())
}

/// Parses a composed kernel.
pub fn parse(name: &str, launch: Launch) -> Result<naga::Module, String> {
    let text = compose(name, launch)?;
    naga::front::wgsl::parse_str(&text).map_err(|error| format!("{name}: {}", error.emit_to_string(&text)))
}

/// Value of a `const` of a module.
pub fn constant(module: &naga::Module, name: &str) -> Option<u32> {
    let (_, constant) = module.constants.iter().find(|(_, constant)| constant.name.as_deref() == Some(name))?;
    match module.global_expressions[constant.init] {
        naga::Expression::Literal(naga::Literal::U32(value)) => Some(value),
        _ => None,
    }
}
