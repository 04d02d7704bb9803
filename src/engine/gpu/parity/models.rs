//! Every element model of the table, including the toy model, one element each, in one mesh: response, energy and the lanes of every word.

use super::*;
use crate::{
    forces::{Element, ElementModel, table_tests::element_sample},
    topology::ElementPattern,
};

/// Number of vertices in a row of the grid.
const COLUMNS: u32 = 13;

/// Rows of the particles of an element: corners of a cell that shares no vertex with other elements.
fn rows(topology: &Topology, ix: usize) -> [u32; 4] {
    let corner = 3 * (ix as u32 % 4) + 3 * COLUMNS * (ix as u32 / 4);
    // The wings of a hinge come first, then its edge.
    [corner, corner + COLUMNS + 1, corner + 1, corner + COLUMNS].map(|particle| topology.row_of[particle as usize])
}

/// Adds one element of every model to a topology.
fn add_elements(topology: &mut Topology) {
    for (ix, &model) in ElementModel::ALL.iter().enumerate() {
        let mut particles = rows(topology, ix);
        let last = model.particle_count() - 1;
        let end = particles[last];
        particles[last..].fill(end);
        let (material, rest) = element_sample(model, particles.map(|row| topology.positions[row as usize]));
        topology.element_materials.push(material);
        topology.elements.push(Element { particles, rest, material: ix as u32 });
    }
    topology.element_pattern =
        ElementPattern::build(topology.particle_count(), &topology.elements, &topology.element_materials);
}

#[test]
fn elements_of_every_model() {
    for launch in Launch::ALL {
        for clamp in [true, false] {
            let mut scene = irregular(6, COLUMNS, 11);
            // Resistance without wind, because it needs normals.
            scene.air = Some(Air::wind(Vec3::ZERO).resisting(0.1));
            let options = Options { clamp, solver: many(), measure: true, ..Default::default() };
            let mut pair = pair_of(&scene, launch, 6, options, add_elements);
            pair.parameters.air = scene.air.unwrap();
            pair.run(|engine, timeline| engine.stages.assembly.encode_normals(timeline));
            let topology = pair.topology.clone();
            reference::external::normals(topology.fans.as_ref().unwrap(), &mut pair.state);
            pair.assemble();
            reference::external::air(&topology, &pair.parameters, &mut pair.state);
            let (full, residual) = (pair.full_blocks(), pair.vectors("residual"));
            let of = |ix: usize, blocks: &[DMat3], residual: &[DVec3]| {
                let model = ElementModel::ALL[ix];
                let own = &topology.elements[ix].particles[..model.particle_count()];
                let of_row = |row: &u32| blocks[topology.element_pattern.range(*row as usize)].to_vec();
                let forces: Vec<DVec3> = own.iter().map(|&row| residual[row as usize]).collect();
                (columns(&own.iter().flat_map(of_row).collect::<Vec<_>>()), forces)
            };
            let right = pair.state.clone();
            for (ix, model) in ElementModel::ALL.iter().enumerate() {
                let (gpu_blocks, gpu_forces) = of(ix, &full, &residual);
                let (blocks, forces) = of(ix, &right.full, &right.residual);
                if model.has_jacobian() {
                    agree_within(5e-5, &format!("blocks of {model:?}"), &gpu_blocks, &blocks);
                }
                agree_within(5e-5, &format!("residual of {model:?}"), &gpu_forces, &forces);

                // Controls: a change of any single word of the element is noticed on the GPU.
                let material = &topology.element_materials[ix];
                let words = material.parameters.iter().chain(&topology.elements[ix].rest);
                for (word, value) in words.enumerate().filter(|(_, value)| **value != 0.0) {
                    let mut wrong = (*topology).clone();
                    match word {
                        0..8 => wrong.element_materials[ix].parameters[word] += 0.2 * value,
                        _ => wrong.elements[ix].rest[word - 8] += 0.2 * value,
                    }
                    pair.state = State {
                        normals: right.normals.clone(),
                        history: right.history.clone(),
                        ..State::new(&wrong, &pair.parameters)
                    };
                    reference::integrate::begin(&wrong, &wrong.constraints, &pair.parameters, &mut pair.state);
                    reference::assembly::edges(&wrong, &pair.parameters, 0, &mut pair.state);
                    reference::assembly::elements(&wrong, &pair.parameters, 0, &mut pair.state);
                    reference::external::air(&wrong, &pair.parameters, &mut pair.state);
                    let (_, forces) = of(ix, &pair.state.full, &pair.state.residual);
                    let strain_only = matches!(model, ElementModel::Area | ElementModel::Volume) && word >= 8 + 2;
                    // Areas of hinges count in collapsing triangles alone; tests/forces/element_parity.rs has such.
                    let collapsing_only = *model == ElementModel::Dihedral && word >= 8 + 4;
                    if !strain_only && !collapsing_only {
                        differ(&format!("word {word} of {model:?}"), &gpu_forces, &forces);
                    }
                }
            }

            pair.state = right;
            pair.run(|engine, timeline| engine.stages.report.encode(timeline));
            let elastic = f64::from(pair.read::<layout::Record>("records")[0].elastic);
            let twin = reference::report::measure(&pair.topology, &pair.parameters, &pair.state).elastic;
            assert!((elastic / twin - 1.0).abs() < TOLERANCE, "{elastic} against {twin}");
        }
    }
}
