//! Meshes and numbers that make no sense: refused by field, or harmless. Nothing panics, nothing is silently wrong.

use crate::common::{backends, gpu, largest_distance, run};
use glam::{DVec3, Vec3};
use tenter::{
    Air, Area, Backend, Bending, BendingModel, Body, Error, KelvinVoigt, Mass, Material, Membrane, Mesh, NeoHookean,
    Options, RestShape, Scene, Simulation, Spring, SpringLaw, Volume, Weave, WeaveBending,
};

/// Field and message of the refusal of a body.
#[track_caller]
fn refusal(mesh: Mesh, change: impl Fn(&mut Material)) -> (String, String) {
    let mut material = Material::loose(Mass::Total(1.0));
    change(&mut material);
    let mut scene = Scene::new();
    scene.add(Body::cloth(mesh, material));
    match Simulation::check(&scene, &Options::default()) {
        Err(Error::Scene { field, message }) => (field, message),
        other => panic!("{other:?}"),
    }
}

fn woven() -> Weave {
    Weave { weft: Spring::new(10.0), warp: Spring::new(10.0), shear: 1.0, ..Default::default() }
}

#[test]
fn a_duplicated_triangle_does_not_bend_itself() {
    for (name, backend) in backends() {
        let mut mesh = Mesh::grid(1.0, 1.0, 6, 6);
        let again = mesh.triangles[20];
        mesh.triangles.push([again[0], again[2], again[1]]);
        let mut material = Material::loose(Mass::Total(1.0));
        material.bending = Some(Bending::new(1e-3));
        let mut scene = Scene::new();
        scene.gravity = Vec3::ZERO;
        let rest: Vec<DVec3> = mesh.positions.iter().map(|p| p.as_dvec3()).collect();
        scene.add(Body::cloth(mesh, material));
        let mut simulation = Simulation::new(backend, &scene, Options { measure: true, ..Default::default() }).unwrap();
        run(&mut simulation, 100);
        let moved = largest_distance(&simulation.positions_f64().unwrap(), &rest);
        assert!(moved < 1e-5, "{name}: a flat sheet with a triangle twice moved by {moved} m");
    }
}

#[test]
fn cloth_with_a_back_of_its_own_bends_like_cloth() {
    // Every triangle twice, once from behind: the same shape of fall, stiffer by its hinges.
    let fall = |double: bool| {
        let mut mesh = Mesh::grid(1.0, 0.25, 9, 3);
        if double {
            let backs: Vec<_> = mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
            mesh.triangles.extend(backs);
        }
        let mut material = Material::springs(Mass::Total(0.1), Spring::new(1000.0).damped(1.0));
        material.bending = Some(Bending::new(0.05));
        let mut scene = Scene::new();
        let body = scene.add(Body::cloth(mesh, material));
        scene.pin(body, tenter::Vertices::List(vec![0, 1, 9, 10, 18, 19]));
        let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default()).unwrap();
        run(&mut simulation, 300);
        -simulation.positions().unwrap()[17].y
    };
    let [single, double] = [fall(false), fall(true)];
    assert!(double < single && double > 0.1 * single, "{single} {double}");
}

fn quad(d: Vec3) -> Mesh {
    let mut mesh = Mesh::grid(1.0, 1.0, 2, 2);
    mesh.positions = vec![Vec3::ZERO, Vec3::X, Vec3::Z, d];
    mesh
}

#[test]
fn weaves_that_make_no_sense_are_refused_by_field() {
    let weave = |mesh: Mesh, weave: Weave| refusal(mesh, |material| material.weave = Some(weave));
    let (field, message) = weave(quad(Vec3::X), woven());
    assert!(field == "body[0].mesh" && message.contains("without length"), "{field}: {message}");
    let printed =
        Weave { printed: true, bending: WeaveBending::ThinPlate, bending_weft: 1.0, bending_warp: 1.0, ..woven() };
    for (columns, rows) in [(5, 1), (1, 5), (1, 1)] {
        let (field, message) = weave(Mesh::grid(1.0, 1.0, columns, rows), printed);
        assert!(field == "body[0].material.weave" && message.contains("no cells"), "{field}: {message}");
    }
    let mut bare = Mesh::grid(1.0, 1.0, 4, 4);
    bare.triangles.clear();
    let (field, message) = weave(bare, Weave { bending: WeaveBending::Membrane, bending_weft: 1.0, ..woven() });
    assert!(field == "body[0].material.weave.bending" && message.contains("no triangles"), "{field}: {message}");

    let grid = || Mesh::grid(1.0, 1.0, 4, 4);
    let distance = Spring::from(SpringLaw::Distance { stiffness: 1.0 });
    assert_eq!(weave(grid(), Weave { warp: distance, ..woven() }).0, "body[0].material.weave.warp");

    // Viscosity that couples more than it damps would drive.
    let damped = |weft: f32, warp: f32, viscosity: f32| Weave {
        weft: Spring::new(100.0).damped(weft),
        warp: Spring::new(100.0).damped(warp),
        contraction_viscosity: viscosity,
        ..woven()
    };
    for (weft, warp, viscosity) in [(0.0, 0.0, 0.05), (1.0, 0.0, 0.1), (0.5, 0.08, 0.21)] {
        let (field, message) = weave(grid(), damped(weft, warp, viscosity));
        assert!(field.ends_with("weave.contraction_viscosity") && message.contains("damping"), "{field}: {message}");
    }
    let stvk = Spring::from(SpringLaw::Stvk { stiffness: 10.0 });
    let (field, _) = weave(grid(), Weave { weft: stvk, warp: stvk, contraction: 10.1, ..woven() });
    assert_eq!(field, "body[0].material.weave.contraction");

    // What is within all these bounds is taken.
    let taken = [
        damped(0.5, 0.08, 0.2),
        Weave { weft: stvk, warp: stvk, contraction: 10.0, ..woven() },
        Weave { weft: Spring::default(), warp: stvk, ..Default::default() },
    ];
    for weave in taken {
        let mut material = Material::loose(Mass::Total(1.0));
        material.weave = Some(weave);
        let mut scene = Scene::new();
        scene.add(Body::cloth(grid(), material));
        Simulation::check(&scene, &Options::default()).unwrap();
    }
}

#[test]
fn viscous_contraction_within_its_bound_loses_energy() {
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    let mut material = Material::loose(Mass::Surface(0.15));
    material.weave = Some(Weave {
        weft: Spring::new(100.0).damped(0.05),
        warp: Spring::new(100.0).damped(0.05),
        shear: 10.0,
        contraction_viscosity: 0.05,
        ..Default::default()
    });
    let mesh = Mesh::grid(1.0, 1.0, 11, 11);
    let wave = |p: &Vec3| Vec3::new(p.x * (1.0 + 0.05 * p.z), 0.01 * (7.0 * p.x).sin(), p.z);
    let start = mesh.positions.iter().map(wave).collect();
    scene.add(Body::cloth(mesh, material).starting_at(start));
    let options = Options { measure: true, time_step: 1e-3, ..Default::default() };
    let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
    let mut before = f64::INFINITY;
    for _ in 0..10 {
        run(&mut simulation, 20);
        let energy = simulation.finish().unwrap().unwrap().measures.unwrap().total_energy();
        assert!(energy < 1.001 * before, "{energy} after {before}");
        before = energy;
    }
}

#[test]
fn many_triangles_at_one_side_are_refused_before_their_pairs_are_made() {
    // A book of 20 000 pages: 200 million pairs.
    let count = 20_000;
    let mut positions = vec![Vec3::ZERO, Vec3::Y];
    positions.extend((0..count).map(|ix| Vec3::new((ix as f32).cos(), 0.5, (ix as f32).sin())));
    let book = Mesh::from_triangles(positions, (0..count).map(|ix| [0, 1, 2 + ix]).collect());
    let models: [fn(&mut Material); 3] = [
        |material| material.bending = Some(Bending::new(1e-3)),
        |material| material.shell = Some(Volume { stiffness: 1.0, damping: 0.0 }),
        |material| material.crossover = Spring::new(1.0),
    ];
    for model in models {
        let (field, message) = refusal(book.clone(), model);
        assert!(field == "body[0].mesh" && message.contains("20000 triangles meet"), "{field}: {message}");
    }
}

#[test]
fn bending_viscosity_needs_a_modulus() {
    let viscous = Bending { viscosity: 1.0, ..Bending::new(0.0) };
    let (field, _) = refusal(Mesh::grid(1.0, 1.0, 3, 3), |material| material.bending = Some(viscous));
    assert_eq!(field, "body[0].material.bending.viscosity");
}

#[test]
fn couplings_are_no_strain() {
    // Two triangles folded onto each other: the wings coincide at rest.
    for (name, backend) in backends() {
        let mesh = Mesh::from_triangles(
            vec![Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.0, 1.0), Vec3::new(0.5, 0.0, 1.0)],
            vec![[0, 1, 2], [1, 0, 3]],
        );
        let mut material = Material::loose(Mass::Total(1.0));
        material.bending = Some(Bending::new(1e-9));
        let mut scene = Scene::new();
        scene.gravity = Vec3::ZERO;
        scene.add(Body::cloth(mesh, material));
        let mut simulation = Simulation::new(backend, &scene, Options { measure: true, ..Default::default() }).unwrap();
        run(&mut simulation, 1);
        let strain = simulation.finish().unwrap().unwrap().measures.unwrap().largest_strain;
        assert!(strain < 0.1, "{name}: nothing moved, there is no spring at all, and the strain is {strain}");
    }
}

#[test]
fn numbers_too_large_are_refused_at_set_up() {
    let mut cases: Vec<(&str, Material)> = Vec::new();
    let loose = || Material::loose(Mass::Total(1.0));
    let mut add = |name, change: &dyn Fn(&mut Material)| {
        let mut material = loose();
        change(&mut material);
        cases.push((name, material));
    };
    add("hardening", &|m| m.bending = Some(Bending { hardening: 1e38, ..Bending::new(1e-3) }));
    add("bending", &|m| m.bending = Some(Bending::new(3e38)));
    add("dihedral", &|m| m.bending = Some(Bending { model: BendingModel::Dihedral, ..Bending::new(3e38) }));
    add("rest curvature", &|m| m.bending = Some(Bending { rest: RestShape::Curvature(3e38), ..Bending::new(1.0) }));
    add("bending viscosity", &|m| m.bending = Some(Bending { viscosity: 3e38, ..Bending::new(1.0) }));
    add("membrane viscosity", &|m| {
        m.membrane = Some(Membrane { viscous_time: 1e30, ..Membrane::isotropic(1e30, 0.3) })
    });
    add("area", &|m| m.area = Some(Area { stiffness: 3e38, damping: 0.0 }));
    add("shell", &|m| m.shell = Some(Volume { stiffness: 3e38, damping: 0.0 }));
    let weave = Weave { weft: Spring::new(1.0), warp: Spring::new(1.0), ..Default::default() };
    add("weave plate", &|m| {
        m.weave = Some(Weave { bending: WeaveBending::ThinPlate, bending_weft: 3e38, bending_warp: 1.0, ..weave })
    });
    add("weave membrane", &|m| {
        m.weave =
            Some(Weave { bending: WeaveBending::Membrane, bending_weft: 3e38, bending_viscous_time: 3e38, ..weave })
    });
    add("weave weft", &|m| m.weave = Some(Weave { weft: Spring::new(3e38), ..weave }));
    add("spring", &|m| m.structural = Spring::new(3e38));
    add("damping", &|m| m.structural = Spring::new(1.0).damped(3e38));
    let element = KelvinVoigt { stiffness: 1e38, damping: 1.0 };
    add("series", &|m| m.structural = Spring::new(1e38).viscoelastic(&[element]));
    add("weave damping", &|m| m.weave = Some(Weave { weft: Spring::new(1.0).damped(3e38), ..weave }));
    let gpu = gpu();
    let mut broken = Vec::new();
    for (name, material) in cases {
        let mut scene = Scene::new();
        scene.gravity = Vec3::ZERO;
        scene.add(Body::cloth(Mesh::grid(0.01, 0.01, 5, 5), material));
        match Simulation::new(&gpu, &scene, Options::default()) {
            Err(Error::Scene { field, message }) => {
                println!("{name}: {field}: {message}");
                // The numbers are at fault, not the mesh.
                assert!(field.starts_with("body[0].material."), "{name}: {field}: {message}");
            }
            Err(error) => panic!("{name}: {error}"),
            Ok(mut simulation) => {
                let error = simulation.step().err().or_else(|| simulation.finish().err());
                println!("{name}: accepted, then {error:?}");
                broken.extend(error.map(|_| name));
            }
        }
    }
    assert!(broken.is_empty(), "accepted, and not finite in the first step: {broken:?}");
}

#[test]
fn nonsense_meshes_do_not_panic() {
    let mut seed = 12345u64;
    let mut random = move |n: u32| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 33) as u32) % n
    };
    let gpu = gpu();
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..200 {
        let n = 4 + random(5);
        let positions: Vec<Vec3> =
            (0..n).map(|_| Vec3::new(random(1000) as f32, random(1000) as f32, random(1000) as f32) / 500.0).collect();
        let mut triangles = Vec::new();
        for _ in 0..random(8) {
            let [a, b, c] = [random(n), random(n), random(n)];
            if random(9) == 0 || (a != b && b != c && a != c) {
                triangles.push([a, b, c]);
            }
        }
        let tetrahedra = (0..random(3)).map(|_| [random(n), random(n), random(n), random(n)]).collect();
        let wires = (0..random(3)).map(|_| [random(n), random(n)]).collect();
        let mut mesh = Mesh::from_triangles(positions, triangles);
        mesh.tetrahedra = tetrahedra;
        mesh.wires = wires;
        let mut m = Material::loose(Mass::Total(1.0));
        let pick = 1 << random(6) | (random(2) * 32);
        if pick & 1 != 0 {
            m.area = Some(Area { stiffness: 1.0, damping: 0.1 });
        }
        if pick & 2 != 0 {
            m.volume = Some(Volume { stiffness: 1.0, damping: 0.1 });
        }
        if pick & 4 != 0 {
            m.shell = Some(Volume { stiffness: 1.0, damping: 0.1 });
        }
        if pick & 8 != 0 {
            m.membrane = Some(Membrane::isotropic(10.0, 0.3));
        }
        if pick & 8 != 0 && random(2) == 0 {
            m.neo_hookean = Some(NeoHookean { viscous_time: 0.1, ..NeoHookean::new(10.0, 0.3) });
        }
        if pick & 16 != 0 {
            let model = [BendingModel::Linear, BendingModel::LinearPrinted, BendingModel::Dihedral][random(3) as usize];
            let rest = [RestShape::Flat, RestShape::Mesh, RestShape::Curvature(1.0)][random(3) as usize];
            m.bending = Some(Bending { model, rest, viscosity: 0.01, ..Bending::new(0.1) });
        }
        if pick & 32 != 0 {
            m.crossover = Spring::new(1.0);
            m.structural = Spring::new(1.0);
        }
        let mut scene = Scene::new();
        scene.air = (random(2) == 0).then(|| Air::wind(Vec3::ONE).resisting(0.1));
        scene.add(Body::cloth(mesh, m));
        let options = Options { measure: true, ..Default::default() };
        match Simulation::new(Backend::Cpu, &scene, options.clone()) {
            Err(_) => refused += 1,
            Ok(mut cpu) => {
                accepted += 1;
                let mut last = None;
                for _ in 0..3 {
                    if let Err(error) = cpu.step() {
                        last = Some(error);
                    }
                }
                if accepted % 2 == 1 || last.is_some() {
                    let mut simulation = Simulation::new(&gpu, &scene, options).unwrap();
                    let mut failed = None;
                    for _ in 0..3 {
                        failed = failed.or(simulation.step().err());
                    }
                    failed = failed.or(simulation.finish().err());
                    let far = largest_distance(&simulation.positions_f64().unwrap(), &cpu.positions_f64().unwrap());
                    let (a, b) = (
                        simulation.finish().ok().flatten().and_then(|r| r.measures),
                        cpu.finish().unwrap().and_then(|r| r.measures),
                    );
                    if far > 1e-3 || last.is_some() || failed.is_some() {
                        println!(
                            "round {round}: cpu {last:?} gpu {failed:?} apart {far} {a:?} {b:?} {:?} {:?}",
                            scene.bodies[0].mesh, scene.bodies[0].material
                        );
                    }
                    if let (Some(a), Some(b)) = (a, b)
                        && (a.largest_strain - b.largest_strain).abs() > 1e-2
                    {
                        println!("round {round}: strain {a:?} {b:?}");
                    }
                }
            }
        }
    }
    println!("accepted {accepted} refused {refused}");
    assert!(accepted > 50);
}

#[test]
fn empty_and_odd_scenes() {
    let gpu = gpu();
    let mut scenes: Vec<(&str, Scene)> = Vec::new();
    let mut empty = Scene::new();
    empty.air = Some(Air::wind(Vec3::ONE));
    scenes.push(("nothing, in air", empty));
    let mut points = Scene::new();
    points.air = Some(Air::wind(Vec3::ONE).resisting(1.0));
    points.add(Body::particles([Vec3::ZERO; 3], 1.0));
    scenes.push(("points in air", points));
    let mut only = Scene::new();
    let mut m = Material::loose(Mass::Total(1.0));
    m.volume = Some(Volume { stiffness: 1.0, damping: 0.0 });
    only.add(Body::solid(Mesh::block(Vec3::ONE, [3, 3, 3]), m));
    scenes.push(("elements only", only));
    for (name, scene) in scenes {
        let options = Options { measure: true, ..Default::default() };
        let mut simulation = Simulation::new(&gpu, &scene, options.clone()).unwrap();
        run(&mut simulation, 2);
        simulation.edge_history().unwrap();
        simulation.set_edge_history(&vec![[0.0; 4]; simulation.topology().edges.len()]).unwrap();
        let mut cpu = Simulation::new(Backend::Cpu, &scene, options).unwrap();
        run(&mut cpu, 2);
        println!("{name}: {}", largest_distance(&simulation.positions_f64().unwrap(), &cpu.positions_f64().unwrap()));
        simulation.reset().unwrap();
        assert!(simulation.push(1000, Vec3::X).is_err());
    }
}

#[test]
fn a_swing_that_is_not_finite_is_refused() {
    let mut scene = Scene::new();
    scene.air = Some(Air { angular_velocity: 3e38, ..Air::wind(Vec3::Y) });
    scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 4, 4), Material::loose(Mass::Surface(0.2))));
    let slow = Options { time_step: 100.0, ..Default::default() };
    match Simulation::check(&scene, &slow) {
        Err(Error::Scene { field, .. }) => assert_eq!(field, "air.angular_velocity"),
        other => panic!("{other:?}"),
    }
    let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default()).unwrap();
    assert!(matches!(simulation.set_time_step(100.0), Err(Error::Usage(_))));
    simulation.set_air(Air::wind(Vec3::Y)).unwrap();
    simulation.set_time_step(100.0).unwrap();
    assert!(matches!(simulation.set_air(scene.air.unwrap()), Err(Error::Usage(_))));
}

#[test]
fn there_is_the_same_room_for_loads_on_both_backends() {
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 17, 17), Material::loose(Mass::Surface(0.2))));
        let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
        for particle in 0..256 {
            simulation.push(particle, Vec3::Y).unwrap();
        }
        assert!(matches!(simulation.push(256, Vec3::Y), Err(Error::Usage(_))), "{name}");
        // What was refused leaves nothing behind.
        simulation.push(0, Vec3::ZERO).unwrap();
        simulation.push(256, Vec3::Y).unwrap();
    }
}
