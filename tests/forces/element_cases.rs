//! Random and degenerate elements of every model, and what the tests measure on them.

use glam::{DMat3, DVec3};
use tenter::internals::forces::{
    area::{AreaParameters, AreaRest},
    curvature::CurvatureRest,
    dihedral::{self, DihedralRest},
    element::*,
    membrane::{self, MembraneModuli, MembraneParameters},
    neo_hookean::{NeoHookeanParameters, NeoHookeanRest},
    projected_pair::ProjectedPairRest,
    shear_printed::ShearPrintedRest,
    volume::{self, VolumeParameters, VolumeRest},
    weave_cell::{WeaveCellParameters, WeaveCellRest},
};

/// An element in a state.
#[derive(Debug, Clone)]
pub struct Case {
    pub name: String,
    pub material: ElementMaterial,
    pub element: Element,
    pub state: ElementState,
}

pub fn random(rng: &mut fastrand::Rng) -> DVec3 {
    DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5)
}

/// A shape of about a metre with no flat corner: wings A, B beside the edge C, D; p₀₀, p₁₀, p₀₁, p₁₁ of a cell; a tetrahedron.
fn rest_shape(model: ElementModel, rng: &mut fastrand::Rng) -> [DVec3; 4] {
    let shape = match model {
        ElementModel::Volume | ElementModel::NeoHookean => [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
        ElementModel::WeaveCell => [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y],
        ElementModel::Area | ElementModel::Membrane => [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Y],
        ElementModel::ProjectedPair => [DVec3::ZERO, DVec3::X, DVec3::X, DVec3::X],
        ElementModel::ShearPrinted => [-DVec3::X, DVec3::Y, DVec3::X, -DVec3::Y],
        _ => [-DVec3::X, DVec3::X, -0.5 * DVec3::Y, 0.5 * DVec3::Y],
    };
    let last = model.particle_count() - 1;
    let mut moved = shape.map(|x| x + 0.4 * random(rng));
    if matches!(model, ElementModel::Volume | ElementModel::NeoHookean) && rng.bool() {
        moved.swap(2, 3);
    }
    let end = moved[last];
    moved[last..].fill(end);
    moved
}

impl Case {
    /// An element of sensible size, its particles moved by `disorder` (in rest sizes) from rest.
    pub fn random(model: ElementModel, disorder: f64, rng: &mut fastrand::Rng) -> Case {
        let rest_x = rest_shape(model, rng);
        let mut parameters = [0.0; 8];
        let rest;
        let modulus = |rng: &mut fastrand::Rng| 10.0 + 100.0 * rng.f64();
        match model {
            ElementModel::Area => {
                parameters = AreaParameters { stiffness: modulus(rng), damping: 0.02 * modulus(rng) }.pack();
                let measured = membrane::rest([rest_x[0], rest_x[1], rest_x[2]], DVec3::X).unwrap();
                rest = AreaRest { area: measured.area, shape: measured.shape }.pack();
            }
            ElementModel::Membrane => {
                let [u, v, s] = [modulus(rng), modulus(rng), modulus(rng)];
                let mix = (2.0 * rng.f64() - 1.0) * (u * v).sqrt();
                let moduli = MembraneModuli { weft: u, warp: v, contraction: mix, shear: s };
                let viscosities =
                    MembraneModuli { weft: 0.01 * u, warp: 0.01 * v, contraction: 0.01 * mix, shear: 0.02 * s };
                parameters = MembraneParameters { moduli, viscosities }.pack();
                rest = membrane::rest([rest_x[0], rest_x[1], rest_x[2]], random(rng)).unwrap().pack();
            }
            ElementModel::Volume => {
                parameters = VolumeParameters { stiffness: modulus(rng), damping: 0.02 * modulus(rng) }.pack();
                let (volume, _) = volume::volume_and_gradients(&rest_x);
                rest = VolumeRest { volume, normaliser: volume.abs(), shape: volume::rest_shape(&rest_x) }.pack();
            }
            ElementModel::Curvature | ElementModel::CurvaturePrinted => {
                let (w, m) = (rng.f64(), 1.4 * rng.f64() - 0.2);
                let stiffness = modulus(rng);
                let sign = if rng.bool() { -1.0 } else { 1.0 };
                let length = if rng.bool() { sign * 0.3 * rng.f64() } else { 0.0 };
                let damping = 3.0 * rng.f64();
                let hardening = if rng.bool() { 20.0 * rng.f64() - 8.0 } else { 0.0 };
                let weights = [w, 1.0 - w, -m, m - 1.0];
                rest = CurvatureRest { weights, stiffness, length, damping, hardening }.pack();
            }
            ElementModel::Dihedral => {
                let (stiffness, angle) = (modulus(rng), 2.0 * rng.f64() - 1.0);
                let area = |apex: usize| 0.5 * (rest_x[3] - rest_x[2]).cross(rest_x[apex] - rest_x[2]).length();
                let areas = [area(0), area(1)];
                rest = DihedralRest { stiffness, angle, damping: rng.f64(), areas }.pack();
            }
            ElementModel::WeaveCell => {
                let edge = |from: usize, to: usize| (rest_x[to] - rest_x[from]).length();
                let lengths = [edge(0, 1), edge(2, 3), edge(0, 2), edge(1, 3)];
                let area = 0.25 * (lengths[0] + lengths[1]) * (lengths[2] + lengths[3]);
                rest = WeaveCellRest { lengths, area, shear: 0.4 * (rng.f64() - 0.5) }.pack();
                let sign = if rng.bool() { 1.0 } else { -1.0 };
                parameters = WeaveCellParameters {
                    shear: modulus(rng),
                    contraction: sign * 50.0 * rng.f64(),
                    shear_damping: rng.f64(),
                    contraction_damping: sign * rng.f64(),
                }
                .pack();
            }
            ElementModel::ShearPrinted => {
                let (elastic, viscous) = (modulus(rng), 0.02 * modulus(rng));
                rest = ShearPrintedRest { elastic, viscous, scale: 0.5 + rng.f64() }.pack();
            }
            ElementModel::ProjectedPair => {
                let sign = if rng.bool() { 1.0 } else { -1.0 };
                let (stiffness, damping) = (sign * modulus(rng), sign * rng.f64());
                rest = ProjectedPairRest { stiffness, damping, printed: rng.u8(0..2) == 1 }.pack();
            }
            ElementModel::NeoHookean => {
                parameters = NeoHookeanParameters::new(modulus(rng), 0.495 * rng.f64(), 0.02 * rng.f64()).pack();
                rest = NeoHookeanRest::new(&rest_x).pack();
            }
        }
        let mut x = rest_x.map(|x| x + disorder * random(rng));
        let mut v = [0; 4].map(|_| 2.0 * random(rng));
        let mut normals = [0; 4].map(|_| (DVec3::Z + 1.5 * random(rng)).normalize());
        for values in [&mut x, &mut v, &mut normals] {
            let last = model.particle_count() - 1;
            let end = values[last];
            values[last..].fill(end);
        }
        Case {
            name: format!("{model:?}, disorder {disorder}"),
            material: ElementMaterial { model, parameters },
            element: Element { particles: [0, 1, 2, 3], rest, material: 0 },
            state: ElementState { x, v, normals },
        }
    }

    pub fn model(&self) -> ElementModel {
        self.material.model
    }

    pub fn count(&self) -> usize {
        self.model().particle_count()
    }

    pub fn is_printed_pair(&self) -> bool {
        self.model() == ElementModel::ProjectedPair && ProjectedPairRest::unpack(&self.element.rest).printed
    }

    pub fn is_force_only(&self) -> bool {
        self.model() == ElementModel::ShearPrinted || self.is_printed_pair()
    }

    pub fn has_energy(&self) -> bool {
        !self.is_force_only() && self.model() != ElementModel::CurvaturePrinted
    }

    pub fn has_exact_jacobian(&self) -> bool {
        self.has_energy() && !self.is_collapsing()
    }

    /// Whether a triangle of a hinge is so small that a factor leads its energy to zero; the Jacobian leaves out how the factor changes.
    pub fn is_collapsing(&self) -> bool {
        let x = &self.state.x;
        let part = |apex: usize, rest: f64| 0.5 * (x[3] - x[2]).cross(x[apex] - x[2]).length() / rest;
        let areas = DihedralRest::unpack(&self.element.rest).areas;
        self.model() == ElementModel::Dihedral && part(0, areas[0]).min(part(1, areas[1])) < 0.26
    }

    /// The length over which the model changes: steps of differences are a small part of it.
    pub fn scale(&self) -> f64 {
        let x = &self.state.x;
        let height = |a: usize, b: usize, c: usize| {
            let sides = [(x[b] - x[a]).length(), (x[c] - x[b]).length(), (x[a] - x[c]).length()];
            (x[b] - x[a]).cross(x[c] - x[a]).length() / sides.into_iter().fold(0.0, f64::max)
        };
        let length = |a: usize, b: usize| (x[b] - x[a]).length();
        let scale = match self.model() {
            ElementModel::Area => height(0, 1, 2),
            ElementModel::Dihedral => height(0, 2, 3).min(height(1, 2, 3)),
            ElementModel::Curvature => {
                // Of the triangle that its normal is taken from.
                let alpha = CurvatureRest::unpack(&self.element.rest).weights;
                let (edge, across) = (x[3] - x[2], alpha[0] * (x[0] - x[2]) - alpha[1] * (x[1] - x[2]));
                edge.cross(across).length() / edge.length().max(across.length())
            }
            ElementModel::WeaveCell => length(0, 1).min(length(2, 3)).min(length(0, 2)).min(length(1, 3)),
            _ => 1.0,
        };
        scale.clamp(1e-6, 1.0)
    }

    /// N, and N/m: what is small beside this is small.
    pub fn force_scale(&self) -> f64 {
        1.0
    }

    /// Not at the jump of an angle.
    pub fn is_smooth(&self) -> bool {
        self.model() != ElementModel::Dihedral || dihedral::angle(&self.state.x).is_some_and(|angle| angle.abs() < 3.1)
    }

    pub fn row(&self, own: usize, clamp: bool) -> ElementRow {
        element_row(&self.material, &self.element, &self.state, own, clamp)
    }

    pub fn energy(&self) -> f64 {
        element_energy(&self.material, &self.element, &self.state)
    }

    pub fn with_velocities(&self, v: [DVec3; 4]) -> Case {
        Case { state: ElementState { v, ..self.state }, ..self.clone() }
    }

    /// With one particle elsewhere.
    pub fn moved(&self, particle: usize, offset: DVec3) -> Case {
        let mut moved = self.clone();
        moved.state.x[particle] += offset;
        moved
    }

    /// With one particle faster.
    pub fn pushed(&self, particle: usize, offset: DVec3) -> Case {
        let mut pushed = self.clone();
        pushed.state.v[particle] += offset;
        pushed
    }

    /// The matrix of -df/dx or -df/dv, own blocks as minus the sum of the others.
    pub fn assembled(&self, clamp: bool, kind: impl Fn(ElementRow) -> [DMat3; 4]) -> Matrix {
        let count = self.count();
        let mut matrix = vec![vec![0.0; 3 * count]; 3 * count];
        for i in 0..count {
            let blocks = kind(self.row(i, clamp));
            for j in (0..count).filter(|&j| j != i) {
                add(&mut matrix, i, j, -blocks[j]);
                add(&mut matrix, i, i, blocks[j]);
            }
        }
        matrix
    }

    /// The same by central differences of `force(j, offset, own)`.
    pub fn differences(&self, step: f64, force: impl Fn(usize, DVec3, usize) -> DVec3) -> Matrix {
        let count = self.count();
        let mut matrix = vec![vec![0.0; 3 * count]; 3 * count];
        for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
            let column = |axis: DVec3| (force(j, step * axis, i) - force(j, -step * axis, i)) / (2.0 * step);
            add(&mut matrix, i, j, -DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z)));
        }
        matrix
    }
}

/// From near rest to far from it, mirrored, and nearly collapsed to a plane, a line and a point.
pub fn cases() -> impl Iterator<Item = Case> {
    let mut rng = fastrand::Rng::with_seed(21);
    ElementModel::ALL.iter().flat_map(move |&model| {
        let mut found = Vec::new();
        for disorder in [0.0, 1e-4, 1e-2, 0.1, 0.5, 2.0] {
            found.extend((0..12).map(|_| Case::random(model, disorder, &mut rng)));
        }
        let squeezes = [
            ("mirrored", DVec3::new(1.0, 1.0, -1.0)),
            ("nearly flat", DVec3::new(1.0, 1.0, 1e-3)),
            ("nearly a line", DVec3::new(1.0, 0.02, 0.02)),
            ("nearly a point", DVec3::splat(0.02)),
        ];
        for (name, squeeze) in squeezes {
            for _ in 0..8 {
                let mut case = Case::random(model, 0.5, &mut rng);
                case.name = format!("{model:?}, {name}");
                case.state.x = case.state.x.map(|x| x * squeeze);
                found.push(case);
            }
        }
        found
    })
}

/// States in which something has no direction, area, volume or angle.
pub fn degenerate_cases() -> impl Iterator<Item = Case> {
    let mut rng = fastrand::Rng::with_seed(22);
    ElementModel::ALL.iter().flat_map(move |&model| {
        let mut found = Vec::new();
        for _ in 0..6 {
            let mut add = |name: &str, change: fn(&mut Case)| {
                let mut case = Case::random(model, 0.3, &mut rng);
                change(&mut case);
                case.name = format!("{model:?}, {name}");
                found.push(case);
            };
            add("coincident", |case| case.state.x = [DVec3::ONE; 4]);
            add("a line", |case| case.state.x = case.state.x.map(|x| DVec3::X * x.x));
            add("a plane", |case| case.state.x = case.state.x.map(|x| x * DVec3::new(1.0, 1.0, 0.0)));
            add("first two meet", |case| case.state.x[1] = case.state.x[0]);
            add("last two meet", |case| case.state.x[3] = case.state.x[2]);
            add("a corner on a corner", |case| case.state.x[0] = case.state.x[2]);
            add("pairs meet", |case| {
                case.state.x[1] = case.state.x[0];
                case.state.x[3] = case.state.x[2];
            });
            add("nearly one point", |case| case.state.x = case.state.x.map(|x| 1e-12 * x));
            add("folded over", |case| {
                case.state.x = case.state.x.map(|x| x * DVec3::new(1.0, 1.0, 0.0));
                case.state.x[1].x = -case.state.x[1].x;
            });
            add("opposite normals", |case| case.state.normals[1] = -case.state.normals[0]);
            add("inverted at rest size", |case| case.state.x = case.state.x.map(|x| -x));
            // R = 0 although there is a rest curvature.
            add("flat with rest curvature", |case| {
                if case.model() == ElementModel::Curvature {
                    let known = CurvatureRest::unpack(&case.element.rest);
                    let curved = CurvatureRest { length: 0.2, weights: [0.5, 0.5, -0.5, -0.5], ..known };
                    case.element.rest = curved.pack();
                    case.state.x = [-DVec3::X, DVec3::X, -DVec3::Y, DVec3::Y];
                }
            });
        }
        found
    })
}

pub type Matrix = Vec<Vec<f64>>;

fn add(matrix: &mut Matrix, i: usize, j: usize, block: DMat3) {
    for (row, column) in (0..3).flat_map(|row| (0..3).map(move |column| (row, column))) {
        matrix[3 * i + row][3 * j + column] += block.col(column)[row];
    }
}

pub fn norm(m: DMat3) -> f64 {
    m.x_axis.length().max(m.y_axis.length()).max(m.z_axis.length())
}

pub fn largest(matrix: &Matrix) -> f64 {
    matrix.iter().flatten().fold(0.0, |size, value| size.max(value.abs()))
}

pub fn difference(a: &Matrix, b: &Matrix) -> f64 {
    a.iter().flatten().zip(b.iter().flatten()).fold(0.0, |size, (a, b)| size.max((a - b).abs()))
}

pub fn asymmetry(a: &Matrix) -> f64 {
    let indices = (0..a.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    indices.fold(0.0, |size, (i, j)| size.max((a[i][j] - a[j][i]).abs()))
}

/// Of a symmetric matrix, by Jacobi's rotations.
pub fn eigenvalues(matrix: &Matrix) -> Vec<f64> {
    let mut a = matrix.clone();
    let count = a.len();
    for _ in 0..60 {
        let mut turned = false;
        for (p, q) in (0..count).flat_map(|p| (p + 1..count).map(move |q| (p, q))) {
            if a[p][q].abs() <= 1e-16 * largest(matrix) {
                continue;
            }
            turned = true;
            let angle = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
            let (sine, cosine) = angle.sin_cos();
            for row in a.iter_mut() {
                (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
            }
            let (above, below) = a.split_at_mut(q);
            for (first, second) in above[p].iter_mut().zip(&mut below[0]) {
                (*first, *second) = (cosine * *first - sine * *second, sine * *first + cosine * *second);
            }
        }
        if !turned {
            break;
        }
    }
    (0..count).map(|i| a[i][i]).collect()
}

#[test]
fn eigenvalues_of_a_known_matrix() {
    // 2 on the diagonal, 1 beside it: 2 + √2, 2, 2 - √2.
    let mut found = eigenvalues(&vec![vec![2.0, 1.0, 0.0], vec![1.0, 2.0, 1.0], vec![0.0, 1.0, 2.0]]);
    found.sort_by(f64::total_cmp);
    for (value, expected) in found.iter().zip([2.0 - 2f64.sqrt(), 2.0, 2.0 + 2f64.sqrt()]) {
        assert!((value - expected).abs() < 1e-12, "{found:?}");
    }
}
