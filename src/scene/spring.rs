//! Springs: the force law of an edge, its damping, and its memory.

/// A spring between two vertices. The default has no stiffness, and makes no spring.
///
/// ```
/// use tenter::{Cubic, Plasticity, Spring, SpringLaw};
/// let plain = Spring::new(600.0).damped(0.01);
/// let stiffening = Spring::from(SpringLaw::Cubic(Cubic::new(600.0))).dragged(0.01);
/// let dents = plain.plastic(Plasticity { yield_strain: 0.02, maximum: 0.5, creep: 10.0 });
/// assert_ne!(plain, dents);
/// # let _ = stiffening;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spring {
    /// Tension as a function of length.
    pub law: SpringLaw,
    /// Damping along the spring, N·s/m; with [`SpringLaw::Distance`] N·m·s.
    pub damping: f32,
    /// Damping along the relative velocity of the ends, whatever its direction, N·s/m (N·m·s); rotation is braked too.
    pub drag: f32,
    /// Plastic or viscoelastic memory. `None`: the spring has none.
    pub memory: Option<Memory>,
}

/// Tension g of a spring by its length l; L is its rest length.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum SpringLaw {
    /// g = k (l - L).
    Linear {
        /// k, N/m. 0: no such springs.
        stiffness: f32,
    },
    /// Two terms of St. Venant–Kirchhoff (Vogiannou 1): g = K/2 (l³/L² - l). Stiffens when drawn, softens when pressed, and
    /// gives way below 0.58 L.
    Stvk {
        /// Slope at rest K, N/m.
        stiffness: f32,
    },
    /// Full cubic by its stiffness at three lengths (Vogiannou 8).
    Cubic(Cubic),
    /// Full cubic by its coefficients, in the length itself (Vogiannou 2): g = a l³ + b l² + c l + d. It vanishes where the
    /// coefficients say, not at the rest length of the mesh.
    CubicCoefficients {
        /// N/m³
        a: f32,
        /// N/m²
        b: f32,
        /// N/m
        c: f32,
        /// N
        d: f32,
        /// As in [`Cubic`].
        jacobian_damping: f32,
    },
    /// A linear spring that only pulls (Choi–Ko type 1).
    TensionOnly {
        /// k, N/m.
        stiffness: f32,
    },
    /// A fibre that bends to an arc when pressed (Choi–Ko type 2): no tension, and under compression the gentler of the arc's
    /// force, from 12 k_b/L² on, and c_b (L - l).
    Buckling {
        /// k_b, N·m².
        bending_stiffness: f32,
        /// c_b, N/m.
        compression: f32,
    },
    /// Teschner's distance energy ½ k ((l - L)/L)², the same for edges of any length.
    Distance {
        /// k_D, N·m.
        stiffness: f32,
    },
}

impl Default for SpringLaw {
    fn default() -> Self {
        SpringLaw::Linear { stiffness: 0.0 }
    }
}

/// A full cubic spring by its slope at three lengths (Vogiannou 4–8).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cubic {
    /// Slope at rest K, N/m.
    pub stiffness: f32,
    /// Slope K₁ at [`stretch`](Self::stretch), N/m.
    pub stretched: f32,
    /// Slope K₂ at [`compression`](Self::compression), N/m.
    pub compressed: f32,
    /// a₁: length over rest length. Above 1, as a rule.
    pub stretch: f32,
    /// a₂: length over rest length. Below 1, as a rule.
    pub compression: f32,
    /// η: so much of the terms b and d goes into the Jacobian; forces have all of them. 1: exact; 0.99 calms motion out of plane.
    pub jacobian_damping: f32,
}

impl Cubic {
    /// Six times as stiff when drawn by a tenth, twice as stiff when pressed by a tenth (Vogiannou, figure 5).
    pub fn new(stiffness: f32) -> Self {
        Self {
            stiffness,
            stretched: 6.0 * stiffness,
            compressed: 2.0 * stiffness,
            stretch: 1.1,
            compression: 0.9,
            jacobian_damping: JACOBIAN_DAMPING,
        }
    }
}

/// Share of the terms b and d that Vogiannou leaves in the Jacobian of a cubic spring.
pub const JACOBIAN_DAMPING: f32 = 0.99;

/// Memory of a spring.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Memory {
    /// Plastic: part of the strain becomes permanent.
    Plastic(Plasticity),
    /// Viscoelastic: the spring creeps and relaxes. Linear springs only.
    Viscoelastic(KelvinVoigtSeries),
}

/// Plastic flow (Teschner 6.2, after O'Brien), in strains: length over rest length, less 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plasticity {
    /// Elastic strain up to which no strain becomes permanent.
    pub yield_strain: f32,
    /// Largest permanent strain.
    pub maximum: f32,
    /// Rate at which strain beyond the yield strain becomes permanent, 1/s.
    pub creep: f32,
}

/// A spring beside a dash-pot.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct KelvinVoigt {
    /// k_j, N/m.
    pub stiffness: f32,
    /// d_j, N·s/m.
    pub damping: f32,
}

/// Kelvin–Voigt elements in series with the spring (Etzmuß 2.34): its own stiffness answers at once, the elements give way with
/// their time d_j/k_j, each by k/k_j of the strain. At most three.
///
/// The strains of the elements move on by implicit Euler over the whole step, whatever the [`Integrator`](crate::Integrator): the memory is of
/// first order in the step, also where the motion is of second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KelvinVoigtSeries {
    elements: [KelvinVoigt; Self::MOST],
    count: usize,
}

impl KelvinVoigtSeries {
    /// Largest number of elements of a series.
    pub const MOST: usize = 3;

    /// A series of these elements. More than [`MOST`](Self::MOST) are refused when the scene is checked.
    pub fn new(elements: &[KelvinVoigt]) -> Self {
        let mut first = [KelvinVoigt::default(); Self::MOST];
        first.iter_mut().zip(elements).for_each(|(place, element)| *place = *element);
        Self { elements: first, count: elements.len() }
    }

    /// The first [`MOST`](Self::MOST) elements.
    pub fn elements(&self) -> &[KelvinVoigt] {
        &self.elements[..self.count.min(Self::MOST)]
    }

    /// Number of elements that were given.
    pub fn count(&self) -> usize {
        self.count
    }
}

impl Spring {
    /// A linear spring without damping: N/m.
    pub fn new(stiffness: f32) -> Self {
        SpringLaw::Linear { stiffness }.into()
    }

    /// Returns the spring with damping along its direction, N·s/m.
    pub fn damped(self, damping: f32) -> Self {
        Self { damping, ..self }
    }

    /// Returns the spring with damping along the relative velocity of its ends, N·s/m.
    pub fn dragged(self, drag: f32) -> Self {
        Self { drag, ..self }
    }

    /// Returns the spring with plasticity.
    pub fn plastic(self, plasticity: Plasticity) -> Self {
        Self { memory: Some(Memory::Plastic(plasticity)), ..self }
    }

    /// Returns the spring in series with Kelvin–Voigt elements, at most three.
    pub fn viscoelastic(self, elements: &[KelvinVoigt]) -> Self {
        Self { memory: Some(Memory::Viscoelastic(KelvinVoigtSeries::new(elements))), ..self }
    }
}

impl From<SpringLaw> for Spring {
    fn from(law: SpringLaw) -> Self {
        Self { law, ..Self::default() }
    }
}
