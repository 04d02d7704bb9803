//! Energies and strain, twin of `shaders/report/measure.wgsl` and `measure_elements.wgsl`.

use super::{
    Parameters, State,
    assembly::gather,
    forces::{
        element::{element_energy, element_strain},
        law::edge_energy,
    },
};
use crate::{Measures, topology::Topology};

/// Measures a state edge by edge; the kernel measures row by row and halves each edge.
pub fn measure(topology: &Topology, parameters: &Parameters, state: &State) -> Measures {
    let mut measures = Measures::default();
    for (row, &mass) in topology.masses.iter().enumerate() {
        measures.kinetic += 0.5 * mass * state.velocities[row].length_squared();
        measures.potential -= mass * parameters.gravity.dot(state.positions[row]);
    }
    for (edge, history) in topology.edges.iter().zip(&state.history) {
        let [a, b] = edge.ends.map(|end| state.positions[end as usize]);
        let length = a.distance(b);
        let material = &topology.materials[edge.material as usize];
        measures.elastic += edge_energy(material, edge, history, length, parameters.time_step);
        if edge.structural {
            measures.largest_strain = measures.largest_strain.max((length / edge.rest_length - 1.0).abs());
        }
    }
    for element in &topology.elements {
        let material = &topology.element_materials[element.material as usize];
        let gathered = gather(&state.positions, &state.velocities, &state.normals, element);
        measures.elastic += element_energy(material, element, &gathered);
        measures.largest_strain = measures.largest_strain.max(element_strain(material, element, &gathered.x).abs());
    }
    measures
}
