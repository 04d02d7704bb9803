//! The core never blocks: futures without a driver, polling, and what is left when a future is dropped.

use crate::common::{gpu, small_device, wavy_cloth};
use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};
use tenter::{
    Adaptive, Backend, Body, Collider, Error, Gpu, Integrator, Material, Mesh, Options, Scene, Seam, Simulation,
    StepRecord,
};

/// Counts how often it is woken.
#[derive(Default)]
struct Bell(AtomicUsize);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// Runs a future as an event loop would: it is polled when it has been woken, and the device is looked after in between without waiting. Returns how often the
/// future was polled, too.
fn event_loop<T>(gpu: &Gpu, future: impl Future<Output = T>) -> (T, usize) {
    let bell = Arc::new(Bell::default());
    let waker = Waker::from(bell.clone());
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    let (mut heard, mut turns) = (0, 0);
    loop {
        turns += 1;
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return (value, turns);
        }
        while bell.0.load(Ordering::Relaxed) == heard {
            gpu.poll().unwrap();
            std::thread::yield_now();
        }
        heard = bell.0.load(Ordering::Relaxed);
    }
}

/// A cloth that falls on a ball: contacts are tested between steps.
fn drape(n: u32) -> Scene {
    let mut scene = Scene::new();
    scene.add(Body::cloth(Mesh::grid(1.0, 1.0, n, n), Material::cotton_springs()));
    scene.add_collider(Collider::sphere([0.0, -0.32, 0.0], 0.3));
    scene
}

fn scenes() -> Vec<(&'static str, Scene, Options)> {
    let adaptive = Options { adaptive: Some(Adaptive::default()), integrator: Integrator::Bdf2, ..Default::default() };
    vec![
        ("cloth", wavy_cloth(20), Options::default()),
        ("contacts", drape(16), Options::default()),
        ("adaptive", wavy_cloth(10), adaptive),
    ]
}

fn outcome(simulation: &mut Simulation) -> (Vec<glam::Vec3>, Vec<StepRecord>) {
    (simulation.positions().unwrap().to_vec(), simulation.take_records())
}

#[test]
fn an_event_loop_computes_the_same_bits() {
    let gpu = gpu();
    for (name, scene, options) in scenes() {
        let mut blocking = Simulation::new(&gpu, &scene, options.clone()).unwrap();
        for _ in 0..6 {
            blocking.step().unwrap();
        }
        let (awaited, _) = event_loop(&gpu, async {
            let mut simulation = Simulation::new_async(&gpu, &scene, options).await.unwrap();
            for _ in 0..6 {
                simulation.step_async().await.unwrap();
            }
            let positions = simulation.positions_async().await.unwrap().to_vec();
            (positions, simulation.take_records())
        });
        assert_eq!(awaited, outcome(&mut blocking), "{name}");
    }
}

#[test]
fn futures_that_wait_are_woken_and_not_polled_in_vain() {
    let gpu = gpu();
    let mut simulation = Simulation::new(&gpu, &wavy_cloth(40), Options::default()).unwrap();
    let (_, turns) = event_loop(&gpu, async {
        for _ in 0..5 {
            simulation.step_async().await.unwrap();
        }
        simulation.finish_async().await.unwrap();
    });
    // At least the end had to be waited for; every wait is one turn, whatever continuations a step needs.
    assert!((2..80).contains(&turns), "{turns}");
}

#[test]
fn polling_changes_nothing() {
    let gpu = gpu();
    for (name, scene, options) in scenes() {
        let runs = [0, 1, 50].map(|polls| {
            let mut simulation = Simulation::new(&gpu, &scene, options.clone()).unwrap();
            for _ in 0..8 {
                simulation.step().unwrap();
                for _ in 0..polls {
                    simulation.poll().unwrap();
                    std::thread::yield_now();
                }
            }
            outcome(&mut simulation)
        });
        assert_eq!(runs[0], runs[1], "{name}");
        assert_eq!(runs[0], runs[2], "{name}");
    }
}

#[test]
fn polling_tells_each_record_once() {
    for (name, backend) in [("GPU", Backend::from(&gpu())), ("CPU", Backend::Cpu)] {
        let mut simulation = Simulation::new(backend, &wavy_cloth(12), Options::default()).unwrap();
        assert_eq!(simulation.poll().unwrap(), None, "{name}");
        simulation.step().unwrap();
        let record = loop {
            if let Some(record) = simulation.poll().unwrap() {
                break record;
            }
        };
        assert_eq!((record.step, simulation.steps_under_way()), (1, 0), "{name}");
        assert_eq!(simulation.poll().unwrap(), None, "{name}");
        simulation.reset().unwrap();
        simulation.step().unwrap();
        simulation.finish().unwrap();
        assert_eq!(simulation.poll().unwrap().map(|record| record.step), Some(1), "{name}");
    }
}

#[test]
fn a_failed_step_waits_for_the_next_call_that_may_wait() {
    let gpu = gpu();
    // Refused at once, with its cause: no halvings.
    let safe = tenter::SafeOptions { max_halvings: 0, ..Default::default() };
    let options = Options { nonlinear: tenter::Nonlinear::Safe(safe), ..Default::default() };
    let mut simulation = Simulation::new(&gpu, &wavy_cloth(8), options).unwrap();
    let far = vec![glam::Vec3::splat(3e38); 64];
    simulation.set_velocities(&far).unwrap();
    simulation.step().unwrap();
    for _ in 0..200 {
        assert_eq!(simulation.poll().unwrap(), None);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert_eq!(simulation.steps_under_way(), 1);
    let error = simulation.finish().unwrap_err();
    assert!(matches!(error, Error::NonFinite { step: 0, .. } | Error::Unstable { step: 0, .. }), "{error}");
}

#[test]
fn a_future_that_is_dropped_half_way_is_noticed() {
    let gpu = gpu();
    let mut simulation = Simulation::new(&gpu, &wavy_cloth(40), Options::default()).unwrap();
    simulation.step().unwrap();
    let checkpoint = simulation.checkpoint().unwrap();
    let expected = simulation.positions().unwrap().to_vec();
    simulation.step().unwrap();
    {
        let mut context = Context::from_waker(Waker::noop());
        assert!(pin!(simulation.finish_async()).poll(&mut context).is_pending());
    }
    for error in [simulation.step().err(), simulation.positions().err(), simulation.checkpoint().err()] {
        assert!(matches!(&error, Some(Error::Usage(message)) if message.contains("dropped")), "{error:?}");
    }
    // A checkpoint that is none does not mend it; a good one does, and so does a reset.
    assert!(simulation.restore(&checkpoint[..20]).is_err());
    assert!(simulation.step().is_err());
    simulation.restore(&checkpoint).unwrap();
    assert_eq!(simulation.positions().unwrap(), expected);
    simulation.step().unwrap();
    {
        let mut context = Context::from_waker(Waker::noop());
        assert!(pin!(simulation.step_many_async(40)).poll(&mut context).is_pending());
    }
    simulation.reset().unwrap();
    simulation.step().unwrap();
    assert_eq!(simulation.positions().unwrap(), expected);
}

#[test]
fn a_read_that_is_dropped_half_way_leaves_the_state_alone() {
    let gpu = gpu();
    let mut simulation = Simulation::new(&gpu, &wavy_cloth(40), Options::default()).unwrap();
    simulation.step().unwrap();
    simulation.finish().unwrap();
    for _ in 0..3 {
        let mut context = Context::from_waker(Waker::noop());
        assert!(pin!(simulation.positions_f64_async()).poll(&mut context).is_pending());
    }
    let read = simulation.positions().unwrap().to_vec();
    assert!(read.iter().any(|position| position.y != 0.0));
    assert_eq!(simulation.positions().unwrap(), read);
}

#[test]
fn what_wgpu_refuses_in_a_step_is_an_error_on_any_device() {
    for gpu in [gpu(), small_device(128 << 20)] {
        let mut simulation = Simulation::new(&gpu, &wavy_cloth(8), Options::default()).unwrap();
        simulation.step().unwrap();
        simulation.finish().unwrap();
        let buffer = simulation.position_buffer().unwrap().clone();
        buffer.destroy();
        let error = (0..3).find_map(|_| simulation.step().and_then(|_| simulation.finish()).err());
        assert!(matches!(&error, Some(Error::Gpu(message)) if message.contains("destroyed")), "{error:?}");
    }
}

#[test]
fn futures_may_go_to_another_thread() {
    fn assert_send<T: Send>(value: T) -> T {
        value
    }
    let scene = wavy_cloth(6);
    let future = assert_send(async move {
        let mut simulation = Simulation::new_async(Backend::Cpu, &scene, Options::default()).await?;
        simulation.advance_async(0.1).await?;
        simulation.set_velocities_async(&[glam::Vec3::ZERO; 36]).await?;
        simulation.strains_async().await?;
        simulation.checkpoint_async().await
    });
    assert!(std::thread::spawn(|| pollster::block_on(future)).join().unwrap().is_ok());
}

#[test]
fn seams_close_in_an_event_loop() {
    let gpu = gpu();
    let mut scene = Scene::new();
    let sheet = scene.add(Body::cloth(Mesh::grid(0.3, 0.3, 4, 4), Material::cotton_springs()));
    let side = |column: u32| (0..4).map(|row| 4 * row + column).collect::<Vec<u32>>();
    scene.sew(Seam { distance: 0.29, ..Seam::new((sheet, side(0)), (sheet, side(3))) });
    let mut ends = [0, 1].map(|_| Simulation::new(&gpu, &scene, Options::default()).unwrap());
    let [awaited, blocking] = &mut ends;
    let open = awaited.open_seams();
    event_loop(&gpu, awaited.step_many_async(30)).0.unwrap();
    blocking.step_many(30).unwrap();
    assert!(awaited.open_seams() < open, "{open} pairs are open");
    assert_eq!(outcome(awaited), outcome(blocking));
}
