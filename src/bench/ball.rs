//! Cost of contacts and a rigid body: a heavy ball in a cloth, with the laws compared in Vogiannou's figures 4 and 7.

use super::workload::{Workload, fixed_iterations};
use crate::{Body, Collider, Cubic, Mass, Material, Membrane, Mesh, Scene, Spring, SpringLaw, Vertices};

/// Stiffness K, N/m.
const STIFFNESS: f32 = 1000.0;

/// Workloads of a ball of 10 kg in a cloth of 32 × 32 particles and 1 kg, 20 iterations per step.
pub fn all() -> Vec<Workload> {
    let mass = Mass::Total(1.0);
    let edges = |law: SpringLaw| {
        let spring = Spring::from(law).damped(5e-4 * STIFFNESS);
        Material { shear: spring, ..Material::springs(mass, spring) }
    };
    let cubic = Cubic {
        stretch: 1.04,
        stretched: 6.0 * STIFFNESS,
        compression: 0.96,
        compressed: 2.0 * STIFFNESS,
        ..Cubic::new(STIFFNESS)
    };
    let triangles = Material { membrane: Some(Membrane::isotropic(STIFFNESS, 0.3)), ..Material::loose(mass) };
    [
        ("ball-linear", "a ball of 10 kg in a cloth: springs", edges(SpringLaw::Linear { stiffness: STIFFNESS })),
        ("ball-stvk", "a ball of 10 kg in a cloth: two-term StVK", edges(SpringLaw::Stvk { stiffness: STIFFNESS })),
        ("ball-cubic", "a ball of 10 kg in a cloth: full cubic", edges(SpringLaw::Cubic(cubic))),
        ("ball-triangles", "a ball of 10 kg in a cloth: StVK of triangles", triangles),
    ]
    .map(|(name, about, material)| workload(name, about, material))
    .into()
}

fn workload(name: &str, about: &'static str, material: Material) -> Workload {
    let n = 32u32;
    let side = 0.02 * (n - 1) as f32;
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(Mesh::grid(side, side, n, n), material));
    let at_border = |ix: &u32| [0, n - 1].contains(&(ix % n)) || [0, n - 1].contains(&(ix / n));
    scene.pin(cloth, Vertices::list((0..n * n).filter(at_border).collect::<Vec<_>>()));
    scene.add_collider(Collider::sphere([0.0, 0.066, 0.0], 0.06).dynamic(10.0));
    let mut options = fixed_iterations(20);
    options.time_step = 0.005;
    Workload { name: name.to_owned(), about, scene, options, large: false }
}
