//! Published results of Etzmuß 2003, chapter 2: his three experiments against continuum solutions, moduli that hold at any resolution
//! and in cells that are no rectangles, transverse contraction, viscosity, and what the forces as printed do to momentum.

use crate::common::{self, statics::*};
use glam::{DVec3, Vec3};
use tenter::{
    Backend, Body, Free, Mass, Material, Mesh, Options, Scene, Side, Simulation, Spring, Vertices, Weave, WeaveBending,
    internals::topology::Topology,
};

const RESOLUTIONS: [u32; 4] = [5, 9, 17, 33];

/// 1 m × 1 m in the xz-plane, 1 kg/m², under a force density, N/m².
fn sheet(columns: u32, rows: u32, weave: Weave, load: Vec3) -> (Scene, tenter::BodyId) {
    let mut scene = Scene::new();
    scene.gravity = load;
    let material = Material { weave: Some(weave), ..Material::loose(Mass::Surface(1.0)) };
    let body = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, columns, rows), material));
    (scene, body)
}

/// The thesis' measure: mean distance of nodes from where the continuum has them.
fn error(found: &[DVec3], rest: &[Vec3], exact: impl Fn(f64, f64) -> DVec3) -> f64 {
    let wrong = found.iter().zip(rest).map(|(x, p)| {
        let (u, v) = (f64::from(p.x) + 0.5, f64::from(p.z) + 0.5);
        x.distance(exact(u, v) - DVec3::new(0.5, 0.0, 0.5))
    });
    wrong.sum::<f64>() / found.len() as f64
}

fn print_errors(name: &str, errors: &[f64]) {
    for (n, error) in RESOLUTIONS.iter().zip(errors) {
        println!("{name}: {n} particles a side: mean error {error:.3e} m");
    }
}

#[test]
fn e1_hanging_textile() {
    // k = 1e4 N/m, 981 N/m² away from the held edge: k (s' - 1) = 981 (1 - v).
    let weave = Weave { weft: Spring::new(1e4), warp: Spring::new(1e4), ..Default::default() };
    let stretched = |v: f64| v + 0.0981 * (v - 0.5 * v * v);
    let mut errors = Vec::new();
    for n in RESOLUTIONS {
        let (mut scene, body) = sheet(n, n, weave, Vec3::Z * 981.0);
        scene.pin(body, Vertices::Side(Side::Far));
        let found = rest_state(&scene, 10.0, 10, 1e-9);
        errors.push(error(&found, &scene.bodies[0].mesh.positions, |u, v| DVec3::new(u, 0.0, stretched(v))));
        // The control: the wrong modulus is far off at every resolution.
        let soft = |v: f64| v + 1.1 * 0.0981 * (v - 0.5 * v * v);
        let off = error(&found, &scene.bodies[0].mesh.positions, |u, v| DVec3::new(u, 0.0, soft(v)));
        assert!(off > 1e-3, "{off}");
    }
    print_errors("E1", &errors);
    assert!(errors[0] < 2e-3);
    assert!(errors.windows(2).all(|pair| pair[0] / pair[1] > 3.0), "second order: {errors:?}");
    // All of it comes from masses by triangles, uneven where diagonals meet: loads by a quarter of each cell are exact at the nodes.
    let (mut scene, body) = sheet(9, 9, weave, Vec3::ZERO);
    scene.pin(body, Vertices::Side(Side::Far));
    for (row, column) in (0..9).flat_map(|row| (0..9).map(move |column| (row, column))) {
        let half = |ix: u32| if ix == 0 || ix == 8 { 0.5 } else { 1.0 };
        let load = 981.0 / 64.0 * half(row) * half(column);
        scene.push(body, Vertices::list([row * 9 + column]), Vec3::Z * load);
    }
    let found = rest_state(&scene, 10.0, 10, 1e-9);
    let even = error(&found, &scene.bodies[0].mesh.positions, |u, v| DVec3::new(u, 0.0, stretched(v)));
    println!("E1: 9 particles a side, loads by cells: mean error {even:.1e} m");
    assert!(even < 1e-7, "{even}");
}

/// Experiment 2 in the continuum. Rows stay straight, columns keep their length: shear alone bears the load, μ c_x' = q (1 - v). The free
/// sides bear no shear, which their columns take up within √(μ/k) = 1 % of the width, W = Σ δ_m b_m sin(a_m v), a_m = (m + ½) π,
/// δ_m = √(μ/k)/a_m, b_m of q (1 - v)/μ: columns move by ±W, and rows, tilted by them, further: c_x' = q (1 - v)/μ + 2 W.
fn sheared(layers: bool) -> impl Fn(f64, f64) -> DVec3 {
    let load = 10.0 / 100.0;
    let modes: Vec<[f64; 3]> = (0..if layers { 200 } else { 0 })
        .map(|m| {
            let a = (f64::from(m) + 0.5) * std::f64::consts::PI;
            let b = 2.0 * load * (1.0 / a - a.sin() / (a * a));
            [a, 1e-2 / a, b]
        })
        .collect();
    move |u, v| {
        let mut x = load * (v - 0.5 * v * v);
        let mut z = 0.0;
        for &[a, depth, b] in &modes {
            x += 2.0 * depth * b * (1.0 - (a * v).cos()) / a;
            let layer = |distance: f64| (-distance / depth).exp();
            z += depth * b * (a * v).sin() * (layer(u) - layer(1.0 - u));
        }
        // ∫ √(1 - γ²) with γ = q (1 - v)/μ.
        let primitive = |g: f64| 0.5 * (g * (1.0 - g * g).sqrt() + g.asin());
        let down = (primitive(load) - primitive(load * (1.0 - v))) / load;
        DVec3::new(u + x, 0.0, down + z)
    }
}

fn e2(n: u32) -> Scene {
    let weave = Weave { weft: Spring::new(1e6), warp: Spring::new(1e6), shear: 100.0, ..Default::default() };
    let (mut scene, body) = sheet(n, n, weave, Vec3::X * 10.0);
    scene.pin(body, Vertices::Side(Side::Far));
    scene
}

#[test]
fn e2_sheared_textile() {
    // On even grids, and with columns crowded at the sides: u = ½ (1 - cos π i/(n - 1)).
    let (mut even, mut crowded, mut without) = (Vec::new(), Vec::new(), Vec::new());
    for &n in &RESOLUTIONS[..3] {
        let mut scene = e2(n);
        let found = rest_state_to(1e-6, &scene, 10.0, 30, 1e-6);
        even.push(error(&found, &scene.bodies[0].mesh.positions, sheared(true)));
        without.push(error(&found, &scene.bodies[0].mesh.positions, sheared(false)));
        for position in &mut scene.bodies[0].mesh.positions {
            position.x = 0.5 * (std::f32::consts::PI * position.x).sin();
        }
        let found = rest_state_to(1e-6, &scene, 10.0, 30, 1e-6);
        crowded.push(error(&found, &scene.bodies[0].mesh.positions, sheared(true)));
    }
    print_errors("E2", &even);
    print_errors("E2, columns crowded at the sides", &crowded);
    print_errors("E2, even, against shear alone, without the layers of its free sides", &without);
    assert!(even.windows(2).all(|pair| pair[0] > 1.05 * pair[1]), "{even:?}");
    assert!(crowded.windows(2).all(|pair| pair[0] > 1.3 * pair[1]), "{crowded:?}");
    // Of 0.05 m that it is sheared by.
    assert!(even[2] < 0.005 * 0.05 && crowded[2] < even[2], "{even:?}");
    // The control: what leaves the layers out is not what it converges to.
    assert!(without[2] > 2.0 * without[0], "{without:?}");
}

/// Experiment 3 in the continuum: an inextensible strip on two supports, one of which slides, B θ'' = q (s - ½) cos θ, θ' = 0 at both
/// ends, by shooting. Returns x and the fall at arc lengths i/n.
fn elastica(load_over_modulus: f64, n: usize) -> Vec<DVec3> {
    let slope = |s: f64, [_, _, theta, curvature]: [f64; 4]| {
        [theta.cos(), theta.sin(), curvature, load_over_modulus * (s - 0.5) * theta.cos()]
    };
    let path = |start: f64| {
        let mut state = [0.0, 0.0, start, 0.0];
        let mut points = vec![DVec3::ZERO];
        let (parts, step) = (64, 1.0 / (64 * n) as f64);
        for ix in 0..parts * n {
            let s = ix as f64 * step;
            let moved = |by: f64, rate: [f64; 4]| std::array::from_fn(|k| state[k] + by * rate[k]);
            let a = slope(s, state);
            let b = slope(s + 0.5 * step, moved(0.5 * step, a));
            let c = slope(s + 0.5 * step, moved(0.5 * step, b));
            let d = slope(s + step, moved(step, c));
            state = std::array::from_fn(|k| state[k] + step / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]));
            if (ix + 1) % parts == 0 {
                points.push(DVec3::new(state[0], -state[1], 0.0));
            }
        }
        (points, state)
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        // Too steep at the start: the end comes out below its support.
        if path(middle).1[1] > 0.0 { high = middle } else { low = middle }
    }
    let (points, end) = path(low);
    assert!(end[1].abs() < 1e-9 && end[3].abs() < 1e-3 * load_over_modulus, "{end:?}");
    points
}

fn e3(n: u32) -> Scene {
    let weave = Weave {
        weft: Spring::new(1e6),
        warp: Spring::new(1e6),
        bending: WeaveBending::ThinPlate,
        bending_weft: 5.0,
        bending_warp: 5.0,
        ..Default::default()
    };
    // Bent to a cylinder: few rows do.
    let (mut scene, body) = sheet(n, 5, weave, Vec3::Y * -1.0);
    scene.pin(body, Vertices::Side(Side::Left));
    scene.pin_sliding(body, Vertices::Side(Side::Right), Free::Line(Vec3::X));
    scene
}

#[test]
fn e3_hanging_textile_with_bend_forces() {
    let mut errors = Vec::new();
    for n in RESOLUTIONS {
        let scene = e3(n);
        let found = rest_state_to(1e-7, &scene, 1.0, 60, 1e-9);
        let curve = elastica(1.0 / 5.0, n as usize - 1);
        let along = |u: f64| curve[(u * f64::from(n - 1)).round() as usize];
        errors.push(error(&found, &scene.bodies[0].mesh.positions, |u, v| along(u) + DVec3::Z * v));
        // The control: a beam of another modulus.
        let stiffer = elastica(1.0 / 6.0, n as usize - 1);
        let along = |u: f64| stiffer[(u * f64::from(n - 1)).round() as usize];
        let off = error(&found, &scene.bodies[0].mesh.positions, |u, v| along(u) + DVec3::Z * v);
        assert!(off > 2e-4, "{off}");
        // Small loads: 5 q L⁴ / 384 B, and the slope's share of its way inwards.
        let fall = curve.iter().map(|p| -p.y).fold(0.0, f64::max);
        assert!((fall / (5.0 / 384.0 / 5.0) - 1.0).abs() < 1e-2, "{fall}");
    }
    print_errors("E3", &errors);
    assert!(errors[0] < 2e-4, "{errors:?}");
    assert!(errors.windows(2).all(|pair| pair[0] / pair[1] > 3.0), "{errors:?}");
}

/// Largest force on a particle that no pin holds, loads included, in f64 at these positions.
fn unbalanced(scene: &Scene, positions: &[DVec3]) -> f64 {
    let topology = Topology::build(scene, &Options::default()).unwrap();
    let forces = internal_forces(scene, positions, &vec![DVec3::ZERO; positions.len()]);
    let load = scene.gravity.as_dvec3();
    let total = forces.iter().zip(masses(&topology)).map(|(force, mass)| *force + mass * load);
    let mut total: Vec<DVec3> = total.collect();
    for constraint in &topology.constraints {
        let particle = topology.order[constraint.row as usize] as usize;
        total[particle] = constraint.free * total[particle];
    }
    total.iter().map(|force| force.length()).fold(0.0, f64::max)
}

#[test]
fn on_the_gpu_the_experiments_come_as_near_as_rounded_positions_can() {
    let weave = Weave { weft: Spring::new(1e4), warp: Spring::new(1e4), ..Default::default() };
    let (mut hanging, body) = sheet(9, 9, weave, Vec3::Z * 981.0);
    hanging.pin(body, Vertices::Side(Side::Far));
    for (name, stiffness, scene) in [("E1", 1e4, hanging), ("E2", 1e6, e2(9)), ("E3", 1e6, e3(9))] {
        let exact = rest_state_to(1e-8, &scene, 10.0, 60, 1e-8);
        let rounded: Vec<DVec3> = exact.iter().map(|x| x.as_vec3().as_dvec3()).collect();
        let floor = unbalanced(&scene, &rounded);
        let ulp = f64::from(f32::EPSILON) * 0.5;
        let load = f64::from(scene.gravity.length()) / 64.0;
        // Small steps from rest: in each the particles go down the energy.
        let nonlinear = tenter::Nonlinear::OneLinearisation;
        let options = Options { time_step: 0.05, solver: tight(1e-6), nonlinear, ..Default::default() };
        let mut simulation = Simulation::new(&common::gpu(), &scene, options).unwrap();
        for _ in 0..200 {
            simulation.step().unwrap();
            simulation.set_velocities(&vec![Vec3::ZERO; exact.len()]).unwrap();
        }
        let found = simulation.positions_f64().unwrap();
        let (left, distance) = (unbalanced(&scene, &found), common::largest_distance(&found, &exact));
        println!(
            "{name}: a load of {load:.1e} N on a particle; k ulp(x) = {:.1e} N, the exact state rounded leaves {floor:.1e} N, the GPU \
             {left:.1e} N, {distance:.1e} m from the exact state",
            stiffness * ulp
        );
        assert!(left < 3.0 * floor, "{name}: {left} against {floor}");
        assert!(distance < 5e-7, "{name}: {distance}");
        // The control: so little is not left by states ten places of the last digit away.
        let noise = random_vectors(1, exact.len(), 10.0 * ulp);
        let moved: Vec<DVec3> = exact.iter().zip(noise).map(|(x, noise)| *x + noise).collect();
        assert!(unbalanced(&scene, &moved) > 3.0 * floor, "{name}");
    }
}

/// Energy of a scene's only body, all of it held where it starts, J.
fn stored(scene: &Scene) -> f64 {
    let mut scene = scene.clone();
    scene.pin(tenter::internals::body_id(0), Vertices::All);
    let options = Options { measure: true, ..Default::default() };
    let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
    simulation.step().unwrap();
    simulation.finish().unwrap().unwrap().measures.unwrap().elastic
}

/// A grid drawn over some quadrilateral patch, and its area: parallelogram, trapezoid, ring.
fn patches(n: u32) -> Vec<(&'static str, Mesh, f64)> {
    let mesh = |map: fn(f32, f32) -> Vec3| {
        let mut mesh = Mesh::grid(1.0, 1.0, n, n);
        mesh.positions.iter_mut().for_each(|p| *p = map(p.x, p.z));
        let area = |&[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|v| mesh.positions[v as usize].as_dvec3());
            0.5 * (b - a).cross(c - a).length()
        };
        let total = mesh.triangles.iter().map(area).sum();
        (mesh, total)
    };
    let named = |name, (mesh, area)| (name, mesh, area);
    vec![
        named("square", mesh(|x, z| Vec3::new(x, 0.0, z))),
        named("parallelogram", mesh(|x, z| Vec3::new(x + 0.6 * z, 0.0, z))),
        named("trapezoid", mesh(|x, z| Vec3::new(x * (1.0 + 0.5 * z), 0.0, z))),
        named("ring", mesh(|x, z| (1.5 + z) * Vec3::new(x.sin(), 0.0, x.cos()))),
    ]
}

#[test]
fn moduli_hold_at_any_resolution_and_in_any_cells() {
    let strain = 0.02_f64;
    let weave = Weave { weft: Spring::new(700.0), warp: Spring::new(300.0), contraction: 100.0, ..Default::default() };
    for n in [4, 7, 13] {
        for (name, mesh, area) in patches(n) {
            let mut scene = Scene::new();
            scene.gravity = Vec3::ZERO;
            // Drawn alike both ways, every edge has the same strain.
            let start = mesh.positions.iter().map(|p| *p * (1.0 + strain as f32)).collect();
            let material = Material { weave: Some(weave), ..Material::loose(Mass::Surface(1.0)) };
            scene.add(Body::cloth(mesh, material).starting_at(start));
            let density = stored(&scene) / (area * strain * strain);
            let wanted = 0.5 * 700.0 + 0.5 * 300.0 + 100.0;
            println!("{name}, {n}: {density:.3} of {wanted} N/m");
            assert!((density / wanted - 1.0).abs() < 1e-3, "{name} {n}: {density}");
        }
        // Drawn along the rows of a parallelogram: the force is the modulus times the width across it.
        let (_, mesh, _) = patches(n).remove(1);
        let along = Weave { warp: Spring::default(), contraction: 0.0, ..weave };
        let plain = Material { structural: Spring::new(700.0), ..Material::loose(Mass::Surface(1.0)) };
        let woven = Material { weave: Some(along), ..Material::loose(Mass::Surface(1.0)) };
        let mut forces = Vec::new();
        for material in [woven, plain] {
            let mut scene = Scene::new();
            scene.gravity = Vec3::ZERO;
            let start = mesh.positions.iter().map(|p| *p + Vec3::X * strain as f32 * (p.x - 0.6 * p.z)).collect();
            let body = scene.add(Body::cloth(mesh.clone(), material).starting_at(start));
            scene.pin(body, Vertices::All);
            let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default()).unwrap();
            simulation.step().unwrap();
            let right = Vertices::Side(Side::Right).select(&mesh).unwrap();
            let reactions = simulation.reactions().unwrap();
            forces.push(right.iter().map(|&v| reactions[v as usize].x).sum::<f64>());
        }
        println!(
            "parallelogram, {n}: drawn by {strain} along its rows: {:.4} N, springs {:.4} N",
            forces[0], forces[1]
        );
        assert!((forces[0] / (700.0 * strain) - 1.0).abs() < 1e-3, "{forces:?}");
        // The control: springs of a mesh know no width: their force goes with the number of rows, n/(n - 1).
        assert!(forces[1] > 1.05 * 700.0 * strain, "{forces:?}");
    }
}

#[test]
fn a_drawn_sheet_narrows_by_its_contraction() {
    // σ_v = k₂ e_v + C e_u = 0 across.
    for (contraction, wanted) in [(300.0, -0.375), (0.0, 0.0)] {
        let weave = Weave {
            weft: Spring::new(1000.0),
            warp: Spring::new(800.0),
            shear: 50.0,
            contraction,
            ..Default::default()
        };
        let (mut scene, body) = sheet(7, 9, weave, Vec3::ZERO);
        let start = scene.bodies[0].mesh.positions.iter().map(|p| *p * Vec3::new(1.04, 1.0, 1.0)).collect();
        scene.bodies[0].start = Some(start);
        for side in [Side::Left, Side::Right] {
            scene.pin_sliding(body, Vertices::Side(side), Free::Line(Vec3::Z));
        }
        let mut simulation = Simulation::new(Backend::Cpu, &scene, newton(1e-8, 10.0)).unwrap();
        let found = settle(&mut simulation, 20, 1e-9);
        let narrowed = (found[60].z - found[3].z - 1.0) / f64::from(0.04f32);
        let force: f64 = simulation.reactions().unwrap().iter().map(|force| force.x.max(0.0)).sum();
        println!("C = {contraction} N/m: narrows by {narrowed:.4} of the strain along, drawn with {force:.3} N");
        assert!((narrowed - wanted).abs() < 1e-3, "{narrowed}");
        let modulus = 1000.0 - f64::from(contraction).powi(2) / 800.0;
        assert!((force / (0.04 * modulus) - 1.0).abs() < 1e-3, "{force}");
    }
}

/// A crumpled sheet at random velocities.
fn crumpled(weave: Weave) -> (Scene, Vec<DVec3>, Vec<DVec3>) {
    let (scene, _) = sheet(8, 7, weave, Vec3::ZERO);
    let noise = random_vectors(2, 56, 0.05);
    let positions = scene.bodies[0].mesh.positions.iter().zip(noise).map(|(p, noise)| p.as_dvec3() + noise);
    let positions = positions.collect();
    (scene, positions, random_vectors(3, 56, 1.0))
}

#[test]
fn energies_keep_both_momenta_and_printed_forces_do_not() {
    let bending =
        |bending, printed| Weave { bending, bending_weft: 3.0, bending_warp: 1.0, printed, ..Default::default() };
    let shear = |printed| Weave { shear: 100.0, shear_viscosity: 1.0, printed, ..Default::default() };
    let tension = Spring::new(500.0).damped(1.0);
    let stretch =
        Weave { weft: tension, warp: tension, contraction: 200.0, contraction_viscosity: 0.5, ..Default::default() };
    let plate = WeaveBending::ThinPlate;
    let membrane = WeaveBending::Membrane;
    // Which of linear and angular momentum they keep.
    for (name, weave, keeps) in [
        ("tension and contraction", stretch, [true, true]),
        ("shear", shear(false), [true, true]),
        ("shear, algorithm 2", shear(true), [true, false]),
        ("thin plate", bending(plate, false), [true, true]),
        ("thin plate, algorithm 4", bending(plate, true), [false, false]),
        ("membrane, common normals", bending(membrane, false), [true, false]),
        ("membrane, algorithm 3", bending(membrane, true), [false, false]),
    ] {
        let (scene, positions, velocities) = crumpled(weave);
        let errors = momentum_errors(&positions, &internal_forces(&scene, &positions, &velocities));
        println!("{name}: Σf {:.1e} of Σ|f|, Σx×f {:.1e} of Σ|x||f|", errors[0], errors[1]);
        for (error, keeps) in errors.into_iter().zip(keeps) {
            assert!(if keeps { error < 1e-12 } else { error > 1e-4 }, "{name}: {error}");
        }
        // All of them run; those without a Jacobian by small steps.
        for (backend_name, backend) in common::backends() {
            let mut scene = scene.clone();
            let material = scene.bodies[0].material.weave.as_mut().unwrap();
            (material.weft, material.warp) = (tension, tension);
            material.bending_viscous_time = 1e-3;
            scene.bodies[0].start = Some(positions.iter().map(|x| x.as_vec3()).collect());
            let options = Options { time_step: 5e-4, measure: true, ..Default::default() };
            let mut simulation = Simulation::new(backend, &scene, options).unwrap();
            common::run(&mut simulation, 200);
            let records = simulation.take_records();
            let energy = |ix: usize| records[ix].measures.unwrap().total_energy();
            assert!(energy(199) < energy(0), "{name} on {backend_name}: {} {}", energy(0), energy(199));
            assert!(simulation.positions_f64().unwrap().iter().all(|x| x.is_finite() && x.length() < 2.0), "{name}");
        }
    }
}

#[test]
fn viscous_parts_dissipate() {
    let elastic = Weave {
        weft: Spring::new(500.0),
        warp: Spring::new(500.0),
        shear: 100.0,
        contraction: 200.0,
        bending: WeaveBending::ThinPlate,
        bending_weft: 3.0,
        bending_warp: 3.0,
        ..Default::default()
    };
    let damped =
        |damping: f32| Weave { weft: elastic.weft.damped(damping), warp: elastic.warp.damped(damping), ..elastic };
    let power = |weave: Weave| {
        let (scene, positions, velocities) = crumpled(weave);
        let forces = internal_forces(&scene, &positions, &velocities);
        forces.iter().zip(&velocities).map(|(force, velocity)| force.dot(*velocity)).sum::<f64>()
    };
    for (name, viscous, without) in [
        ("tension", damped(1.0), elastic),
        ("shear", Weave { shear_viscosity: 1.0, ..elastic }, elastic),
        (
            "shear, algorithm 2",
            Weave { shear_viscosity: 1.0, printed: true, ..elastic },
            Weave { printed: true, ..elastic },
        ),
        ("tension and contraction", Weave { contraction_viscosity: 0.9, ..damped(1.0) }, elastic),
        ("thin plate", Weave { bending_viscous_time: 0.01, ..elastic }, elastic),
        (
            "membrane",
            Weave { bending: WeaveBending::Membrane, bending_viscous_time: 0.01, ..elastic },
            Weave { bending: WeaveBending::Membrane, ..elastic },
        ),
    ] {
        let lost = power(viscous) - power(without);
        println!("{name}: {lost:.3} W");
        assert!(lost < -1e-3, "{name}: {lost}");
    }
    // Contraction alone would brake what widens both ways and drive what widens one way and narrows the other: it is refused.
    let widening = |narrowing: f64, weave: Weave| {
        let (scene, ..) = crumpled(weave);
        let positions: Vec<DVec3> = scene.bodies[0].mesh.positions.iter().map(|p| p.as_dvec3()).collect();
        let velocities: Vec<DVec3> = positions.iter().map(|x| *x * DVec3::new(1.0, 0.0, -narrowing)).collect();
        let forces = internal_forces(&scene, &positions, &velocities);
        forces.iter().zip(&velocities).map(|(force, velocity)| force.dot(*velocity)).sum::<f64>()
    };
    let (mut scene, ..) = crumpled(elastic);
    scene.bodies[0].material.weave = Some(Weave { contraction_viscosity: 0.9, ..elastic });
    let refused = Simulation::check(&scene, &Options::default()).unwrap_err().to_string();
    assert!(refused.contains("contraction_viscosity"), "{refused}");
    assert!(widening(1.0, Weave { contraction_viscosity: 0.9, ..damped(1.0) }) < -1e-3);
}
