//! `[body.material]`: models of cloth and soft bodies, and what a mesh has to have for them.

use super::*;
use glam::Vec3;
use tenter::{
    Area, Bending, BendingModel, Material, Membrane, Normalisation, RestShape, SceneFile, Spring, SpringLaw, Volume,
    Weave, WeaveBending,
};

/// The good file with another line in its first material.
pub fn with_model(model: &str) -> String {
    GOOD.changed("density = 0.2\n", &format!("density = 0.2\n{model}\n"))
}

/// The first material of a file that has another line in it.
#[track_caller]
fn material_with(model: &str) -> Material {
    SceneFile::parse(&with_model(model), "").unwrap().scene.into_scene().bodies.swap_remove(0).material
}

#[test]
fn every_model_can_be_said() {
    assert_eq!(
        material_with("area = { stiffness = 3, damping = 0.1 }").area,
        Some(Area { stiffness: 3.0, damping: 0.1 })
    );
    assert_eq!(material_with("shell = { stiffness = 3 }").shell, Some(Volume { stiffness: 3.0, damping: 0.0 }));
    let membrane = |text: &str| material_with(&format!("membrane = {{ {text} }}")).membrane.unwrap();
    assert_eq!(membrane("young = 100, poisson = 0.3"), Membrane::isotropic(100.0, 0.3));
    assert_eq!(
        membrane(
            "weft = 100, warp = 50, contraction = -20, shear = 30, viscous_time = 0.1, weft_direction = [0, 0, 1]"
        ),
        Membrane {
            weft: 100.0,
            warp: 50.0,
            contraction: -20.0,
            shear: 30.0,
            viscous_time: 0.1,
            weft_direction: Vec3::Z
        }
    );
    let bending = |text: &str| material_with(&format!("bending = {{ {text} }}")).bending.unwrap();
    assert_eq!(bending("modulus = 1e-4"), Bending::new(1e-4));
    assert_eq!(
        bending(
            "weft = 2, warp = 3, weft_direction = [0, 0, 1], model = \"linear-printed\", normalisation = \"printed\", rest = -5, \
             hardening = 0.5, viscosity = 0.25"
        ),
        Bending {
            model: BendingModel::LinearPrinted,
            weft: 2.0,
            warp: 3.0,
            weft_direction: Vec3::Z,
            normalisation: Normalisation::Printed,
            rest: RestShape::Curvature(-5.0),
            hardening: 0.5,
            viscosity: 0.25,
        }
    );
    let shaped = bending("modulus = 1, model = \"dihedral\", normalisation = \"calibrated\", rest = \"mesh\"");
    assert_eq!(shaped, Bending { model: BendingModel::Dihedral, rest: RestShape::Mesh, ..Bending::new(1.0) });
    assert_eq!(bending("modulus = 1, model = \"linear\", rest = \"flat\""), Bending::new(1.0));

    let weave = |text: &str| material_with(&format!("weave = {{ {text} }}")).weave.unwrap();
    let plain = Weave { weft: Spring::new(100.0), warp: Spring::new(50.0), ..Default::default() };
    assert_eq!(weave("weft = 100, warp = 50"), plain);
    assert_eq!(
        weave(
            "weft = { stiffness = 100, damping = 2 }, warp = { law = \"tension-only\", stiffness = 50, damping = 8 }, shear = 1, contraction = 2, \
             shear_viscosity = 3, contraction_viscosity = 4, bending = \"membrane\", bending_weft = 5, bending_warp = 6, \
             bending_viscous_time = 7, printed = true"
        ),
        Weave {
            weft: Spring::new(100.0).damped(2.0),
            warp: Spring::from(SpringLaw::TensionOnly { stiffness: 50.0 }).damped(8.0),
            shear: 1.0,
            contraction: 2.0,
            shear_viscosity: 3.0,
            contraction_viscosity: 4.0,
            bending: WeaveBending::Membrane,
            bending_weft: 5.0,
            bending_warp: 6.0,
            bending_viscous_time: 7.0,
            printed: true,
        }
    );
    let plate = weave("weft = 100, warp = 50, bending = \"thin-plate\", bending_modulus = 0.1");
    assert_eq!(plate, Weave { bending: WeaveBending::ThinPlate, bending_weft: 0.1, bending_warp: 0.1, ..plain });

    // The same as tables with headers of their own.
    let text = GOOD.changed(
        "[body.material]\n",
        "[body.material.weave]\nshear = 3\n[body.material.weave.weft]\nstiffness = 100\n\
         [body.material.weave.warp]\nstiffness = 50\n[body.material.area]\nstiffness = 2\n[body.material]\n",
    );
    let material = SceneFile::parse(&text, "").unwrap().scene.into_scene().bodies.swap_remove(0).material;
    assert_eq!(material.weave, Some(Weave { shear: 3.0, ..plain }));
    assert_eq!(material.area, Some(Area { stiffness: 2.0, damping: 0.0 }));
}

#[test]
fn models_that_make_no_sense() {
    for (model, key, words) in [
        ("area = 3", "area", "a table, not a number"),
        ("area = {}", "area.stiffness", "missing"),
        ("area = { stiffness = -1 }", "area.stiffness", "not negative"),
        ("area = { stiffness = 1, drag = 1 }", "area.drag", "stiffness, damping"),
        ("shell = { stiffness = 1, damping = -1 }", "shell.damping", "not negative"),
        ("volume = { stiffness = 1 }", "volume", "no tetrahedra"),
        ("neo_hookean = { young = 1, poisson = 0.3 }", "neo_hookean", "no tetrahedra"),
        ("neo_hookean = { poisson = 0.3 }", "neo_hookean.young", "missing"),
        ("neo_hookean = { young = 1 }", "neo_hookean.poisson", "missing"),
        ("neo_hookean = { young = 0, poisson = 0.3 }", "neo_hookean.young", "positive"),
        ("neo_hookean = { young = 1, poisson = 0.499 }", "neo_hookean.poisson", "between 0 and 0.495"),
        ("neo_hookean = { young = 1, poisson = -0.1 }", "neo_hookean.poisson", "between 0 and 0.495"),
        ("neo_hookean = { young = 1, poisson = 0.3, viscous_time = -1 }", "neo_hookean.viscous_time", "not negative"),
        ("neo_hookean = { young = 1, poisson = 0.3, shear = 1 }", "neo_hookean.shear", "viscous_time"),
        ("membrane = { poisson = 0.3 }", "membrane.young", "missing"),
        ("membrane = { young = 1 }", "membrane.poisson", "missing"),
        ("membrane = { young = -1, poisson = 0.3 }", "membrane.young", "not negative"),
        ("membrane = { young = 1, poisson = 1 }", "membrane.poisson", "between -1 and 1"),
        ("membrane = { young = 1, poisson = 0, warp = 1 }", "membrane.warp", "young, poisson"),
        ("membrane = { weft = 1, warp = 1 }", "membrane.shear", "missing"),
        ("membrane = { weft = 1, warp = 1, shear = 1, contraction = 2 }", "membrane.contraction", "√(weft · warp)"),
        ("membrane = { weft = 1, warp = 1, shear = 1, weft_direction = [0, 0, 0] }", "membrane.weft_direction", "zero"),
        ("bending = {}", "bending.modulus", "modulus, or weft and warp"),
        ("bending = { modulus = -1 }", "bending.modulus", "not negative"),
        ("bending = { modulus = 1, warp = 2 }", "bending.warp", "both directions"),
        ("bending = { weft = 1 }", "bending.warp", "missing"),
        ("bending = { weft = 1, warp = -1 }", "bending.warp", "not negative"),
        ("bending = { modulus = 1, model = \"cubic\" }", "bending.model", "\"dihedral\", not \"cubic\""),
        ("bending = { modulus = 1, normalisation = true }", "bending.normalisation", "\"printed\", not true"),
        ("bending = { modulus = 1, rest = \"round\" }", "bending.rest", "\"mesh\""),
        ("bending = { modulus = 1, rest = [1] }", "bending.rest", "curvature"),
        ("bending = { modulus = 1, rest = nan }", "bending.rest", "finite"),
        ("bending = { modulus = 1, model = \"dihedral\", hardening = 1 }", "bending.hardening", "linear bending only"),
        ("bending = { modulus = 1, viscosity = -1 }", "bending.viscosity", "not negative"),
        ("bending = { modulus = 1, damping = 1 }", "bending.damping", "viscosity"),
        ("weave = { warp = 1 }", "weave.weft", "missing"),
        ("weave = { weft = \"1\", warp = 1 }", "weave.weft", "a table"),
        ("weave = { weft = -1, warp = 1 }", "weave.weft.stiffness", "not negative"),
        ("weave = { weft = { stiffness = 1, dumping = 1 }, warp = 1 }", "weave.weft.dumping", "damping"),
        ("weave = { weft = 1, warp = { stiffness = 1, damping = -1 } }", "weave.warp.damping", "not negative"),
        ("weave = { weft = 1, warp = 1, contraction = 1.5 }", "weave.contraction", "√(weft · warp)"),
        ("weave = { weft = 1, warp = 1, shear = -1 }", "weave.shear", "not negative"),
        ("weave = { weft = 1, warp = 1, bending = \"plate\" }", "weave.bending", "\"thin-plate\""),
        ("weave = { weft = 1, warp = 1, bending = \"membrane\" }", "weave.bending_modulus", "missing"),
        ("weave = { weft = 1, warp = 1, bending_weft = 1 }", "weave.bending_weft", "needs bending"),
        ("weave = { weft = 1, warp = 1, printed = 1 }", "weave.printed", "true or false"),
    ] {
        let text = with_model(model);
        refused(&text, line_of(&text, &format!("{model}\n")), &format!("body[0].material.{key}"), words);
    }
}

#[test]
fn what_a_mesh_lacks_for_a_model_is_said_at_the_model() {
    let chain = "material = { line_density = 0.1, structural = { stiffness = 50 } }";
    for (model, words) in [
        ("weave = { weft = 1, warp = 1 }", "is for grids"),
        ("area = { stiffness = 1 }", "no triangles"),
        ("shell = { stiffness = 1 }", "no triangles"),
        ("membrane = { young = 1, poisson = 0 }", "no triangles"),
        ("bending = { modulus = 1 }", "no triangles"),
        ("volume = { stiffness = 1 }", "no tetrahedra"),
        ("neo_hookean = { young = 1, poisson = 0 }", "no tetrahedra"),
    ] {
        let name = model.split(' ').next().unwrap();
        let with = format!("[body.material]\nline_density = 0.1\n[body.material.{name}]\n")
            + &model[name.len() + 5..model.len() - 2].replace(", ", "\n");
        let header = format!("[body.material.{name}]");
        GOOD.refused_at(chain, &with, &header, &format!("body[1].material.{name}"), words);
    }
    // So thin that its triangles have no area in single precision: that is said at the mesh.
    for model in ["area = { stiffness = 1 }", "membrane = { young = 1, poisson = 0 }", "weave = { weft = 1, warp = 1 }"]
    {
        let thin = with_model(model).replace("width = 1.0", "width = 1e-30").replace("depth = 2.0", "depth = 1e-30");
        let thin = thin
            .replace("density = 0.2", "mass = 0.2")
            .replace("structural = { stiffness = 100.0, damping = 0.1 }", "");
        let thin = thin.replace("gather = 0.9", "").replace("waviness = 0.01", "");
        refused(&thin, line_of(&thin, "[body.mesh]"), "body[0].mesh", "no area");
    }
}
