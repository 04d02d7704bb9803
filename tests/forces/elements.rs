//! Every element model against its own definition, in f64: forces are minus the gradient of the energy and Jacobians the derivative of
//! the forces (finite differences), momentum, invariance, definiteness with the clamp, degenerate states. The models as printed have
//! no energy: what they break is shown instead.

use crate::element_cases::*;
use glam::{DMat3, DQuat, DVec3};
use tenter::internals::forces::{
    curvature::{self, CurvatureRest},
    dihedral::{self, DihedralRest},
    element::*,
    membrane::{self, MembraneModuli, MembraneParameters},
    volume::{self, VolumeParameters, VolumeRest},
};

#[test]
fn force_is_minus_the_gradient_of_the_energy() {
    let mut worst = 0.0_f64;
    for case in cases().filter(|case| case.has_energy() && case.is_smooth()) {
        let still = case.with_velocities([DVec3::ZERO; 4]);
        let step = 1e-5 * case.scale();
        let mut wrong = 0.0_f64;
        let mut size = case.force_scale();
        for own in 0..case.count() {
            let slope = |axis: DVec3| {
                let energy = |side: f64| still.moved(own, side * step * axis).energy();
                (energy(1.0) - energy(-1.0)) / (2.0 * step)
            };
            let gradient = DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
            let force = still.row(own, false).force;
            wrong = wrong.max((force + gradient).length());
            size = size.max(force.length());
            // The control: with the other sign it is wrong.
            if force.length() > case.force_scale() {
                assert!((force - gradient).length() > 0.1 * force.length());
            }
        }
        worst = worst.max(wrong / size);
        assert!(wrong / size < 1e-5, "{}: {:.1e}", case.name, wrong / size);
    }
    println!("worst error of a force {worst:.1e}");
}

#[test]
fn jacobian_is_the_derivative_of_the_force() {
    let mut worst = [0.0_f64; 2];
    let mut noticed = [0; 10];
    for case in cases().filter(|case| case.has_exact_jacobian() && case.is_smooth()) {
        // The damping force's own dependence on x is left out: compared at rest.
        let still = case.with_velocities([DVec3::ZERO; 4]);
        let stiffness = still.assembled(false, |row| row.stiffness);
        let damping = case.assembled(false, |row| row.damping);
        let step = 1e-5 * case.scale();
        let by_position = case.differences(step, |j, offset, own| still.moved(j, offset).row(own, false).force);
        let by_velocity = case.differences(1e-2, |j, offset, own| case.pushed(j, offset).row(own, false).force);
        for (kind, analytic, differences) in [(0, &stiffness, &by_position), (1, &damping, &by_velocity)] {
            let error = difference(analytic, differences) / largest(differences).max(1e-3 * case.force_scale());
            worst[kind] = worst[kind].max(error);
            assert!(error < 1e-5, "{} kind {kind}: {error:.1e}", case.name);
        }
        assert!(asymmetry(&stiffness) < 1e-12 * largest(&stiffness).max(1e-30), "{}", case.name);
        // The control: the clamped Jacobian is not this derivative.
        let clamped = still.assembled(true, |row| row.stiffness);
        noticed[case.model() as usize] += u32::from(difference(&clamped, &by_position) > 1e-3 * largest(&by_position));
    }
    for &model in ElementModel::ALL {
        let approximate = matches!(model, ElementModel::CurvaturePrinted | ElementModel::ShearPrinted);
        assert_eq!(noticed[model as usize] > 10, !approximate, "{model:?}: {noticed:?}");
    }
    println!("worst error of df/dx {:.1e}, of df/dv {:.1e}", worst[0], worst[1]);
}

#[test]
fn approximate_jacobians_are_what_they_claim() {
    // As printed, curvature has the exact velocity Jacobian, and the exact position Jacobian where the normal does not matter.
    let mut exact = 0;
    for case in cases().filter(|case| case.model() == ElementModel::CurvaturePrinted) {
        let by_velocity = case.differences(1e-2, |j, offset, own| case.pushed(j, offset).row(own, false).force);
        let damping = case.assembled(false, |row| row.damping);
        assert!(difference(&damping, &by_velocity) < 1e-6 * largest(&by_velocity).max(1e-3));
        let CurvatureRest { length, hardening, .. } = CurvatureRest::unpack(&case.element.rest);
        if length == 0.0 && hardening == 0.0 {
            exact += 1;
            let by_position = case.differences(1e-4, |j, offset, own| case.moved(j, offset).row(own, false).force);
            let stiffness = case.assembled(false, |row| row.stiffness);
            assert!(difference(&stiffness, &by_position) < 1e-6 * largest(&by_position), "{}", case.name);
        }
    }
    assert!(exact > 10);
    // The printed shear and the printed pair are forces only.
    for case in cases().filter(|case| case.is_force_only()) {
        assert_eq!(largest(&case.assembled(false, |row| row.stiffness)), 0.0);
        assert_eq!(case.energy(), 0.0);
    }
}

#[test]
fn momentum_holds_except_where_the_papers_break_it() {
    // Largest relative error of linear and of angular momentum by model; the printed pair apart.
    let mut errors = [[0.0_f64; 2]; 11];
    for case in cases() {
        let forces: Vec<_> = (0..case.count()).map(|own| case.row(own, false).force).collect();
        let size = forces.iter().map(|force| force.length()).sum::<f64>().max(1e-9 * case.force_scale());
        let centre = case.state.x[0];
        let arm = case.state.x.iter().map(|x| (*x - centre).length()).fold(0.0, f64::max);
        let linear = forces.iter().sum::<DVec3>().length() / size;
        let turning = |(force, x): (&DVec3, &DVec3)| (*x - centre).cross(*force);
        let angular = forces.iter().zip(&case.state.x).map(turning).sum::<DVec3>().length() / (size * arm.max(1e-9));
        let slot = &mut errors[if case.is_printed_pair() { 10 } else { case.model() as usize }];
        *slot = [slot[0].max(linear), slot[1].max(angular)];
    }
    for &model in ElementModel::ALL {
        let [linear, angular] = errors[model as usize];
        println!("{model:?}: linear {linear:.1e}, angular {angular:.1e}");
        assert!(linear < 1e-9, "{model:?}: {linear}");
        match model {
            ElementModel::CurvaturePrinted | ElementModel::ShearPrinted | ElementModel::ProjectedPair => {
                assert!(angular > 1e-3, "{model:?} keeps angular momentum: {angular}")
            }
            _ => assert!(angular < 1e-9, "{model:?}: {angular}"),
        }
    }
    println!("ProjectedPair as printed: linear {:.1e}, angular {:.1e}", errors[10][0], errors[10][1]);
    assert!(errors[10][0] > 1e-3);
}

#[test]
fn turning_and_shifting_the_world_turns_the_response() {
    let turn = DQuat::from_scaled_axis(DVec3::new(0.7, -1.1, 0.4));
    let (shift, drift) = (DVec3::new(1.0, -2.0, 0.5), DVec3::new(-0.3, 0.2, 1.0));
    let rotation = DMat3::from_quat(turn);
    for case in cases() {
        let mut turned = case.clone();
        turned.state.x = case.state.x.map(|x| turn * x + shift);
        turned.state.v = case.state.v.map(|v| turn * v + drift);
        turned.state.normals = case.state.normals.map(|n| turn * n);
        // Nearly degenerate states magnify the rounding of the shifted positions.
        let tolerance = 1e-9 / case.scale().min(1.0).powi(2);
        let energy = case.energy();
        assert!((turned.energy() - energy).abs() < tolerance * (energy.abs() + case.force_scale()), "{}", case.name);
        for (own, clamp) in (0..case.count()).flat_map(|own| [(own, false), (own, true)]) {
            let (before, after) = (case.row(own, clamp), turned.row(own, clamp));
            let size = before.force.length() + case.force_scale();
            assert!((after.force - turn * before.force).length() < tolerance * size, "{}", case.name);
            for j in (0..case.count()).filter(|&j| j != own) {
                let expected = rotation * before.stiffness[j] * rotation.transpose();
                let size = norm(expected) + case.force_scale();
                assert!(norm(after.stiffness[j] - expected) < 10.0 * tolerance * size, "{} {own} {j}", case.name);
            }
        }
    }
}

#[test]
fn with_the_clamp_every_matrix_is_positive_semidefinite() {
    let mut indefinite = [0; 10];
    for case in cases().chain(degenerate_cases()) {
        for kind in [|row: ElementRow| row.stiffness, |row: ElementRow| row.damping] {
            let matrix = case.assembled(true, kind);
            let size = largest(&matrix);
            assert!(asymmetry(&matrix) <= 1e-12 * size, "{}: asymmetry {:.1e}", case.name, asymmetry(&matrix) / size);
            let least = eigenvalues(&matrix).into_iter().fold(f64::INFINITY, f64::min);
            assert!(least >= -1e-10 * size, "{}: eigenvalue {:.1e} of {size:.1e}", case.name, least);
        }
        for own in 0..case.count() {
            assert_eq!(case.row(own, true).force, case.row(own, false).force, "the clamp changes no force");
        }
        let exact = case.assembled(false, |row| row.stiffness);
        let least = eigenvalues(&exact).into_iter().fold(f64::INFINITY, f64::min);
        indefinite[case.model() as usize] += u32::from(least < -1e-6 * largest(&exact));
    }
    // The control: without it most models are indefinite somewhere.
    for &model in ElementModel::ALL {
        let count = indefinite[model as usize];
        println!("{model:?}: {count} states indefinite without the clamp");
        assert_eq!(count > 0, model != ElementModel::ShearPrinted, "{model:?}");
    }
}

#[test]
fn degenerate_states_stay_finite() {
    let mut seen = 0;
    for case in degenerate_cases() {
        seen += 1;
        assert!(case.energy().is_finite(), "{}", case.name);
        for (own, clamp) in (0..case.count()).flat_map(|own| [(own, false), (own, true)]) {
            let row = case.row(own, clamp);
            let blocks = row.stiffness.iter().chain(&row.damping).all(DMat3::is_finite);
            assert!(row.force.is_finite() && blocks, "{}: {row:?}", case.name);
            // No angle, no Jacobian either.
            if case.model() == ElementModel::Dihedral && dihedral::angle(&case.state.x).is_none() {
                assert_eq!(row, ElementRow::default(), "{}", case.name);
                assert_eq!(row.stiffness, [DMat3::ZERO; 4]);
            }
            // All in one point and still: nothing has a direction.
            if case.name.contains("coincident") {
                assert_eq!(case.with_velocities([DVec3::ZERO; 4]).row(own, clamp).force, DVec3::ZERO, "{}", case.name);
            }
        }
    }
    assert!(seen > 50);
}

/// Particles that follow their forces, without inertia.
fn relax(case: &Case, rate: f64, steps: usize) -> Case {
    let mut case = case.with_velocities([DVec3::ZERO; 4]);
    for _ in 0..steps {
        let forces: Vec<_> = (0..case.count()).map(|own| case.row(own, true).force).collect();
        for (x, force) in case.state.x.iter_mut().zip(forces) {
            *x += rate * force;
        }
    }
    case
}

#[test]
fn an_inverted_tetrahedron_comes_back() {
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..20 {
        let mut case = Case::random(ElementModel::Volume, 0.0, &mut rng);
        let rest = VolumeRest::unpack(&case.element.rest);
        let rest_volume = rest.volume;
        // Corner 3 pushed through the opposite face.
        let x = &mut case.state.x;
        let normal = (x[1] - x[0]).cross(x[2] - x[0]).normalize();
        let through = 1.5 * normal.dot(x[3] - x[0]);
        x[3] -= through * normal;
        let (inverted, gradients) = volume::volume_and_gradients(&case.state.x);
        assert!(inverted * rest_volume < 0.0);
        let power: f64 =
            (0..4).map(|i| case.with_velocities([DVec3::ZERO; 4]).row(i, true).force.dot(gradients[i])).sum();
        assert!(power * rest_volume > 0.0, "the force does not turn it back");
        // Far below what the stiffest of these states allows.
        let rate = 2e-3 / VolumeParameters::unpack(&case.material.parameters).stiffness;
        let relaxed = relax(&case, rate, 5_000);
        let (volume, _) = volume::volume_and_gradients(&relaxed.state.x);
        assert!((volume / rest_volume - 1.0).abs() < 0.05, "{volume} against {rest_volume}");
        // The control: a rest volume of the other sign keeps it inverted.
        case.element.rest = VolumeRest { volume: -rest_volume, ..rest }.pack();
        let (volume, _) = volume::volume_and_gradients(&relax(&case, rate, 5_000).state.x);
        assert!(volume * rest_volume < 0.0);
    }
}

/// Two triangles with wings lifted by an angle each about the common edge: particles A, B, C, D and the heights.
fn lifted(angle_a: f64, angle_b: f64) -> ([DVec3; 4], [f64; 2]) {
    let (height_a, height_b) = (0.7, 1.1);
    let a = DVec3::new(-height_a * angle_a.cos(), 0.1, height_a * angle_a.sin());
    let b = DVec3::new(height_b * angle_b.cos(), -0.2, height_b * angle_b.sin());
    ([a, b, DVec3::new(0.0, -0.6, 0.0), DVec3::new(0.0, 0.5, 0.0)], [height_a, height_b])
}

/// α of that pair (5): where A B, flat, crosses C D.
fn weights_of_lifted() -> [f64; 4] {
    let ([a, b, c, d], [height_a, height_b]) = lifted(0.0, 0.0);
    let total = height_a + height_b;
    let crossing = (height_b * a.y + height_a * b.y) / total;
    let along = (crossing - c.y) / (d.y - c.y);
    [height_b / total, height_a / total, along - 1.0, -along]
}

/// Rest measures of that pair without hardening and viscosity.
fn elastic_curvature(stiffness: f64, length: f64) -> [f64; 11] {
    CurvatureRest { weights: weights_of_lifted(), stiffness, length, damping: 0.0, hardening: 0.0 }.pack()
}

#[test]
fn linear_curvature_and_dihedral_agree_for_small_angles() {
    let mut rng = fastrand::Rng::with_seed(6);
    let mut linear = Case::random(ElementModel::Curvature, 0.0, &mut rng);
    let mut angular = Case::random(ElementModel::Dihedral, 0.0, &mut rng);
    let stiffness = 3.0;
    linear.element.rest = elastic_curvature(stiffness, 0.0);
    let (_, [height_a, height_b]) = lifted(0.0, 0.0);
    let arm = height_a * height_b / (height_a + height_b);
    let elastic_angle = |stiffness: f64| DihedralRest { stiffness, angle: 0.0, damping: 0.0, areas: [0.0; 2] }.pack();
    angular.element.rest = elastic_angle(stiffness * arm * arm);
    for (angle_a, angle_b) in [(1e-3, 2e-3), (2e-3, -5e-4), (-1e-3, -1e-3)] {
        let (x, _) = lifted(angle_a, angle_b);
        for case in [&mut linear, &mut angular] {
            case.state.x = x;
            case.state.v = [DVec3::ZERO; 4];
        }
        assert!((dihedral::angle(&x).unwrap() - (angle_a + angle_b)).abs() < 1e-12);
        assert!((linear.energy() / angular.energy() - 1.0).abs() < 1e-5);
        for own in 0..4 {
            let (f, g) = (linear.row(own, true).force, angular.row(own, true).force);
            assert!((f - g).length() < 5e-3 * f.length(), "{f} {g}");
        }
        // The control: the lever enters squared.
        angular.element.rest = elastic_angle(stiffness * arm);
        assert!((linear.energy() / angular.energy() - 1.0).abs() > 0.1);
        angular.element.rest = elastic_angle(stiffness * arm * arm);
    }
}

#[test]
fn a_sheet_of_its_rest_curvature_is_at_rest() {
    let mut rng = fastrand::Rng::with_seed(7);
    for (model, side) in
        [ElementModel::Curvature, ElementModel::CurvaturePrinted].map(|m| [(m, 1.0), (m, -1.0)]).concat()
    {
        let mut case = Case::random(model, 0.0, &mut rng);
        (case.state.x, _) = lifted(side * 0.1, side * 0.17);
        let [a, b, c, d] = case.state.x;
        let normal = ((a - c).cross(a - d) + (b - d).cross(b - c)).normalize();
        let alpha = weights_of_lifted();
        let bending = alpha[0] * a + alpha[1] * b + alpha[2] * c + alpha[3] * d;
        assert!(bending.dot(normal) * side > 0.05);
        let exact = model == ElementModel::Curvature;
        let rest_length = if exact { side * bending.length() } else { bending.dot(normal) };
        case.element.rest = elastic_curvature(5.0, rest_length);
        case.state.v = [DVec3::ZERO; 4];
        let scale = 5.0 * rest_length.abs();
        let force = |case: &Case| (0..4).map(|own| case.row(own, true).force.length()).fold(0.0, f64::max);
        let left = force(&case);
        // The printed normal is not quite along R.
        assert!(left < if exact { 1e-12 } else { 0.1 } * scale, "{model:?} {side}: {left} of {scale}");
        // The control: with the sign that is printed it would be driven off twice as hard.
        case.element.rest = elastic_curvature(5.0, -rest_length);
        assert!(force(&case) > scale, "{model:?} {side}");
    }
}

#[test]
fn a_flat_pair_knows_to_which_side_it_curves() {
    let mut rng = fastrand::Rng::with_seed(9);
    for side in [1.0, -1.0] {
        let mut case = Case::random(ElementModel::Curvature, 0.0, &mut rng);
        (case.state.x, _) = lifted(0.0, 0.0);
        // Flat within rounding: R has a direction, and it is nonsense.
        case.state.x[0] += 1e-16 * DVec3::new(1.0, 1.0, -side);
        case.state.v = [DVec3::ZERO; 4];
        case.element.rest = elastic_curvature(5.0, side * 0.1);
        for (own, alpha) in weights_of_lifted().into_iter().enumerate() {
            let wanted = alpha * 5.0 * side * 0.1 * DVec3::Z;
            let force = case.row(own, true).force;
            assert!((force - wanted).length() < 1e-12, "{side} {own}: {force} instead of {wanted}");
        }
        // Left alone, it comes to rest at that curvature.
        let relaxed = relax(&case, 0.02, 3_000);
        let left = curvature::lift(&weights_of_lifted(), &relaxed.state.x);
        assert!((left - side * 0.1).abs() < 1e-6 && relaxed.energy() < 1e-9 * case.energy(), "{left}");
    }
}

#[test]
fn a_membrane_knows_weft_warp_and_shear() {
    let triangle = [DVec3::new(0.1, 0.2, 0.0), DVec3::new(1.3, 0.1, 0.0), DVec3::new(0.4, 0.9, 0.0)];
    let rest = membrane::rest(triangle, DVec3::new(2.0, 0.0, 5.0)).unwrap();
    let mut case = Case::random(ElementModel::Membrane, 0.0, &mut fastrand::Rng::with_seed(8));
    case.element.rest = rest.pack();
    let moduli = MembraneModuli { weft: 7.0, warp: 11.0, contraction: 2.0, shear: 3.0 };
    let viscosities = MembraneModuli { weft: 0.0, warp: 0.0, contraction: 0.0, shear: 0.0 };
    case.material.parameters = MembraneParameters { moduli, viscosities }.pack();
    let area = 0.5 * (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]).length();
    let energy = |map: fn(DVec3) -> DVec3| {
        let x = triangle.map(map);
        let mut case = case.clone();
        case.state.x = [x[0], x[1], x[2], x[2]];
        case.energy() / area
    };
    let green = 0.5 * (1.1 * 1.1 - 1.0);
    assert!(energy(|x| x) < 1e-25);
    assert!((energy(|x| x * DVec3::new(1.1, 1.0, 1.0)) - 0.5 * 7.0 * green * green).abs() < 1e-12);
    assert!((energy(|x| x * DVec3::new(1.0, 1.1, 1.0)) - 0.5 * 11.0 * green * green).abs() < 1e-12);
    assert!((energy(|x| x * 1.1) - 0.5 * (7.0 + 11.0 + 4.0) * green * green).abs() < 1e-12);
    // x += 0.2 y: F_v = (0.2, 1), γ = 0.2, e_v = 0.02.
    let sheared = 0.5 * (3.0 * 0.2 * 0.2 + 11.0 * 0.02 * 0.02);
    assert!((energy(|x| x + 0.2 * x.y * DVec3::X) - sheared).abs() < 1e-12);
    // Any direction will do where the weft is normal to the triangle; no area, no rest measures.
    assert!(membrane::rest(triangle, DVec3::Z).is_some() && membrane::rest(triangle, DVec3::ZERO).is_some());
    assert!(membrane::rest([DVec3::ZERO, DVec3::X, 2.0 * DVec3::X], DVec3::X).is_none());
    assert!(membrane::rest([DVec3::ONE; 3], DVec3::X).is_none());
}

#[test]
fn the_printed_shear_opposes_shear() {
    let mut opposed = 0;
    for case in cases().filter(|case| case.model() == ElementModel::ShearPrinted) {
        let case = case.with_velocities([DVec3::ZERO; 4]);
        let x = &case.state.x;
        let (p, q) = (x[0] - x[2], x[1] - x[3]);
        // Gradient of ⟨p, q⟩: moved along their forces the particles shear less.
        let gradient = [q, p, -q, -p];
        let power: f64 = (0..4).map(|own| case.row(own, true).force.dot(gradient[own])).sum();
        assert!(power * p.dot(q) <= 0.0);
        opposed += u32::from(power * p.dot(q) < 0.0);
    }
    assert!(opposed > 20);
}
