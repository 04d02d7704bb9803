//! Shear and transverse contraction of a cell of a quadrilateral grid, after Etzmuß (2.21), (2.22), as energies. Particles p₀₀, p₁₀,
//! p₀₁, p₁₁. s_u and s_v are the means of the cell's two u and two v edges over their rest lengths, ē_u and ē_v the mean strains:
//! s_u = ½ ((p₁₀ - p₀₀) / L_u0 + (p₁₁ - p₀₁) / L_u1), ē_u = ½ (|p₁₀ - p₀₀| / L_u0 + |p₁₁ - p₀₁| / L_u1) - 1, v likewise,
//! E = area · (½ μ (⟨s_u, s_v⟩ - c₀)² + C ē_u ē_v).
//!
//! Viscous: the shear stress has D_shear times its rate, the contraction stresses σ_u, σ_v have D_contraction times the rates of
//! ē_v, ē_u. C ē_u ē_v has no minimum and its viscosity dissipates nothing by itself: both need tension along the edges with moduli
//! (viscosities) of at least |C| (|D_contraction|), which belong to the edges.
//!
//! Clamped: Gauss–Newton for shear; of the cross terms C (g_u g_vᵀ + g_v g_uᵀ) the part ½ |C| (g_u ± g_v)(g_u ± g_v)ᵀ with the sign of
//! C, D_contraction likewise; edges under tension only keep their transverse stiffness. An edge without length has no direction.

use super::element::{ElementRow, ElementState, constraint_row, outer, padded};
use glam::{DMat3, DVec3};

/// Parameters of a weave's cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeaveCellParameters {
    /// μ: shear modulus, N/m.
    pub shear: f64,
    /// C: modulus of transverse contraction, N/m, of either sign.
    pub contraction: f64,
    /// D_shear, N·s/m.
    pub shear_damping: f64,
    /// D_contraction, N·s/m.
    pub contraction_damping: f64,
}

impl WeaveCellParameters {
    /// Packs `parameters_a`: μ, C, D_shear, D_contraction in x, y, z, w.
    pub fn pack(self) -> [f64; 8] {
        padded(&[self.shear, self.contraction, self.shear_damping, self.contraction_damping])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[shear, contraction, shear_damping, contraction_damping, ..]: &[f64; 8]) -> Self {
        Self { shear, contraction, shear_damping, contraction_damping }
    }
}

/// Rest measures of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeaveCellRest {
    /// Rest lengths L_u0, L_u1, L_v0, L_v1, m.
    pub lengths: [f64; 4],
    /// Rest area, m².
    pub area: f64,
    /// c₀: ⟨s_u, s_v⟩ at rest.
    pub shear: f64,
}

impl WeaveCellRest {
    /// Packs `rest_a`: L_u0, L_u1, L_v0, L_v1 in x, y, z, w; `rest_b`: the area in x, c₀ in y.
    pub fn pack(self) -> [f64; 11] {
        let [u0, u1, v0, v1] = self.lengths;
        padded(&[u0, u1, v0, v1, self.area, self.shear])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[u0, u1, v0, v1, area, shear, ..]: &[f64; 11]) -> Self {
        Self { lengths: [u0, u1, v0, v1], area, shear }
    }
}

/// Fraction of an edge's rest length below which the divisor of its transverse stiffness is bounded.
const SHORTEST_FRACTION: f64 = 1e-6;

/// Ends of the edges u0, u1, v0, v1.
const EDGES: [[usize; 2]; 4] = [[0, 1], [2, 3], [0, 2], [1, 3]];

/// Weights of the corners in s_u and s_v, 1/m.
fn weights(lengths: &[f64; 4]) -> [[f64; 4]; 2] {
    let [u0, u1, v0, v1] = lengths.map(|length| 0.5 / length);
    [[-u0, u0, -u1, u1], [-v0, -v1, v0, v1]]
}

/// Σ w_k x_k, where w sums to zero over each edge.
fn mean_vector(edges: [usize; 2], lengths: &[f64; 4], x: &[DVec3; 4]) -> DVec3 {
    let along = |edge: usize| 0.5 / lengths[edge] * (x[EDGES[edge][1]] - x[EDGES[edge][0]]);
    along(edges[0]) + along(edges[1])
}

/// Mean strain ē_u or ē_v.
fn mean_strain(edges: [usize; 2], lengths: &[f64; 4], x: &[DVec3; 4]) -> f64 {
    // The strain of each edge is computed by itself, so that small ones keep their digits.
    let strain = |edge: usize| ((x[EDGES[edge][1]] - x[EDGES[edge][0]]).length() - lengths[edge]) / lengths[edge];
    0.5 * (strain(edges[0]) + strain(edges[1]))
}

/// Response of the element at one particle.
pub fn row(
    parameters: &WeaveCellParameters,
    rest: &WeaveCellRest,
    state: &ElementState,
    own: usize,
    clamp: bool,
) -> ElementRow {
    let WeaveCellParameters { shear, contraction, shear_damping, contraction_damping } = *parameters;
    let WeaveCellRest { lengths, area, shear: rest_shear } = *rest;
    let x = &state.x;

    let [a, b] = weights(&lengths);
    let (u, v) = (mean_vector([0, 1], &lengths, x), mean_vector([2, 3], &lengths, x));
    let stretched = u.dot(v) - rest_shear;
    let gradients = [0, 1, 2, 3].map(|k| a[k] * v + b[k] * u);
    let mut row = constraint_row(own, area * shear, area * shear_damping, stretched, &gradients, &state.v);
    if !clamp {
        for j in 0..4 {
            let second = a[own] * b[j] + b[own] * a[j];
            row.stiffness[j] -= DMat3::from_diagonal(DVec3::splat(area * shear * stretched * second));
        }
    }

    let directions = EDGES.map(|[from, to]| (x[to] - x[from]).normalize_or_zero());
    let strains = [mean_strain([0, 1], &lengths, x), mean_strain([2, 3], &lengths, x)];
    // g_u, g_v: each corner is an end of one u edge, k / 2, and of one v edge, k % 2.
    let g = [0, 1, 2, 3].map(|k| [a[k] * directions[k / 2], b[k] * directions[2 + k % 2]]);
    let rate = |axis: usize| (0..4).map(|k| g[k][axis].dot(state.v[k])).sum::<f64>();
    let stress_u = contraction * strains[1] + contraction_damping * rate(1);
    let stress_v = contraction * strains[0] + contraction_damping * rate(0);
    row.force -= area * (stress_u * g[own][0] + stress_v * g[own][1]);
    for j in 0..4 {
        row.stiffness[j] -= area * cross_term(contraction, &g[own], &g[j], clamp);
        row.damping[j] -= area * cross_term(contraction_damping, &g[own], &g[j], clamp);
    }
    // d²ē/dx_i dx_j of the two edges that end at this corner.
    for (edge, other_strain) in [(own / 2, strains[1]), (2 + own % 2, strains[0])] {
        let other = EDGES[edge][0] + EDGES[edge][1] - own;
        let length = (x[other] - x[own]).length().max(SHORTEST_FRACTION * lengths[edge]);
        let mut transverse = area * contraction * other_strain * 0.5 / (lengths[edge] * length);
        if clamp {
            transverse = transverse.max(0.0);
        }
        row.stiffness[other] += transverse * (DMat3::IDENTITY - outer(directions[edge], directions[edge]));
    }
    row
}

/// modulus · (g_u g_vᵀ + g_v g_uᵀ), or its documented positive part.
fn cross_term(modulus: f64, own: &[DVec3; 2], other: &[DVec3; 2], clamp: bool) -> DMat3 {
    if clamp {
        let sign = if modulus < 0.0 { -1.0 } else { 1.0 };
        0.5 * modulus.abs() * outer(own[0] + sign * own[1], other[0] + sign * other[1])
    } else {
        modulus * (outer(own[0], other[1]) + outer(own[1], other[0]))
    }
}

/// Stored energy, J; negative where contraction yields.
pub fn energy(parameters: &WeaveCellParameters, rest: &WeaveCellRest, state: &ElementState) -> f64 {
    let WeaveCellParameters { shear, contraction, .. } = *parameters;
    let (lengths, x) = (&rest.lengths, &state.x);
    let stretched = mean_vector([0, 1], lengths, x).dot(mean_vector([2, 3], lengths, x)) - rest.shear;
    let product = mean_strain([0, 1], lengths, x) * mean_strain([2, 3], lengths, x);
    rest.area * (0.5 * shear * stretched * stretched + contraction * product)
}
