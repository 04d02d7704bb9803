//! Every model of both tables, toy models too: packing, derivatives, and the numbers and switches of the shaders.

use super::{
    area::{AreaParameters, AreaRest},
    buckling::BucklingParameters,
    cubic::{CubicLeftOut, CubicParameters},
    cubic_absolute::CubicAbsoluteParameters,
    curvature::CurvatureRest,
    dihedral::DihedralRest,
    edge::Edge,
    element::{ElementState, element_energy, element_row},
    law::{edge_energy, edge_law},
    linear::LinearParameters,
    membrane::{self, MembraneModuli, MembraneParameters, MembraneRest},
    neo_hookean::{NeoHookeanParameters, NeoHookeanRest},
    plastic::PlasticParameters,
    projected_pair::ProjectedPairRest,
    series::SeriesParameters,
    shear_printed::ShearPrintedRest,
    toy_element::{ToyElementParameters, ToyElementRest},
    toy_law::ToyLawParameters,
    volume::{self, VolumeParameters, VolumeRest},
    weave_cell::{WeaveCellParameters, WeaveCellRest},
    *,
};
use crate::gpu::shader::{self, Launch};
use glam::DVec3;

/// A material of a law, with a stiffness of some 100 N/m.
fn law_sample(law: Law) -> EdgeMaterial {
    let law_parameters = match law {
        Law::Linear | Law::TensionOnly => LinearParameters { stiffness: 90.0 }.pack(),
        Law::None => [0.0; 4],
        Law::Cubic => CubicParameters { c0: 3.0, c1: 80.0, c2: 40.0, c3: 70.0 }.pack(),
        Law::CubicAbsolute => CubicAbsoluteParameters { a: 30.0, b: -20.0, c: 90.0, d: -40.0 }.pack(),
        Law::Buckling => BucklingParameters { bending_stiffness: 0.5, compression: 90.0 }.pack(),
        Law::Toy => ToyLawParameters { stiffness: 60.0, stiffening: 200.0 }.pack(),
    };
    EdgeMaterial { law, law_parameters, ..Default::default() }
}

/// An element of a model near rest, with its particles at `x`, m: its material and its packed rest measures.
pub(crate) fn element_sample(model: ElementModel, x: [DVec3; 4]) -> (ElementMaterial, [f64; 11]) {
    // The rest shape differs from that of the particles, so that there are forces.
    let at_rest = x.map(|x| x * DVec3::new(0.9, 1.2, 1.1) + 0.1 * DVec3::new(x.y, x.z, x.x));
    let size = (x[1] - x[0]).length();
    let corners = [at_rest[0], at_rest[1], at_rest[2]];
    let side = |a: usize, b: usize| (at_rest[b] - at_rest[a]).length();
    let (parameters, rest) = match model {
        ElementModel::Area => {
            let MembraneRest { shape, area } = membrane::rest(corners, DVec3::X).unwrap();
            (AreaParameters { stiffness: 0.5, damping: 0.02 }.pack(), AreaRest { area, shape }.pack())
        }
        ElementModel::Membrane => {
            let moduli = MembraneModuli { weft: 90.0, warp: 70.0, contraction: 30.0, shear: 40.0 };
            let viscosities = MembraneModuli { weft: 0.9, warp: 0.8, contraction: 0.4, shear: 0.5 };
            let rest = membrane::rest(corners, DVec3::X).unwrap();
            (MembraneParameters { moduli, viscosities }.pack(), rest.pack())
        }
        ElementModel::Volume => {
            let volume = volume::volume_and_gradients(&at_rest).0;
            let normaliser = 0.1 * size * size * size;
            let rest =
                VolumeRest { volume: volume + 0.1 * normaliser, normaliser, shape: volume::rest_shape(&at_rest) };
            (VolumeParameters { stiffness: 0.5, damping: 0.02 }.pack(), rest.pack())
        }
        ElementModel::Curvature | ElementModel::CurvaturePrinted => {
            let (stiffness, length, damping, hardening) = (90.0, 0.3 * size, 0.9, 1.0 / (size * size));
            let weights = [0.4, 0.6, -0.45, -0.55];
            ([0.0; 8], CurvatureRest { weights, stiffness, length, damping, hardening }.pack())
        }
        ElementModel::Dihedral => (
            [0.0; 8],
            DihedralRest { stiffness: 0.5, angle: 0.4, damping: 0.02, areas: [0.2 * size * size, 0.0] }.pack(),
        ),
        ElementModel::WeaveCell => {
            let parameters =
                WeaveCellParameters { shear: 80.0, contraction: 30.0, shear_damping: 0.9, contraction_damping: 0.4 };
            let lengths = [side(0, 1), side(2, 3), side(0, 2), side(1, 3)];
            (parameters.pack(), WeaveCellRest { lengths, area: size * size, shear: 0.1 }.pack())
        }
        ElementModel::ShearPrinted => {
            let scale = 0.5 * size;
            let [elastic, viscous] = [90.0, 0.9].map(|modulus| modulus / (size * size * size));
            ([0.0; 8], ShearPrintedRest { elastic, viscous, scale }.pack())
        }
        ElementModel::ProjectedPair => {
            ([0.0; 8], ProjectedPairRest { stiffness: 90.0, damping: 0.9, printed: false }.pack())
        }
        ElementModel::NeoHookean => {
            // A tetrahedron with some height, whatever the particles have.
            let height = (at_rest[1] - at_rest[0]).cross(at_rest[2] - at_rest[0]).normalize() * size;
            let rest = NeoHookeanRest::new(&[at_rest[0], at_rest[1], at_rest[2], at_rest[3] + 0.3 * height]);
            (NeoHookeanParameters::new(20.0 / size, 0.4, 0.01).pack(), rest.pack())
        }
        ElementModel::Toy => {
            let parameters = ToyElementParameters { stiffness: 90.0, damping: 0.9 };
            (parameters.pack(), ToyElementRest { weight: 0.7 }.pack())
        }
    };
    (ElementMaterial { model, parameters }, rest)
}

/// Checks that unpacking and packing keep the words that a struct uses, and clear the others.
fn keeps_words<T, const N: usize>(used: usize, unpack: fn(&[f64; N]) -> T, pack: fn(T) -> [f64; N]) {
    // All words differ; the third may be a flag.
    let words: [f64; N] = std::array::from_fn(|ix| if ix == 2 { 1.0 } else { ix as f64 + 2.0 });
    let again = pack(unpack(&words));
    let kept = |ix: &usize| again[*ix] == words[*ix];
    let name = std::any::type_name::<T>();
    assert_eq!((0..N).filter(kept).count(), used, "{name}: {again:?}");
    assert!((0..N).all(|ix| kept(&ix) || again[ix] == 0.0), "{name}: {again:?}");
}

#[test]
fn packing_keeps_every_word() {
    keeps_words(1, LinearParameters::unpack, LinearParameters::pack);
    keeps_words(4, CubicParameters::unpack, CubicParameters::pack);
    keeps_words(2, CubicLeftOut::unpack, CubicLeftOut::pack);
    keeps_words(4, CubicAbsoluteParameters::unpack, CubicAbsoluteParameters::pack);
    keeps_words(2, BucklingParameters::unpack, BucklingParameters::pack);
    keeps_words(2, ToyLawParameters::unpack, ToyLawParameters::pack);
    keeps_words(2, AreaParameters::unpack, AreaParameters::pack);
    keeps_words(5, AreaRest::unpack, AreaRest::pack);
    keeps_words(8, MembraneParameters::unpack, MembraneParameters::pack);
    keeps_words(5, MembraneRest::unpack, MembraneRest::pack);
    keeps_words(2, VolumeParameters::unpack, VolumeParameters::pack);
    keeps_words(11, VolumeRest::unpack, VolumeRest::pack);
    keeps_words(8, CurvatureRest::unpack, CurvatureRest::pack);
    keeps_words(5, DihedralRest::unpack, DihedralRest::pack);
    keeps_words(4, WeaveCellParameters::unpack, WeaveCellParameters::pack);
    keeps_words(6, WeaveCellRest::unpack, WeaveCellRest::pack);
    keeps_words(3, ShearPrintedRest::unpack, ShearPrintedRest::pack);
    keeps_words(3, ProjectedPairRest::unpack, ProjectedPairRest::pack);
    keeps_words(4, NeoHookeanParameters::unpack, NeoHookeanParameters::pack);
    keeps_words(10, NeoHookeanRest::unpack, NeoHookeanRest::pack);
    keeps_words(2, ToyElementParameters::unpack, ToyElementParameters::pack);
    keeps_words(1, ToyElementRest::unpack, ToyElementRest::pack);
    let plastic = PlasticParameters { yield_strain: 1.0, maximum: 2.0, creep: 3.0 };
    assert_eq!(plastic.pack(), [[1.0, 2.0, 3.0, 0.0], [0.0; 4]]);
    assert_eq!(PlasticParameters::unpack(&plastic.pack()), plastic);
    let series = SeriesParameters { times: [1.0, 2.0, 3.0], compliances: [4.0, 5.0, 6.0] };
    assert_eq!(series.pack(), [[1.0, 2.0, 3.0, 0.0], [4.0, 5.0, 6.0, 0.0]]);
    assert_eq!(SeriesParameters::unpack(&series.pack()), series);
}

#[test]
fn tension_and_slope_of_every_law_are_derivatives() {
    let edge = Edge { ends: [0, 1], rest_length: 0.8, weight: 1.3, material: 0, scalar: 0.0, structural: true };
    for &law in Law::ALL {
        let material = law_sample(law);
        for ratio in [0.5, 0.9, 1.1, 1.7] {
            let (length, step) = (ratio * edge.rest_length, 1e-6);
            let at = |length: f64| edge_law(&material, &edge, &[0.0; 4], length, 0.01);
            let energy = |length: f64| edge_energy(&material, &edge, &[0.0; 4], length, 0.01);
            let tension = (energy(length + step) - energy(length - step)) / (2.0 * step);
            let slope = (at(length + step).tension - at(length - step).tension) / (2.0 * step);
            assert!((at(length).tension - tension).abs() < 1e-5, "{law:?}: {tension} at {ratio}");
            assert!((at(length).slope - slope).abs() < 1e-4, "{law:?}: {slope} at {ratio}");
            // Control: only the law without a force is so small that any derivative would do.
            let idle =
                law == Law::None || law == Law::TensionOnly && ratio < 1.0 || law == Law::Buckling && ratio > 1.0;
            assert_eq!(tension.abs() < 1.0, idle, "{law:?}: {tension} at {ratio}");
        }
    }
}

#[test]
fn force_and_jacobian_of_every_element_are_derivatives() {
    let mut rng = fastrand::Rng::with_seed(31);
    let mut random = || DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5);
    for &model in ElementModel::ALL.iter().filter(|model| model.has_energy()) {
        // Wings A, B beside the edge C, D.
        let mut x = [-DVec3::X, DVec3::X, -DVec3::Y, DVec3::Y].map(|x| x + 0.4 * random());
        let count = model.particle_count();
        let end = x[count - 1];
        x[count..].fill(end);
        let (material, rest) = element_sample(model, x);
        let element = Element { particles: [0, 1, 2, 3], rest, material: 0 };
        let state = ElementState { x, v: [DVec3::ZERO; 4], normals: [DVec3::new(0.0, 0.6, 0.8); 4] };
        let moved = |particle: usize, offset: DVec3| {
            let mut state = state;
            state.x[particle] += offset;
            state
        };
        let step = 1e-6;
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let mut largest = 0.0f64;
        for own in 0..count {
            let row = element_row(&material, &element, &state, own, false);
            let energy = |offset: DVec3| element_energy(&material, &element, &moved(own, offset));
            let slope = axes.map(|axis| (energy(step * axis) - energy(-step * axis)) / (2.0 * step));
            largest = largest.max(row.force.length());
            assert!((row.force + DVec3::from_array(slope)).length() < 1e-5, "{model:?}: {} {slope:?}", row.force);
            for other in (0..count).filter(|&other| other != own) {
                for axis in axes {
                    let force = |offset| element_row(&material, &element, &moved(other, offset), own, false).force;
                    let column = (force(step * axis) - force(-step * axis)) / (2.0 * step);
                    assert!((row.stiffness[other] * axis - column).length() < 1e-4, "{model:?}: {column}");
                }
            }
        }
        assert!(largest > 1e-2, "the control: {model:?} does something, {largest} N");
    }
}

/// Name of a model in the shaders: `ShearPrinted` is `SHEAR_PRINTED`.
fn shouted(name: &str) -> String {
    let words =
        name.chars().flat_map(|letter| [letter.is_uppercase().then_some('_'), Some(letter.to_ascii_uppercase())]);
    words.flatten().collect()
}

#[test]
fn both_tables_are_those_of_the_shaders() {
    let check = |kernel: &str, prefix: &str, numbers: Vec<(String, u32)>, default: &str| {
        let (module, text) =
            (shader::parse(kernel, Launch::Hardware).unwrap(), shader::compose(kernel, Launch::Hardware).unwrap());
        let named = module.constants.iter().filter(|(_, it)| it.name.as_ref().is_some_and(|it| it.starts_with(prefix)));
        assert_eq!(named.count(), numbers.len(), "{prefix}");
        for (name, number) in numbers {
            let name = format!("{prefix}{}", shouted(&name));
            assert_eq!(shader::constant(&module, &name), Some(number), "{name}");
            assert!(name == default || text.contains(&format!("case {name}: {{")), "{name} is in no switch");
        }
    };
    let laws = Law::ALL.iter().map(|law| (format!("{law:?}"), *law as u32)).collect();
    check("assembly/edges", "LAW", laws, "LAW_LINEAR");
    let models = ElementModel::ALL.iter().map(|model| (format!("{model:?}"), *model as u32)).collect();
    check("assembly/elements", "MODEL", models, "");
    // The shipped shaders have no toy: the lines of tests are comments there.
    for (name, source) in shader::SOURCES.iter().filter(|(name, _)| !name.contains("toy")) {
        let toys = source.lines().filter(|line| line.to_lowercase().contains("toy"));
        assert!(toys.clone().all(|line| line.starts_with("//test ")), "{name}");
    }
}
