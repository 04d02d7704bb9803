//! The WGSL of every element model against its twin, one thread per response, on random and on degenerate states.

use crate::element_cases::*;
use glam::{DMat3, DVec3};
use std::sync::OnceLock;
use tenter::{
    Gpu,
    internals::{
        gpu::{layout, shader},
        reference::forces::{
            dihedral::DihedralRest,
            element::{ElementRow, element_strain},
        },
        topology::ElementModel,
    },
    wgpu,
};

/// A kernel around the table: response, energy and strain of each query.
const ENTRY: &str = "
struct Query {
    material: ElementMaterial,
    element: Element,
    x: array<vec4<f32>, 4>,
    v: array<vec4<f32>, 4>,
    normals: array<vec4<f32>, 4>,
    own: vec4<u32>,
}
struct Answer {
    // Force, energy.
    force: vec4<f32>,
    // Columns of the blocks of stiffness, then of damping; w of the first: strain.
    blocks: array<vec4<f32>, 24>,
}
@group(0) @binding(1) var<storage, read> queries: array<Query>;
@group(0) @binding(2) var<storage, read_write> answers: array<Answer>;

fn put(ix: u32, at: u32, block: mat3x3<f32>) {
    answers[ix].blocks[at] = vec4(block[0], 0.0);
    answers[ix].blocks[at + 1u] = vec4(block[1], 0.0);
    answers[ix].blocks[at + 2u] = vec4(block[2], 0.0);
}

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&queries) {
        return;
    }
    let query = queries[id.x];
    var state: ElementState;
    for (var k = 0u; k < 4u; k += 1u) {
        state.x[k] = queries[id.x].x[k].xyz;
        state.v[k] = queries[id.x].v[k].xyz;
        state.normals[k] = queries[id.x].normals[k].xyz;
    }
    for (var kind = 0u; kind < 2u; kind += 1u) {
        let weights = RowWeights(1.0 - f32(kind), f32(kind), 0.0);
        let row = element_row(query.material, query.element, state, query.own.x, weights);
        answers[id.x].force = vec4(row.force, element_energy(query.material, query.element, state));
        put(id.x, 12u * kind + 3u * other_than(query.own.x, 0u), row.blocks[0]);
        put(id.x, 12u * kind + 3u * other_than(query.own.x, 1u), row.blocks[1]);
        put(id.x, 12u * kind + 3u * other_than(query.own.x, 2u), row.blocks[2]);
    }
    answers[id.x].blocks[0].w = element_strain(query.material, query.element, state.x);
}
";
const ANSWER_WORDS: usize = 100;

/// The same case with every number rounded as the GPU has it.
fn rounded(case: &Case) -> Case {
    let mut case = case.clone();
    let round = |value: &mut f64| *value = f64::from(*value as f32);
    case.material.parameters.iter_mut().for_each(round);
    case.element.rest.iter_mut().for_each(round);
    for values in [&mut case.state.x, &mut case.state.v, &mut case.state.normals] {
        *values = values.map(|value| value.as_vec3().as_dvec3());
    }
    case
}

fn query(case: &Case, own: usize) -> Vec<u32> {
    let mut words = vec![case.model() as u32, case.count() as u32, case.model().needs_normals().into(), 0];
    words.extend(case.material.parameters.map(|value| (value as f32).to_bits()));
    words.extend(case.element.particles);
    words.extend(case.element.rest.map(|value| (value as f32).to_bits()));
    words.push(0);
    for value in case.state.x.iter().chain(&case.state.v).chain(&case.state.normals) {
        words.extend(value.as_vec3().extend(0.0).to_array().map(f32::to_bits));
    }
    words.extend([own as u32, 0, 0, 0]);
    words
}

/// The device and the kernel, which software drivers take seconds to compile: once for all tests.
fn kernel() -> &'static (Gpu, wgpu::ComputePipeline) {
    static KERNEL: OnceLock<(Gpu, wgpu::ComputePipeline)> = OnceLock::new();
    KERNEL.get_or_init(|| {
        let gpu = Gpu::headless().unwrap();
        let text = shader::compose("forces/element", shader::Launch::Hardware).unwrap() + ENTRY;
        let source = wgpu::ShaderSource::Wgsl(text.into());
        let module = gpu.device().create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let pipeline = gpu.device().create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: Default::default(),
            cache: None,
        });
        (gpu, pipeline)
    })
}

/// Responses, energies and strains by the GPU.
fn ask(queries: &[u32], count: usize, clamp: bool) -> Vec<Answer> {
    let (gpu, pipeline) = kernel();
    let device = gpu.device();
    let buffer = |size: usize, usage: wgpu::BufferUsages| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: size as u64,
            usage,
            mapped_at_creation: false,
        })
    };
    let flags = if clamp { layout::flag::CLAMP } else { 0 };
    let params = layout::Params { flags, ..Default::default() };
    let uniform = buffer(size_of_val(&params), wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST);
    let input = buffer(size_of_val(queries), wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST);
    let bytes = 4 * ANSWER_WORDS * count;
    let output = buffer(bytes, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
    let staging = buffer(bytes, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
    gpu.queue().write_buffer(&uniform, 0, bytemuck::bytes_of(&params));
    gpu.queue().write_buffer(&input, 0, bytemuck::cast_slice(queries));
    let bound = [&uniform, &input, &output].into_iter().enumerate();
    let entries: Vec<_> = bound
        .map(|(binding, buffer)| wgpu::BindGroupEntry { binding: binding as u32, resource: buffer.as_entire_binding() })
        .collect();
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(count.div_ceil(32) as u32, 1, 1);
    }
    encoder.copy_buffer_to_buffer(&output, 0, &staging, 0, bytes as u64);
    gpu.queue().submit([encoder.finish()]);
    staging.slice(..).map_async(wgpu::MapMode::Read, |result| result.unwrap());
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let mapped = staging.slice(..).get_mapped_range().unwrap();
    let words: Vec<f32> = mapped.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
    words.chunks_exact(ANSWER_WORDS).map(answer).collect()
}

/// What the GPU says of an element, seen from one of its particles.
struct Answer {
    row: ElementRow,
    energy: f64,
    strain: f64,
}

fn answer(words: &[f32]) -> Answer {
    let vector = |at: usize| DVec3::new(words[at].into(), words[at + 1].into(), words[at + 2].into());
    let blocks = |at: usize| {
        [0, 1, 2, 3].map(|j| DMat3::from_cols(vector(at + 12 * j), vector(at + 12 * j + 4), vector(at + 12 * j + 8)))
    };
    let row = ElementRow { force: vector(0), stiffness: blocks(4), damping: blocks(52) };
    Answer { row, energy: words[3].into(), strain: words[7].into() }
}

/// Every case seen from every particle: by the GPU, and by the twin.
fn compare(cases: Vec<Case>, clamp: bool, mut judge: impl FnMut(&Case, usize, Answer, ElementRow)) {
    let asked: Vec<_> = cases.iter().flat_map(|case| (0..case.count()).map(move |own| (case, own))).collect();
    let words: Vec<_> = asked.iter().flat_map(|(case, own)| query(case, *own)).collect();
    let answers = ask(&words, asked.len(), clamp);
    assert_eq!(answers.len(), asked.len());
    for ((case, own), found) in asked.into_iter().zip(answers) {
        judge(case, own, found, case.row(own, clamp));
    }
}

#[test]
fn shaders_agree_with_their_twins() {
    for clamp in [false, true] {
        // Largest relative error of force, energy, stiffness, damping by model.
        let mut worst = [[0.0_f64; 4]; 10];
        compare(
            cases().chain(collapsing_hinges()).map(|case| rounded(&case)).collect(),
            clamp,
            |case, own, Answer { row: found, energy, .. }, expected| {
                // Rounding is magnified where heights or lengths are nearly none.
                let floor = case.force_scale() / case.scale().powi(2);
                let others: Vec<_> = (0..case.count()).filter(|&j| j != own).collect();
                let block_error = |found: &[DMat3; 4], expected: &[DMat3; 4]| {
                    let size = others.iter().map(|&j| norm(expected[j])).fold(floor, f64::max);
                    others.iter().map(|&j| norm(found[j] - expected[j])).fold(0.0, f64::max) / size
                };
                let errors = [
                    (found.force - expected.force).length() / expected.force.length().max(floor),
                    (energy - case.energy()).abs() / case.energy().abs().max(floor),
                    block_error(&found.stiffness, &expected.stiffness),
                    block_error(&found.damping, &expected.damping),
                ];
                assert!(errors.iter().all(|error| *error < 5e-5), "{} {own}: {errors:?}", case.name);
                let slot = &mut worst[case.model() as usize];
                *slot = std::array::from_fn(|k| slot[k].max(errors[k]));
            },
        );
        for &model in ElementModel::ALL {
            let [force, energy, stiffness, damping] = worst[model as usize];
            println!(
                "clamp {clamp}, {model:?}: force {force:.0e} energy {energy:.0e} df/dx {stiffness:.0e} df/dv {damping:.0e}"
            );
        }
    }
}

/// The hinges of all cases with six times their areas at rest: most of their triangles count as collapsing.
fn collapsing_hinges() -> impl Iterator<Item = Case> {
    let hinges = cases().filter(|case| case.model() == ElementModel::Dihedral).map(|mut case| {
        let rest = DihedralRest::unpack(&case.element.rest);
        case.element.rest = DihedralRest { areas: rest.areas.map(|area| 6.0 * area), ..rest }.pack();
        case
    });
    let hinges: Vec<_> = hinges.collect();
    assert!(hinges.iter().filter(|case| case.is_collapsing()).count() > 20);
    hinges.into_iter()
}

#[test]
fn strains_agree_with_their_twins() {
    // Largest error by model, relative to the strain, or to a hundredth where it is less. Models without a shape at rest have none.
    let (mut worst, mut inverted, mut other, mut of) = ([0.0_f64; 10], 0, 0, 0);
    compare(cases().map(|case| rounded(&case)).collect(), true, |case, own, Answer { strain, .. }, _| {
        let expected = element_strain(&case.material, &case.element, &case.state.x);
        let has_shape = matches!(
            case.model(),
            ElementModel::Area | ElementModel::Membrane | ElementModel::Volume | ElementModel::NeoHookean
        );
        if !has_shape {
            assert_eq!((strain, expected), (0.0, 0.0), "{}", case.name);
            return;
        }
        let error = (strain - expected).abs() / expected.abs().max(1e-2);
        assert!(error < 3e-3, "{} {own}: {strain} against {expected}", case.name);
        inverted += u32::from(strain < -1.0);
        worst[case.model() as usize] = worst[case.model() as usize].max(error);
        // The control: a corner moved by a twentieth of its distance.
        if expected.abs() > 0.1 {
            let mut x = case.state.x;
            x[1] += 0.05 * (x[1] - x[0]);
            let moved = element_strain(&case.material, &case.element, &x);
            other += u32::from((strain - moved).abs() > 6e-3 * expected.abs());
            of += 1;
        }
    });
    println!("{worst:?}");
    assert!(inverted > 20 && 2 * other > of && of > 100, "{inverted} {other} {of}");
}

#[test]
fn what_two_particles_say_of_each_other_is_symmetric() {
    // df_i/dx_j as i computes it and df_j/dx_i as j does: the solver takes the matrix for symmetric.
    for clamp in [false, true] {
        let (mut rows, mut worst, mut unequal, mut pairs) = (Vec::new(), 0.0_f64, 0, 0);
        compare(cases().map(|case| rounded(&case)).collect(), clamp, |case, own, Answer { row: found, .. }, _| {
            if own == 0 {
                rows.clear();
            }
            for (j, row) in rows.iter().enumerate() {
                let row: &ElementRow = row;
                for (a, b) in [(found.stiffness[j], row.stiffness[own]), (found.damping[j], row.damping[own])] {
                    let apart = norm(a - b.transpose()) / norm(a).max(1e-3);
                    assert!(apart < 1e-5, "{} {own} {j}: {apart:.1e}", case.name);
                    worst = worst.max(apart);
                    unequal += u32::from(a != b.transpose());
                    pairs += 1;
                }
            }
            rows.push(found);
        });
        println!("clamp {clamp}: largest asymmetry {worst:.1e}, {unequal} of {pairs} pairs not equal to the bit");
        assert!(pairs > 5000);
        // Compilers for GPUs may fuse products and sums, and then the two round apart.
        assert!(unequal == 0 || !kernel().0.is_software(), "{unequal} pairs are not equal to the bit");
    }
}

#[test]
fn another_particle_or_the_clamp_is_noticed() {
    // The control: answers for a neighbour, or with the other Jacobian, are not these.
    let (mut other_particle, mut other_clamp) = (0, 0);
    let some = cases().filter(|case| case.model() == ElementModel::Volume).map(|case| rounded(&case)).collect();
    compare(some, false, |case, own, Answer { row: found, .. }, _| {
        let next = case.row((own + 1) % 4, false).force;
        other_particle += u32::from((found.force - next).length() > 1e-2 * next.length());
        let clamped = case.row(own, true).stiffness[(own + 1) % 4];
        other_clamp += u32::from(norm(found.stiffness[(own + 1) % 4] - clamped) > 1e-2 * norm(clamped));
    });
    assert!(other_particle > 100 && other_clamp > 100, "{other_particle} {other_clamp}");
}

#[test]
fn degenerate_states_stay_finite_on_the_gpu() {
    for clamp in [false, true] {
        compare(
            degenerate_cases().map(|case| rounded(&case)).collect(),
            clamp,
            |case, own, Answer { row: found, energy, strain }, _| {
                let others = (0..case.count()).filter(|&j| j != own);
                let finite = others.into_iter().all(|j| found.stiffness[j].is_finite() && found.damping[j].is_finite());
                let finite = finite && found.force.is_finite() && energy.is_finite() && strain.is_finite();
                assert!(finite, "{} {own}: {found:?}", case.name);
            },
        );
    }
}
