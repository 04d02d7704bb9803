//! St. Venant–Kirchhoff membrane: a triangle in weft (u), warp (v) and shear, after Volino 2009. F_u = Σ_k b_k^u x_k and F_v = Σ_k b_k^v x_k
//! are the weft and warp vectors; with Green strains e_u = ½ (|F_u|² - 1), e_v and shear γ = ⟨F_u, F_v⟩,
//! E = area · ½ (C_u e_u² + C_v e_v² + 2 C_uv e_u e_v + C_s γ²).
//!
//! Viscous stresses are D times the strain rates. C_uv² ≤ C_u C_v is expected, and D_uv² ≤ D_u D_v. b₀ = -(b₁ + b₂).
//! Jacobian: -area · (material part + ⟨b_i, S b_j⟩ I) with S the elastic stresses [[s_u, τ], [τ, s_v]].
//! Clamped: S without its negative eigenvalues.

use super::{
    element::{ElementRow, ElementState, outer, padded},
    strain::{TriangleShape, green},
};
use glam::{DMat3, DVec2, DVec3};

/// Moduli C, N/m, or viscosities D, N·s/m, of a membrane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MembraneModuli {
    /// C_u: along the weft.
    pub weft: f64,
    /// C_v: along the warp.
    pub warp: f64,
    /// C_uv: transverse contraction.
    pub contraction: f64,
    /// C_s: shear.
    pub shear: f64,
}

/// Parameters of a membrane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MembraneParameters {
    /// Moduli C, N/m.
    pub moduli: MembraneModuli,
    /// Viscosities D, N·s/m.
    pub viscosities: MembraneModuli,
}

impl MembraneParameters {
    /// Packs `parameters_a`: C_u, C_v, C_uv, C_s in x, y, z, w; `parameters_b`: D_u, D_v, D_uv, D_s.
    pub fn pack(self) -> [f64; 8] {
        let [c, d] = [self.moduli, self.viscosities];
        [c.weft, c.warp, c.contraction, c.shear, d.weft, d.warp, d.contraction, d.shear]
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[c_u, c_v, c_uv, c_s, d_u, d_v, d_uv, d_s]: &[f64; 8]) -> Self {
        let moduli = |[weft, warp, contraction, shear]: [f64; 4]| MembraneModuli { weft, warp, contraction, shear };
        Self { moduli: moduli([c_u, c_v, c_uv, c_s]), viscosities: moduli([d_u, d_v, d_uv, d_s]) }
    }
}

/// Rest measures of a membrane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MembraneRest {
    /// Rest shape of the triangle.
    pub shape: TriangleShape,
    /// Rest area, m².
    pub area: f64,
}

impl MembraneRest {
    /// Packs `rest_a`: the shape; `rest_b`: the area in x.
    pub fn pack(self) -> [f64; 11] {
        let [b1_u, b2_u, b1_v, b2_v] = self.shape.pack();
        padded(&[b1_u, b2_u, b1_v, b2_v, self.area])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[b1_u, b2_u, b1_v, b2_v, area, ..]: &[f64; 11]) -> Self {
        Self { shape: TriangleShape { b1_u, b2_u, b1_v, b2_v }, area }
    }
}

/// Strains of a membrane, and the vectors that they derive from.
struct Strains {
    /// b_k of the three corners: (u, v), 1/m
    weights: [DVec2; 3],
    weft: DVec3,
    warp: DVec3,
    /// e_u, e_v, γ
    strains: DVec3,
}

fn strains(shape: &TriangleShape, state: &ElementState) -> Strains {
    let (b1, b2) = (DVec2::new(shape.b1_u, shape.b1_v), DVec2::new(shape.b2_u, shape.b2_v));
    let weights = [-(b1 + b2), b1, b2];
    let [weft, warp] = vectors(&weights, &state.x);
    Strains { weights, weft, warp, strains: DVec3::new(green(weft.length()), green(warp.length()), weft.dot(warp)) }
}

/// F_u and F_v, or their rates.
fn vectors(weights: &[DVec2; 3], x: &[DVec3; 4]) -> [DVec3; 2] {
    let (p, q) = (x[1] - x[0], x[2] - x[0]);
    [weights[1].x * p + weights[2].x * q, weights[1].y * p + weights[2].y * q]
}

/// Stresses s_u, s_v, τ of strains or of strain rates.
fn stresses(moduli: &MembraneModuli, strains: DVec3) -> DVec3 {
    DVec3::new(
        moduli.weft * strains.x + moduli.contraction * strains.y,
        moduli.warp * strains.y + moduli.contraction * strains.x,
        moduli.shear * strains.z,
    )
}

/// Response of the element at one particle.
pub fn row(
    parameters: &MembraneParameters,
    rest: &MembraneRest,
    state: &ElementState,
    own: usize,
    clamp: bool,
) -> ElementRow {
    let MembraneParameters { moduli, viscosities } = parameters;
    let area = rest.area;
    let Strains { weights, weft, warp, strains } = strains(&rest.shape, state);
    let [weft_rate, warp_rate] = vectors(&weights, &state.v);
    let rates = DVec3::new(weft.dot(weft_rate), warp.dot(warp_rate), weft_rate.dot(warp) + weft.dot(warp_rate));
    let elastic = stresses(moduli, strains);
    let total = elastic + stresses(viscosities, rates);
    let own_weight = weights[own.min(2)];
    let along_weft = total.x * own_weight.x + total.z * own_weight.y;
    let along_warp = total.y * own_weight.y + total.z * own_weight.x;
    let mut row = ElementRow { force: -area * (along_weft * weft + along_warp * warp), ..Default::default() };
    let stress = if clamp { without_negative(elastic) } else { elastic };
    for (j, weight) in weights.iter().enumerate() {
        let geometric = stress.x * (own_weight.x * weight.x)
            + stress.y * (own_weight.y * weight.y)
            + stress.z * (own_weight.x * weight.y + own_weight.y * weight.x);
        let material_part = material_block(moduli, own_weight, *weight, weft, warp);
        row.stiffness[j] = -area * (material_part + DMat3::from_diagonal(DVec3::splat(geometric)));
        row.damping[j] = -area * material_block(viscosities, own_weight, *weight, weft, warp);
    }
    row
}

/// Material block: Σ moduli · (strain gradient at i)(strain gradient at j)ᵀ.
fn material_block(moduli: &MembraneModuli, i: DVec2, j: DVec2, weft: DVec3, warp: DVec3) -> DMat3 {
    let (u, v) = (i.x * weft, i.y * warp);
    let (other_u, other_v) = (j.x * weft, j.y * warp);
    moduli.weft * outer(u, other_u)
        + moduli.warp * outer(v, other_v)
        + moduli.contraction * (outer(u, other_v) + outer(v, other_u))
        + moduli.shear * outer(i.x * warp + i.y * weft, j.x * warp + j.y * weft)
}

/// The symmetric matrix [[x, z], [z, y]] without its negative eigenvalues.
pub fn without_negative(stress: DVec3) -> DVec3 {
    let mean = 0.5 * (stress.x + stress.y);
    let difference = 0.5 * (stress.x - stress.y);
    let radius = difference.hypot(stress.z);
    if mean >= radius {
        return stress;
    }
    let largest = mean + radius;
    if largest <= 0.0 {
        return DVec3::ZERO;
    }
    let scale = largest / (2.0 * radius);
    scale * DVec3::new((radius + difference).max(0.0), (radius - difference).max(0.0), stress.z)
}

/// Stored energy, J.
pub fn energy(parameters: &MembraneParameters, rest: &MembraneRest, state: &ElementState) -> f64 {
    let strains = strains(&rest.shape, state).strains;
    0.5 * rest.area * strains.dot(stresses(&parameters.moduli, strains))
}

/// Rest measures of a triangle from its corners at rest, m. The weft direction is projected into the triangle's plane; if it is normal to that plane, any
/// direction in the plane is taken. `None` for a triangle without area.
pub fn rest(positions: [DVec3; 3], weft: DVec3) -> Option<MembraneRest> {
    let (p, q) = (positions[1] - positions[0], positions[2] - positions[0]);
    let doubled_area = p.cross(q).length();
    let normal = p.cross(q).try_normalize()?;
    let weft = weft.normalize_or_zero();
    let projected = weft - weft.dot(normal) * normal;
    // A projection below a millionth has no usable direction.
    let u = if projected.length() > 1e-6 { projected.try_normalize()? } else { p.try_normalize()? };
    let v = normal.cross(u);
    let [b1_u, b2_u, b1_v, b2_v] = [q.dot(v), -p.dot(v), -q.dot(u), p.dot(u)].map(|side| side / doubled_area);
    let shape = TriangleShape { b1_u, b2_u, b1_v, b2_v };
    shape.pack().iter().all(|value| value.is_finite()).then_some(MembraneRest { shape, area: 0.5 * doubled_area })
}
