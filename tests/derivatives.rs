//! Forces are the derivative of their energy and Jacobians the derivative of the force: finite differences in f64, every law in the
//! table, random states, nearly collapsed edges too.

use glam::{DMat3, DVec3};
use tenter::{
    reference::forces::{edge::edge_response, law::edge_law},
    topology::{Edge, EdgeMaterial, Law},
};

const STEP: f64 = 1e-6;

fn random(rng: &mut fastrand::Rng) -> DVec3 {
    DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5)
}

/// Edges from a thousandth of their rest length to four times it.
fn states() -> impl Iterator<Item = (EdgeMaterial, Edge, DVec3, DVec3)> {
    let mut rng = fastrand::Rng::with_seed(11);
    let lengths = [1e-3, 1e-2, 0.1, 0.5, 0.9, 0.999, 1.0, 1.001, 1.1, 2.0, 4.0];
    Law::ALL.iter().flat_map(move |&law| lengths.map(|length| (law, length))).flat_map(move |(law, length)| {
        (0..20)
            .map(|_| {
                let rest_length = 0.5 + rng.f64();
                let material = EdgeMaterial { law, stiffness: 10.0 + 100.0 * rng.f64(), damping: rng.f64() };
                let edge = Edge { ends: [0, 1], rest_length, weight: 0.5 + rng.f64(), material: 0 };
                (material, edge, random(&mut rng).normalize() * length * rest_length, 4.0 * random(&mut rng))
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
    for (material, edge, offset, _) in states() {
        let energy = |d: DVec3| edge_law(&material, &edge, d.length()).energy;
        let step = STEP * offset.length().min(1.0);
        let slope = |axis: DVec3| (energy(offset + step * axis) - energy(offset - step * axis)) / (2.0 * step);
        let gradient = DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
        let force = edge_response(&material, &edge, offset, DVec3::ZERO, false).force;
        let scale = force.length().max(material.stiffness * edge.rest_length);
        assert!((force + gradient).length() / scale < 1e-6, "{material:?} {offset}: {force} against {gradient}");
        // The control: with the other sign it is wrong.
        if force.length() > 0.1 * scale {
            assert!((force - gradient).length() / scale > 1e-2);
        }
    }
}

#[test]
fn slope_is_the_derivative_of_the_tension() {
    for (material, edge, offset, _) in states() {
        let length = offset.length();
        let step = STEP * length;
        let tension = |l: f64| edge_law(&material, &edge, l).tension;
        let slope = (tension(length + step) - tension(length - step)) / (2.0 * step);
        let law = edge_law(&material, &edge, length);
        assert!((slope - law.slope).abs() / law.slope.abs().max(1.0) < 1e-5, "{material:?}: {slope} against {law:?}");
    }
}

#[test]
fn jacobian_is_the_derivative_of_the_force() {
    for (material, edge, offset, velocity) in states() {
        // d = x_i - x_j, so a derivative by x_j is minus that by d.
        let force = |d: DVec3| edge_response(&material, &edge, d, DVec3::ZERO, false).force;
        let step = 1e-5 * offset.length().min(1.0);
        let by_position = -differences(offset, step, force);
        let response = edge_response(&material, &edge, offset, DVec3::ZERO, false);
        let error = distance(response.position_jacobian(), by_position);
        assert!(error < 1e-5, "{material:?} {offset}: {error:.1e}");

        let force = |v: DVec3| edge_response(&material, &edge, offset, v, false).force;
        let by_velocity = -differences(velocity, STEP, force);
        let error = distance(response.velocity_jacobian(), by_velocity);
        assert!(error < 1e-6, "{material:?} {offset}: {error:.1e}");
    }
}

#[test]
fn the_clamp_changes_only_compressed_edges() {
    let mut changed = 0;
    for (material, edge, offset, _) in states() {
        let free = edge_response(&material, &edge, offset, DVec3::ZERO, false);
        let clamped = edge_response(&material, &edge, offset, DVec3::ZERO, true);
        assert_eq!(free.force, clamped.force);
        // -df_i/dx_j is minus a block of the matrix: positive when its two eigenvalues are.
        assert!(clamped.transverse >= 0.0 && clamped.transverse + clamped.axial_excess >= 0.0);
        if free != clamped {
            changed += 1;
            assert!(offset.length() < edge.rest_length);
        }
    }
    assert!(changed > 50);
}

#[test]
fn coincident_particles_feel_nothing_and_nothing_is_nan() {
    let material = EdgeMaterial { law: Law::Linear, stiffness: 100.0, damping: 1.0 };
    let edge = Edge { ends: [0, 1], rest_length: 0.1, weight: 1.0, material: 0 };
    for clamp in [true, false] {
        let response = edge_response(&material, &edge, DVec3::ZERO, DVec3::ONE, clamp);
        assert_eq!(response.force, DVec3::ZERO);
        assert!(response.transverse.is_finite() && response.axial_excess.is_finite());
    }
}
