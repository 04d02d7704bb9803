//! Cusick's drape test of the presets, in a quick form: two specimens at two resolutions. `cargo run --release --example cusick` has six at three.

use tenter::{
    Backend, Bending, BendingModel, Material,
    internals::bench::cusick::{MEASURED, Specimen, coefficient, mean},
    presets,
};

/// Rings of the coarse and the fine mesh: cells of 10 and 7.5 mm.
const RINGS: [u32; 2] = [15, 20];

/// Drape coefficients of a material on the coarse and on the fine mesh.
fn coefficients(material: &Material) -> [f64; 2] {
    RINGS.map(|rings| mean(&Specimen::six(rings)[1..3], material, &Backend::Cpu).unwrap())
}

fn check(preset: usize) {
    let (name, [least, most]) = MEASURED[preset];
    let (_, _, make) = presets::ALL.iter().find(|known| known.0 == name).unwrap();
    let [coarse, fine] = coefficients(&make());
    println!("{name}: {coarse:.3}, {fine:.3}");
    assert!(least < fine && fine < most, "{name}: {fine}");
    assert!((coarse - fine).abs() < 0.06, "{name}: {coarse} and {fine}");
}

#[test]
fn silk() {
    check(0);
}

#[test]
fn wool() {
    check(1);
}

#[test]
fn leather() {
    check(2);
}

#[test]
fn cotton() {
    check(3);
}

#[test]
fn denim() {
    check(4);
}

/// The control: cotton with a quarter of its modulus is outside the band of cotton, and so is a sheet of paper.
#[test]
fn other_moduli_leave_the_band() {
    let (_, [least, most]) = MEASURED[3];
    for (modulus, below) in [(2.5e-6, true), (2e-4, false)] {
        let bending = Bending { model: BendingModel::Dihedral, ..Bending::new(modulus) };
        let other = Material { bending: Some(bending), ..Material::cotton() };
        let found = mean(&Specimen::six(RINGS[1])[1..2], &other, &Backend::Cpu).unwrap();
        println!("{modulus} N·m: {found:.3}");
        assert!(if below { found < least } else { found > most }, "{modulus} N·m: {found}");
    }
}

/// The shadow of a flat disc is whole, that of one that hangs straight down is the support's.
#[test]
fn shadows_of_known_shapes() {
    let mesh = Specimen::six(20)[0].mesh();
    assert!((coefficient(&mesh, &mesh.positions) - 1.0).abs() < 0.01);
    let straight: Vec<_> = mesh.positions.iter().map(|p| p.clamp_length_max(0.09)).collect();
    assert!(coefficient(&mesh, &straight).abs() < 0.01);
    let half: Vec<_> = mesh.positions.iter().map(|p| p.clamp_length_max(0.12)).collect();
    let expected = (0.12f64.powi(2) - 0.09f64.powi(2)) / (0.15f64.powi(2) - 0.09f64.powi(2));
    assert!((coefficient(&mesh, &half) - expected).abs() < 0.01);
}
