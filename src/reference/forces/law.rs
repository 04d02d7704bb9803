//! The table of edge models: each is one scalar law.

use super::{
    buckling::{buckling_energy, buckling_law},
    cubic::{cubic_energy, cubic_law},
    cubic_absolute::{cubic_absolute_energy, cubic_absolute_law},
    linear::{linear_energy, linear_law},
    plastic::plastic_after,
    series::{Series, series_energy, series_law},
    tension_only::{tension_only_energy, tension_only_law},
};
use crate::topology::{Edge, EdgeMaterial, EdgeMemory, Law};

/// Tension g(l), positive when it pulls, and its slope g'(l).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EdgeLaw {
    /// g, N
    pub tension: f64,
    /// What the Jacobian takes for g, N.
    pub jacobian_tension: f64,
    /// What the Jacobian takes for g', N/m.
    pub slope: f64,
}

/// The law of an edge at a length, in a step of `time_step` that began with `history`.
pub fn edge_law(material: &EdgeMaterial, edge: &Edge, history: &[f64; 4], length: f64, time_step: f64) -> EdgeLaw {
    let (parameters, rest_length) = (&material.law_parameters, edge.rest_length);
    let law = if material.memory == EdgeMemory::Series {
        let series = Series::new(&material.memory_parameters, time_step);
        series_law(&series, parameters[0], rest_length, length, history)
    } else {
        let length = elastic_length(material, rest_length, history, length);
        match material.law {
            Law::Linear => linear_law(parameters, rest_length, length),
            Law::None => EdgeLaw::default(),
            Law::TensionOnly => tension_only_law(parameters, rest_length, length),
            Law::Cubic => cubic_law(parameters, material.left_out, rest_length, length),
            Law::CubicAbsolute => cubic_absolute_law(parameters, material.left_out, rest_length, length),
            Law::Buckling => buckling_law(parameters, rest_length, length),
        }
    };
    EdgeLaw {
        tension: edge.weight * law.tension,
        jacobian_tension: edge.weight * law.jacobian_tension,
        slope: edge.weight * law.slope,
    }
}

/// Energy E(l) of an edge with g = E', and ½ s l² of its scalar, J.
pub fn edge_energy(material: &EdgeMaterial, edge: &Edge, history: &[f64; 4], length: f64, time_step: f64) -> f64 {
    let (parameters, rest_length) = (&material.law_parameters, edge.rest_length);
    let energy = if material.memory == EdgeMemory::Series {
        let series = Series::new(&material.memory_parameters, time_step);
        series_energy(&series, &material.memory_parameters[1], parameters[0], rest_length, length, history)
    } else {
        let length = elastic_length(material, rest_length, history, length);
        match material.law {
            Law::Linear => linear_energy(parameters, rest_length, length),
            Law::None => 0.0,
            Law::TensionOnly => tension_only_energy(parameters, rest_length, length),
            Law::Cubic => cubic_energy(parameters, rest_length, length),
            Law::CubicAbsolute => cubic_absolute_energy(parameters, rest_length, length),
            Law::Buckling => buckling_energy(parameters, rest_length, length),
        }
    };
    edge.weight * energy + 0.5 * edge.scalar * length * length
}

/// Work on an edge from one length to another within a step, J. That of viscoelastic edges is the work of their tension with what they remember from the start of
/// the step: a linear spring's. What their own springs store is less, as dashpots take the rest.
pub fn edge_work(material: &EdgeMaterial, edge: &Edge, history: &[f64; 4], lengths: [f64; 2], time_step: f64) -> f64 {
    let [before, after] = lengths;
    if material.memory == EdgeMemory::Series {
        let tensions = lengths.map(|length| edge_law(material, edge, history, length, time_step).tension);
        return 0.5 * (tensions[0] + tensions[1] + edge.scalar * (before + after)) * (after - before);
    }
    let energy = |length| edge_energy(material, edge, history, length, time_step);
    energy(after) - energy(before)
}

/// What is left of the history when a step has ended at this length.
pub fn history_after(
    material: &EdgeMaterial,
    edge: &Edge,
    history: &[f64; 4],
    length: f64,
    time_step: f64,
) -> [f64; 4] {
    let strain = (length - edge.rest_length) / edge.rest_length;
    match material.memory {
        EdgeMemory::None => *history,
        EdgeMemory::Plastic => {
            [plastic_after(&material.memory_parameters[0], history[0], strain, time_step), 0.0, 0.0, 0.0]
        }
        EdgeMemory::Series => {
            let series = Series::new(&material.memory_parameters, time_step);
            series.after(history, series.stress(history, strain))
        }
    }
}

fn elastic_length(material: &EdgeMaterial, rest_length: f64, history: &[f64; 4], length: f64) -> f64 {
    if material.memory == EdgeMemory::Plastic { length - rest_length * history[0] } else { length }
}
