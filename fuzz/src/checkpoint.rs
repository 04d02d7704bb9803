//! Checkpoints with changed bytes whose checksum is right: what their reader sees may be anything. Each is refused with a reason, or restored to numbers with which steps go on or fail
//! as steps may.

use tenter::{Backend, Body, Collider, Error, Material, Mesh, Options, Scene, Simulation, Vertices};

/// Bytes of a checkpoint before its content: magic number, version, checksum.
const HEADER: usize = 16;

fn scene() -> Scene {
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(Mesh::grid(0.4, 0.4, 4, 4), Material::cotton()));
    scene.pin(cloth, Vertices::list([0u32]));
    scene.add_collider(Collider::sphere([0.0, -0.21, 0.0], 0.2));
    scene.add_collider(Collider::sphere([0.0, 0.3, 0.0], 0.05).dynamic(0.1));
    scene
}

/// A simulation with a checkpoint of its own to damage.
pub struct Target {
    simulation: Simulation,
    good: Vec<u8>,
}

impl Target {
    pub fn new(backend: &Backend) -> Self {
        let mut simulation = Simulation::new(backend.clone(), &scene(), Options::default()).unwrap();
        simulation.step_many(3).unwrap();
        let good = simulation.checkpoint().unwrap();
        Self { simulation, good }
    }

    /// Restores the checkpoint after changes: each takes two bytes of the data for the place, and one for what stands there then.
    pub fn run(&mut self, data: &[u8]) {
        let mut bytes = self.good.clone();
        for change in data.chunks_exact(3) {
            let place = HEADER + usize::from(u16::from_le_bytes([change[0], change[1]])) % (bytes.len() - HEADER);
            match change[2] {
                // Whole numbers at the ends of their range.
                255 => bytes[place..].iter_mut().take(8).for_each(|byte| *byte = 0xff),
                254 => bytes[place..].iter_mut().take(8).for_each(|byte| *byte = 0),
                253 => bytes.truncate(place.max(HEADER + 1)),
                other => bytes[place] = other,
            }
        }
        let sum = crc32fast::hash(&bytes[HEADER..]);
        bytes[HEADER - 4..HEADER].copy_from_slice(&sum.to_le_bytes());
        match self.simulation.restore(&bytes) {
            Ok(()) => {
                for _ in 0..2 {
                    match self.simulation.step().and_then(|_| self.simulation.finish()) {
                        Ok(_) | Err(Error::NonFinite { .. } | Error::Unstable { .. } | Error::Usage(_)) => {}
                        Err(other) => panic!("{other:?}"),
                    }
                }
            }
            Err(Error::Usage(message)) => assert!(message.len() > 8),
            Err(Error::Scene { .. }) => {}
            Err(other) => panic!("{other:?}"),
        }
        // Nothing of it stays.
        self.simulation.restore(&self.good).unwrap();
    }
}
