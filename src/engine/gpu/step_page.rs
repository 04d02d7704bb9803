//! `docs/step.md`: the order of a step for every integrator as it is encoded, and the buffers that each kernel reads and writes according to the shader compiler.
//!
//! The page is made by `TENTER_WRITE_PAGES=1 cargo test --lib step_page`; without the variable the test compares.

use super::{GpuEngine, rounds::Round};
use crate::{
    Adaptive, Air, BodyContact, Collider, Gpu, GpuOptions, Integrator, Memory, NewtonOptions, Nonlinear, Options,
    Plasticity, Preconditioner, Scene, SolverOptions, Variant, Vertices,
    gpu::{
        Timeline,
        shader::{self, Launch},
        wait,
    },
    test_scenes::every_model,
    topology::{Contacts, Topology},
};
use std::{collections::BTreeSet, fmt::Write, path::Path, sync::Arc, time::Duration};

const HEAD: &str = "\
# The order of a step

The kernels of a step, in the order in which they are dispatched: first for each kind of integrator, then what each kernel reads and writes. The code is `src/engine/gpu/step.rs`; this
page is made from what it encodes for a scene that has everything: springs that remember, elements of every model, ties, rigid bodies, contacts, bodies that meet, air, point loads, a coarse level, measures, adaptive steps.
A scene without some of these leaves out their kernels. Conjugate gradient iterations, contact passes, panels of the coarse matrix, rounds of a safe step and rounds of the guard are repeated as often as needed; here each is shown once.

";

/// A scene in which every kernel has something to do.
fn everything(integrator: Integrator) -> Scene {
    let mut scene = every_model(3);
    scene.air = Some(Air { wind: glam::Vec3::X, drag: 0.1, resistance: 0.1, ..Default::default() });
    let plasticity = Plasticity { yield_strain: 0.1, maximum: 0.5, creep: 1.0 };
    scene.bodies[0].material.structural.memory = Some(Memory::Plastic(plasticity));
    let first = crate::BodyId(0);
    scene.push(first, Vertices::list([0]), glam::Vec3::Y);
    scene.tie((first, Vertices::list([1])), (crate::BodyId(1), Vertices::list([1])));
    scene.contact = Some(BodyContact::default());
    let rigid =
        matches!(integrator, Integrator::ImplicitEuler | Integrator::Bdf2 | Integrator::ImexEuler | Integrator::Sbdf2);
    let ball = Collider::sphere([0.0, -5.0, 0.0], 0.1);
    scene.add_collider(if rigid { ball.dynamic(1.0) } else { ball });
    scene
}

/// Kernels of one step, each repeated as little as possible.
fn kernels(integrator: Integrator, nonlinear: Nonlinear) -> Vec<&'static str> {
    let scene = everything(integrator);
    let options = Options {
        integrator,
        nonlinear,
        measure: true,
        contact_passes: 1,
        adaptive: Some(Adaptive::default()),
        solver: SolverOptions {
            max_iterations: 1,
            variant: Variant::Many { workgroups: 1 },
            preconditioner: Preconditioner::TwoLevel,
            ..Default::default()
        },
        ..Default::default()
    };
    let gpu = Gpu::with_options(GpuOptions { launch: Some(Launch::Hardware), ..Default::default() }).unwrap();
    let topology = Arc::new(Topology::build(&scene, &options).unwrap());
    let mut engine = wait::drive(Duration::from_secs(60), GpuEngine::new(&gpu, topology, &scene, &options)).unwrap();
    // One contact, on the first particle that is free.
    let contact = crate::topology::Constraint {
        row: 0,
        target: glam::DVec3::ZERO,
        free: glam::DMat3::IDENTITY,
        forget: glam::DVec3::ZERO,
    };
    engine
        .set_contacts(&Contacts {
            constraints: vec![contact],
            contacts: vec![Default::default()],
            ..Default::default()
        })
        .unwrap();
    let mut timeline = Timeline::count();
    match &engine.stages.search {
        Some(search) => {
            engine.encode_first(&mut timeline, search, true);
            let round = Round { iterations: 1, later_solves: 0, later_iterations: 0 };
            engine.encode_rounds(&mut timeline, search, &[round], true);
            engine.encode_end(&mut timeline, true);
        }
        None => engine.encode(&mut timeline, true),
    }
    without_repeats(timeline.listed)
}

/// Kernels with each panel of the coarse matrix but the first left out.
fn without_repeats(names: Vec<&'static str>) -> Vec<&'static str> {
    let mut kept: Vec<&'static str> = Vec::new();
    for name in names {
        kept.push(name);
        if let [.., a, b, c, d] = kept[..]
            && (a, b) == (c, d)
        {
            kept.truncate(kept.len() - 2);
        }
    }
    kept
}

/// Storage buffers that a kernel reads and writes, according to the shader compiler.
fn uses(name: &'static str) -> [Vec<String>; 2] {
    let module = shader::parse(name, Launch::Hardware).unwrap();
    let flags = naga::valid::ValidationFlags::all();
    let info = naga::valid::Validator::new(flags, naga::valid::Capabilities::all()).validate(&module).unwrap();
    let entry = info.get_entry_point(0);
    let mut uses = [naga::valid::GlobalUse::READ, naga::valid::GlobalUse::WRITE].map(|wanted| {
        let variables = module
            .global_variables
            .iter()
            .filter(|(handle, variable)| variable.binding.is_some() && entry[*handle].contains(wanted));
        variables.filter_map(|(_, variable)| variable.name.clone()).collect::<Vec<_>>()
    });
    uses.iter_mut().for_each(|names| names.sort());
    uses
}

/// Buffers that the head of a shader says it writes: the names after "Writes", up to the end of the sentence.
fn writes_by_its_head(name: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("shaders/{name}.wgsl"));
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().take_while(|line| line.starts_with("//"));
    let head = lines.map(|line| line.trim_start_matches('/').trim()).collect::<Vec<_>>().join(" ");
    let writes = head.rsplit_once("Writes ").map_or("", |(_, writes)| writes);
    // Remarks in brackets are not names.
    let mut depth = 0;
    let plain: String = writes
        .chars()
        .filter(|character| {
            depth += i32::from(*character == '(') - i32::from(*character == ')');
            depth == 0 && *character != ')'
        })
        .collect();
    let sentence = plain.split(['.', ';']).next().unwrap_or_default();
    let words = sentence.split(|character: char| !(character.is_alphanumeric() || character == '_'));
    words.filter(|word| !word.is_empty() && *word != "and").map(str::to_owned).collect()
}

fn page() -> String {
    let once = || Nonlinear::OneLinearisation;
    let newton = Nonlinear::Newton(NewtonOptions { max_linearisations: 2, ..Default::default() });
    let rows: Vec<(&str, Integrator, Nonlinear)> = vec![
        ("Implicit Euler, BDF2: the safe step", Integrator::Bdf2, Nonlinear::default()),
        ("Implicit midpoint: the safe step", Integrator::ImplicitMidpoint, Nonlinear::default()),
        ("The θ-scheme: the safe step", Integrator::Theta(0.5), Nonlinear::default()),
        ("Implicit Euler, BDF2: one linearisation", Integrator::Bdf2, once()),
        ("Implicit Euler, BDF2: Newton's method, two linearisations", Integrator::Bdf2, newton),
        ("IMEX Euler, SBDF2", Integrator::Sbdf2, Nonlinear::default()),
        ("IMEX midpoint", Integrator::ImexMidpoint, Nonlinear::default()),
        ("Verlet, leap-frog, Beeman and their like", Integrator::VelocityVerlet, once()),
        ("Runge–Kutta methods, here Heun's", Integrator::Heun, once()),
    ];
    let (mut page, mut all) = (HEAD.to_owned(), BTreeSet::new());
    for (title, integrator, nonlinear) in rows {
        let kernels = kernels(integrator, nonlinear);
        let names: Vec<String> = kernels.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(page, "## {title}\n\n{}\n", names.join(" → "));
        all.extend(kernels);
    }
    page += "## What each kernel reads and writes\n\n| kernel | reads | writes |\n|---|---|---|\n";
    for name in all {
        let [reads, writes] = uses(name);
        let _ = writeln!(page, "| `{name}` | {} | {} |", reads.join(", "), writes.join(", "));
    }
    page
}

#[test]
fn heads_of_shaders_say_what_they_write() {
    let mut wrong = Vec::new();
    for name in shader::kernel_names() {
        let [_, writes] = uses(name);
        let writes: BTreeSet<String> = writes.into_iter().collect();
        let said = writes_by_its_head(name);
        if said != writes {
            wrong.push(format!("{name}: writes {writes:?}, its head says {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_page_says_what_is_encoded() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/step.md");
    let page = page();
    if std::env::var_os("TENTER_WRITE_PAGES").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(page == written, "docs/step.md is not what is encoded: TENTER_WRITE_PAGES=1 cargo test --lib step_page");
}
