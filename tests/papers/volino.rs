//! Published results of Volino and Magnenat-Thalmann 2006 (linear bending) in whole simulations: fall by resolution (figure 5), momenta
//! (2.3), strips against beam theory, flat meshes at rest; and shells: rest shapes that are not flat.

use crate::common::{self, statics::*};
use glam::{DVec3, Vec3};
use tenter::{
    Backend, Bending, BendingModel, Body, Mass, Material, Membrane, Mesh, Nonlinear, Normalisation, Options, RestShape,
    Scene, Simulation, Vertices, Volume, internals::topology::Topology,
};

/// How the cells of a strip are divided.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cells {
    /// Diagonals alternate.
    Alternating,
    /// Alternating, seen at 45°: a vertex in the middle of every cell.
    Crossed,
    /// Vertices moved at random, the shorter diagonal taken.
    Irregular,
}

/// A strip in the xz-plane along x, from -length to length, the left half the mirror image of the right one; `across` vertices wide.
fn strip(length: f64, width: f64, across: usize, cells: Cells) -> Mesh {
    let mut rng = fastrand::Rng::with_seed(4);
    let pitch = width / (across - 1) as f64;
    let along = (length / pitch).round() as usize;
    let mut positions = Vec::new();
    for column in 0..=along {
        for row in 0..across {
            let mut jitter =
                |inside: bool| if inside && cells == Cells::Irregular { 0.25 * (2.0 * rng.f64() - 1.0) } else { 0.0 };
            let x = column as f64 + jitter(column > 0 && column < along);
            let z = row as f64 + jitter(row > 0 && row + 1 < across);
            positions.push(DVec3::new(x * length / along as f64, 0.0, z * pitch - 0.5 * width));
        }
    }
    let mut triangles: Vec<[usize; 3]> = Vec::new();
    for column in 0..along {
        for row in 0..across - 1 {
            let a = column * across + row;
            let (b, c, d) = (a + across, a + 1, a + across + 1);
            let rising = match cells {
                Cells::Alternating => (column + row) % 2 == 0,
                Cells::Irregular => positions[a].distance(positions[d]) < positions[b].distance(positions[c]),
                Cells::Crossed => {
                    let middle = positions.len();
                    positions.push(0.5 * (positions[a] + positions[d]));
                    triangles.extend([[a, middle, b], [b, middle, d], [d, middle, c], [c, middle, a]]);
                    continue;
                }
            };
            triangles.extend(if rising { [[a, d, b], [a, c, d]] } else { [[a, c, b], [b, c, d]] });
        }
    }
    // The mirror image; what lies on x = 0 is its own.
    let count = positions.len();
    let mut image = vec![0; count];
    for ix in 0..count {
        image[ix] = if positions[ix].x == 0.0 { ix } else { positions.len() };
        if image[ix] != ix {
            positions.push(positions[ix] * DVec3::new(-1.0, 1.0, 1.0));
        }
    }
    let mirrored: Vec<_> = triangles.iter().map(|&[a, b, c]| [image[a], image[c], image[b]]).collect();
    triangles.extend(mirrored);
    let triangles = triangles.into_iter().map(|t| t.map(|v| v as u32)).collect();
    Mesh::from_triangles(positions.iter().map(|p| p.as_vec3()).collect(), triangles)
}

fn sheet_of(bending: Option<Bending>) -> Material {
    // 100 N/m and 0.1 kg/m² are the disk's of figure 6.
    Material { membrane: Some(Membrane::isotropic(100.0, 0.0)), bending, ..Material::loose(Mass::Surface(0.1)) }
}

/// What lies on x = 0.
fn middle() -> Vertices {
    Vertices::Box { low: Vec3::new(-1e-6, -1.0, -1.0), high: Vec3::new(1e-6, 1.0, 1.0) }
}

/// A strip held along x = 0, so that each half is clamped by the other's symmetry: the mean fall of both ends. Of a small load the
/// linear answer, in one step.
fn fall(mesh: Mesh, bending: Bending, gravity: f32, small: bool) -> f64 {
    let length = mesh.positions.iter().map(|p| p.x).fold(0.0, f32::max);
    let tips: Vec<usize> = (0..mesh.positions.len()).filter(|&v| mesh.positions[v].x.abs() > 0.999 * length).collect();
    let mut scene = Scene::new();
    scene.gravity = Vec3::Y * -gravity;
    let body = scene.add(Body::cloth(mesh, sheet_of(Some(bending))));
    scene.pin(body, middle());
    let options = if small {
        Options { nonlinear: Nonlinear::OneLinearisation, ..newton(1e-5, 10.0) }
    } else {
        newton(1e-4, 0.3)
    };
    let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
    let found = if small {
        simulation.step().unwrap();
        simulation.positions_f64().unwrap()
    } else {
        settle(&mut simulation, 200, 3e-6)
    };
    -tips.iter().map(|&v| found[v].y).sum::<f64>() / tips.len() as f64
}

#[test]
fn strips_bend_like_beams_of_the_modulus() {
    let (modulus, gravity) = (0.01_f32, 0.01_f32);
    let beam = 0.1 * f64::from(gravity) * 0.5f64.powi(4) / (8.0 * f64::from(modulus));
    for (cells, bound) in [(Cells::Alternating, 0.05), (Cells::Crossed, 0.05), (Cells::Irregular, 0.1)] {
        let mesh = strip(0.5, 0.1, 7, cells);
        let calibrated = fall(mesh.clone(), Bending::new(modulus), gravity, true) / beam;
        let printed = Bending { normalisation: Normalisation::Printed, ..Bending::new(modulus) };
        let printed = fall(mesh, printed, gravity, true) / beam;
        println!("{cells:?}: {calibrated:.4} of the beam's deflection q L⁴/(8 μ); as printed {printed:.3}");
        assert!((calibrated - 1.0).abs() < bound, "{cells:?}: {calibrated}");
        // The control: as printed, a third of the stiffness and less.
        assert!((2.5..4.0).contains(&printed), "{cells:?}: {printed}");
    }
    // Cut along the weft a strip has its modulus, at 90° the warp's.
    for (weft_direction, expected) in [(Vec3::X, 1.0), (Vec3::Z, 0.5)] {
        let woven = Bending { warp: 2.0 * modulus, weft_direction, ..Bending::new(modulus) };
        let ratio = fall(strip(0.5, 0.1, 7, Cells::Alternating), woven, gravity, true) / beam;
        println!("warp twice as stiff, weft along {weft_direction}: {ratio:.4} of the weft's deflection");
        assert!((ratio / expected - 1.0).abs() < 0.05, "{weft_direction}: {ratio}");
    }
}

#[test]
fn b2_fall_does_not_depend_on_resolution() {
    // Published: well below 1 %. Half a metre hanging over by its own weight, falling by 0.2 m.
    // Irregular meshes are another mesh each time, and scatter by what their calibration leaves.
    for (cells, bound) in [(Cells::Alternating, 0.01), (Cells::Irregular, 0.03)] {
        let falls = [7, 9, 11].map(|across| fall(strip(0.5, 0.25, across, cells), Bending::new(0.03), 9.81, false));
        let spread =
            (falls.iter().fold(0.0, |a: f64, b| a.max(*b)) / falls.iter().fold(9.0, |a: f64, b| a.min(*b))) - 1.0;
        println!("{cells:?}: 7, 9, 11 vertices across: {falls:.5?} m, {:.2} % apart", 100.0 * spread);
        assert!(spread < bound, "{falls:?}");
        assert!((0.15..0.3).contains(&falls[0]));
        // The control: a tenth of the modulus is more than that.
        let stiffer = fall(strip(0.5, 0.25, 7, cells), Bending::new(0.033), 9.81, false);
        assert!((stiffer / falls[0] - 1.0).abs() > bound, "{stiffer} against {falls:?}");
    }
}

/// Bending alone, on an irregular sheet.
fn bending_only(bending: Bending) -> Scene {
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    let material = Material { bending: Some(bending), ..Material::loose(Mass::Surface(0.1)) };
    scene.add(Body::cloth(strip(0.5, 0.25, 7, Cells::Irregular), material));
    scene
}

/// Impulses that the particles of a scene have after one step from rest, N·s. Very short, it is the forces' own: over a long one linear
/// implicit Euler turns a body, whatever its forces.
fn impulses(backend: Backend, scene: &Scene, time_step: f64) -> Vec<DVec3> {
    let nonlinear = Nonlinear::OneLinearisation;
    let options = Options { time_step, solver: tight(1e-7), nonlinear, ..Default::default() };
    let mut simulation = Simulation::new(backend, scene, options).unwrap();
    simulation.step().unwrap();
    let masses = masses(simulation.topology());
    simulation.velocities().unwrap().iter().zip(masses).map(|(v, mass)| mass * v.as_dvec3()).collect()
}

#[test]
fn b5_bending_forces_keep_both_momenta_for_any_deformation() {
    let curved = Bending { rest: RestShape::Mesh, hardening: 1e-3, viscosity: 1e-3, ..Bending::new(0.03) };
    let cases = [
        ("linear", Bending::new(0.03), [true, true]),
        ("linear, rest shape, hardening, viscosity along R", curved, [true, true]),
        ("the same as printed", Bending { model: BendingModel::LinearPrinted, ..curved }, [true, false]),
        ("dihedral", Bending { model: BendingModel::Dihedral, hardening: 0.0, ..curved }, [true, true]),
    ];
    let gpu = common::gpu();
    for (name, bending, keeps) in cases {
        let mut scene = bending_only(bending);
        let mesh = &mut scene.bodies[0].mesh;
        mesh.positions = bent(mesh, 0.4);
        for (size, how) in [(0.01, "a little"), (0.1, "crumpled"), (1.0, "beyond recognition")] {
            let noise = random_vectors(5, scene.bodies[0].mesh.positions.len(), size);
            let start: Vec<Vec3> =
                scene.bodies[0].mesh.positions.iter().zip(noise).map(|(p, noise)| *p + noise.as_vec3()).collect();
            let positions: Vec<DVec3> = start.iter().map(|p| p.as_dvec3()).collect();
            let velocities = random_vectors(6, positions.len(), 1.0);
            let errors = momentum_errors(&positions, &internal_forces(&scene, &positions, &velocities));
            scene.bodies[0].start = Some(start);
            let on_gpu = impulses(Backend::from(&gpu), &scene, 1e-9);
            let kept = momentum_errors(&positions, &on_gpu);
            println!(
                "{name}, {how}: linear {:.1e}, angular {:.1e}; a step on the GPU {:.1e}, {:.1e}",
                errors[0], errors[1], kept[0], kept[1]
            );
            for (axis, keeps) in keeps.into_iter().enumerate() {
                assert!(if keeps { errors[axis] < 1e-12 } else { errors[axis] > 1e-5 }, "{name}: {errors:?}");
                assert!(!keeps || kept[axis] < 1e-6, "{name}: {kept:?}");
            }
        }
    }
}

#[test]
fn a_flat_irregular_mesh_feels_no_bending() {
    // In any plane. Corners are rounded to f32, so flat means within an ulp, and forces within Σ |s| ulp.
    let mut scene = bending_only(Bending::new(0.03));
    let turn = glam::Quat::from_scaled_axis(Vec3::new(0.4, -0.7, 1.1));
    let mesh = &mut scene.bodies[0].mesh;
    mesh.positions.iter_mut().for_each(|p| *p = turn * *p);
    let positions: Vec<DVec3> = mesh.positions.iter().map(|p| p.as_dvec3()).collect();
    let still = vec![DVec3::ZERO; positions.len()];
    let topology = Topology::build(&scene, &Options::default()).unwrap();
    let mut sums = vec![0.0; positions.len()];
    for edge in &topology.edges {
        edge.ends.iter().for_each(|&row| sums[row as usize] += edge.scalar.abs());
    }
    let stiffness = sums.into_iter().fold(0.0, f64::max);
    let floor = stiffness * f64::from(f32::EPSILON) * 0.5;
    let largest = |forces: &[DVec3]| forces.iter().map(|force| force.length()).fold(0.0, f64::max);
    let exact = largest(&internal_forces(&scene, &positions, &still));
    let time_step = 1e-6;
    let on_gpu = largest(&impulses(Backend::from(&common::gpu()), &scene, time_step)) / time_step;
    println!("flat: {exact:.1e} N in f64, {on_gpu:.1e} N on the GPU; Σ|s| ulp = {floor:.1e} N");
    assert!(exact < floor && on_gpu < 2.0 * floor, "{exact} {on_gpu} {floor}");
    // The control: bent by 5 mm it feels a hundred times more.
    let slightly: Vec<DVec3> =
        positions.iter().map(|x| *x + 0.02 * (turn * Vec3::Y).as_dvec3() * x.length_squared()).collect();
    let felt = largest(&internal_forces(&scene, &slightly, &still));
    assert!(felt > 100.0 * floor, "{felt}");
}

/// The strip bent to a cylinder, towards +y.
fn bent(mesh: &Mesh, radius: f64) -> Vec<Vec3> {
    let point = |p: &Vec3| {
        let angle = f64::from(p.x) / radius;
        DVec3::new(radius * angle.sin(), radius * (1.0 - angle.cos()), p.z.into()).as_vec3()
    };
    mesh.positions.iter().map(point).collect()
}

const MODELS: [BendingModel; 3] = [BendingModel::Linear, BendingModel::LinearPrinted, BendingModel::Dihedral];

#[test]
fn shells_keep_their_shape_and_return_to_it() {
    let flat = strip(0.5, 0.25, 5, Cells::Irregular);
    let shell = Mesh { positions: bent(&flat, 0.4), ..flat };
    let models = MODELS.map(|model| {
        let bending = Bending { model, rest: RestShape::Mesh, ..Bending::new(0.03) };
        (format!("{model:?}"), sheet_of(Some(bending)), model == BendingModel::LinearPrinted)
    });
    let virtual_tetrahedra = Material { shell: Some(Volume { stiffness: 0.01, damping: 0.0 }), ..sheet_of(None) };
    let rest: Vec<DVec3> = shell.positions.iter().map(|p| p.as_dvec3()).collect();
    let still = vec![DVec3::ZERO; rest.len()];
    let flattened: Vec<DVec3> = rest.iter().map(|x| *x * DVec3::new(1.0, 0.7, 1.0)).collect();
    let moved = common::largest_distance(&flattened, &rest);
    let relaxed = |material: Material| {
        let mut scene = Scene::new();
        scene.gravity = Vec3::ZERO;
        let body = scene.add(Body::cloth(shell.clone(), material));
        let largest = |x: &[DVec3]| internal_forces(&scene, x, &still).iter().map(|f| f.length()).fold(0.0, f64::max);
        let forces = [largest(&rest), largest(&flattened)];
        scene.bodies[0].start = Some(flattened.iter().map(|x| x.as_vec3()).collect());
        scene.pin(body, middle());
        let found = rest_state_to(1e-4, &scene, 0.1, 300, 1e-5);
        (forces, common::largest_distance(&found, &rest))
    };
    for (name, material, printed) in
        models.into_iter().chain([("virtual tetrahedra".into(), virtual_tetrahedra, false)])
    {
        let (forces, left) = relaxed(material);
        println!(
            "{name}: {:.1e} N at rest, {:.2} N flattened; {left:.1e} m away from its shape after {moved:.3} m",
            forces[0], forces[1]
        );
        // As printed, R₀ is along the normal and R not quite.
        assert!(forces[0] < if printed { 0.02 } else { 1e-12 } * forces[1], "{name}: {forces:?}");
        assert!(left < if printed { 0.05 } else { 0.01 } * moved, "{name}: {left} of {moved}");
    }
    // The control: what wants to be flat does not return.
    let (_, left) = relaxed(sheet_of(Some(Bending::new(0.03))));
    assert!(left > moved, "{left}");
}

/// Radius of the circle through the middle and both ends of a strip that rests curved by 2.5/m, after starting nearly flat.
fn curled(model: BendingModel, rest: RestShape, across: usize, cells: Cells) -> f64 {
    let flat = strip(0.5, 0.05 * (across - 1) as f64, across, cells);
    let bending = Bending { model, rest, ..Bending::new(0.03) };
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    // The normals of the mesh are along +y, and so is the start's curvature.
    let body = scene.add(Body::cloth(flat.clone(), sheet_of(Some(bending))).starting_at(bent(&flat, 1.0)));
    scene.pin(body, middle());
    let mut simulation = Simulation::new(Backend::Cpu, &scene, newton(1e-4, 0.1)).unwrap();
    for _ in 0..40 {
        simulation.step().unwrap();
        simulation.set_velocities(&vec![Vec3::ZERO; flat.positions.len()]).unwrap();
    }
    let found = simulation.positions_f64().unwrap();
    let mean = |chosen: &dyn Fn(f32) -> bool| {
        let list: Vec<DVec3> = (0..found.len()).filter(|&v| chosen(flat.positions[v].x)).map(|v| found[v]).collect();
        list.iter().sum::<DVec3>() / list.len() as f64
    };
    let [left, middle, right] = [mean(&|x| x < -0.499), mean(&|x| x == 0.0), mean(&|x| x > 0.499)];
    let half = 0.5 * left.distance(right);
    let sagitta = (0.5 * (left + right) - middle).y;
    (half * half + sagitta * sagitta) / (2.0 * sagitta)
}

#[test]
fn a_strip_curls_to_its_rest_curvature() {
    let rest = RestShape::Curvature(2.5);
    for (across, cells) in
        [(2, Cells::Alternating), (2, Cells::Crossed), (2, Cells::Irregular), (3, Cells::Alternating)]
    {
        for model in MODELS {
            let radius = curled(model, rest, across, cells);
            println!("{cells:?}, {across} across, {model:?}: radius {radius:.4} m of 0.4 m");
            assert!((radius / 0.4 - 1.0).abs() < 0.1, "{across} {cells:?} {model:?}: {radius}");
        }
    }
    // Controls: flat, and to the other side.
    assert!(curled(BendingModel::Linear, RestShape::Flat, 2, Cells::Alternating).abs() > 4.0);
    let other = curled(BendingModel::Dihedral, RestShape::Curvature(-2.5), 2, Cells::Alternating);
    assert!((other / -0.4 - 1.0).abs() < 0.1, "{other}");
}
