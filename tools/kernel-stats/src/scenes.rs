//! Kernels as benchmark scenes specialise them.

use std::collections::HashSet;
use tenter::internals::{
    bench::workload::{Workload, all, fixed_iterations},
    gpu::shader::{self, Launch},
};
use tenter::{Body, Material, Mesh, Options, Preconditioner, Scene, SolverOptions};

/// A kernel with the values of its overrides in a scene.
pub struct Variant {
    /// Name of the kernel, such as `solve/spmv`.
    pub kernel: &'static str,
    /// First scene with these values; empty for a kernel without overrides.
    pub scene: String,
    /// Composed source.
    pub text: String,
    /// Values of the overrides that the kernel has.
    pub constants: Vec<(&'static str, u32)>,
}

/// Benchmark scenes with every element model and with edge laws, memory, ties to integrators and a rigid body.
const SCENES: [&str; 16] = [
    "w1-32",
    "force-buckling",
    "force-viscoelastic",
    "force-area",
    "force-shell",
    "force-membrane",
    "force-weave",
    "force-weave-printed",
    "bend-linear",
    "bend-curved",
    "bend-curved-printed",
    "bend-dihedral",
    "solid-teschner",
    "solid-neo-hookean",
    "ball-cubic",
    "step-imex-euler",
];

/// A cloth of the preset `cotton`: a membrane with bending by the angle between triangles.
fn cotton() -> Workload {
    let mut scene = Scene::new();
    scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 16, 16), Material::cotton()));
    Workload {
        name: "cotton".to_owned(),
        about: "membrane with dihedral bending",
        scene,
        options: fixed_iterations(20),
        large: false,
    }
}

/// Every kernel in every specialisation that occurs in the scenes, in the order of the kernels.
pub fn variants() -> Result<Vec<Variant>, String> {
    let known = all();
    let mut workloads = vec![cotton()];
    for name in SCENES {
        let found = known.iter().find(|workload| workload.name == name);
        workloads.push(found.ok_or_else(|| format!("there is no workload {name}"))?.clone());
    }
    let mut scenes = Vec::new();
    for Workload { name, scene, options, .. } in workloads {
        let of = |options: &Options, forces_only| {
            tenter::internals::gpu::pipeline_constants(&scene, options, forces_only)
                .map_err(|error| format!("{name}: {error}"))
        };
        let solver = SolverOptions { preconditioner: Preconditioner::TwoLevel, ..options.solver.clone() };
        let two_level = of(&Options { solver, ..options.clone() }, false)?;
        let (matrix, forces) = (of(&options, false)?, of(&options, true)?);
        scenes.push((name, matrix, forces, two_level));
    }
    let mut variants = Vec::new();
    for kernel in shader::kernel_names() {
        let text = shader::compose(kernel, Launch::Hardware)?;
        // These kernels run with forces alone; the others are compiled for scenes with a matrix.
        let forces_only = ["assembly/forces", "assembly/element_forces"].contains(&kernel);
        // Only scenes with a coarse level have its kernels.
        let is_coarse = kernel.starts_with("coarse/");
        let mut seen = HashSet::new();
        for (name, matrix, forces, two_level) in &scenes {
            let constants = match (forces_only, is_coarse) {
                (true, _) => forces,
                (_, true) => two_level,
                _ => matrix,
            };
            if is_coarse && constants.contains(&("COARSE_FUNCTIONS", 0)) {
                continue;
            }
            let without_elements = constants.contains(&("ELEMENT_MODELS", 0));
            if without_elements && kernel.contains("element") {
                continue;
            }
            let has = |constant: &&(&'static str, u32)| text.contains(&format!("override {}:", constant.0));
            let constants: Vec<_> = constants.iter().filter(has).copied().collect();
            let scene = if constants.is_empty() { String::new() } else { name.clone() };
            if seen.insert(constants.clone()) {
                if text.contains("override FOURTH_FUNCTION:") && constants.contains(&("COARSE_FUNCTIONS", 4)) {
                    let constants = [constants.as_slice(), &[("FOURTH_FUNCTION", 1)]].concat();
                    let scene = format!("{name}, fourth function");
                    variants.push(Variant { kernel, scene, text: text.clone(), constants });
                }
                variants.push(Variant { kernel, scene, text: text.clone(), constants });
            }
        }
    }
    Ok(variants)
}
