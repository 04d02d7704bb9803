//! Forces are the derivative of their energy and Jacobians the derivative of the force: finite differences in f64, every law in the
//! table, random states, nearly collapsed edges too.

use glam::{DMat3, DVec3};
use tenter::internals::{
    forces::{
        buckling::{BucklingParameters, arc},
        cubic::{CubicLeftOut, CubicParameters},
        cubic_absolute::CubicAbsoluteParameters,
        edge::{EdgeResponse, edge_response},
        law::{edge_energy, edge_law, history_after},
        linear::LinearParameters,
        series::SeriesParameters,
    },
    topology::{Edge, EdgeMaterial, EdgeMemory, Law},
};

const STEP: f64 = 1e-6;
const TIME_STEP: f64 = 0.01;

fn random(rng: &mut fastrand::Rng) -> DVec3 {
    DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5)
}

/// Parameters of about 10 to 100 N/m, with an exact Jacobian; cubics that soften are among them.
fn material(law: Law, rng: &mut fastrand::Rng) -> EdgeMaterial {
    let mut signed = |size: f64| size * (2.0 * rng.f64() - 1.0);
    let k = 60.0 + signed(50.0);
    let law_parameters = match law {
        Law::Linear | Law::TensionOnly => LinearParameters { stiffness: k }.pack(),
        Law::None => [0.0; 4],
        Law::Cubic => CubicParameters { c0: 0.0, c1: k, c2: signed(60.0), c3: signed(60.0) }.pack(),
        Law::CubicAbsolute => {
            let [a, b, c] = [60.0; 3].map(&mut signed);
            CubicAbsoluteParameters { a, b, c, d: signed(20.0) }.pack()
        }
        // Straight all the way, bent in between, bent from some length on.
        Law::Buckling => BucklingParameters { bending_stiffness: 0.5 + signed(0.45), compression: k }.pack(),
    };
    EdgeMaterial {
        law,
        law_parameters,
        damping: rng.f64(),
        drag: rng.f64(),
        scalar_time: rng.f64(),
        ..Default::default()
    }
}

struct Sample {
    material: EdgeMaterial,
    edge: Edge,
    history: [f64; 4],
    offset: DVec3,
    velocity: DVec3,
}

impl Sample {
    fn respond(&self, offset: DVec3, velocity: DVec3, clamp: bool) -> EdgeResponse {
        edge_response(&self.material, &self.edge, &self.history, offset, velocity, TIME_STEP, clamp)
    }

    fn response(&self, clamp: bool) -> EdgeResponse {
        self.respond(self.offset, DVec3::ZERO, clamp)
    }

    /// Newtons to compare errors with.
    fn scale(&self) -> f64 {
        10.0 * self.edge.rest_length.max(self.offset.length())
    }

    /// At a kink differences have nothing to say.
    fn is_smooth(&self) -> bool {
        let slope = |length| edge_law(&self.material, &self.edge, &self.history, length, TIME_STEP).slope;
        let length = self.offset.length();
        let (below, above) = (slope(0.9999 * length), slope(1.0001 * length));
        (below - above).abs() <= 0.01 * below.abs().max(above.abs()).max(1.0)
    }

    fn name(&self) -> String {
        format!("{:?} {:?} {} of {}", self.material, self.history, self.offset.length(), self.edge.rest_length)
    }
}

/// Edges of every law from a thousandth of their rest length to four times it, half of them plastic, all with a scalar.
fn states() -> impl Iterator<Item = Sample> {
    let mut rng = fastrand::Rng::with_seed(11);
    let lengths = [1e-3, 1e-2, 0.1, 0.5, 0.9, 0.999, 1.0, 1.001, 1.1, 2.0, 4.0];
    Law::ALL.iter().flat_map(move |&law| lengths.map(|length| (law, length))).flat_map(move |(law, length)| {
        (0..20)
            .map(|ix| {
                let rest_length = 0.5 + rng.f64();
                let mut material = material(law, &mut rng);
                let mut history = [0.0; 4];
                if ix % 2 == 1 {
                    material.memory = EdgeMemory::Plastic;
                    history[0] = 0.4 * (rng.f64() - 0.5);
                }
                let (weight, scalar) = (0.5 + rng.f64(), 20.0 * (rng.f64() - 0.5));
                let edge = Edge { ends: [0, 1], rest_length, weight, material: 0, scalar, structural: true };
                let offset = random(&mut rng).normalize() * length * rest_length;
                Sample { material, edge, history, offset, velocity: 4.0 * random(&mut rng) }
            })
            .collect::<Vec<_>>()
    })
}

/// Derivative of a vector function by central differences, column by column.
fn differences(at: DVec3, step: f64, function: impl Fn(DVec3) -> DVec3) -> DMat3 {
    let column = |axis: DVec3| (function(at + step * axis) - function(at - step * axis)) / (2.0 * step);
    DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
}

fn distance(a: DMat3, b: DMat3) -> f64 {
    let difference = a - b;
    let size = |m: &DMat3| m.x_axis.length().max(m.y_axis.length()).max(m.z_axis.length());
    size(&difference) / size(&b).max(1e-3)
}

#[test]
fn force_is_minus_the_gradient_of_the_energy() {
    let mut told_apart = [0; Law::ALL.len()];
    for state in states().filter(Sample::is_smooth) {
        let energy = |d: DVec3| edge_energy(&state.material, &state.edge, &state.history, d.length(), TIME_STEP);
        let offset = state.offset;
        let step = STEP * offset.length().min(1.0);
        let slope = |axis: DVec3| (energy(offset + step * axis) - energy(offset - step * axis)) / (2.0 * step);
        let gradient = DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
        let force = state.response(false).force;
        let scale = force.length().max(state.scale());
        assert!((force + gradient).length() / scale < 1e-6, "{}: {force} against {gradient}", state.name());
        // The control: with the other sign it is wrong.
        if force.length() > 0.1 * scale {
            assert!((force - gradient).length() / scale > 1e-2);
            told_apart[state.material.law as usize] += 1;
        }
    }
    assert!(told_apart.iter().all(|&count| count > 20), "{told_apart:?}");
}

#[test]
fn slope_is_the_derivative_of_the_tension() {
    let mut seen = [0; Law::ALL.len()];
    for state in states().filter(Sample::is_smooth) {
        let length = state.offset.length();
        let step = STEP * length;
        let law = |length: f64| edge_law(&state.material, &state.edge, &state.history, length, TIME_STEP);
        let slope = (law(length + step).tension - law(length - step).tension) / (2.0 * step);
        let exact = law(length);
        assert!(
            (slope - exact.slope).abs() / exact.slope.abs().max(10.0) < 1e-5,
            "{}: {slope} {exact:?}",
            state.name()
        );
        assert_eq!(exact.tension, exact.jacobian_tension);
        seen[state.material.law as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 190), "{seen:?}");
}

#[test]
fn jacobian_is_the_derivative_of_the_force() {
    for state in states().filter(Sample::is_smooth) {
        // d = x_i - x_j, so a derivative by x_j is minus that by d.
        let step = 1e-5 * state.offset.length().min(1.0);
        let by_position = -differences(state.offset, step, |d| state.respond(d, DVec3::ZERO, false).force);
        let response = state.response(false);
        let error = distance(response.position_jacobian(), by_position);
        assert!(error < 1e-5, "{}: {error:.1e}", state.name());

        let by_velocity = -differences(state.velocity, STEP, |v| state.respond(state.offset, v, false).force);
        let error = distance(response.velocity_jacobian(), by_velocity);
        assert!(error < 1e-6, "{}: {error:.1e}", state.name());
        // The control: half the drag is another derivative.
        let half = EdgeResponse { drag: 0.5 * response.drag, ..response };
        assert!(response.drag.abs() < 0.1 || distance(half.velocity_jacobian(), by_velocity) > 1e-2);
    }
}

/// Eigenvalues of -df_i/dx_j's law part, the scalar apart: across and along.
fn stiffness(state: &Sample, response: &EdgeResponse) -> [f64; 2] {
    let across = response.transverse - state.edge.scalar;
    [across, across + response.axial_excess]
}

#[test]
fn the_clamp_changes_only_what_is_indefinite() {
    let mut changed = [0; Law::ALL.len()];
    for state in states() {
        let free = state.response(false);
        let clamped = state.response(true);
        assert_eq!(free.force, clamped.force);
        if free != clamped {
            changed[state.material.law as usize] += 1;
            assert!(stiffness(&state, &free).iter().any(|&k| k < 0.0));
        }
    }
    let clamped = |law: Law| changed[law as usize];
    assert!([Law::Linear, Law::Cubic, Law::CubicAbsolute, Law::Buckling].iter().all(|&law| clamped(law) > 50));
    assert!([Law::None, Law::TensionOnly].iter().all(|&law| clamped(law) == 0), "{changed:?}");
}

#[test]
fn clamped_blocks_are_positive_whatever_the_state() {
    let mut indefinite = 0;
    let mut rng = fastrand::Rng::with_seed(12);
    for mut state in states() {
        // With a part left out of the Jacobian too, of either sign.
        let [square, constant] = [0; 2].map(|_| 20.0 * (rng.f64() - 0.5));
        state.material.left_out = CubicLeftOut { square, constant }.pack();
        state.edge.scalar = 0.0;
        let response = state.respond(state.offset, state.velocity, true);
        let rounding = 1e-12 * (response.transverse.abs() + response.axial_excess.abs());
        for h in [1e-4, 0.01, 1.0] {
            let block = h * h * response.position_jacobian() + h * response.velocity_jacobian();
            for direction in (0..20).map(|_| random(&mut rng)).chain([response.direction]) {
                assert!(direction.dot(block * direction) >= -h * h * rounding, "{}", state.name());
            }
        }
        indefinite += u32::from(stiffness(&state, &state.response(false)).iter().any(|&k| k < 0.0));
    }
    assert!(indefinite > 300, "the control: {indefinite} of them are not, without the clamp");
}

#[test]
fn what_the_jacobian_leaves_out_changes_no_force() {
    let mut changed = 0;
    for state in states() {
        let eta = 0.9;
        let parameters = &state.material.law_parameters;
        let (terms, powers) = match state.material.law {
            // B and D of the relative form, and how the rest length enters them in the absolute one.
            Law::Cubic => {
                let CubicParameters { c0, c1, c2, c3 } = CubicParameters::unpack(parameters);
                ([c2 - 3.0 * c3, c0 - c1 + c2 - c3], [-1, 1])
            }
            Law::CubicAbsolute => {
                let CubicAbsoluteParameters { b, d, .. } = CubicAbsoluteParameters::unpack(parameters);
                ([b, d], [0, 0])
            }
            _ => continue,
        };
        let free = state.respond(state.offset, state.velocity, false);
        let [square, constant] = terms.map(|term| (1.0 - eta) * term);
        let material = EdgeMaterial { left_out: CubicLeftOut { square, constant }.pack(), ..state.material };
        let damped = Sample { material, ..state };
        let response = damped.respond(damped.offset, damped.velocity, false);
        assert_eq!(free.force, response.force);
        // Vogiannou (3) with b, d times η: the two Jacobians differ by that of (1 - η) (b l² + d), at the elastic length.
        let (real, rest_length) = (damped.offset.length(), damped.edge.rest_length);
        let length = real - rest_length * damped.history[0];
        let [b, d] = [terms[0] * rest_length.powi(powers[0]), terms[1] * rest_length.powi(powers[1])];
        let weight = damped.edge.weight * (1.0 - eta);
        let across = weight * (b * length * length + d) / real;
        let along = weight * 2.0 * b * length;
        let difference = free.position_jacobian() - response.position_jacobian();
        let n = response.direction;
        let size = across.abs().max(along.abs()).max(1.0);
        assert!((n.dot(difference * n) - along).abs() < 1e-9 * size, "{}", damped.name());
        let aside = n.any_orthonormal_vector();
        assert!((aside.dot(difference * aside) - across).abs() < 1e-9 * size, "{}", damped.name());
        changed += u32::from(across.abs() > 0.1);
    }
    assert!(changed > 200);
}

#[test]
fn coincident_particles_feel_no_law_and_nothing_is_nan() {
    let mut rng = fastrand::Rng::with_seed(13);
    for &law in Law::ALL {
        for memory in [EdgeMemory::None, EdgeMemory::Plastic] {
            let material = EdgeMaterial { memory, drag: 0.0, scalar_time: 0.0, ..material(law, &mut rng) };
            let edge = Edge { ends: [0, 1], rest_length: 0.1, weight: 1.0, material: 0, scalar: 5.0, structural: true };
            for plastic in [-0.5, 0.0, 3.0] {
                let history = [plastic, 0.0, 0.0, 0.0];
                for (offset, clamp) in [(DVec3::ZERO, true), (DVec3::ZERO, false), (DVec3::X * 1e-300, false)] {
                    let response = edge_response(&material, &edge, &history, offset, DVec3::ONE, TIME_STEP, clamp);
                    assert!(response.force.is_finite());
                    assert!(offset != DVec3::ZERO || response.force == DVec3::ZERO);
                    assert!(response.transverse.is_finite() && response.axial_excess.is_finite(), "{law:?}");
                    assert!(edge_energy(&material, &edge, &history, offset.length(), TIME_STEP).is_finite());
                }
            }
        }
    }
}

/// u of sin(u)/u = 1 - z by bisection.
fn inverse_sinc(z: f64) -> f64 {
    let (mut low, mut high) = (0.0, std::f64::consts::PI);
    for _ in 0..100 {
        let u: f64 = 0.5 * (low + high);
        if 1.0 - u.sin() / u < z { low = u } else { high = u }
    }
    0.5 * (low + high)
}

#[test]
fn the_fitted_arc_is_as_near_to_the_exact_one_as_stated() {
    let mut worst = [0.0f64; 3];
    for ix in 10..=2000 {
        let z = f64::from(ix) / 2000.0;
        let u = inverse_sinc(z);
        let rate = (u.sin() - u * u.cos()) / (u * u);
        let rate_slope = u.sin() / u - 2.0 * rate / u;
        let exact = [u, 2.0 * u / rate, (2.0 - 2.0 * u * rate_slope / rate) / (rate * rate)];
        let [value, slope, bend] = arc(z);
        for (worst, (fit, exact)) in worst.iter_mut().zip([value.sqrt(), slope, bend].iter().zip(exact)) {
            *worst = worst.max((fit / exact - 1.0).abs());
        }
    }
    println!("u {:.1e}, force {:.1e}, slope {:.1e}", worst[0], worst[1], worst[2]);
    assert!(worst[0] < 3e-7 && worst[1] < 4e-6 && worst[2] < 8e-5, "{worst:?}");
    // Jiao's own end: -12 k_b/L² at rest.
    assert!(arc(0.0)[0].abs() < 1e-8 && (arc(0.0)[1] - 6.0).abs() < 1e-7);
}

#[test]
fn buckling_takes_the_gentler_force_and_its_energy_is_continuous() {
    let edge = Edge { ends: [0, 1], rest_length: 0.5, weight: 1.0, material: 0, scalar: 0.0, structural: true };
    let (k_b, rest_length): (f64, f64) = (0.01, 0.5);
    // q = c_b L³/(2 k_b): one curve all the way, two crossings, one crossing.
    for (q, changes) in [(10.0, 0), (17.0, 2), (60.0, 1)] {
        let c_b = 2.0 * k_b * q / rest_length.powi(3);
        let law_parameters = BucklingParameters { bending_stiffness: k_b, compression: c_b }.pack();
        let material = EdgeMaterial { law: Law::Buckling, law_parameters, ..Default::default() };
        let mut integral = 0.0;
        let (count, mut branches) = (20_000, Vec::new());
        for ix in 0..count {
            let z = (f64::from(ix) + 0.5) / f64::from(count);
            let u = inverse_sinc(z);
            let bent = -(2.0 * k_b / rest_length.powi(2)) * 2.0 * u * u * u / (u.sin() - u * u.cos());
            let straight = -c_b * rest_length * z;
            let length = rest_length * (1.0 - z);
            let law = edge_law(&material, &edge, &[0.0; 4], length, TIME_STEP);
            assert!((law.tension / bent.max(straight) - 1.0).abs() < 1e-5, "{q} {z}");
            branches.push(bent > straight);
            integral -= law.tension * rest_length / f64::from(count);
        }
        branches.dedup();
        assert_eq!(branches.len() - 1, changes, "q = {q}");
        let energy = edge_energy(&material, &edge, &[0.0; 4], 0.0, TIME_STEP);
        assert!((energy / integral - 1.0).abs() < 1e-6, "q = {q}: {energy} against {integral}");
    }
}

#[test]
fn a_series_is_the_derivative_of_what_it_stores_and_loses_in_a_step() {
    let mut rng = fastrand::Rng::with_seed(14);
    let mut lost_something = 0;
    for _ in 0..200 {
        let (k_0, h, rest_length) = (10.0 + 90.0 * rng.f64(), 0.001 + 0.1 * rng.f64(), 0.5 + rng.f64());
        let elements = [0, 1].map(|_| (5.0 + 100.0 * rng.f64(), 10.0 * rng.f64()));
        let [(k_1, d_1), (k_2, d_2)] = elements;
        let material = EdgeMaterial {
            memory: EdgeMemory::Series,
            memory_parameters: SeriesParameters {
                times: [d_1 / k_1, d_2 / k_2, 1.0],
                compliances: [k_0 / k_1, k_0 / k_2, 0.0],
            }
            .pack(),
            ..EdgeMaterial::linear(k_0)
        };
        let edge = Edge { ends: [0, 1], rest_length, weight: 1.0, material: 0, scalar: 0.0, structural: true };
        let history = [rng.f64() - 0.5, rng.f64() - 0.5, 0.0, 0.0];
        // Implicit Euler minimises the energy at the end of the step and, by ½ d_j h ((e_j - e_j⁰)/h)², what flows.
        let potential = |length: f64| {
            let after = history_after(&material, &edge, &history, length, h);
            let flow = |j: usize, d: f64| 0.5 * d / h * (rest_length * (after[j] - history[j])).powi(2);
            edge_energy(&material, &edge, &history, length, h) + flow(0, d_1) + flow(1, d_2)
        };
        let length = rest_length * (0.3 + 2.0 * rng.f64());
        let law = |length: f64| edge_law(&material, &edge, &history, length, h);
        let difference = (potential(length + STEP) - potential(length - STEP)) / (2.0 * STEP);
        assert!((difference - law(length).tension).abs() < 1e-6 * k_0, "{difference} {:?}", law(length));
        let slope = (law(length + STEP).tension - law(length - STEP).tension) / (2.0 * STEP);
        assert!((slope - law(length).slope).abs() < 1e-6 * k_0);
        assert!(law(length).slope < k_0);
        // The control: what the springs store is not the whole of it.
        let stored = |length: f64| edge_energy(&material, &edge, &history, length, h);
        let stored = (stored(length + STEP) - stored(length - STEP)) / (2.0 * STEP);
        lost_something += u32::from((stored - difference).abs() > 1e-3 * k_0);
    }
    assert!(lost_something > 150, "{lost_something}");
}
