//! Presets of `[body.material]`.

use super::*;
use tenter::{Bending, Cubic, Material, Membrane, SceneFile, Spring, SpringLaw, Weave, presets};

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
    let denim = Material::denim();
    let SpringLaw::Cubic(threads) = denim.structural.law else { panic!("{denim:?}") };
    let softer = SpringLaw::Cubic(Cubic { stiffness: 800.0, ..threads });
    assert_eq!(
        changed("denim", "structural = { stiffness = 800 }"),
        Material { structural: Spring { law: softer, ..denim.structural }, ..Material::denim() }
    );
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
