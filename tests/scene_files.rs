//! Scene files: what a good one gives, and that everything wrong in a bad one is named by line and field. Needs no GPU.
#![cfg(feature = "files")]

use glam::{Quat, Vec3};
use std::path::{Path, PathBuf};
use tenter::{
    Adaptive, Air, Area, Bending, BendingModel, Budget, Collider, Control, Cubic, Error, Free, Integrator, KelvinVoigt,
    KeyFrame, Mass, Material, Membrane, Motion, NewtonOptions, Nonlinear, Normalisation, PinKey, Plasticity, Pose,
    Preconditioner, RestShape, SafeOptions, SceneFile, Shape, Spring, SpringLaw, Vertices, Volume, Weave, WeaveBending,
    scene::presets,
};

const GOOD: &str = r#"[simulation]
time_step = 0.005
duration = 0.5
gravity = [0, -9.81, 0]
frame_rate = 25
clamp = false
max_substeps = 4

[solver]
tolerance = 1e-5
max_iterations = 90
preconditioner = "jacobi"
budget = "full"

[newton]
tolerance = 1e-2
max_linearisations = 3

[[body]]
name = "cloth"
velocity = [0, 0, 1]
waviness = 0.01
gather = 0.9

[body.mesh]
kind = "grid"
width = 1.0
depth = 2.0
columns = 6
rows = 5
position = [0, 3, 0]
rotation = [0, 0, 0]

[body.material]
density = 0.2
structural = { stiffness = 100.0, damping = 0.1 }

[[body]]
name = "chain"
mesh = { kind = "chain", from = [0, 0, 0], to = [0, -1, 0], count = 4 }
material = { line_density = 0.1, structural = { stiffness = 50 } }

[[pin]]
body = "cloth"
vertices = "corners"

[[pin]]
body = 1
vertices = [
    0,
    3,
]
"#;

/// Line, field and message of what is wrong with a text.
fn wrong(text: &str) -> (Option<usize>, String, String) {
    match SceneFile::parse(text, "dir/scene.toml") {
        Err(Error::File { path, line, field, message }) => {
            assert_eq!(path, Path::new("dir/scene.toml"));
            (line, field, message)
        }
        Err(other) => panic!("another error: {other:?}"),
        Ok(_) => panic!("taken as good:\n{text}"),
    }
}

/// The good text with one piece exchanged, which has to be there once.
fn changed(from: &str, to: &str) -> String {
    assert_eq!(GOOD.matches(from).count(), 1, "{from:?}");
    GOOD.replace(from, to)
}

#[track_caller]
fn refused(from: &str, to: &str, line: usize, field: &str, words: &str) {
    let (found_line, found_field, message) = wrong(&changed(from, to));
    assert_eq!((found_line, found_field.as_str()), (Some(line), field), "{message}");
    assert!(message.contains(words), "{message:?} does not say {words:?}");
}

#[test]
fn a_good_file_says_everything() {
    let file = SceneFile::parse(GOOD, "good.toml").unwrap();
    assert_eq!(file.options.time_step, 0.005);
    assert_eq!(file.options.max_substeps, 4);
    assert!(!file.options.clamp);
    assert_eq!(file.options.solver.tolerance, 1e-5);
    assert_eq!(file.options.solver.max_iterations, 90);
    assert_eq!(file.options.solver.preconditioner, Preconditioner::Jacobi);
    assert_eq!(file.options.solver.budget, Budget::Full);
    let newton = NewtonOptions { tolerance: 1e-2, max_linearisations: 3 };
    assert_eq!(file.options.nonlinear, Nonlinear::Newton(newton));
    assert_eq!(file.duration, 0.5);
    assert_eq!(file.step_count(), 100);
    assert_eq!(file.frame_steps().take(3).collect::<Vec<_>>(), [0, 8, 16]);
    assert_eq!(file.frame_steps().last(), Some(96));
    assert_eq!(file.names, ["cloth", "chain"]);
    assert_eq!(file.scene.gravity, Vec3::new(0.0, -9.81, 0.0));

    let cloth = &file.scene.bodies[0];
    assert_eq!(cloth.mesh.positions.len(), 30);
    assert_eq!(cloth.mesh.positions[0], Vec3::new(-0.5, 3.0, -1.0));
    assert_eq!(cloth.velocity, Vec3::Z);
    assert_eq!(cloth.material.mass, Mass::Surface(0.2));
    assert_eq!(cloth.material.structural, Spring::new(100.0).damped(0.1));
    assert_eq!(cloth.material.shear, Spring::default());
    assert_eq!(file.scene.bodies[1].mesh.wires.len(), 3);
    assert_eq!(file.scene.pins[0].vertices, Vertices::Corners);
    assert_eq!(file.scene.pins[1].vertices, Vertices::List(vec![0, 3]));
}

#[test]
fn left_out_keys_have_defaults() {
    let text = r#"
        [[body]]
        mesh = { kind = "grid", width = 1, depth = 1, columns = 3, rows = 3, rotation = [90, 0, 90] }
        material = { preset = "cotton", density = 0.3, crossover = { stiffness = 7 } }
        [[pin]]
        vertices = { low = [-1, -1, -1], high = [1, 0, 1] }
    "#;
    let file = SceneFile::parse(text, "short.toml").unwrap();
    assert_eq!(file.options, tenter::Options::default());
    assert_eq!((file.duration, file.frame_rate), (3.0, 30.0));
    assert_eq!(file.names, ["body0"]);
    let body = &file.scene.bodies[0];
    let cotton = tenter::Material::cotton();
    assert_eq!(body.material.mass, Mass::Surface(0.3));
    assert_eq!(body.material.crossover, Spring::new(7.0).damped(cotton.crossover.damping));
    assert_eq!(body.material.structural, cotton.structural);
    assert!(body.start.is_none());
    // The vertex at +z: about x by 90° to -y, then about z by 90° to +x.
    let turned = body.mesh.positions[7];
    assert!(turned.distance(Vec3::new(0.5, 0.0, 0.0)) < 1e-6, "{turned}");
}

/// The good file with its first spring exchanged.
fn with_spring(spring: &str) -> String {
    changed("{ stiffness = 100.0, damping = 0.1 }", spring)
}

#[test]
fn springs_of_every_law() {
    let structural =
        |spring: &str| SceneFile::parse(&with_spring(spring), "").unwrap().scene.bodies[0].material.structural;
    let cubic = Cubic { stretched: 30.0, compressed: 20.0, ..Cubic::new(10.0) };
    for (text, law) in [
        ("{ stiffness = 5 }", SpringLaw::Linear { stiffness: 5.0 }),
        ("{ law = \"linear\", stiffness = 5 }", SpringLaw::Linear { stiffness: 5.0 }),
        ("{ law = \"stvk\", stiffness = 5 }", SpringLaw::Stvk { stiffness: 5.0 }),
        ("{ law = \"tension-only\", stiffness = 5 }", SpringLaw::TensionOnly { stiffness: 5.0 }),
        ("{ law = \"distance\", stiffness = 5 }", SpringLaw::Distance { stiffness: 5.0 }),
        (
            "{ law = \"buckling\", bending_stiffness = 1e-4, compression = 5 }",
            SpringLaw::Buckling { bending_stiffness: 1e-4, compression: 5.0 },
        ),
        ("{ law = \"cubic\", stiffness = 10, stretched = 30, compressed = 20 }", SpringLaw::Cubic(cubic)),
        (
            "{ law = \"cubic\", stiffness = 10, stretched = 30, compressed = 20, stretch = 1.5, compression = 0.5, jacobian_damping = 1 }",
            SpringLaw::Cubic(Cubic { stretch: 1.5, compression: 0.5, jacobian_damping: 1.0, ..cubic }),
        ),
        (
            "{ law = \"cubic\", coefficients = [1, -2, 3, -4.5], jacobian_damping = 0.5 }",
            SpringLaw::CubicCoefficients { a: 1.0, b: -2.0, c: 3.0, d: -4.5, jacobian_damping: 0.5 },
        ),
    ] {
        assert_eq!(structural(text), Spring::from(law), "{text}");
    }
    let plasticity = Plasticity { yield_strain: 0.1, maximum: 0.5, creep: 3.0 };
    assert_eq!(
        structural("{ stiffness = 5, drag = 0.5, plasticity = { yield = 0.1, maximum = 0.5, creep = 3 } }"),
        Spring::new(5.0).dragged(0.5).plastic(plasticity)
    );
    let elements = [KelvinVoigt { stiffness: 1.0, damping: 2.0 }, KelvinVoigt { stiffness: 3.0, damping: 0.0 }];
    assert_eq!(
        structural(
            "{ stiffness = 5, viscoelastic = [{ stiffness = 1, damping = 2 }, { stiffness = 3, damping = 0 }] }"
        ),
        Spring::new(5.0).viscoelastic(&elements)
    );
}

#[test]
fn springs_that_make_no_sense() {
    let field = "body[0].material.structural";
    for (spring, key, words) in [
        ("{ law = \"elastic\" }", ".law", "\"tension-only\""),
        ("{ law = \"stvk\" }", ".stiffness", "missing"),
        ("{ law = \"cubic\", stiffness = 1, compressed = 1 }", ".stretched", "missing"),
        ("{ law = \"cubic\", coefficients = [1, 2, 3] }", ".coefficients", "four numbers"),
        ("{ law = \"cubic\", coefficients = [1, 2, 3, 4], stiffness = 1 }", ".stiffness", "coefficients"),
        ("{ law = \"buckling\", stiffness = 1 }", ".stiffness", "bending_stiffness"),
        ("{ law = \"buckling\", bending_stiffness = 1 }", ".compression", "missing"),
        ("{ stiffness = 1, stretched = 2 }", ".stretched", "no such key"),
        ("{ law = \"cubic\", stiffness = 1, stretched = 2, compressed = 2, stretch = 1 }", ".stretch", "not be 1"),
        (
            "{ law = \"cubic\", stiffness = 1, stretched = 2, compressed = 2, stretch = 1.1, compression = 1.1 }",
            ".compression",
            "differ",
        ),
        ("{ stiffness = 1, drag = -1 }", ".drag", "negative"),
        ("{ stiffness = 1, plasticity = { yield = 0.1, creep = 1 } }", ".plasticity.maximum", "missing"),
        ("{ stiffness = 1, plasticity = { yield = -1, maximum = 1, creep = 1 } }", ".plasticity.yield", "negative"),
        (
            "{ stiffness = 1, plasticity = { yield = 1, maximum = 1, creep = 1, rate = 1 } }",
            ".plasticity.rate",
            "creep",
        ),
        ("{ stiffness = 1, viscoelastic = [] }", ".viscoelastic", "1 to 3"),
        ("{ stiffness = 1, viscoelastic = [{ stiffness = 1 }] }", ".viscoelastic[0].damping", "missing"),
        (
            "{ law = \"stvk\", stiffness = 1, viscoelastic = [{ stiffness = 1, damping = 1 }] }",
            ".viscoelastic",
            "linear",
        ),
        (
            "{ stiffness = 1, viscoelastic = [{ stiffness = 0, damping = 1 }] }",
            ".viscoelastic[0].stiffness",
            "positive",
        ),
        (
            "{ stiffness = 1, plasticity = { yield = 0, maximum = 1, creep = 1 }, viscoelastic = [] }",
            ".viscoelastic",
            "not both",
        ),
    ] {
        refused("{ stiffness = 100.0, damping = 0.1 }", spring, 36, &format!("{field}{key}"), words);
    }
}

/// The good file with another line in its first material, which is line 36.
fn with_model(model: &str) -> String {
    changed("density = 0.2\n", &format!("density = 0.2\n{model}\n"))
}

/// The first material of a file that has another line in it.
#[track_caller]
fn material_with(model: &str) -> Material {
    SceneFile::parse(&with_model(model), "").unwrap().scene.bodies.swap_remove(0).material
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
    let text = changed(
        "[body.material]\n",
        "[body.material.weave]\nshear = 3\n[body.material.weave.weft]\nstiffness = 100\n\
         [body.material.weave.warp]\nstiffness = 50\n[body.material.area]\nstiffness = 2\n[body.material]\n",
    );
    let material = SceneFile::parse(&text, "").unwrap().scene.bodies.swap_remove(0).material;
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
        let (line, field, message) = wrong(&with_model(model));
        assert_eq!(
            (line, field.as_str()),
            (Some(36), format!("body[0].material.{key}").as_str()),
            "{model}: {message}"
        );
        assert!(message.contains(words), "{model}: {message:?} does not say {words:?}");
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
    ] {
        let name = model.split(' ').next().unwrap();
        let with = format!("[body.material]\nline_density = 0.1\n[body.material.{name}]\n")
            + &model[name.len() + 5..model.len() - 2].replace(", ", "\n");
        let (line, field, message) = wrong(&changed(chain, &with));
        assert_eq!((line, field), (Some(43), format!("body[1].material.{name}")), "{message}");
        assert!(message.contains(words), "{message}");
    }
    // So thin that its triangles have no area in single precision: that is said at the mesh.
    for model in ["area = { stiffness = 1 }", "membrane = { young = 1, poisson = 0 }", "weave = { weft = 1, warp = 1 }"]
    {
        let thin = with_model(model).replace("width = 1.0", "width = 1e-30").replace("depth = 2.0", "depth = 1e-30");
        let thin = thin
            .replace("density = 0.2", "mass = 0.2")
            .replace("structural = { stiffness = 100.0, damping = 0.1 }", "");
        let (line, field, message) = wrong(&thin.replace("gather = 0.9", "").replace("waviness = 0.01", ""));
        assert_eq!((line, field.as_str()), (Some(25), "body[0].mesh"), "{message}");
        assert!(message.contains("no area"), "{message}");
    }
}

/// A jelly block and what acts on it.
const BLOCK: &str = r#"[air]
wind = [1, 0, 0]
steady = 0.5
angular_velocity = 3
drag = 0.9
lift = 0.2
resistance = 0.3

[[body]]
mesh = { kind = "block", size = [1, 2, 3], counts = [2, 3, 4], position = [0, 5, 0], rotation = [0, 90, 0] }
material = { preset = "jelly", volume_density = 500, volume = { damping = 0.1 } }

[[pin]]
vertices = [0]
free = { line = [1, 1, 0] }

[[pin]]
vertices = [1]
free = { plane = [0, 1, 0] }

[[force]]
vertices = [2, 3]
force = [0, 0, 7]
"#;

#[test]
fn blocks_air_forces_and_sliding_pins() {
    let file = SceneFile::parse(BLOCK, "").unwrap();
    let air = Air { wind: Vec3::X, steady: 0.5, angular_velocity: 3.0, drag: 0.9, lift: 0.2, resistance: 0.3 };
    assert_eq!(file.scene.air, Some(air));
    let body = &file.scene.bodies[0];
    assert_eq!((body.mesh.positions.len(), body.mesh.tetrahedra.len()), (24, 30));
    // From (-½, -1, -3/2): about y by 90°, then up by 5.
    let corner = body.mesh.positions[0];
    assert!(corner.distance(Vec3::new(-1.5, 4.0, 0.5)) < 1e-5, "{corner}");
    assert_eq!(body.material.mass, Mass::Volume(500.0));
    let jelly = Material::jelly();
    assert_eq!(body.material.structural, jelly.structural);
    assert_eq!(body.material.volume, jelly.volume.map(|volume| Volume { damping: 0.1, ..volume }));
    let free: Vec<Free> = file.scene.pins.iter().map(|pin| pin.free).collect();
    assert_eq!(free, [Free::Line(Vec3::new(1.0, 1.0, 0.0)), Free::Plane(Vec3::Y)]);
    let push = &file.scene.point_forces[0];
    assert_eq!((push.vertices.clone(), push.force), (Vertices::List(vec![2, 3]), Vec3::new(0.0, 0.0, 7.0)));
    // Left out: still air, or none.
    assert_eq!(SceneFile::parse(&format!("air = {{}}\n{GOOD}"), "").unwrap().scene.air, Some(Air::default()));
    assert_eq!(SceneFile::parse(GOOD, "").unwrap().scene.air, None);
}

#[test]
fn blocks_air_forces_and_sliding_pins_that_make_no_sense() {
    for (from, to, line, field, words) in [
        ("wind = [1, 0, 0]", "wind = 1", 2, "air.wind", "three numbers"),
        ("steady = 0.5", "steadiness = 0.5", 3, "air.steadiness", "steady"),
        ("drag = 0.9", "drag = \"much\"", 5, "air.drag", "a number"),
        ("resistance = 0.3", "resistance = -0.3", 7, "air.resistance", "not negative"),
        ("size = [1, 2, 3]", "size = [1, -2, 3]", 10, "body[0].mesh.size[1]", "positive"),
        ("size = [1, 2, 3], ", "", 10, "body[0].mesh.size", "missing"),
        ("counts = [2, 3, 4]", "counts = [2, 3, 1]", 10, "body[0].mesh.counts[2]", "from 2"),
        ("counts = [2, 3, 4]", "counts = [2, 3]", 10, "body[0].mesh.counts", "not 2"),
        ("counts = [2, 3, 4]", "counts = [2, 3, 4.5]", 10, "body[0].mesh.counts[2]", "whole number"),
        ("counts = [2, 3, 4]", "counts = [4294967295, 4294967295, 4294967295]", 10, "body[0].mesh.counts", "more than"),
        ("counts = [2, 3, 4]", "counts = [2, 3, 4], columns = 3", 10, "body[0].mesh.columns", "counts"),
        ("volume = { damping", "weave = { damping", 11, "body[0].material.weave.damping", "weft"),
        ("size = [1, 2, 3]", "size = [1e-15, 1e-15, 1e-15]", 11, "body[0].material.volume_density", "no usable mass"),
        ("{ line = [1, 1, 0] }", "{ line = [0, 0, 0] }", 15, "pin[0].free", "direction"),
        ("{ line = [1, 1, 0] }", "{ line = [0, 1] }", 15, "pin[0].free.line", "three numbers"),
        ("{ line = [1, 1, 0] }", "{ line = [1, 0, 0], plane = [1, 0, 0] }", 15, "pin[0].free.plane", "not both"),
        ("{ line = [1, 1, 0] }", "{}", 15, "pin[0].free", "plane"),
        ("{ line = [1, 1, 0] }", "{ point = [1, 0, 0] }", 15, "pin[0].free.point", "line, plane"),
        ("{ line = [1, 1, 0] }", "true", 15, "pin[0].free", "a table"),
        ("vertices = [2, 3]", "vertices = [2, 24]", 22, "force[0].vertices", "vertex 24"),
        ("vertices = [2, 3]", "vertices = \"far\"", 22, "force[0].vertices", "only a grid"),
        ("vertices = [2, 3]", "body = \"towel\"\nvertices = [2]", 22, "force[0].body", "no body is called"),
        ("force = [0, 0, 7]", "", 21, "force[0].force", "missing"),
        ("force = [0, 0, 7]", "force = [0, 0, inf]", 23, "force[0].force[2]", "finite"),
        ("force = [0, 0, 7]", "force = [0, 0, 7]\nfree = 1", 24, "force[0].free", "vertices, force"),
        ("[[force]]", "[force]", 21, "force", "an array"),
    ] {
        assert_eq!(BLOCK.matches(from).count(), 1, "{from:?}");
        let (found_line, found_field, message) = wrong(&BLOCK.replace(from, to));
        assert_eq!((found_line, found_field.as_str()), (Some(line), field), "{to}: {message}");
        assert!(message.contains(words), "{to}: {message:?} does not say {words:?}");
    }
}

#[test]
fn tetrahedra_without_volume_are_said_at_the_mesh() {
    let tiny = BLOCK
        .replace("size = [1, 2, 3]", "size = [1e-15, 1e-15, 1e-15]")
        .replace("preset = \"jelly\", volume_density = 500, volume = {", "mass = 1, volume = { stiffness = 1,")
        .replace("position = [0, 5, 0], ", "");
    let (line, field, message) = wrong(&tiny);
    assert_eq!((line, field.as_str()), (Some(10), "body[0].mesh"), "{message}");
    assert!(message.contains("tetrahedron 0 has no volume"), "{message}");
}

#[test]
fn presets_by_name_and_changed_key_by_key() {
    for (name, _, make) in presets::ALL {
        let solid = make().volume.is_some();
        let mesh = if solid {
            "kind = \"block\", size = [1, 1, 1], counts = [3, 3, 3]"
        } else {
            "kind = \"grid\", width = 1, depth = 1, columns = 3, rows = 3"
        };
        let text = format!("[[body]]\nmesh = {{ {mesh} }}\nmaterial = {{ preset = \"{name}\" }}\n");
        assert_eq!(SceneFile::parse(&text, "").unwrap().scene.bodies[0].material, make(), "{name}");
    }
    let changed = |preset: &str, keys: &str| {
        let text = changed(
            "density = 0.2\nstructural = { stiffness = 100.0, damping = 0.1 }",
            &format!("preset = \"{preset}\"\n{keys}"),
        );
        SceneFile::parse(&text, "").unwrap().scene.bodies.swap_remove(0).material
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

#[test]
fn a_gathered_start_is_narrower_but_not_strained() {
    let file = SceneFile::parse(
        &changed("waviness = 0.01\ngather = 0.9", "gather = 0.6").replace("columns = 6", "columns = 41"),
        "",
    )
    .unwrap();
    let body = &file.scene.bodies[0];
    let start = body.start_positions();
    assert!((start[40].distance(start[0]) - 0.6).abs() < 1e-4);
    assert!((0.5 * (start[0] + start[40]) - Vec3::new(0.0, 3.0, -1.0)).length() < 1e-4, "not about the centre");
    for (from, to) in [(0, 1), (17, 18), (0, 41), (60, 101)] {
        let rest = body.mesh.positions[from].distance(body.mesh.positions[to]);
        assert!((start[from].distance(start[to]) / rest - 1.0).abs() < 1e-4, "{from} to {to}");
    }
    let highest = start.iter().map(|p| (p.y - 3.0).abs()).fold(0.0, f32::max);
    assert!(highest > 0.02, "no folds: {highest}");
}

#[test]
fn waves_are_as_high_as_asked_for_at_most() {
    let file = SceneFile::parse(&changed("gather = 0.9", ""), "").unwrap();
    let body = &file.scene.bodies[0];
    let offsets: Vec<f32> = body.start_positions().iter().zip(&body.mesh.positions).map(|(a, b)| (*a - *b).y).collect();
    let highest = offsets.iter().fold(0.0f32, |most, offset| most.max(offset.abs()));
    assert!(highest > 0.003 && highest <= 0.01, "{highest}");
    assert!(offsets[0].abs() < 1e-6 && offsets[5].abs() < 1e-6, "corners have moved");
}

#[test]
fn steps_reach_the_end_and_frames_their_time() {
    let text = changed("frame_rate = 25", "frame_rate = 30").replace("duration = 0.5", "duration = 0.0999");
    let file = SceneFile::parse(&text, "").unwrap();
    assert_eq!(file.step_count(), 20);
    // 1/30 s are 6 2/3 steps, 2/30 s 13 1/3, 3/30 s exactly 20.
    assert_eq!(file.frame_steps().collect::<Vec<_>>(), [0, 7, 14, 20]);
    assert_eq!(file.clone().lasting(0.2).unwrap().step_count(), 40);
    for duration in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        assert!(matches!(file.clone().lasting(duration), Err(Error::Usage(_))), "{duration}");
    }
}

#[test]
fn missing_fields() {
    refused("width = 1.0\n", "", 25, "body[0].mesh.width", "missing");
    refused("kind = \"grid\"\n", "", 25, "body[0].mesh.kind", "missing");
    refused("density = 0.2\n", "", 34, "body[0].material.density", "missing");
    refused(", count = 4", "", 40, "body[1].mesh.count", "missing");
    refused("vertices = \"corners\"", "", 43, "pin[0].vertices", "missing");
    refused("body = \"cloth\"\n", "", 43, "pin[0].body", "which body");
    let (line, field, message) = wrong("[[body]]\nname = \"a\"\n\n[[body]]\nmaterial = { preset = \"cotton\" }\n");
    assert_eq!((line, field.as_str()), (Some(1), "body[0].material"), "{message}");
}

#[test]
fn wrong_types() {
    refused("width = 1.0", "width = \"wide\"", 27, "body[0].mesh.width", "a number, not \"wide\"");
    refused("columns = 6", "columns = 6.5", 29, "body[0].mesh.columns", "whole number");
    refused("[0, -9.81, 0]", "-9.81", 4, "simulation.gravity", "three numbers");
    refused("[0, -9.81, 0]", "[0, -9.81]", 4, "simulation.gravity", "not 2");
    refused("[0, -9.81, 0]", "[0, true, 0]", 4, "simulation.gravity[1]", "a number");
    refused("clamp = false", "clamp = 0", 6, "simulation.clamp", "true or false");
    refused("name = \"cloth\"", "name = 1979-05-27", 20, "body[0].name", "a string, not a date");
    refused("{ stiffness = 100.0, damping = 0.1 }", "100.0", 36, "body[0].material.structural", "a table");
    refused("budget = \"full\"", "budget = \"half\"", 13, "solver.budget", "\"adaptive\" or \"full\", not \"half\"");
    refused("vertices = \"corners\"", "vertices = \"edges\"", 45, "pin[0].vertices", "\"corners\"");
    refused("vertices = \"corners\"", "vertices = 7", 45, "pin[0].vertices", "list of numbers");
    refused("    3,", "    \"three\",", 51, "pin[1].vertices[1]", "whole number");
    refused("[newton]", "[[newton]]", 15, "newton", "a table, not an array");
    refused("    3,", "    -3,", 51, "pin[1].vertices[1]", "-3");
    assert_eq!(wrong("body = 3").1, "body");
    assert_eq!(wrong("body = [3]").1, "body[0]");
}

#[test]
fn unknown_keys() {
    refused("clamp = false", "clamps = false", 6, "simulation.clamps", "time_step, duration");
    refused("budget = ", "budgets = ", 13, "solver.budgets", "budget");
    refused("max_linearisations = 3", "max = 3", 17, "newton.max", "tolerance");
    refused("velocity = ", "speed = ", 21, "body[0].speed", "velocity");
    refused("depth = 2.0", "height = 2.0", 28, "body[0].mesh.height", "depth");
    refused("count = 4", "count = 4, width = 1", 40, "body[1].mesh.width", "from, to, count");
    refused("damping = 0.1", "dumping = 0.1", 36, "body[0].material.structural.dumping", "damping");
    refused("density = 0.2", "color = 0.2", 35, "body[0].material.color", "density");
    refused("vertices = \"corners\"", "vertex = \"corners\"", 45, "pin[0].vertex", "vertices");
    refused("[newton]", "[newtons]", 15, "newtons", "newton");
    refused("clamp = false", "\"a.b [c]\" = 1", 6, "simulation.\"a.b [c]\"", "time_step");
    refused("vertices = \"corners\"", "vertices = { lo = [0, 0, 0] }", 45, "pin[0].vertices.lo", "low");
}

#[test]
fn numbers_that_are_none() {
    for number in ["nan", "-nan", "inf", "-inf", "1e999"] {
        refused("width = 1.0", &format!("width = {number}"), 27, "body[0].mesh.width", "finite");
        refused("time_step = 0.005", &format!("time_step = {number}"), 2, "simulation.time_step", "finite");
        refused("density = 0.2", &format!("density = {number}"), 35, "body[0].material.density", "finite");
        refused("tolerance = 1e-5", &format!("tolerance = {number}"), 10, "solver.tolerance", "finite");
        refused("[0, 0, 1]", &format!("[0, 0, {number}]"), 21, "body[0].velocity[2]", "finite");
        refused(
            "stiffness = 50",
            &format!("stiffness = {number}"),
            41,
            "body[1].material.structural.stiffness",
            "finite",
        );
    }
    refused("density = 0.2", "density = 1e300", 35, "body[0].material.density", "too large");
    refused("density = 0.2", "density = 99999999999999999999", 35, "body[0].material.density", "finite");
}

#[test]
fn zero_and_negative_amounts() {
    for number in ["0", "-1.0", "0.0", "1e-300"] {
        refused("time_step = 0.005", &format!("time_step = {number}"), 2, "simulation.time_step", "positive");
        refused("duration = 0.5", &format!("duration = {number}"), 3, "simulation.duration", "positive");
        refused("frame_rate = 25", &format!("frame_rate = {number}"), 5, "simulation.frame_rate", "positive");
        refused("width = 1.0", &format!("width = {number}"), 27, "body[0].mesh.width", "positive");
        refused("depth = 2.0", &format!("depth = {number}"), 28, "body[0].mesh.depth", "positive");
    }
    for number in ["0", "-1.0", "0.0"] {
        refused("density = 0.2", &format!("density = {number}"), 35, "body[0].material.density", "positive");
        refused("line_density = 0.1", &format!("mass = {number}"), 41, "body[1].material.mass", "positive");
        let line_density = format!("line_density = {number}");
        refused("line_density = 0.1", &line_density, 41, "body[1].material.line_density", "positive");
    }
    refused("stiffness = 50", "stiffness = -50", 41, "body[1].material.structural.stiffness", "not negative");
    refused("damping = 0.1", "damping = -0.1", 36, "body[0].material.structural.damping", "not negative");
    refused("gather = 0.9", "gather = 0", 23, "body[0].gather", "from 0.3 to 1");
    refused("to = [0, -1, 0]", "to = [0, 0, 0]", 40, "body[1].mesh.to", "elsewhere");
}

#[test]
fn integrators_by_name() {
    for integrator in Integrator::ALL {
        let name = integrator.name();
        let file = SceneFile::parse(&changed("clamp = false", &format!("integrator = {name:?}")), "good.toml").unwrap();
        assert_eq!(file.options.integrator, integrator);
    }
    let file =
        SceneFile::parse(&changed("clamp = false", "integrator = \"theta\"\ntheta = 0.75"), "good.toml").unwrap();
    assert_eq!(file.options.integrator, Integrator::Theta(0.75));
    // The documentation lists them all.
    let documented = include_str!("../docs/scene-format.md");
    assert!(Integrator::ALL.iter().all(|integrator| documented.contains(&format!("`\"{}\"`", integrator.name()))));
}

#[test]
fn another_step_keeps_frames_possible() {
    let file = SceneFile::parse(GOOD, "good.toml").unwrap().stepping(0.05).unwrap();
    assert_eq!((file.step_count(), file.frame_rate), (10, 20.0));
    for wrong in [0.0, -1.0, f64::NAN, 1e-9] {
        assert!(SceneFile::parse(GOOD, "good.toml").unwrap().stepping(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn adaptive_steps() {
    let parse =
        |text: &str| SceneFile::parse(&changed("[newton]", &format!("[adaptive]\n{text}\n[newton]")), "good.toml");
    assert_eq!(parse("").unwrap().options.adaptive, Some(Adaptive::default()));
    let file = parse("smallest = 1e-4\nlargest = 0.02\ntolerance = 1e-3\ncontrol = \"iterations\"\nfew = 5\nmany = 20")
        .unwrap();
    let control = Control::Iterations { few: 5, many: 20 };
    assert_eq!(file.options.adaptive, Some(Adaptive { smallest: 1e-4, largest: 0.02, tolerance: 1e-3, control }));
    assert_eq!(file.frame_times().take(3).collect::<Vec<_>>(), [0.0, 0.04, 0.08]);
    assert_eq!(file.frame_times().count(), 13);
    let refused = |text: &str, field: &str, words: &str| match parse(text) {
        Err(Error::File { field: found, message, line: Some(_), .. }) => {
            assert_eq!(found, field, "{message}");
            assert!(message.contains(words), "{message}");
        }
        other => panic!("{:?}", other.map(|_| ())),
    };
    refused("smallest = 0", "adaptive.smallest", "positive");
    refused("smallest = 0.1", "adaptive.smallest", "largest");
    refused("tolerance = -1", "adaptive.tolerance", "positive");
    refused("few = 5", "adaptive.few", "iterations");
    refused("control = \"iterations\"\nfew = 5", "adaptive.many", "missing");
    refused("control = \"iterations\"\nfew = 5\nmany = 4", "adaptive.few", "at most 4");
    refused("control = \"luck\"", "adaptive.control", "\"error\"");
}

#[test]
fn rayleigh_damping() {
    let file =
        SceneFile::parse(&changed("[newton]", "[rayleigh]\nmass = 0.5\nstiffness = 0.25\n[newton]"), "good.toml");
    let rayleigh = file.unwrap().options.rayleigh;
    assert_eq!((rayleigh.mass, rayleigh.stiffness), (0.5, 0.25));
}

/// The good file with something in `[simulation]` and other tables in place of `[newton]`.
fn solved_by(key: &str, tables: &str) -> String {
    let newton = "[newton]\ntolerance = 1e-2\nmax_linearisations = 3\n";
    changed("clamp = false", key).replace(newton, &format!("{tables}\n"))
}

#[test]
fn steps_are_safe_unless_the_file_says_otherwise() {
    let parse = |key: &str, tables: &str| {
        let file = SceneFile::parse(&solved_by(key, tables), "good.toml");
        file.map(|file| file.options.nonlinear).map_err(|error| error.to_string())
    };
    let safe = || Ok(Nonlinear::Safe(SafeOptions::default()));
    let newton = || Ok(Nonlinear::Newton(NewtonOptions::default()));
    assert_eq!(parse("", ""), safe());
    assert_eq!(parse("", "[safe]"), safe());
    assert_eq!(parse("nonlinear = \"safe\"", ""), safe());
    assert_eq!(parse("nonlinear = \"safe\"", "[safe]"), safe());
    assert_eq!(parse("", "[newton]"), newton());
    assert_eq!(parse("nonlinear = \"newton\"", ""), newton());
    assert_eq!(parse("nonlinear = \"newton\"", "[newton]"), newton());
    assert_eq!(parse("nonlinear = \"one-linearisation\"", ""), Ok(Nonlinear::OneLinearisation));
    let all = "[safe]\ntolerance = 2e-3\nenergy_tolerance = 1e-3\nmax_linearisations = 30\nmax_halvings = 0";
    let said = SafeOptions { tolerance: 2e-3, energy_tolerance: 1e-3, max_linearisations: 30, max_halvings: 0 };
    assert_eq!(parse("", all), Ok(Nonlinear::Safe(said)));
    // Explicit and IMEX integrators ignore the default.
    assert_eq!(parse("integrator = \"verlet\"", ""), safe());
    let passes = |value: u32| SceneFile::parse(&solved_by(&format!("contact_passes = {value}"), ""), "good.toml");
    for value in [1, 8, 64] {
        assert_eq!(passes(value).unwrap().options.contact_passes, value);
    }
    assert!(passes(0).is_err() && passes(65).is_err());
}

#[test]
fn methods_that_contradict_each_other() {
    let refused = |key: &str, tables: &str, line: usize, field: &str, words: &str| {
        let (found_line, found_field, message) = wrong(&solved_by(key, tables));
        assert_eq!((found_line, found_field.as_str()), (Some(line), field), "{message}");
        assert!(message.contains(words), "{message:?} does not say {words:?}");
    };
    refused("", "[safe]\n[newton]", 16, "newton", "does not go with [safe]");
    refused("", "[newton]\n[safe]", 15, "newton", "does not go with [safe]");
    let once = "nonlinear = \"one-linearisation\"";
    refused(once, "[safe]", 15, "safe", "belongs to nonlinear = \"safe\", not to \"one-linearisation\"");
    refused(once, "[newton]", 15, "newton", "not to \"one-linearisation\"");
    refused("nonlinear = \"safe\"", "[newton]", 15, "newton", "not to \"safe\"");
    refused("nonlinear = \"newton\"", "[safe]", 15, "safe", "not to \"newton\"");
    refused("nonlinear = \"fast\"", "", 6, "simulation.nonlinear", "\"safe\" or \"one-linearisation\" or \"newton\"");
    refused("nonlinear = 1", "", 6, "simulation.nonlinear", "\"newton\", not a number");
    refused("integrator = \"verlet\"", "[safe]", 15, "safe", "no step of \"verlet\" is safe");
    let imex = "nonlinear = \"safe\"\nintegrator = \"imex-euler\"";
    refused(imex, "", 6, "simulation.nonlinear", "no step of \"imex-euler\" is safe");
    refused("", "[[safe]]", 15, "safe", "a table, not an array");
    refused("", "[safe]\nmax = 3", 16, "safe.max", "energy_tolerance");
    refused("", "[safe]\ntolerance = 1", 16, "safe.tolerance", "below 1");
    refused("", "[safe]\nenergy_tolerance = -1", 16, "safe.energy_tolerance", "from 0");
    refused("", "[safe]\nmax_linearisations = 0", 16, "safe.max_linearisations", "from 1 to 100");
    refused("", "[safe]\nmax_halvings = 21", 16, "safe.max_halvings", "at most 20");
}

#[test]
fn options_out_of_range() {
    refused("tolerance = 1e-5", "tolerance = 1.5", 10, "solver.tolerance", "below 1");
    refused("tolerance = 1e-2", "tolerance = -1", 16, "newton.tolerance", "below 1");
    refused("max_iterations = 90", "max_iterations = 0", 11, "solver.max_iterations", "from 1");
    refused("max_iterations = 90", "max_iterations = -5", 11, "solver.max_iterations", "-5");
    refused("max_linearisations = 3", "max_linearisations = 0", 17, "newton.max_linearisations", "from 1");
    refused("max_substeps = 4", "max_substeps = 0", 7, "simulation.max_substeps", "from 1");
    refused("clamp = false", "integrator = \"theta\"\ntheta = 0", 7, "simulation.theta", "above 0");
    refused("clamp = false", "integrator = \"theta\"\ntheta = 1.5", 7, "simulation.theta", "at most 1");
    refused("clamp = false", "integrator = \"bdf2\"\ntheta = 0.5", 7, "simulation.theta", "\"bdf2\"");
    refused("clamp = false", "theta = 0.5", 6, "simulation.theta", "implicit-euler");
    refused("clamp = false", "integrator = \"euler\"", 6, "simulation.integrator", "\"symplectic-euler\"");
    refused("clamp = false", "integrator = 2", 6, "simulation.integrator", "\"rk4\"");
    refused("[newton]", "[rayleigh]\nmass = -1\n[newton]", 16, "rayleigh.mass", "not negative");
    refused("[newton]", "[rayleigh]\nstifness = 1\n[newton]", 16, "rayleigh.stifness", "stiffness");
    refused("frame_rate = 25", "frame_rate = 1000", 5, "simulation.frame_rate", "200 states");
}

#[test]
fn indices_out_of_range() {
    refused("    3,", "    4,", 49, "pin[1].vertices", "vertex 4 is out of range");
    refused("body = 1", "body = 2", 48, "pin[1].body", "0 to 1");
    refused("vertices = \"corners\"", "vertices = [29, 30]", 45, "pin[0].vertices", "vertex 30");
    refused("vertices = \"corners\"", "vertices = []", 45, "pin[0].vertices", "no vertex");
    refused(
        "vertices = \"corners\"",
        "vertices = { low = [9, 9, 9], high = [9, 9, 9] }",
        45,
        "pin[0].vertices",
        "no vertex",
    );
    refused(
        "vertices = \"corners\"",
        "vertices = { low = [1, 0, 0], high = [0, 0, 0] }",
        45,
        "pin[0].vertices.high",
        "low",
    );
    refused(
        "body = \"cloth\"\nvertices = \"corners\"",
        "body = 1\nvertices = \"far\"",
        45,
        "pin[0].vertices",
        "only a grid",
    );
    refused(
        "body = \"cloth\"\nvertices = \"corners\"",
        "body = 1\nvertices = [3]",
        49,
        "pin[1].vertices",
        "earlier pin",
    );
}

#[test]
fn absurd_sizes() {
    // Nothing of that size may be allocated: these return at once.
    refused("columns = 6", "columns = 4000000000", 29, "body[0].mesh.columns", "20000000000 vertices");
    refused("columns = 6", "columns = 99999999999999999999", 29, "body[0].mesh.columns", "whole number");
    refused("columns = 6", "columns = 1", 29, "body[0].mesh.columns", "from 2");
    refused("rows = 5", "rows = 0", 30, "body[0].mesh.rows", "from 2");
    refused("count = 4", "count = 4294967295", 40, "body[1].mesh.count", "besides 30");
    refused("duration = 0.5", "duration = 1e30", 3, "simulation.duration", "steps");
    refused("time_step = 0.005", "time_step = 1e-30", 3, "simulation.duration", "steps");
}

#[test]
fn names() {
    refused("name = \"chain\"", "name = \"cloth\"", 39, "body[1].name", "body[0] is called \"cloth\" already");
    refused("name = \"cloth\"", "name = \"\"", 20, "body[0].name", "word");
    refused("name = \"cloth\"", "name = \"a\\nb\"", 20, "body[0].name", "word");
    refused(
        "body = \"cloth\"",
        "body = \"towel\"",
        44,
        "pin[0].body",
        "no body is called \"towel\"; there are: cloth, chain",
    );
}

#[test]
fn contradictions() {
    refused("density = 0.2", "density = 0.2\nmass = 1", 36, "body[0].material.mass", "density already");
    refused("density = 0.2", "preset = \"tweed\"", 35, "body[0].material.preset", "\"cotton\" or \"silk\"");
    refused("density = 0.2", "volume_density = 200", 35, "body[0].material.volume_density", "no usable mass");
    refused("line_density = 0.1", "density = 0.1", 41, "body[1].material.density", "no usable mass");
    refused("name = \"chain\"", "waviness = 0.1", 39, "body[1].waviness", "grids only");
    refused("name = \"chain\"", "gather = 0.5", 39, "body[1].gather", "grids only");
}

#[test]
fn syntax_errors() {
    refused("width = 1.0", "width = ", 27, "body[0].mesh.width", "string values must be quoted");
    refused("width = 1.0", "width = 1.0.0", 27, "body[0].mesh.width", "");
    refused("width = 1.0", "width 1.0", 27, "body[0].mesh", "");
    refused("[solver]", "[solver", 9, "", "unclosed table");
    refused("depth = 2.0", "width = 2.0", 28, "body[0].mesh.width", "duplicate key");
    refused("[solver]", "[simulation]", 9, "simulation", "duplicate key");
    refused("name = \"cloth\"", "name = \"cloth", 20, "body[0].name", "");
    let (line, _, message) = wrong("[[[[");
    assert_eq!(line, Some(1), "{message}");
    let (line, ..) = wrong(&format!("a = {}", "[".repeat(100_000)));
    assert_eq!(line, Some(1));
    wrong(&format!("{}a = 1", "a.".repeat(100_000)));
}

#[test]
fn empty_files() {
    for text in ["", "\n", "# nothing\n", "[simulation]\n"] {
        let (line, field, message) = wrong(text);
        assert_eq!((line, field.as_str()), (Some(1), "body"), "{message}");
    }
    assert_eq!(wrong("body = []").1, "body");
}

#[test]
fn files_that_are_not_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    let mut bytes = GOOD.as_bytes().to_vec();
    let at = GOOD.find("cloth").unwrap();
    bytes[at] = 0xff;
    std::fs::write(&path, bytes).unwrap();
    match SceneFile::read(&path) {
        Err(Error::File { path: named, line, field, message }) => {
            assert_eq!((named, line, field.as_str()), (path, Some(20), "body[0].name"));
            assert!(message.contains("UTF-8"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn files_that_are_not_there() {
    let missing = PathBuf::from("no/such/scene.toml");
    assert!(matches!(SceneFile::read(&missing), Err(Error::Io { path, .. }) if path == missing));
    assert!(matches!(SceneFile::read("."), Err(Error::Io { .. })));
}

/// A sheet with a pin on its way, and a collider of every shape.
const MEETING: &str = r#"[[body]]
mesh = { kind = "grid", width = 1.0, depth = 1.0, columns = 4, rows = 4 }
material = { preset = "cotton" }

[[pin]]
vertices = "corners"
until = 1.5
path = [
    { time = 0.5, offset = [0, 0, 0] },
    { time = 1, offset = [0, 0.2, 0] },
    { time = 2.25, offset = [0.1, 0.2, -1] },
]

[[collider]]
shape = "plane"
point = [0, -1, 0]
normal = [0, 2, 2]

[[collider]]
shape = "sphere"
centre = [0.1, 0.2, 0.3]
radius = 0.25
thickness = 0.002
friction = 0.6
relaxation = 0.5

[[collider]]
shape = "box"
centre = [1, 0, 0]
half = [0.1, 0.2, 0.3]
rotation = { axis = [0, 0, 5], degrees = 90 }
mass = 0.4
velocity = [0, 1, 0]
angular_velocity = [0, 0, 3]

[[collider]]
shape = "box"
size = [0.2, 0.4, 0.6]
frames = [
    { time = 0, position = [0, 1, 0] },
    { time = 1, position = [0, 2, 0], rotation = { axis = [1, 0, 0], degrees = 45 } },
    { time = 2, position = [0, 1, 0], rotation = [0, 90, 0] },
]

[[collider]]
shape = "capsule"
radius = 0.05
from = [0, 1, 0]
to = [0.6, 1, 0]

[[collider]]
shape = "cylinder"
centre = [0, 0, 2]
radius = 0.1
half_length = 0.3
"#;

/// The same with one piece exchanged, which has to be there once.
#[track_caller]
fn refused_meeting(from: &str, to: &str, line: usize, field: &str, words: &str) {
    assert_eq!(MEETING.matches(from).count(), 1, "{from:?}");
    let (found_line, found_field, message) = wrong(&MEETING.replace(from, to));
    assert_eq!((found_line, found_field.as_str()), (Some(line), field), "{message}");
    assert!(message.contains(words), "{message:?} does not say {words:?}");
}

#[test]
fn pins_have_paths_and_ends() {
    let file = SceneFile::parse(MEETING, "meeting.toml").unwrap();
    let pin = &file.scene.pins[0];
    assert_eq!(pin.until, Some(1.5));
    let key = |time, offset: [f32; 3]| PinKey { time, offset: offset.into() };
    assert_eq!(pin.path, [key(0.5, [0.0; 3]), key(1.0, [0.0, 0.2, 0.0]), key(2.25, [0.1, 0.2, -1.0])]);
    let plain = SceneFile::parse(GOOD, "good.toml").unwrap();
    assert!(plain.scene.pins.iter().all(|pin| pin.path.is_empty() && pin.until.is_none()));
}

#[test]
fn wrong_paths_are_named_key_by_key() {
    refused_meeting("time = 2.25", "time = 0.75", 11, "pin[0].path[2].time", "later");
    refused_meeting("time = 2.25", "time = nan", 11, "pin[0].path[2].time", "finite");
    refused_meeting("{ time = 1, offset = [0, 0.2, 0] }", "{ time = 1 }", 10, "pin[0].path[1].offset", "missing");
    refused_meeting("offset = [0.1, 0.2, -1]", "offset = [0, 1e39, 0]", 11, "pin[0].path[2].offset[1]", "large");
    refused_meeting("offset = [0.1, 0.2, -1]", "speed = 3", 11, "pin[0].path[2].speed", "no such key");
    refused_meeting("until = 1.5", "until = -1", 7, "pin[0].until", "not negative");
    refused_meeting("until = 1.5", "until = \"late\"", 7, "pin[0].until", "number");
    refused("vertices = \"corners\"", "vertices = \"corners\"\npath = 3", 46, "pin[0].path", "array");
}

#[test]
fn every_shape_of_a_collider() {
    let file = SceneFile::parse(MEETING, "meeting.toml").unwrap();
    let [plane, sphere, rigid, moving, capsule, cylinder] = file.scene.colliders.as_slice() else {
        panic!("{:?}", file.scene.colliders)
    };
    assert_eq!(*plane, Collider::plane([0.0, -1.0, 0.0], Vec3::new(0.0, 1.0, 1.0).normalize()));
    assert!((plane.start().rotation * Vec3::Y).distance(Vec3::new(0.0, 1.0, 1.0) / 2f32.sqrt()) < 1e-6);
    let ball = Collider::sphere([0.1, 0.2, 0.3], 0.25);
    assert_eq!(*sphere, Collider { thickness: 0.002, friction: 0.6, relaxation: 0.5, ..ball });

    assert_eq!(rigid.shape, Shape::Box { half: Vec3::new(0.1, 0.2, 0.3) });
    let Motion::Dynamic(dynamic) = rigid.motion else { panic!("{rigid:?}") };
    assert_eq!((dynamic.mass, dynamic.velocity, dynamic.angular_velocity), (0.4, Vec3::Y, 3.0 * Vec3::Z));
    assert_eq!(dynamic.pose.position, Vec3::X);
    assert!((dynamic.pose.rotation * Vec3::X).distance(Vec3::Y) < 1e-6);

    assert_eq!(moving.shape, Shape::Box { half: Vec3::new(0.1, 0.2, 0.3) });
    let Motion::KeyFrames(frames) = &moving.motion else { panic!("{moving:?}") };
    let pose = |y: f32, rotation| Pose { position: y * Vec3::Y, rotation };
    assert_eq!(frames[0], KeyFrame { time: 0.0, pose: pose(1.0, Quat::IDENTITY) });
    assert_eq!(frames[1], KeyFrame { time: 1.0, pose: pose(2.0, Quat::from_rotation_x(45f32.to_radians())) });
    assert!((frames[2].pose.rotation * Vec3::Z).distance(Vec3::X) < 1e-6);

    let Shape::Capsule { radius, half_length } = capsule.shape else { panic!("{capsule:?}") };
    assert!(radius == 0.05 && (half_length - 0.3).abs() < 1e-7);
    let ends =
        [-1.0, 1.0].map(|side| capsule.start().position + capsule.start().rotation * (side * half_length * Vec3::Y));
    assert!(ends[0].distance(Vec3::Y) < 1e-6 && ends[1].distance(Vec3::new(0.6, 1.0, 0.0)) < 1e-6, "{ends:?}");
    let pose = Pose { position: 2.0 * Vec3::Z, ..Pose::default() };
    assert_eq!(*cylinder, Collider::fixed(Shape::Cylinder { radius: 0.1, half_length: 0.3 }, pose));

    // A plane moves by its pose: level unless it is turned.
    let lift = "frames = [{ time = 0, position = [0, -1, 0] }]";
    let text = MEETING.replace("point = [0, -1, 0]\nnormal = [0, 2, 2]", lift);
    let file = SceneFile::parse(&text, "meeting.toml").unwrap();
    assert_eq!(file.scene.colliders[0].start(), Collider::plane([0.0, -1.0, 0.0], Vec3::Y).start());
}

#[test]
fn wrong_colliders_are_named_key_by_key() {
    refused_meeting("\"plane\"", "\"cone\"", 15, "collider[0].shape", "\"cylinder\"");
    refused_meeting("shape = \"sphere\"\n", "", 19, "collider[1].shape", "missing");
    refused_meeting("normal = [0, 2, 2]", "normal = [0, 0, 0]", 17, "collider[0].normal", "direction");
    refused_meeting("normal = [0, 2, 2]", "", 14, "collider[0].normal", "missing");
    refused_meeting("normal = [0, 2, 2]", "radius = 1", 17, "collider[0].radius", "no such key");
    refused_meeting("radius = 0.25", "radius = -0.25", 22, "collider[1].radius", "positive");
    refused_meeting("radius = 0.25", "radius = \"large\"", 22, "collider[1].radius", "number");
    refused_meeting("centre = [0.1, 0.2, 0.3]", "centre = 3", 21, "collider[1].centre", "three numbers");
    refused_meeting("thickness = 0.002", "thickness = -1", 23, "collider[1].thickness", "not negative");
    refused_meeting("friction = 0.6", "friction = -1", 24, "collider[1].friction", "not negative");
    refused_meeting("friction = 0.6", "velocity = [0, 1, 1]", 24, "collider[1].velocity", "mass");
    refused_meeting("half = [0.1, 0.2, 0.3]", "half = [0.1, 0, 0.3]", 30, "collider[2].half[1]", "positive");
    refused_meeting("half = [0.1, 0.2, 0.3]", "", 27, "collider[2].half", "missing");
    refused_meeting("size = [0.2, 0.4, 0.6]", "size = [1, 1, 1]\nhalf = [1, 1, 1]", 38, "collider[3].size", "half");
    refused_meeting("axis = [0, 0, 5]", "axis = [0, 0, 0]", 31, "collider[2].rotation.axis", "direction");
    refused_meeting("{ axis = [0, 0, 5], degrees = 90 }", "90", 31, "collider[2].rotation", "axis");
    refused_meeting("mass = 0.4", "mass = 0", 32, "collider[2].mass", "positive");
    refused_meeting("time = 2,", "time = true,", 42, "collider[3].frames[2].time", "number");
    refused_meeting("time = 2, position = [0, 1, 0],", "time = 2,", 42, "collider[3].frames[2].position", "missing");
    refused_meeting("degrees = 45", "radians = 1", 41, "collider[3].frames[1].rotation.radians", "no such key");
    refused_meeting("size = [0.2, 0.4, 0.6]", "half = [1, 1, 1]\nmass = 1", 39, "collider[3].mass", "frame");
    refused_meeting(
        "size = [0.2, 0.4, 0.6]",
        "half = [1, 1, 1]\ncentre = [0, 0, 0]",
        39,
        "collider[3].centre",
        "frames",
    );
    refused_meeting("to = [0.6, 1, 0]", "to = [0, 1, 0]", 49, "collider[4].to", "elsewhere");
    refused_meeting("to = [0.6, 1, 0]", "", 45, "collider[4].to", "missing");
    refused_meeting("to = [0.6, 1, 0]", "to = [0, 1, 1]\nhalf_length = 1", 50, "collider[4].half_length", "from");
    refused_meeting("half_length = 0.3", "half_length = 0", 55, "collider[5].half_length", "positive");
    refused_meeting("half_length = 0.3", "half_length = 1\nframes = []", 53, "collider[5].centre", "frames");
    refused_meeting("centre = [0, 0, 2]", "frames = []", 53, "collider[5].frames", "at least one");
}

#[test]
fn the_message_names_file_line_and_field() {
    let error = SceneFile::parse(&changed("density = 0.2", "density = 0"), "dir/scene.toml").unwrap_err();
    assert_eq!(error.to_string(), "dir/scene.toml:35: body[0].material.density: must be positive and finite, not 0");
}

#[test]
fn the_scenes_that_come_along_are_good() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            SceneFile::read(path).unwrap();
            seen += 1;
        }
    }
    assert!(seen >= 17);
}

/// A scene in the folder of those that come along, where there is a ring with texture coordinates and groups.
fn ring(mesh: &str, more: &str) -> Result<SceneFile, Error> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/here.toml");
    let text = format!(
        "[[body]]\nname = \"ring\"\nmesh = {{ file = \"meshes/ring.obj\", {mesh} }}\nmaterial = {{ mass = 0.1, structural = {{ stiffness = 10.0 }} }}\n{more}"
    );
    SceneFile::parse(&text, path)
}

#[test]
fn meshes_come_from_files_beside_the_scene() {
    let file =
        ring("kind = \"file\", scale = 2, position = [0, 1, 0]", "[[pin]]\nvertices = { group = \"inside\" }").unwrap();
    let mesh = &file.scene.bodies[0].mesh;
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (32 * 16, 2 * 32 * 16));
    let height = mesh.positions.iter().map(|p| p.y).fold(0.0, f32::max);
    assert!((height - 1.1).abs() < 1e-5, "{height}");
    assert_eq!(file.scene.pins[0].vertices, Vertices::Group("inside".to_owned()));
    assert!(file.notes.iter().any(|(body, note)| body == "ring" && note.contains("polygons")), "{:?}", file.notes);

    // Flat at rest, sewn where the texture is cut: once around, and once along.
    let file = ring("kind = \"file\", rest = \"texture\", texture_scale = 0.5", "").unwrap();
    let body = &file.scene.bodies[0];
    assert_eq!(body.mesh.positions.len(), 33 * 17);
    assert!(body.mesh.positions.iter().all(|p| p.y == 0.0 && p.x <= 0.5 && p.z >= -0.5));
    assert!(body.start_positions().iter().any(|p| p.y > 0.04));
    assert!(file.scene.ties.len() >= 32 + 16, "{}", file.scene.ties.len());

    let file = ring("kind = \"fill\", spacing = 0.05", "").unwrap();
    let body = &file.scene.bodies[0];
    assert!(!body.mesh.tetrahedra.is_empty());
    assert_eq!(body.skin.as_ref().map(|skin| skin.positions.len()), Some(512));

    let collider = "[[collider]]\nshape = \"mesh\"\nfile = \"meshes/ring.obj\"\ncentre = [0, -1, 0]\ncells = 24";
    let file = ring("kind = \"file\"", collider).unwrap();
    assert!(
        matches!(&file.scene.colliders[0].shape, Shape::Mesh { cells: 24, surface } if surface.positions.len() == 512)
    );

    let message = |mesh: &str, more: &str| ring(mesh, more).unwrap_err().to_string();
    assert!(message("kind = \"file\"", "[[pin]]\nvertices = { group = \"hem\" }").contains("inside, outside"));
    assert!(message("kind = \"fill\", spacing = 1e-9", "").contains("body[0].mesh"));
    assert!(message("kind = \"file\", texture_scale = 2", "").contains("needs rest"));
    let missing = SceneFile::parse(&CHANGED_FILE.replace("@", "none.obj"), "dir/scene.toml").unwrap_err().to_string();
    assert!(missing.starts_with("dir/scene.toml:2: body[0].mesh.file: dir/none.obj: "), "{missing}");
    // What is wrong inside is said with the file's own name and line.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n").unwrap();
    let wrong = SceneFile::parse(&CHANGED_FILE.replace("@", "bad.obj"), folder.path().join("scene.toml")).unwrap_err();
    assert!(wrong.to_string().contains("bad.obj:4:"), "{wrong}");
}

const CHANGED_FILE: &str = "[[body]]\nmesh = { kind = \"file\", file = \"@\" }\nmaterial = { preset = \"cotton\" }\n";

/// Reads bytes as `SceneFile::read` does; whatever they are, it is a scene or an error with a place.
fn survives(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else { return false };
    match SceneFile::parse(text, "fuzz.toml") {
        Ok(_) => true,
        Err(Error::File { line, .. }) => {
            let lines = text.matches('\n').count() + 1;
            assert!(line.is_some_and(|line| (1..=lines).contains(&line)), "line {line:?} of {lines} in\n{text}");
            false
        }
        Err(other) => panic!("{other:?} in\n{text}"),
    }
}

#[test]
fn every_beginning_of_a_good_file_is_a_scene_or_an_error() {
    let good = (0..=GOOD.len()).filter(|&end| survives(&GOOD.as_bytes()[..end])).count();
    assert!((1..GOOD.len() / 2).contains(&good), "{good}");
}

#[test]
fn every_changed_byte_gives_a_scene_or_an_error() {
    let models = with_model(
        "membrane = { weft = 9, warp = 5, contraction = -2, shear = 3 }\n\
         bending = { weft = 2, warp = 3, rest = -5, hardening = 0.5, viscosity = 0.2 }\n\
         weave = { weft = 9, warp = { stiffness = 5 }, contraction = 2, bending = \"membrane\", bending_modulus = 5 }\n\
         area = { stiffness = 3 }\nshell = { stiffness = 3 }",
    );
    let of_models = models.find("membrane").unwrap()..models.find("structural").unwrap();
    let of_meeting = MEETING.find("until").unwrap()..MEETING.len();
    let texts = [(GOOD, 0..GOOD.len()), (BLOCK, 0..BLOCK.len()), (MEETING, of_meeting), (models.as_str(), of_models)];
    for (text, range) in texts {
        let mut good = 0;
        let mut all = 0;
        for at in range {
            for byte in *b"\0\n\r\t \"'#=.,-+[]{}_09eEinax" {
                let mut bytes = text.as_bytes().to_vec();
                bytes[at] = byte;
                good += usize::from(survives(&bytes));
                all += 1;
            }
        }
        assert!(good > 0 && good < all / 2, "{good} of {all}");
    }
}
