//! A short run with contact, pins, read-backs and a checkpoint on the GPU, in which the n-th call fails that wgpu or the driver may refuse. The error is typed, nothing panics, the
//! checkpoint goes on to the same bits in another simulation, and the simulation that failed does so too once it is restored or reset.
//!
//! The test of every n is `make faults`; the one that always runs takes some of them.

use crate::{Body, Collider, Error, Gpu, Material, Mesh, Options, Scene, Simulation, Vertices, inject};
use glam::Vec3;

/// Steps before the checkpoint, and after it.
const STEPS: usize = 3;

/// A run and what it has left when it ends.
#[derive(Default)]
struct Run {
    simulation: Option<Simulation>,
    checkpoint: Option<Vec<u8>>,
}

fn scene() -> Scene {
    let mut scene = Scene::new();
    let mesh = Mesh::grid(0.6, 0.6, 6, 6);
    let cloth = scene.add(Body::cloth(mesh, Material::cotton()).with_skin(Mesh::grid(0.6, 0.6, 7, 7)));
    scene.pin(cloth, Vertices::list([0u32]));
    scene.add_collider(Collider::sphere([0.0, -0.22, 0.0], 0.2));
    scene
}

impl Run {
    fn go(&mut self, gpu: &Gpu, scene: &Scene) -> Result<Vec<Vec3>, Error> {
        let simulation = self.simulation.insert(Simulation::new(gpu, scene, Options::default())?);
        let pin = scene.pin_ids().next().unwrap();
        simulation.move_pin(pin, Vec3::new(-0.3, 0.01, -0.3))?;
        (0..STEPS).try_for_each(|_| simulation.step().map(|_| ()))?;
        self.checkpoint = Some(simulation.checkpoint()?);
        end(simulation, scene)
    }
}

/// The second half of the run.
fn end(simulation: &mut Simulation, scene: &Scene) -> Result<Vec<Vec3>, Error> {
    for _ in 0..STEPS {
        simulation.step()?;
        simulation.poll()?;
    }
    simulation.skin_positions(scene.body_ids().next().unwrap())?;
    simulation.strains()?;
    simulation.velocities()?;
    Ok(simulation.positions()?.to_vec())
}

fn fail(choose: impl Fn(u64) -> Vec<u64>) {
    let (gpu, scene) = (Gpu::headless().unwrap(), scene());
    // The first simulation compiles kernels, which makes more calls.
    let reference = Run::default().go(&gpu, &scene).unwrap();
    let total = inject::count(|| _ = Run::default().go(&gpu, &scene).unwrap());
    assert!(total > 100, "{total}");
    let (mut failed, mut resumed) = (0, 0);
    for n in choose(total) {
        let mut run = Run::default();
        match inject::failing(n, || run.go(&gpu, &scene)) {
            // A call whose failure changes nothing, such as the end of a mapping that was given up.
            Ok(positions) => assert!(positions == reference, "call {n} of {total} failed, and nobody noticed"),
            Err(Error::Gpu(_) | Error::OutOfMemory(_) | Error::DeviceLost(_) | Error::Timeout { .. }) => failed += 1,
            Err(other) => panic!("call {n} of {total}: {other}"),
        }
        if let Some(checkpoint) = &run.checkpoint {
            let mut other = Simulation::new(&gpu, &scene, Options::default()).unwrap();
            other.restore(checkpoint).unwrap();
            assert!(end(&mut other, &scene).unwrap() == reference, "call {n} of {total}: resumed");
            resumed += 1;
        }
        if let Some(simulation) = &mut run.simulation {
            match &run.checkpoint {
                Some(checkpoint) => simulation.restore(checkpoint).unwrap(),
                None => {
                    simulation.reset().unwrap();
                    let pin = scene.pin_ids().next().unwrap();
                    simulation.move_pin(pin, Vec3::new(-0.3, 0.01, -0.3)).unwrap();
                    (0..STEPS).for_each(|_| _ = simulation.step().unwrap());
                }
            }
            assert!(end(simulation, &scene).unwrap() == reference, "call {n} of {total}: mended");
        }
    }
    assert!(failed > 0 && resumed > 0, "{failed} failed, {resumed} resumed");
    println!("{total} calls; {failed} failures, {resumed} resumed");
}

#[test]
fn some_calls_fail() {
    fail(|total| (1..=total).step_by((total / 16) as usize).collect());
}

#[test]
#[ignore = "takes minutes: make faults"]
fn every_call_fails() {
    fail(|total| (1..=total).collect());
}
