//! Strips of stretched cells, narrow strips, and what is expected of meshes that cannot bend as they should.

use super::*;

/// Cells' side along the strip over that across.
const ASPECTS: [f64; 7] = [0.25, 1.0 / 3.0, 0.5, 1.0, 2.0, 3.0, 4.0];

/// A strip of at least six widths and ten cells.
fn long(cells: usize, aspect: f64, pattern: Pattern, seed: u64) -> Strip {
    let length = f64::max(6.0, 10.0 * aspect / cells as f64);
    Strip::stretched(length, 1.0, cells + 1, aspect, pattern, seed)
}

fn of_moduli(strip: &Strip, moduli: &Moduli) -> Vec<Stencil> {
    stencils(&strip.positions, &strip.triangles, moduli, Normalisation::Calibrated).unwrap()
}

/// Stiffness in all directions that is expected of a calibrated strip.
fn expected(strip: &Strip) -> Anisotropy {
    anisotropy(&strip.positions, &strip.triangles, &Moduli::isotropic(1.0), &calibrated(strip)).unwrap()
}

#[test]
fn strips_of_stretched_cells_bend_like_beams() {
    for aspect in ASPECTS {
        for cells in [1, 2, 3, 4, 6, 9] {
            for pattern in [Pattern::Alternating, Pattern::OneWay, Pattern::Crossed] {
                if cells > 3 && pattern != Pattern::Alternating {
                    continue;
                }
                let strip = long(cells, aspect, pattern, 0);
                let deflection = strip.deflection(&calibrated(&strip));
                assert!((deflection - 1.0).abs() < 0.05, "{pattern:?}, {aspect}, {cells} cells: {deflection}");
            }
        }
        // Control: all edges alike.
        if aspect < 0.9 {
            let strip = long(3, aspect, Pattern::Alternating, 0);
            let mut alike = calibrated(&strip);
            alike.iter_mut().for_each(|stencil| stencil.stiffness *= 27.0 / 8.0 / stencil.factor);
            assert!(strip.deflection(&alike) > 1.2, "{aspect}");
        }
    }
}

#[test]
fn wide_strips_of_stretched_cells_bend_like_beams() {
    for aspect in ASPECTS {
        let strip = Strip::stretched(4.0, 1.0, 18, aspect, Pattern::Alternating, 0);
        let deflection = strip.deflection(&calibrated(&strip));
        assert!((deflection - 1.0).abs() < 0.05, "{aspect}: {deflection}");
    }
}

/// Strips of 30 cm × 3 cm as scenes have them, along x and along z.
#[test]
fn generated_grids_of_any_cells_bend_like_beams() {
    for (along, across) in [(32, 1), (16, 6), (32, 2), (24, 1), (64, 3)] {
        for along_x in [true, false] {
            let (columns, rows) = if along_x { (along + 1, across + 1) } else { (across + 1, along + 1) };
            let (width, depth) = if along_x { (0.3, 0.03) } else { (0.03, 0.3) };
            let mesh = crate::Mesh::grid(width, depth, columns, rows);
            let place = |p: &glam::Vec3| {
                if along_x { DVec3::new(p.x.into(), p.z.into(), 0.0) } else { DVec3::new(p.z.into(), p.x.into(), 0.0) }
            };
            let positions: Vec<DVec3> = mesh.positions.iter().map(place).collect();
            let mut held: Vec<bool> = positions.iter().map(|p| p.x.abs() < 1e-9).collect();
            held[0] = true;
            let strip = Strip { positions, triangles: mesh.triangles, held, length: f64::from(0.15f32) };
            let weft_direction = if along_x { DVec3::X } else { DVec3::Y };
            let list = of_moduli(&strip, &Moduli { weft_direction, ..Moduli::isotropic(1.0) });
            let deflection = strip.deflection(&list);
            assert!((deflection - 1.0).abs() < 0.05, "{along} × {across}, along x: {along_x}: {deflection}");
        }
    }
}

#[test]
fn stretched_cells_have_moduli_of_their_own_along_weft_and_warp() {
    for aspect in [0.25, 0.5, 2.0, 4.0] {
        for cells in [1, 3, 9] {
            let strip = long(cells, aspect, Pattern::Alternating, 0);
            for (weft, warp) in [(1.0, 3.0), (10.0, 1.0)] {
                for (weft_direction, modulus) in [(DVec3::X, weft), (DVec3::Y, warp)] {
                    let moduli = Moduli { weft, warp, weft_direction };
                    let deflection = modulus * strip.deflection(&of_moduli(&strip, &moduli));
                    assert!(
                        (deflection - 1.0).abs() < 0.05,
                        "{aspect}, {cells} cells, {weft} {warp} along {weft_direction}: {deflection}"
                    );
                }
            }
        }
    }
}

/// The cells' own axes count, wherever the weft runs.
#[test]
fn the_weft_need_not_run_along_the_cells() {
    for degrees in [15.0f64, 30.0, 45.0] {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let moduli = Moduli { weft_direction: DVec3::new(cosine, sine, 0.0), ..Moduli::isotropic(1.0) };
        for aspect in [0.25, 0.5, 2.0, 4.0] {
            for cells in [1, 3, 9] {
                let strip = long(cells, aspect, Pattern::Alternating, 0);
                let deflection = strip.deflection(&of_moduli(&strip, &moduli));
                assert!((deflection - 1.0).abs() < 0.05, "{degrees}°, {aspect}, {cells} cells: {deflection}");
            }
        }
    }
}

#[test]
fn narrow_strips_of_irregular_meshes_bend_like_beams() {
    let patterns = [Pattern::Equilateral, Pattern::Delaunay(0.15), Pattern::Delaunay(0.3), Pattern::Random(0.25)];
    for pattern in patterns {
        for cells in [1, 2, 3] {
            for seed in 1..4 {
                let strip = Strip::new(20.0, 1.0, cells + 1, pattern, seed);
                let deflection = strip.deflection(&calibrated(&strip));
                assert!((deflection - 1.0).abs() < 0.05, "{pattern:?}, {cells} cells, seed {seed}: {deflection}");
            }
        }
    }
}

/// Grids are exact along their axes whatever their cells; the expectation says so, and how other directions differ.
#[test]
fn the_stiffness_expected_of_grids_is_that_of_strips() {
    for (pattern, aspect) in [(Pattern::Alternating, 0.1), (Pattern::Alternating, 10.0), (Pattern::OneWay, 4.0)] {
        let strip = long(4, aspect, pattern, 0);
        let Anisotropy { weft, warp, strip: [least, most], .. } = expected(&strip);
        let deflection = strip.deflection(&calibrated(&strip));
        assert!((weft * deflection - 1.0).abs() < 0.02, "{pattern:?}, {aspect}: {weft} expected, {deflection}");
        assert!((warp - weft).abs() < 0.01 && least > 0.9 && most > 1.5, "{pattern:?}, {aspect}: {least} {most}");
        let warning = expected(&strip).warning(Normalisation::Calibrated).unwrap();
        assert!(warning.contains("along weft and warp with 0.9"), "{warning}");
    }
}

#[test]
fn even_meshes_give_no_warning() {
    let patterns =
        [Pattern::Alternating, Pattern::Crossed, Pattern::Delaunay(0.3), Pattern::Random(0.2), Pattern::Equilateral];
    for pattern in patterns {
        for cells in [1, 2, 9] {
            let warning = expected(&long(cells, 1.0, pattern, 1)).warning(Normalisation::Calibrated);
            assert_eq!(warning, None, "{pattern:?}, {cells} cells");
        }
    }
    let strip = long(4, 2.0, Pattern::Alternating, 1);
    assert_eq!(expected(&strip).warning(Normalisation::Calibrated), None);
    // As printed, strips are softer by design: only their directions are compared.
    let strip = Strip::new(6.0, 1.0, 33, Pattern::Alternating, 0);
    let list = printed(&strip);
    let stiffness = anisotropy(&strip.positions, &strip.triangles, &Moduli::isotropic(1.0), &list).unwrap();
    assert!(stiffness.weft < 0.5 && stiffness.warning(Normalisation::Calibrated).is_some());
    assert_eq!(stiffness.warning(Normalisation::Printed), None);
}

/// Rows of stretched triangles have no edges across: weft and warp cannot both be had.
#[test]
fn stretched_triangles_give_a_warning_with_the_error_expected() {
    for (aspect, tolerance) in [(2.0, 0.1), (4.0, 0.15)] {
        let strip = Strip::stretched(20.0 * aspect, 1.0, 3, aspect, Pattern::Equilateral, 0);
        let stiffness = expected(&strip);
        let deflection = strip.deflection(&calibrated(&strip));
        assert!((1.0 / stiffness.weft - deflection).abs() < tolerance, "{aspect}: {deflection}, {stiffness:?}");
        let warning = stiffness.warning(Normalisation::Calibrated).unwrap();
        let percent = format!("(deflection {:+.0} %)", 100.0 * (1.0 / stiffness.weft - 1.0));
        assert!(warning.contains("too stretched") && warning.contains(&percent), "{warning}");
    }
}
