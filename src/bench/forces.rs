//! Cost of every force model on the same cloth, 64×64 particles as in W1, 7938 triangles, and on the same block of 5000 tetrahedra: 20 iterations.

use super::workload::{Workload, fixed_iterations};
use crate::{
    Air, Area, Bending, BendingModel, Body, Cubic, KelvinVoigt, Mass, Material, Membrane, Mesh, NeoHookean, Plasticity,
    RestShape, Scene, Spring, SpringLaw, Vertices, Volume, Weave, WeaveBending,
};
use glam::Vec3;

/// Name of the workload that the others are compared with.
pub const BASE: &str = "force-linear";

/// Particles along a side of the cloth.
const SIDE: u32 = 64;

/// Stiffnesses of W1, N/m.
const STRUCTURAL: f32 = 100.0;
const SHEAR: f32 = 50.0;
const CROSSOVER: f32 = 5.0;

/// Bending modulus, N·m.
const BENDING: f32 = 1e-5;

/// Workloads of all force models, linear springs first.
pub fn all() -> Vec<Workload> {
    let springs = |law: fn(f32) -> Spring| Material {
        structural: law(STRUCTURAL),
        shear: law(SHEAR),
        crossover: law(CROSSOVER),
        ..loose()
    };
    let in_plane = Material { crossover: Spring::default(), ..springs(Spring::new) };
    let bending = |bending: Bending| Material { bending: Some(bending), ..in_plane.clone() };
    let curved = RestShape::Curvature(1.0);
    let dihedral = Bending { model: BendingModel::Dihedral, ..Bending::new(BENDING) };
    let membrane = Membrane::isotropic(STRUCTURAL, 0.3);
    let with = |change: fn(&mut Material)| {
        let mut material = springs(Spring::new);
        change(&mut material);
        material
    };
    let cloths = [
        (BASE, "linear springs", springs(Spring::new)),
        ("force-stvk", "two-term StVK springs", springs(|stiffness| SpringLaw::Stvk { stiffness }.into())),
        ("force-cubic", "full cubic springs", springs(|stiffness| SpringLaw::Cubic(Cubic::new(stiffness)).into())),
        ("force-coefficients", "cubic springs by their coefficients", springs(coefficients)),
        ("force-buckling", "Choi–Ko springs", choi_ko()),
        ("force-plastic", "linear springs that yield", springs(plastic)),
        ("force-viscoelastic", "linear springs with memory", springs(viscoelastic)),
        (
            "force-area",
            "linear springs and areas",
            with(|material| material.area = Some(Area { stiffness: 1e-4, damping: 0.0 })),
        ),
        (
            "force-shell",
            "linear springs and virtual tetrahedra",
            with(|material| material.shell = Some(Volume { stiffness: 1e-4, damping: 0.0 })),
        ),
        (
            "force-membrane",
            "StVK triangles and crossover springs",
            Material { membrane: Some(membrane), crossover: Spring::new(CROSSOVER), ..loose() },
        ),
        ("bend-none", "structural and shear springs only", in_plane.clone()),
        ("bend-crossover", "linear springs with crossover springs", springs(Spring::new)),
        ("bend-linear", "linear springs and linear bending", bending(Bending::new(BENDING))),
        (
            "bend-curved",
            "linear springs and bending with a rest curvature",
            bending(Bending { rest: curved, ..Bending::new(BENDING) }),
        ),
        (
            "bend-curved-printed",
            "linear springs and bending with a rest curvature, as printed",
            bending(Bending { rest: curved, model: BendingModel::LinearPrinted, ..Bending::new(BENDING) }),
        ),
        ("bend-dihedral", "linear springs and bending by normals", bending(dihedral)),
        ("force-weave", "woven continuum, thin plate", Material { weave: Some(weave(false)), ..loose() }),
        (
            "force-weave-printed",
            "woven continuum, thin plate, as printed",
            Material { weave: Some(weave(true)), ..loose() },
        ),
    ];
    let mut workloads: Vec<Workload> =
        cloths.into_iter().map(|(name, about, material)| cloth(name, about, material)).collect();
    let mut air = cloth("force-air", "linear springs in wind", springs(Spring::new));
    air.scene.air = Some(Air::wind(Vec3::new(0.0, 0.0, 0.5)).resisting(0.1));
    workloads.push(air);
    let teschner = Material {
        structural: SpringLaw::Distance { stiffness: 0.1 }.into(),
        volume: Some(Volume { stiffness: 0.1, damping: 0.0 }),
        ..Material::loose(Mass::Total(1.0))
    };
    workloads.push(solid("solid-teschner", "distance and volume of 5000 tetrahedra", teschner));
    let neo_hookean = Material { neo_hookean: Some(NeoHookean::new(4e4, 0.45)), ..Material::loose(Mass::Total(1.0)) };
    workloads.push(solid("solid-neo-hookean", "5000 neo-Hookean tetrahedra", neo_hookean));
    workloads
}

fn loose() -> Material {
    Material::loose(Mass::Total(0.1))
}

/// Spring with a linear term, and a cubic one scaled by a cell's length.
fn coefficients(stiffness: f32) -> Spring {
    let length = 1.0 / (SIDE - 1) as f32;
    let a = stiffness / (length * length);
    let d = -a * length.powi(3) - stiffness * length;
    SpringLaw::CubicCoefficients { a, b: 0.0, c: stiffness, d, jacobian_damping: 0.99 }.into()
}

fn choi_ko() -> Material {
    let buckling = SpringLaw::Buckling { bending_stiffness: 1e-6, compression: CROSSOVER };
    Material {
        structural: SpringLaw::TensionOnly { stiffness: STRUCTURAL }.into(),
        shear: SpringLaw::TensionOnly { stiffness: SHEAR }.into(),
        crossover: buckling.into(),
        ..loose()
    }
}

fn plastic(stiffness: f32) -> Spring {
    Spring::new(stiffness).plastic(Plasticity { yield_strain: 0.05, maximum: 0.3, creep: 5.0 })
}

fn viscoelastic(stiffness: f32) -> Spring {
    let element =
        |share: f32, time: f32| KelvinVoigt { stiffness: share * stiffness, damping: share * stiffness * time };
    Spring::new(stiffness).viscoelastic(&[element(2.0, 0.1), element(4.0, 1.0)])
}

fn weave(printed: bool) -> Weave {
    Weave {
        weft: Spring::new(STRUCTURAL),
        warp: Spring::new(STRUCTURAL),
        shear: SHEAR,
        contraction: 0.3 * STRUCTURAL,
        bending: WeaveBending::ThinPlate,
        bending_weft: BENDING,
        bending_warp: BENDING,
        printed,
        ..Default::default()
    }
}

fn cloth(name: &str, about: &'static str, material: Material) -> Workload {
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, SIDE, SIDE), material));
    scene.pin(cloth, Vertices::corners());
    Workload { name: name.to_owned(), about, scene, options: fixed_iterations(20), large: false }
}

/// The mesh of W2, a cube of 1331 particles, 6930 edges and 5000 tetrahedra, pinned at its top.
fn solid(name: &str, about: &'static str, material: Material) -> Workload {
    let mut scene = Scene::new();
    let cube = scene.add(Body::solid(Mesh::block(Vec3::splat(0.2), [11, 11, 11]), material));
    scene.pin(cube, Vertices::Box { low: Vec3::new(-1.0, 0.099, -1.0), high: Vec3::ONE });
    Workload { name: name.to_owned(), about, scene, options: fixed_iterations(20), large: false }
}
