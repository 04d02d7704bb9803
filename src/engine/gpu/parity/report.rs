//! Measures of a step against their twins.

use super::*;
use crate::{Area, Membrane, test_scenes::continuum};

/// The largest strain measured by the GPU.
fn measured(pair: &Pair) -> f64 {
    pair.run(|engine, timeline| engine.stages.report.encode(timeline));
    f64::from(pair.read::<layout::Record>("records")[0].largest_strain)
}

fn twin(pair: &Pair, topology: &Topology) -> f64 {
    reference::report::measure(topology, &pair.parameters, &pair.state).largest_strain
}

#[test]
fn strain_is_that_of_structural_edges() {
    for launch in Launch::ALL {
        let options = Options { solver: many(), measure: true, ..Default::default() };
        let pair = pair(launch, 15, options);
        let strain = measured(&pair);
        assert!((strain / twin(&pair, &pair.topology) - 1.0).abs() < TOLERANCE);
        // Control: crossovers instead of structural edges.
        let mut wrong = (*pair.topology).clone();
        wrong.edges.iter_mut().for_each(|edge| edge.structural = !edge.structural);
        assert!((strain / twin(&pair, &wrong) - 1.0).abs() > 2.0 * TOLERANCE);
    }
}

#[test]
fn strain_is_that_of_triangles_and_tetrahedra() {
    let mut areas = irregular(16, 13, 11);
    areas.bodies[0].material.area = Some(Area { stiffness: 0.2, damping: 0.0 });
    let mut membranes = irregular(17, 13, 11);
    membranes.bodies[0].material.membrane = Some(Membrane::isotropic(200.0, 0.3));
    let solids = solid(18);
    let continua = continuum(19);
    for (name, scene) in [("areas", &areas), ("membranes", &membranes), ("solids", &solids), ("continua", &continua)] {
        for launch in Launch::ALL {
            let options = Options { solver: many(), measure: true, ..Default::default() };
            // Strain of elements alone.
            let change = |topology: &mut Topology| topology.edges.iter_mut().for_each(|edge| edge.structural = false);
            let pair = pair_of(scene, launch, 16, options, change);
            let (strain, expected) = (measured(&pair), twin(&pair, &pair.topology));
            assert!((strain / expected - 1.0).abs() < 1e-3, "{name}: {strain} against {expected}");
            // Control: another rest shape.
            let mut wrong = (*pair.topology).clone();
            wrong.elements.iter_mut().for_each(|element| element.rest.iter_mut().for_each(|rest| *rest *= 1.01));
            assert!((strain / twin(&pair, &wrong) - 1.0).abs() > 2e-3, "{name}");
        }
    }
}
