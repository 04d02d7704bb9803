//! Presets of `[body.material]`.

use super::*;
use tenter::{Bending, Material, Membrane, SceneFile, Spring, Weave, presets};

#[test]
fn presets_by_name_and_changed_key_by_key() {
    for (name, _, make) in presets::ALL {
        let solid = make().volume.is_some() || make().neo_hookean.is_some();
        let mesh = if solid {
            "kind = \"block\", size = [1, 1, 1], counts = [3, 3, 3]"
        } else {
            "kind = \"grid\", width = 1, depth = 1, columns = 3, rows = 3"
        };
        let text = format!("[[body]]\nmesh = {{ {mesh} }}\nmaterial = {{ preset = \"{name}\" }}\n");
        assert_eq!(SceneFile::parse(&text, "").unwrap().scene.bodies[0].material, make(), "{name}");
    }
    let changed = |preset: &str, keys: &str| {
        let text = GOOD.changed(
            "density = 0.2\nstructural = { stiffness = 100.0, damping = 0.1 }",
            &format!("preset = \"{preset}\"\n{keys}"),
        );
        SceneFile::parse(&text, "").unwrap().scene.into_scene().bodies.swap_remove(0).material
    };
    let cotton = Material::cotton_springs();
    assert_eq!(
        changed("cotton-springs", "structural = { stiffness = 800 }"),
        Material { structural: Spring::new(800.0).damped(cotton.structural.damping), ..Material::cotton_springs() }
    );
    let denim = Material::denim();
    assert_eq!(
        changed("denim", "bending = { viscosity = 1e-6 }").bending,
        denim.bending.map(|bending| Bending { viscosity: 1e-6, ..bending })
    );
    let rubber = Material::rubber().membrane.unwrap();
    let softer = changed("rubber", "membrane = { young = 750 }").membrane.unwrap();
    for (softer, rubber) in [
        (softer.weft, rubber.weft),
        (softer.warp, rubber.warp),
        (softer.contraction, rubber.contraction),
        (softer.shear, rubber.shear),
    ] {
        assert!((softer / rubber - 0.5).abs() < 1e-5, "{softer} of {rubber}");
    }
    assert_eq!(softer.viscous_time, rubber.viscous_time);
    assert_eq!(changed("rubber", "membrane = { warp = 3000 }").membrane, Some(Membrane { warp: 3000.0, ..rubber }));
    let weave = presets::etzmuss::bend().weave.unwrap();
    assert_eq!(
        changed("etzmuss-bend", "weave = { warp = { stiffness = 10 }, bending_warp = 2 }").weave,
        Some(Weave { warp: Spring::new(10.0).damped(weave.warp.damping), bending_warp: 2.0, ..weave })
    );
    assert_eq!(
        changed("etzmuss-bend", "weave = { weft = 10 }").weave,
        Some(Weave { weft: Spring::new(10.0).damped(weave.weft.damping), ..weave })
    );
}

#[test]
fn a_model_that_a_continuum_does_not_have_is_refused_with_its_replacement() {
    let text = |keys: &str| {
        GOOD.changed("density = 0.2\nstructural = { stiffness = 100.0, damping = 0.1 }", &format!("preset = {keys}"))
    };
    for (keys, field, replacement) in [
        (
            "\"cotton\"\nstructural = { stiffness = 800 }",
            "structural",
            "change its membrane instead, or take preset \"cotton-springs\"",
        ),
        ("\"silk\"\nshear = { stiffness = 8 }", "shear", "change its membrane.shear instead, or leave out the preset"),
        ("\"wool\"\ncrossover = { stiffness = 8 }", "crossover", "change its bending instead"),
        ("\"denim\"\nweave = { weft = 8, warp = 8 }", "weave", "change its membrane instead"),
        ("\"leather\"\narea = { stiffness = 1 }", "area", "change its membrane instead"),
        ("\"rubber\"\nshell = { stiffness = 1 }", "shell", "change its bending instead"),
        ("\"jelly\"\nstructural = { stiffness = 1 }", "structural", "change its neo_hookean instead"),
        ("\"jelly\"\nvolume = { stiffness = 1 }", "volume", "change its neo_hookean instead"),
    ] {
        let error = SceneFile::parse(&text(keys), "").unwrap_err().to_string();
        assert!(error.contains(&format!("body[0].material.{field}: preset")) && error.contains(replacement), "{error}");
    }
    // What it has, and what springs have, may be changed.
    for keys in ["\"denim\"\nmembrane = { shear = 50 }", "\"cotton-springs\"\ncrossover = { stiffness = 8 }"] {
        SceneFile::parse(&text(keys), "").unwrap();
    }
}

#[test]
fn bending_by_its_length() {
    let text = |keys: &str| GOOD.changed("density = 0.2\nstructural = { stiffness = 100.0, damping = 0.1 }", keys);
    let read =
        |keys: &str| SceneFile::parse(&text(keys), "").map(|file| file.scene.bodies[0].material.bending.unwrap());
    let bending = read("density = 0.2\nbending = { length = 0.02 }").unwrap();
    assert_eq!(bending, Bending::of_length(0.02, 0.2));
    assert!((bending.weft / (0.2 * 9.81 * 8e-6) - 1.0).abs() < 1e-5 && (bending.length(0.2) - 0.02).abs() < 1e-6);
    // Beside a preset its density counts, or the one given.
    let model = Material::cotton().bending.unwrap().model;
    let heavier = read("preset = \"cotton\"\ndensity = 0.3\nbending = { length = 0.02 }").unwrap();
    assert_eq!(heavier, Bending { model, ..Bending::of_length(0.02, 0.3) });
    for (keys, message) in [
        ("density = 0.2\nbending = { length = 0.02, modulus = 1e-5 }", "the modulus is given already"),
        ("mass = 0.2\nbending = { length = 0.02 }", "is for materials with a `density`"),
        ("density = 0.2\nbending = { length = -0.02 }", "not -0.02"),
    ] {
        let error = read(keys).unwrap_err().to_string();
        assert!(error.contains("bending.length") && error.contains(message), "{error}");
    }
}
