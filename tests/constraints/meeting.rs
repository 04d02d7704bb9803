//! Contact between bodies on the GPU.

use crate::common::gpu;
use tenter::{Backend, Body, BodyContact, Material, Mesh, Options, Outcome, Scene, Simulation, Vertices, glam::Vec3};

/// A sheet held at its border, and one that falls on it.
fn sheets(cells: u32) -> Scene {
    let mut scene = Scene::new();
    let below = Mesh::grid(0.4, 0.4, cells, cells);
    let border: Vec<u32> = (0..cells * cells)
        .filter(|ix| [ix % cells, ix / cells].iter().any(|at| *at == 0 || *at == cells - 1))
        .collect();
    let held = scene.add(Body::cloth(below, Material::cotton()));
    scene.pin(held, Vertices::list(border));
    let above = Mesh::grid(0.25, 0.25, cells, cells).rotated(tenter::glam::Quat::from_rotation_y(0.4));
    scene.add(Body::cloth(above.translated(0.02 * Vec3::Y), Material::cotton()).moving(-0.5 * Vec3::Y));
    scene.contact = Some(BodyContact { thickness: Some(0.004), ..Default::default() });
    scene
}

fn largest_distance(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn a_sheet_falls_on_another_without_waits_and_with_the_same_bits() {
    let scene = sheets(13);
    let run = |backend: Backend, contact: bool| {
        let mut scene = scene.clone();
        if !contact {
            scene.contact = None;
        }
        let mut simulation =
            Simulation::new(backend, &scene, Options { time_step: 0.005, ..Default::default() }).unwrap();
        simulation.step_many(20).unwrap();
        simulation.finish().unwrap();
        let records = simulation.take_records();
        assert_eq!(records.len(), 20);
        (simulation.positions().unwrap().to_vec(), records, simulation.costs())
    };
    let (on_gpu, records, costs) = run(Backend::from(&gpu()), true);
    assert!(on_gpu == run(Backend::from(&gpu()), true).0, "other bits the second time");
    let meetings: Vec<_> = records.iter().map(|record| record.meeting.unwrap()).collect();
    assert!(meetings.iter().any(|meeting| meeting.active > 20), "{meetings:?}");
    assert!(meetings.iter().all(|meeting| meeting.active <= 3 * meeting.pairs), "{meetings:?}");
    // The host waits for the last batch, and for steps that needed more dispatches than were submitted: not for every step.
    println!("{costs:?}");
    assert!(costs.host_waits < 20 && costs.dispatches_per_iteration == 3, "{costs:?}");
    let (on_cpu, ..) = run(Backend::Cpu, true);
    let (without, ..) = run(Backend::Cpu, false);
    let (apart, through) = (largest_distance(&on_gpu, &on_cpu), largest_distance(&on_cpu, &without));
    println!("{apart:.2e} m between backends, {through:.2e} m to the run without contact");
    assert!(apart < 2e-3 && through > 0.02, "{apart} {through}");
    // Nothing of the upper sheet is below the lower one.
    let lowest = |positions: &[Vec3]| positions[13 * 13..].iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
    let lowest_below = |positions: &[Vec3]| positions[..13 * 13].iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
    assert!(lowest(&on_gpu) > lowest_below(&on_gpu) && lowest(&without) < lowest_below(&on_gpu));
}

#[test]
fn room_for_pairs_grows_and_the_step_is_repeated() {
    let mut scene = Scene { gravity: Vec3::ZERO, ..Scene::new() };
    for layer in 0..5 {
        let mesh = Mesh::grid(0.3, 0.3, 21, 21).translated(0.0041 * layer as f32 * Vec3::Y);
        scene.add(Body::cloth(mesh, Material::cotton()));
    }
    scene.contact = Some(BodyContact { thickness: Some(0.004), ..Default::default() });
    let run = |backend: Backend| {
        let mut simulation =
            Simulation::new(backend, &scene, Options { time_step: 0.005, ..Default::default() }).unwrap();
        simulation.step_many(3).unwrap();
        simulation.finish().unwrap();
        let repeats = simulation.repeat_report();
        let records = simulation.take_records();
        (simulation.positions().unwrap().to_vec(), records, repeats)
    };
    let (on_gpu, records, repeats) = run(Backend::from(&gpu()));
    let (on_cpu, expected, _) = run(Backend::Cpu);
    let pairs =
        |records: &[tenter::StepRecord]| records.iter().map(|record| record.meeting.unwrap().pairs).collect::<Vec<_>>();
    println!("{:?} {:?} {repeats:?}", pairs(&records), pairs(&expected));
    // More than a new scene has room for, and all of them.
    assert!(pairs(&records)[0] > 1 << 14 && pairs(&records)[0].abs_diff(pairs(&expected)[0]) < 20);
    assert_eq!((records.len(), repeats.failed), (3, 0));
    assert!(largest_distance(&on_gpu, &on_cpu) < 2e-4, "{}", largest_distance(&on_gpu, &on_cpu));
}

#[test]
fn pins_that_drive_sheets_through_each_other_are_counted() {
    let mut scene = Scene { gravity: Vec3::ZERO, ..Scene::new() };
    scene.contact = Some(BodyContact { thickness: Some(0.004), ..Default::default() });
    let below = scene.add(Body::cloth(Mesh::grid(0.3, 0.3, 7, 7), Material::cotton()));
    scene.pin(below, Vertices::All);
    let mesh = Mesh::grid(0.2, 0.2, 6, 6).translated(Vec3::new(0.01, 0.013, 0.01));
    let above = scene.add(Body::cloth(mesh, Material::cotton()));
    let pin = scene.pin(above, Vertices::All);
    let driven = |backend: Backend| -> Vec<(u32, bool)> {
        let options = Options { time_step: 0.01, ..Default::default() };
        let mut simulation = Simulation::new(backend, &scene, options).unwrap();
        for step in 1..=4 {
            simulation.move_pin(pin, Vec3::new(0.01, 0.013 - 0.005 * step as f32, 0.01)).unwrap();
            simulation.step().unwrap();
        }
        simulation.finish().unwrap();
        // Level sheets have passed each other as a whole.
        assert_eq!(simulation.present_intersections().unwrap(), []);
        let records = simulation.take_records();
        records.iter().map(|r| (r.meeting.unwrap().driven, r.outcome == Outcome::Driven)).collect()
    };
    let (on_gpu, on_cpu) = (driven(Backend::from(&gpu())), driven(Backend::Cpu));
    println!("{on_gpu:?} {on_cpu:?}");
    // They meet in the third step.
    assert!(on_gpu[..2] == [(0, false); 2] && on_gpu[2].0 > 0 && on_gpu[2] == on_cpu[2], "{on_gpu:?} {on_cpu:?}");
    for (driven, outcome) in on_gpu.into_iter().chain(on_cpu) {
        assert_eq!(driven > 0, outcome);
    }
}
