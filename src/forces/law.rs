//! The table of edge laws, each a scalar tension g(l); and the material of edges.

#[cfg(test)]
use super::toy_law::{ToyLawParameters, toy_law, toy_law_energy};
use super::{
    buckling::{BucklingParameters, buckling_energy, buckling_law},
    cubic::{CubicLeftOut, CubicParameters, cubic_energy, cubic_law},
    cubic_absolute::{CubicAbsoluteParameters, cubic_absolute_energy, cubic_absolute_law},
    edge::Edge,
    linear::{LinearParameters, linear_energy, linear_law},
    plastic::{PlasticParameters, plastic_after},
    series::{Series, SeriesParameters, series_energy, series_law},
    tension_only::{tension_only_energy, tension_only_law},
};

/// The scalar law of an edge material, by its number in `shaders/forces/law.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u32)]
pub enum Law {
    /// Linear spring: g = k (l - L).
    #[default]
    Linear = 0,
    /// No law, g = 0: the edge has only scalar, damping and drag.
    None = 1,
    /// Spring that only pulls: g = k max(l - L, 0).
    TensionOnly = 2,
    /// Cubic in the strain: g = L (c₀ + c₁ s + c₂ s² + c₃ s³), s = l/L - 1.
    Cubic = 3,
    /// Cubic in the length: g = a l³ + b l² + c l + d.
    CubicAbsolute = 4,
    /// Post-buckling fibre.
    Buckling = 5,
    /// The model that follows the recipe of `docs/recipes.md`, in unit tests alone.
    #[cfg(test)]
    Toy = 6,
}

impl Law {
    /// Every law; tests loop over this table.
    pub const ALL: &[Law] = &[
        Law::Linear,
        Law::None,
        Law::TensionOnly,
        Law::Cubic,
        Law::CubicAbsolute,
        Law::Buckling,
        #[cfg(test)]
        Law::Toy,
    ];
}

/// Memory of an edge from step to step, by its number in `shaders/forces/memory.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u32)]
pub enum EdgeMemory {
    /// No memory.
    #[default]
    None = 0,
    /// Memory of the plastic strain.
    Plastic = 1,
    /// Memory of the strains of Kelvin–Voigt elements.
    Series = 2,
}

/// Material of edges. The parameters are packed as on the GPU; the struct of the law or memory packs and unpacks them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EdgeMaterial {
    /// The law of the tension.
    pub law: Law,
    /// The memory of the edge.
    pub memory: EdgeMemory,
    /// Viscosity along the edge, N·s/m.
    pub damping: f64,
    /// Viscosity along the relative velocity, N·s/m.
    pub drag: f64,
    /// Packed parameters of the law, such as [`CubicParameters`].
    pub law_parameters: [f64; 4],
    /// Terms of the law that the Jacobian omits: packed [`CubicLeftOut`] of the cubic laws.
    pub left_out: [f64; 2],
    /// Viscosity of [`Edge::scalar`], as a time, s.
    pub scalar_time: f64,
    /// Packed parameters of the memory: [`PlasticParameters`] or [`SeriesParameters`].
    pub memory_parameters: [[f64; 4]; 2],
}

impl EdgeMaterial {
    /// An undamped linear spring, N/m.
    pub fn linear(stiffness: f64) -> Self {
        Self { law_parameters: LinearParameters { stiffness }.pack(), ..Self::default() }
    }

    /// A material without a law, for the edge's scalar with its viscosity as a time, s.
    pub fn coupling(scalar_time: f64) -> Self {
        Self { law: Law::None, scalar_time, ..Self::default() }
    }

    /// Stiffness of the law near rest, N/m, without the edge's weight: g'(L), or for a buckling fibre its stiffness against compression.
    pub fn slope_at_rest(&self, rest_length: f64) -> f64 {
        let parameters = &self.law_parameters;
        match self.law {
            Law::None => 0.0,
            Law::Linear | Law::TensionOnly => LinearParameters::unpack(parameters).stiffness,
            Law::Cubic => CubicParameters::unpack(parameters).c1,
            Law::Buckling => BucklingParameters::unpack(parameters).compression,
            Law::CubicAbsolute => CubicAbsoluteParameters::unpack(parameters).slope_at(rest_length),
            #[cfg(test)]
            Law::Toy => ToyLawParameters::unpack(parameters).stiffness,
        }
    }
}

/// Tension g(l), positive when it pulls, and slope g'(l) of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EdgeLaw {
    /// Tension g, N.
    pub tension: f64,
    /// Tension g in the Jacobian, N.
    pub jacobian_tension: f64,
    /// Slope g' in the Jacobian, N/m.
    pub slope: f64,
}

/// Tension and slope of an edge at a length, in a step of `time_step` that began with `history`.
pub fn edge_law(material: &EdgeMaterial, edge: &Edge, history: &[f64; 4], length: f64, time_step: f64) -> EdgeLaw {
    let (parameters, rest_length) = (&material.law_parameters, edge.rest_length);
    let law = if material.memory == EdgeMemory::Series {
        let series = Series::new(SeriesParameters::unpack(&material.memory_parameters), time_step);
        series_law(&series, LinearParameters::unpack(parameters).stiffness, rest_length, length, history)
    } else {
        let length = elastic_length(material, rest_length, history, length);
        let left_out = CubicLeftOut::unpack(&material.left_out);
        match material.law {
            Law::Linear => linear_law(LinearParameters::unpack(parameters), rest_length, length),
            Law::None => EdgeLaw::default(),
            Law::TensionOnly => tension_only_law(LinearParameters::unpack(parameters), rest_length, length),
            Law::Cubic => cubic_law(CubicParameters::unpack(parameters), left_out, rest_length, length),
            Law::CubicAbsolute => {
                cubic_absolute_law(CubicAbsoluteParameters::unpack(parameters), left_out, rest_length, length)
            }
            Law::Buckling => buckling_law(BucklingParameters::unpack(parameters), rest_length, length),
            #[cfg(test)]
            Law::Toy => toy_law(ToyLawParameters::unpack(parameters), rest_length, length),
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
        let memory = SeriesParameters::unpack(&material.memory_parameters);
        let stiffness = LinearParameters::unpack(parameters).stiffness;
        let series = Series::new(memory, time_step);
        series_energy(&series, memory.compliances, stiffness, rest_length, length, history)
    } else {
        let length = elastic_length(material, rest_length, history, length);
        match material.law {
            Law::Linear => linear_energy(LinearParameters::unpack(parameters), rest_length, length),
            Law::None => 0.0,
            Law::TensionOnly => tension_only_energy(LinearParameters::unpack(parameters), rest_length, length),
            Law::Cubic => cubic_energy(CubicParameters::unpack(parameters), rest_length, length),
            Law::CubicAbsolute => {
                cubic_absolute_energy(CubicAbsoluteParameters::unpack(parameters), rest_length, length)
            }
            Law::Buckling => buckling_energy(BucklingParameters::unpack(parameters), rest_length, length),
            #[cfg(test)]
            Law::Toy => toy_law_energy(ToyLawParameters::unpack(parameters), rest_length, length),
        }
    };
    edge.weight * energy + 0.5 * edge.scalar * length * length
}

/// Work on an edge from one length to another within a step, J. For viscoelastic edges it is the work of their tension with the memory at the start of the step, which
/// is that of a linear spring. Their springs store less, because dashpots dissipate the rest.
pub fn edge_work(material: &EdgeMaterial, edge: &Edge, history: &[f64; 4], lengths: [f64; 2], time_step: f64) -> f64 {
    let [before, after] = lengths;
    if material.memory == EdgeMemory::Series {
        let tensions = lengths.map(|length| edge_law(material, edge, history, length, time_step).tension);
        return 0.5 * (tensions[0] + tensions[1] + edge.scalar * (before + after)) * (after - before);
    }
    let energy = |length| edge_energy(material, edge, history, length, time_step);
    energy(after) - energy(before)
}

/// The memory of an edge after a step that has ended at this length.
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
            let parameters = PlasticParameters::unpack(&material.memory_parameters);
            [plastic_after(parameters, history[0], strain, time_step), 0.0, 0.0, 0.0]
        }
        EdgeMemory::Series => {
            let series = Series::new(SeriesParameters::unpack(&material.memory_parameters), time_step);
            series.after(history, series.stress(history, strain))
        }
    }
}

fn elastic_length(material: &EdgeMaterial, rest_length: f64, history: &[f64; 4], length: f64) -> f64 {
    if material.memory == EdgeMemory::Plastic { length - rest_length * history[0] } else { length }
}
